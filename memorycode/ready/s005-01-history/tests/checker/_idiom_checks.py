"""Checks of our own families over the syntax tree: the module as a whole, names and idioms."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache

from checker._checks import Check, definitions, modules, names
from checker._code import Code
from checker._definition import Definition
from checker._docstring_checks import documents, opening
from checker._format_check import string_format
from checker._imports import root_of
from checker._rules_model import Rule
from checker._tokens import Token, enclosed, is_plain_name, returns_in
from checker._work import Finding, Work, exception_classes, judge

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_OS_CALLS = {
    f"os.{name}"
    for name in (
        *("access", "chdir", "chmod", "chown", "fspath", "fwalk", "getcwd", "link", "listdir", "lstat", "makedirs"),
        *("mkdir", "readlink", "remove", "removedirs", "rename", "renames", "replace", "rmdir", "scandir", "sep"),
        *("stat", "symlink", "truncate", "unlink", "utime", "walk"),
    )
}
_PATH_MODULES = ("os.path.", "posixpath.", "ntpath.")
_IMPORTERS = ("__import__", "importlib.import_module")
_ARGUMENT_CASES = {
    "camel": re.compile(r"[a-z][A-Za-z0-9]*"),
    "upper": re.compile(r"[A-Z][A-Z0-9_]*"),
    "pascal": re.compile(r"[A-Z](?:[A-Z0-9]*[a-z][A-Za-z0-9]*)?"),
}


def _affix(name: str, value: str) -> bool:
    """Whether the name fits ``x*`` (starts with) or ``*x`` (ends with)."""
    return name.startswith(value[:-1]) if value.endswith("*") else name.endswith(value[1:])


# --- the module as a whole -------------------------------------------------------------------------------------------


def _constant_place(work: Work, _: Rule, value: str) -> Finding:
    def misplaced(code: Code) -> Iterator[str]:
        lines = [node.lineno for node in code.tree.body if isinstance(node, _DEFINITIONS)]
        first, last = min(lines, default=None), max(lines, default=None)
        for name, line in code.constants.items():
            right = first is None or last is None or (line < first if value == "top" else line > last)
            yield "" if right else f"constant {name!r} is not at the {value}"

    return judge((offence for code in work.modules for offence in misplaced(code)), lambda offence: offence)


def _all_list(code: Code, value: str) -> str:
    found = code.dunders.get("__all__")
    if not isinstance(found, ast.List if value == "list" else ast.Tuple):
        return f"doesn't set __all__ to a {value}"
    listed = {item.value for item in found.elts if isinstance(item, ast.Constant) and isinstance(item.value, str)}
    public = set(code.public)
    # Other public things of the module may stand in it too.
    listed -= (code.constants.keys() | code.aliases.keys()) - public
    if listed == public:
        return ""
    return f"lists {sorted(listed)} in __all__, but its public functions and classes are {sorted(public)}"


def _future(code: Code, value: str) -> str:
    first = next(iter(code.imports.nodes), None)
    right = (
        isinstance(first, ast.ImportFrom)
        and first.module == "__future__"
        and value in [alias.name for alias in first.names]
    )
    return "" if right else f"doesn't begin its imports with `from __future__ import {value}`"


def _alias(code: Code, value: str) -> str:
    return "" if value in code.aliases.values() else f"declares no type by {value}"


def _import_form(work: Work, _: Rule, value: str) -> Finding:
    wanted = ast.Import if value == "import" else ast.ImportFrom
    found = [
        (code.path, node)
        for code in work.modules
        for node in code.imports.nodes
        if not (isinstance(node, ast.ImportFrom) and node.module == "__future__")
    ]
    return judge(found, lambda pair: "" if isinstance(pair[1], wanted) else f"{pair[0]} has {ast.unparse(pair[1])!r}")


def _import_ban(work: Work, _: Rule, value: str) -> Finding:
    found = [(code.path, name) for code in work.modules for name in (*code.imports.modules(), *_called_imports(code))]
    return judge(found, lambda pair: f"{pair[0]} imports {pair[1]}" if pair[1].split(".")[0] == value else "")


def _called_imports(code: Code) -> Iterator[str]:
    """Modules imported by a call that names them."""
    for node in code.nodes:
        match node:
            case ast.Call(args=[ast.Constant(value=str(name)), *_]) if code.resolve(node) in _IMPORTERS:
                yield name
            case _:
                pass


def _paths(work: Work, _: Rule, value: str) -> Finding:
    def library(name: str) -> str:
        root = name.split(".")[0]
        if root in ("pathlib", "glob"):
            return root
        return "os" if name.startswith(_PATH_MODULES) or name in _OS_CALLS else ""

    found = [(code.path, used) for code in work.modules for name in code.uses if (used := library(name))]
    return judge(found, lambda pair: "" if pair[1] == value else f"{pair[0]} uses {pair[1]}, not {value} alone")


# --- idioms ----------------------------------------------------------------------------------------------------------


def _exceptions(work: Work, _: Rule, value: str) -> Finding:
    @cache
    def strangers(code: Code) -> dict[str, str]:
        """Variables that something else was made for than an exception of the module's own, and what that is."""
        wrong = ((name, stranger(code, call)) for name, calls in code.made.items() for call in calls)
        return {name: what for name, what in wrong if what}

    @cache
    def own(code: Code) -> dict[str, set[str]]:
        return exception_classes(code)

    def stranger(code: Code, raised: ast.expr) -> str:
        name = code.resolve(raised)
        # A class inside another one is reached through it, or through an instance.
        known = name if code.imports.know(raised) else name.rpartition(".")[2]
        return "" if value in own(code).get(known, ()) else name or "something"

    def offence(pair: tuple[Code, ast.expr]) -> str:
        code, raised = pair
        if isinstance(raised, ast.Name) and raised.id in code.made:
            what = strangers(code).get(raised.id, "")
        else:
            what = stranger(code, raised)
        return f"{code.path} raises {what}, no {value} of its own" if what else ""

    found = ((c, node.exc) for c in work.modules for node in c.raises if node.exc is not None)
    return judge(((code, raised) for code, raised in found if not _again(code, raised)), offence)


