"""Checks of the families that the published instructions use, by their plain meaning."""

import ast
import re
from collections.abc import Callable, Mapping

from checker._code import Code
from checker._definition import Definition
from checker._rules_model import Rule
from checker._work import Finding, Work, judge, own_comments

type Check = Callable[[Work, Rule, str], Finding]

# None of these can backtrack: each has one way to read a name.
_CASES = {
    "upper": re.compile(r"[A-Z][A-Z0-9_]*"),
    "camel": re.compile(r"[A-Z](?:[A-Z0-9]*[a-z][A-Za-z0-9]*)?"),
    "snake": re.compile(r"[a-z][a-z0-9_]*"),
}


def names(obeys: Callable[[str, str], bool], wanted: str) -> Check:
    """A check of every name of the rule's kind; ``wanted`` says what a name should do, with ``{}`` for the value."""

    def check(work: Work, rule: Rule, value: str) -> Finding:
        (kind,) = rule.objects
        return judge(
            work.names(kind),
            lambda name: "" if obeys(name, value) else f"{kind} {name!r} should {wanted.format(value)}",
        )

    return check


def definitions(lacks: Callable[[Definition, str], str]) -> Check:
    """A check of every function, method or both; ``lacks`` names what is missing in one, or nothing."""

    def check(work: Work, rule: Rule, value: str) -> Finding:
        def offence(definition: Definition) -> str:
            missing = lacks(definition, value)
            kind = "method" if definition.is_method else "function"
            return f"{kind} {definition.name!r} {missing}" if missing else ""

        return judge(work.definitions(rule.objects), offence)

    return check


def modules(lacks: Callable[[Code, str], str]) -> Check:
    """A check of every module; ``lacks`` names what is missing in one, or nothing."""

    def check(work: Work, _: Rule, value: str) -> Finding:
        return judge(work.modules, lambda code: f"{code.path} {missing}" if (missing := lacks(code, value)) else "")

    return check


def _unannotated(definition: Definition, _: str) -> str:
    bare = [argument.arg for argument in definition.arguments if argument.annotation is None]
    if bare:
        return f"has no annotation for {bare[0]!r}"
    return "" if definition.node.returns is not None else "has no annotation for its return value"


def _without(node_types: type[ast.AST] | tuple[type[ast.AST], ...], what: str) -> Callable[[Definition, str], str]:
    return lambda definition, _: "" if any(isinstance(n, node_types) for n in definition.own) else f"has no {what}"


def _decorated(work: Work, rule: Rule, value: str) -> Finding:
    """Every object carries the decorator, and it comes from ``pedantic``."""

    def carries(code: Code, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
        found = (code.resolve(decorator).split(".") for decorator in node.decorator_list)
        return any(parts[0] == "pedantic" and len(parts) > 1 and parts[-1] == value for parts in found)

    objects: list[tuple[Code, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]] = []
    for code in work.modules:
        if "class" in rule.objects:
            objects += ((code, node) for node in code.classes)
        if "function" in rule.objects:
            objects += ((code, definition.node) for definition in code.functions)
        if "method" in rule.objects:
            objects += ((code, definition.node) for definition in code.methods)
    return judge(
        objects,
        lambda pair: "" if carries(*pair) else f"{pair[1].name!r} lacks the decorator {value} of pedantic",
    )


def _uncommented(code: Code, _: str) -> str:
    return "" if own_comments(code) else "has no comment"


def _unimported(code: Code, value: str) -> str:
    return "" if value in code.imports.modules() else f"doesn't import {value}"


PUBLISHED_CHECKS: Mapping[str, Check] = {
    "class-case": names(lambda name, case: bool(_CASES[case].fullmatch(name)), "be written in {} case"),
    "contains": names(lambda name, part: part in name, "contain {}"),
    "prefix": names(str.startswith, "start with {}"),
    "suffix": names(str.endswith, "end with {}"),
    "digit": names(lambda name, _: sum(c.isdecimal() for c in name) == 1, "hold exactly one digit"),
    "annotation": definitions(_unannotated),
    "try": definitions(_without((ast.Try, ast.TryStar), "try statement")),
    "assert": definitions(_without(ast.Assert, "assert statement")),
    "docstring": definitions(lambda definition, _: "" if definition.docstring else "has no docstring"),
    "decorator": _decorated,
    "comment": modules(_uncommented),
    "import": modules(_unimported),
}
