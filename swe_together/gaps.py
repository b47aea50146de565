"""What a draft of a task leaves to a person: marks in its files, in one form that can be searched for.

``<<fill in: …>>`` stands where something is missing: until it is written, the task doesn't load. ``<<review: …>>``
stands where a rule or a model has written something that a person should read: the task loads, and
``swe-together check`` names it. ``grep -rnE '<<(fill in|review): ' TASK`` finds both.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from swe_together.errors import TaskError

Kind = Literal["fill in", "review"]

_MARK: Final = re.compile(r"<<(fill in|review): (.*?)>>", re.DOTALL)
_FILES: Final = (
    "*.md",
    "*.json",
    "task.toml",
    "environment/Dockerfile",
    "tests/cases.py",
    "solution/*.md",
    "solution/*.json",
    "solution/*.sh",
    "solution/*.patch",
)
"""Files that a draft writes. The code base's own tests may hold such words, and so may patches taken from commits: in
those a mark stands at the beginning of a line, where a patch has a sign."""


@dataclass(frozen=True)
class Mark:
    """One mark.

    Attributes:
        file: Where it stands.
        line: From 1.
        kind: ``fill in`` or ``review``.
        text: What is to be done, in one line.
    """

    file: Path
    line: int
    kind: Kind
    text: str


def gap(text: str) -> str:
    """The mark of something that is missing."""
    return f"<<fill in: {text}>>"


def review(text: str) -> str:
    """The mark of something that a person should read, because a rule or a model wrote it."""
    return f"<<review: {text}>>"


def find_marks(path: Path) -> list[Mark]:
    """All marks in a task's directory, in the order of files and lines."""
    files = sorted({file for pattern in _FILES for file in path.glob(pattern) if file.is_file()})
    return [mark for file in files for mark in _marks(file)]


def find_gaps(path: Path) -> list[TaskError]:
    """What is missing in a task's directory: one error for each ``<<fill in: …>>``."""
    return [
        TaskError(mark.file, f"line {mark.line}", None, f"is still to be written: {mark.text}", "Write it.")
        for mark in find_marks(path)
        if mark.kind == "fill in"
    ]


def _marks(file: Path) -> Iterator[Mark]:
    text = file.read_bytes().decode("utf-8", "replace")
    for match in _MARK.finditer(text):
        if file.suffix == ".patch" and text[: match.start()][-1:] not in ("", "\n"):
            continue
        kind: Kind = "fill in" if match[1] == "fill in" else "review"
        yield Mark(file, text.count("\n", 0, match.start()) + 1, kind, " ".join(match[2].split()))