def _again(code: Code, raised: ast.expr) -> bool:
    """Whether it is something that was caught."""
    root = root_of(raised)
    return root is not None and root.id in code.handlers and root.id not in code.made


def _logging(work: Work, rule: Rule, value: str) -> Finding:
    logger, method = value.split(".")

    def silent(code: Code, definition: Definition) -> str:
        if logger not in code.loggers:
            return f"{code.path} has no module-level logger {logger!r}"
        logs = any(
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and (node.func.value.id, node.func.attr) == (logger, method)
            for node in definition.own
        )
        return "" if logs else f"{definition.name!r} doesn't call {value}"

    pairs = [
        (code, definition)
        for code in work.modules
        for kind, listed in (("function", code.functions), ("method", code.methods))
        if kind in rule.objects
        for definition in listed
    ]
    return judge(pairs, lambda pair: silent(*pair))


def _returns(work: Work, _: Rule, value: str) -> Finding:
    def offence(pair: tuple[Code, list[Token]]) -> str:
        code, returned = pair
        where = f"{code.path} line {returned[0].start[0]}"
        if value == "parentheses":
            return "" if enclosed(returned) else f"{where}: returns a value without parentheses"
        return "" if is_plain_name(returned) else f"{where}: returns an expression, no plain name"

    return judge(((code, returned) for code in work.modules for returned in returns_in(code.tokens)), offence)


def _records(work: Work, _: Rule, value: str) -> Finding:
    def marked(code: Code, node: ast.ClassDef) -> bool:
        return any(
            isinstance(decorator, ast.Call)
            and code.resolve(decorator) == "dataclasses.dataclass"
            and any(
                keyword.arg == value and isinstance(keyword.value, ast.Constant) and keyword.value.value is True
                for keyword in decorator.keywords
            )
            for decorator in node.decorator_list
        )

    return judge(
        work.records(), lambda pair: "" if marked(*pair) else f"class {pair[1].name!r} is no dataclass({value}=True)"
    )


def _calling(work: Work, _: Rule, value: str) -> Finding:
    def offence(definition: Definition) -> str:
        given = definition.node.args
        ordinary = len(given.args)
        if value == "positional":
            right = not ordinary and not given.kwonlyargs and given.kwarg is None
        else:
            right = ordinary == (value == "after-first") and not given.posonlyargs and given.vararg is None
        return "" if right else f"function {definition.name!r} doesn't take its arguments {value}"

    found = (d for code in work.modules for d in code.functions if d.arguments)
    return judge(found, offence)


IDIOM_CHECKS: Mapping[str, Check] = {
    "module-order": _constant_place,
    "all-list": modules(_all_list),
    "future-annotations": modules(_future),
    "type-alias": modules(_alias),
    "import-form": _import_form,
    "import-ban": _import_ban,
    "paths": _paths,
    "constant-names": names(_affix, "fit {}"),
    "argument-case": names(lambda name, case: bool(_ARGUMENT_CASES[case].fullmatch(name)), "be in {} case"),
    "attribute-underscore": names(_affix, "fit {}"),
    "string-format": string_format,
    "exceptions": _exceptions,
    "logging": _logging,
    "return-style": _returns,
    "records": _records,
    "calling": _calling,
    "docstring-opening": definitions(opening),
    "docstring-arguments": documents,
}
