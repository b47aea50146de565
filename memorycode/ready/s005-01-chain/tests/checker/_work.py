"""A submission as the checks see it: modules, tests, other files, commits, and objects by kind."""

import ast
import builtins
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from checker._code import MOST_CHARACTERS, Code, read
from checker._definition import Definition, is_dunder
from checker._new_rules import NEW
from checker._rules_model import ObjectKind, Submission

TEST_FOLDERS = {"test", "tests", "check", "checks", "spec", "specs"}
# Classes of these hold no values of an instance's own.
NO_RECORDS = {*(f"enum.{name}" for name in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")), "typing.Protocol"}
# Lines that a rule of ours prescribes are no comments on the code.
FIXED_LINES = {variant.value for rule in NEW if rule.id in ("header-line", "footer-line") for variant in rule.variants}


@dataclass(frozen=True)
class Finding:
    """What a check found: how many objects it judged, and the first offence in words (empty: none)."""

    objects: int
    offence: str = ""


def judge[T](objects: Iterable[T], offence: Callable[[T], str]) -> Finding:
    """Judge every object; ``offence`` says in words what is wrong with one, or nothing."""
    count, first = 0, ""
    for one in objects:
        count += 1
        first = first or offence(one)
    return Finding(count, first)


class Work:
    """Everything the checks ask of a submission; files are parsed once.

    Args:
        submission: The files and commits.
    """

    def __init__(self, submission: Submission) -> None:
        self.submission = submission
        texts = {path: text for path, text in sorted(submission.files.items()) if path.endswith(".py")}
        # What is too long as a whole is not read at all.
        self._too_long = sum(map(len, texts.values())) > MOST_CHARACTERS
        files = [] if self._too_long else [read(path, text) for path, text in texts.items()]
        # An empty __init__.py makes a package and holds nothing to judge.
        self.files = [code for code in files if code.text.strip() or not code.path.endswith("__init__.py")]
        self.tests = [code for code in self.files if is_test_path(code.path)]
        self.modules = [code for code in self.files if not is_test_path(code.path)]

    @cached_property
    def error(self) -> str:
        """Why the files can't be judged; empty where they can."""
        if self._too_long:
            return f"the answer has more than {MOST_CHARACTERS:,} characters of Python, too many to be read"
        return next((code.error for code in self.files if code.error), "")

    def definitions(self, kinds: Sequence[ObjectKind]) -> list[Definition]:
        """The functions, the methods, or both."""
        found = []
        for code in self.modules:
            if ObjectKind.FUNCTION in kinds:
                found += code.functions
            if ObjectKind.METHOD in kinds:
                found += code.methods
        return found

    def names(self, kind: ObjectKind) -> list[str]:
        """The names of all objects of a kind that has names."""
        return [name for code in self.modules for name in _NAMES[kind](code)]

    def records(self) -> Iterator[tuple[Code, ast.ClassDef]]:
        """Classes that only hold values, each with its file."""
        for code in self.modules:
            raised = exception_classes(code)
            for node in code.classes:
                bases = {code.resolve(base) for base in node.bases}
                if node.name in raised or bases & NO_RECORDS:
                    continue
                if all(is_dunder(d.name) for d in _own_functions(node)):
                    yield code, node

    def test_functions(self) -> list[str]:
        """Names of the test functions: those in test files that are called ``test…``."""
        return [
            definition.name
            for code in self.tests
            for definition in (*code.functions, *code.methods)
            if definition.name.startswith("test")
        ]


def is_test_path(path: str) -> bool:
    """Whether a file holds tests, by its name or the folder it stands in."""
    pure = PurePosixPath(path)
    named = pure.stem.startswith("test_") or pure.stem.endswith("_test") or pure.name == "conftest.py"
    return named or any(part in TEST_FOLDERS for part in pure.parts[:-1])


def own_comments(code: Code) -> list[str]:
    """Comments of a file, header and footer lines apart."""
    return [comment for comment in code.comments if comment not in FIXED_LINES]


def exception_classes(code: Code) -> dict[str, set[str]]:
    """The exceptions a file defines, with the full names of their direct bases."""
    bases = {node.name: {code.resolve(base) for base in node.bases} for node in code.classes}
    heirs: dict[str, list[str]] = {}
    for name, of in bases.items():
        for base in of:
            heirs.setdefault(base, []).append(name)
    found: dict[str, set[str]] = {}
    waiting = [heir for base, named in heirs.items() if _is_exception(base) for heir in named]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = bases[name]
            waiting += heirs.get(name, ())
    return found


def _is_exception(name: str) -> bool:
    built_in = getattr(builtins, name, None)
    known = isinstance(built_in, type) and issubclass(built_in, BaseException)
    return known or name.endswith(("Error", "Exception"))


def _own_functions(node: ast.ClassDef) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (item for item in node.body if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef))


_NAMES: dict[ObjectKind, Callable[[Code], Iterable[str]]] = {
    ObjectKind.FUNCTION: lambda code: (d.name for d in code.functions),
    ObjectKind.METHOD: lambda code: (d.name for d in code.methods),
    ObjectKind.VARIABLE: lambda code: code.variables,
    ObjectKind.ATTRIBUTE: lambda code: code.attributes,
    ObjectKind.ARGUMENT: lambda code: (a.arg for d in code.functions for a in d.arguments),
    ObjectKind.CLASS: lambda code: (node.name for node in code.classes),
    ObjectKind.CONSTANT: lambda code: code.constants,
}
