"""Patches in the envelope of ``apply_patch``: ``*** Begin Patch`` … ``*** End Patch``, placed by their context."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

_HEADER: Final = re.compile(r"\*\*\* (Add|Update|Delete) File: (.+)")
_KINDS: Final[Mapping[str, Literal["Add", "Update", "Delete"]]] = {"Add": "Add", "Update": "Update", "Delete": "Delete"}
_MOVE: Final = re.compile(r"\*\*\* Move to: (.+)")


@dataclass(slots=True)
class Section:
    """What a patch does with one file. ``hunks``: for each, the lines before and after."""

    kind: Literal["Add", "Update", "Delete"]
    path: str
    moved_to: str | None = None
    added: list[str] = field(default_factory=list)
    hunks: list[tuple[list[str], list[str]]] = field(default_factory=list)


def envelope_in(text: str) -> str | None:
    """The patch that a text holds, such as a command that feeds it to ``apply_patch``."""
    start = text.find("*** Begin Patch")
    if start < 0:
        return None
    end = text.find("*** End Patch", start)
    return text[start : end if end > 0 else len(text)]


def sections_of(envelope: str) -> Iterator[Section]:
    """The files of a patch."""
    current: Section | None = None
    for line in envelope.splitlines()[1:]:
        if header := _HEADER.fullmatch(line.rstrip()):
            if current is not None:
                yield current
            current = Section(_KINDS[header[1]], header[2])
        elif current is None or line.startswith(("*** End of File", "*** End Patch")):
            continue
        elif moved := _MOVE.fullmatch(line.rstrip()):
            current.moved_to = moved[1]
        elif current.kind == "Add":
            current.added.append(line.removeprefix("+"))
        elif line.startswith("@@") or not current.hunks:
            current.hunks.append(([], []))
            if not line.startswith("@@"):
                _add(current, line)
        else:
            _add(current, line)
    if current is not None:
        yield current


def patched(text: str, section: Section) -> str | None:
    """The text of a file after its hunks; None where one finds no place."""
    lines = text.split("\n")
    at = 0
    for old, new in section.hunks:
        if not old:
            place = len(lines) - 1 if lines[-1] == "" else len(lines)
        else:
            found = _place(lines, old, at)
            if found is None:
                return None
            place = found
        lines[place : place + len(old)] = new
        at = place + len(new)
    return "\n".join(lines)


def _add(section: Section, line: str) -> None:
    old, new = section.hunks[-1]
    sign, rest = line[:1], line[1:]
    if sign in (" ", "-", ""):
        old.append(rest)
    if sign in (" ", "+", ""):
        new.append(rest)


def _place(lines: list[str], wanted: list[str], start: int) -> int | None:
    forms: tuple[Callable[[str], str], ...] = (str, str.rstrip, str.strip)
    for form in forms:
        formed, sought = [form(line) for line in lines], [form(line) for line in wanted]
        for begin in (start, 0):
            for place in range(begin, len(lines) - len(wanted) + 1):
                if formed[place : place + len(wanted)] == sought:
                    return place
    return None
