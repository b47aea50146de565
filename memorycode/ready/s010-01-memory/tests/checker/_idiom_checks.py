"""Checks of our own families over the syntax tree: the module as a whole, names and idioms."""

import ast
import re
from collections.abc import Iterator, Mapping

from checker._checks import Check, definitions, modules, names
from checker._code import Code, Definition
from checker._rules_model import Rule
from checker._work import Finding, Work, exception_classes, judge

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_OS_CALLS = {"os." + name for name in ("listdir", "scandir", "walk", "makedirs", "mkdir", "remove", "rename", "stat")}
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
    def offence(pair: tuple[Code, str]) -> str:
        code, name = pair
        lines = [node.lineno for node in code.tree.body if isinstance(node, _DEFINITIONS)]
        line = code.constants[name]
        right = not lines or (line < min(lines) if value == "top" else line > max(lines))
        return "" if right else f"constant {name!r} is not at the {value}"

    return judge(((code, name) for code in work.modules for name in code.constants), offence)


def _all_list(code: Code, value: str) -> str:
    found = code.dunders.get("__all__")
    if not isinstance(found, ast.List if value == "list" else ast.Tuple):
        return f"doesn't set __all__ to a {value}"
    listed = sorted(item.value for item in found.elts if isinstance(item, ast.Constant) and isinstance(item.value, str))
    public = sorted(
        node.name for node in code.tree.body if isinstance(node, _DEFINITIONS) and not node.name.startswith("_")
    )
    listed = [name for name in listed if name in public or name not in code.constants]
    return "" if listed == public else f"lists {listed} in __all__, but its public functions and classes are {public}"


def _future(code: Code, value: str) -> str:
    first = code.imports[0] if code.imports else None
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
        for node in code.imports
        if not (isinstance(node, ast.ImportFrom) and node.module == "__future__")
    ]
    return judge(found, lambda pair: "" if isinstance(pair[1], wanted) else f"{pair[0]} has {ast.unparse(pair[1])!r}")


def _import_ban(work: Work, _: Rule, value: str) -> Finding:
    found = [(code.path, name) for code in work.modules for name in code.imported()]
    return judge(found, lambda pair: f"{pair[0]} imports {pair[1]}" if pair[1].split(".")[0] == value else "")


def _paths(work: Work, _: Rule, value: str) -> Finding:
    def library(name: str) -> str:
        root = name.split(".")[0]
        if root in ("pathlib", "glob"):
            return root
        return "os" if name.startswith(("os.path.", "posixpath.")) or name in _OS_CALLS else ""

    found = [(code.path, used) for code in work.modules for name in code.uses if (used := library(name))]
    return judge(found, lambda pair: "" if pair[1] == value else f"{pair[0]} uses {pair[1]}, not {value} alone")


# --- idioms ----------------------------------------------------------------------------------------------------------


def _formats(code: Code) -> Iterator[str]:
    """How each value gets into text: ``fstring``, ``percent``, ``format`` or ``concat``."""

    def text(node: ast.AST) -> bool:
        return (isinstance(node, ast.Constant) and isinstance(node.value, str)) or isinstance(node, ast.JoinedStr)

    def plain(node: ast.AST) -> bool:
        return isinstance(node, ast.Constant)

    for node in code.nodes:
        match node:
            case ast.JoinedStr(values=values) if any(isinstance(v, ast.FormattedValue) for v in values):
                yield "fstring"
            case ast.BinOp(left=left, op=ast.Mod()) if text(left):
                yield "percent"
            case ast.BinOp(left=left, op=ast.Add(), right=right) if (text(left) and not plain(right)) or (
                text(right) and not plain(left)
            ):
                yield "concat"
            case ast.Call(func=ast.Attribute(value=value, attr="format")) if text(value) or isinstance(value, ast.Name):
                yield "format"
            case _:
                pass


def _string_format(work: Work, _: Rule, value: str) -> Finding:
    found = [(code.path, way) for code in work.modules for way in _formats(code)]
    return judge(found, lambda pair: "" if pair[1] == value else f"{pair[0]} formats by {pair[1]}, not {value}")


def _exceptions(work: Work, _: Rule, value: str) -> Finding:
    def offence(pair: tuple[Code, ast.Raise]) -> str:
        code, node = pair
        name = code.resolve(node.exc) if node.exc else ""
        right = value in exception_classes(code).get(name, ())
        return "" if right else f"{code.path} raises {name or 'something'}, no {value} of its own"

    def new(code: Code, node: ast.Raise) -> bool:
        again = isinstance(node.exc, ast.Name) and node.exc.id in code.handlers
        return node.exc is not None and not again

    return judge(((c, node) for c in work.modules for node in c.raises if new(c, node)), offence)


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
    def enclosed(node: ast.Return) -> bool:
        inner = node.value
        if isinstance(inner, ast.Tuple | ast.GeneratorExp):  # their own parentheses belong to them
            first = inner.elts[0] if isinstance(inner, ast.Tuple) and inner.elts else None
            return first is None or (first.lineno, first.col_offset) > (inner.lineno, inner.col_offset)
        assert inner is not None
        return (node.end_lineno, node.end_col_offset) != (inner.end_lineno, inner.end_col_offset)

    def offence(pair: tuple[Code, ast.Return]) -> str:
        code, node = pair
        where = f"{code.path} line {node.lineno}"
        if value == "parentheses":
            return "" if enclosed(node) else f"{where}: returns a value without parentheses"
        plain = isinstance(node.value, ast.Name) and not enclosed(node)
        return "" if plain else f"{where}: returns an expression, no plain name"

    return judge(((c, node) for c in work.modules for node in c.returns), offence)


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
            right = not ordinary and not given.kwonlyargs
        elif value == "keyword":
            right = not ordinary and not given.posonlyargs
        else:
            right = ordinary == 1 and not given.posonlyargs
        return "" if right else f"function {definition.name!r} doesn't take its arguments {value}"

    found = (d for code in work.modules for d in code.functions if d.arguments)
    return judge(found, offence)


def _opening(definition: Definition, value: str) -> str:
    return "" if definition.docstring.startswith(value) else f"has no docstring that starts with {value!r}"


def _documented(definition: Definition, value: str) -> str:
    lines = [line.strip() for line in definition.docstring.split("\n")]
    if value == "google":
        start, form = ["Args:"], "{}:"
    elif value == "numpy":
        start, form = ["Parameters", "----------"], "{} :"
    else:
        start, form = [], ":param {}:"
    at = next((n for n in range(len(lines)) if lines[n : n + len(start)] == start), None)
    for argument in definition.arguments:
        listed = at is not None and any(line.startswith(form.format(argument.arg)) for line in lines[at:])
        if not listed:
            return f"doesn't list {argument.arg!r} in its docstring in the {value} way"
    return "" if definition.docstring else "has no docstring"


def _documents(work: Work, rule: Rule, value: str) -> Finding:
    # A definition without arguments has nothing to list.
    kept = [definition for definition in work.definitions(rule.objects) if definition.arguments]
    return judge(kept, lambda definition: f"{definition.name!r} {m}" if (m := _documented(definition, value)) else "")


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
    "string-format": _string_format,
    "exceptions": _exceptions,
    "logging": _logging,
    "return-style": _returns,
    "records": _records,
    "calling": _calling,
    "docstring-opening": definitions(_opening),
    "docstring-arguments": _documents,
}
