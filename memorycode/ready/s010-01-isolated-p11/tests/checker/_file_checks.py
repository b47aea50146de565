"""Checks of our own families over lines, tokens, file names, tests and commits."""

import ast
import re
import tokenize
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath

from checker._checks import Check, modules
from checker._code import Code
from checker._rules_model import Rule
from checker._work import Finding, Work, judge, own_comments

_FILE_NAME = re.compile(r"[\w-]+\.py\b")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

# --- files -----------------------------------------------------------------------------------------------------------


def _line(index: int, which: str) -> Check:
    def offence(code: Code, value: str) -> str:
        found = code.lines[index] if code.lines else ""
        return "" if found == value else f"{code.path}: its {which} line is {found!r}, not {value!r}"

    return lambda work, _, value: judge(work.files if work.modules else (), lambda code: offence(code, value))


def _outside(code: Code, value: str) -> str:
    return "" if code.path.startswith(value) else f"is not in {value}"


def _misnamed(code: Code, value: str) -> str:
    fixed = PurePosixPath(code.path).name in ("__init__.py", "__main__.py")  # Python chose these names
    return "" if fixed or code.path.endswith(value) else f"doesn't end with {value}"


def _logged(work: Work, _: Rule, value: str) -> Finding:
    log = set(_FILE_NAME.findall(work.submission.files.get(value, "")))
    return judge(
        work.modules,
        lambda code: "" if PurePosixPath(code.path).name in log else f"{value} doesn't name {code.path}",
    )


def _version(code: Code, value: str) -> str:
    found = code.dunders.get("__version__")
    right = isinstance(found, ast.Constant) and found.value == value
    return "" if right else f"doesn't set __version__ to {value!r}"


def _long(code: Code, value: str) -> str:
    line = next((number for number, line in enumerate(code.lines, 1) if len(line) > int(value)), 0)
    return f"line {line} is longer than {value} characters" if line else ""


def _spacing(code: Code, value: str) -> str:
    """Empty lines before each top-level definition but the first; comments above it belong to it."""
    wanted, seen = int(value), False
    for before, after in zip(code.tree.body, code.tree.body[1:], strict=False):
        seen = seen or isinstance(before, _DEFINITIONS)
        if seen and isinstance(after, _DEFINITIONS):
            start = min([after.lineno, *(d.lineno for d in after.decorator_list)])
            between = code.lines[(before.end_lineno or before.lineno) : start - 1]
            blank = sum(not line.strip() for line in between)
            if blank != wanted:
                return f"has {blank} blank lines before {after.name!r}, not {wanted}"
    return ""


def _indent(work: Work, _: Rule, value: str) -> Finding:
    def steps(code: Code) -> Iterator[str]:
        levels = [""]
        for token in code.tokens:
            if token.type == tokenize.INDENT:
                yield token.string.removeprefix(levels[-1])
                levels.append(token.string)
            elif token.type == tokenize.DEDENT:
                levels.pop()

    found = [(code.path, step) for code in work.modules for step in steps(code)]
    return judge(found, lambda pair: "" if pair[1] == value else f"{pair[0]} indents by {pair[1]!r}, not {value!r}")


def _opening_quotes(code: Code) -> Iterator[str]:
    """The first quote of every string literal; docstrings and strings inside f-strings apart."""
    documented = (
        node.body[0]
        for node in code.nodes
        if isinstance(node, (ast.Module, *_DEFINITIONS)) and ast.get_docstring(node, clean=False) is not None
    )
    ends = {
        code.place(first.lineno, first.col_offset): code.place(first.end_lineno or 0, first.end_col_offset or 0)
        for first in documented
    }
    end = (0, 0)  # of the docstring that was read last: several literals can make one up
    depth = 0
    for token in code.tokens:
        name = tokenize.tok_name[token.type]
        end = ends.get(token.start, end)
        if depth == 0 and name in ("STRING", "FSTRING_START") and token.start >= end:
            yield token.string.lstrip("rRbBuUfF")[0]
        depth += {"FSTRING_START": 1, "FSTRING_END": -1}.get(name, 0)


def _quotes(work: Work, _: Rule, value: str) -> Finding:
    found = [(code.path, quote) for code in work.modules for quote in _opening_quotes(code)]
    return judge(found, lambda pair: "" if pair[1] == value else f"{pair[0]} has a string in {pair[1]} quotes")


# --- tests and commits -----------------------------------------------------------------------------------------------


def _test_names(work: Work, _: Rule, value: str) -> Finding:
    return judge(
        work.test_functions(), lambda name: "" if name.startswith(value) else f"test {name!r} should start with {value}"
    )


def _test_folder(work: Work, _: Rule, value: str) -> Finding:
    # pytest looks for its settings where they are needed, and they hold no test.
    found = (code for code in work.tests if PurePosixPath(code.path).name != "conftest.py")
    return judge(
        found, lambda code: "" if code.path.startswith(value) else f"the test file {code.path} is not in {value}"
    )


def _commits(part: int, obeys: Callable[[str, str], bool], wanted: str) -> Check:
    """``part``: 0 for the first line of a message, -1 for the last."""

    def offence(message: str, value: str) -> str:
        lines = message.strip().split("\n")
        return "" if obeys(lines[part], value) else f"commit {lines[0]!r} should {wanted} {value!r}"

    return lambda work, _, value: judge(work.submission.commits, lambda message: offence(message, value))


def _comment_tag(work: Work, _: Rule, value: str) -> Finding:
    found = [(code.path, comment) for code in work.modules for comment in own_comments(code)]
    return judge(
        found, lambda pair: "" if pair[1].startswith(value) else f"{pair[0]}: comment {pair[1]!r} lacks {value!r}"
    )


FILE_CHECKS: Mapping[str, Check] = {
    "header-line": _line(0, "first"),
    "footer-line": _line(-1, "last"),
    "module-folder": modules(_outside),
    "module-suffix": modules(_misnamed),
    "change-log": _logged,
    "module-version": modules(_version),
    "line-length": modules(_long),
    "blank-lines": modules(_spacing),
    "indent": _indent,
    "quotes": _quotes,
    "test-names": _test_names,
    "test-folder": _test_folder,
    "commit-prefix": _commits(0, str.startswith, "start with"),
    "commit-trailer": _commits(-1, str.__eq__, "have as its last line"),
    "commit-ending": _commits(0, str.endswith, "end with"),
    "comment-tag": _comment_tag,
}
