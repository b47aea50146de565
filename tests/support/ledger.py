"""The known failures: rows of docs/known-failures.md, and in tests/mutations.toml the edit that puts each one back."""

import ast
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "known-failures.md"
MUTATIONS = ROOT / "tests" / "mutations.toml"
_ROW = re.compile(r"\| ([A-EW]\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|")
_TEST = re.compile(r"`(tests/\S+\.py::test_\w+)`")


@dataclass(frozen=True)
class Row:
    """One row of the document. ``test`` is None where it gives a reason instead."""

    id: str
    complaint: str
    answer: str
    test: str | None


@dataclass(frozen=True)
class Mutation:
    """An edit that puts a failure back: in ``file``, ``old`` becomes ``new``, and then ``test`` must fail.

    ``test`` may name one parameter set in brackets, where the whole test would take long.
    """

    id: str
    file: str
    old: str
    new: str
    test: str

    @property
    def function(self) -> str:
        """The test without its parameters."""
        return self.test.partition("[")[0]

    def mutated(self, root: Path = ROOT) -> str:
        """The file's text with the edit.

        Raises:
            ValueError: The old text doesn't stand there exactly once, or what comes of it is no Python.
        """
        text = (root / self.file).read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.id}: {self.file} holds the old text {text.count(self.old)} times, not once")
        mutated = text.replace(self.old, self.new)
        if self.file.endswith(".py"):
            ast.parse(mutated)
        return mutated


def read_rows() -> list[Row]:
    """The rows of the document, in its order."""
    found = []
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines():
        if (row := _ROW.fullmatch(line)) is not None:
            test = _TEST.fullmatch(row[4].strip())
            found.append(Row(row[1], row[2].strip(), row[3].strip(), test[1] if test else None))
    return found


def read_mutations() -> list[Mutation]:
    """The edits, in the order of the file."""
    return [Mutation(**fault) for fault in tomllib.loads(MUTATIONS.read_text(encoding="utf-8"))["fault"]]


def marks_of(test: str) -> set[str] | None:
    """Names of the pytest marks of ``path::function`` and of its module; None where there is no such test."""
    path, _, name = test.partition("::")
    if not (ROOT / path).is_file():
        return None
    module = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    found: set[str] | None = None
    of_module: set[str] = set()
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            found = {mark for decorator in node.decorator_list for mark in _marks(decorator)}
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "pytestmark" for t in node.targets):
            of_module |= set(_marks(node.value))
    return None if found is None else found | of_module


def _marks(node: ast.expr) -> list[str]:
    """``name`` of every ``pytest.mark.name`` in an expression."""
    return [
        part.attr
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Attribute) and part.value.attr == "mark"
    ]
