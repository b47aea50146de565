"""Branches that are named after a person: ``anna/fix-login``, where somebody called Anna is known from elsewhere.

A first name or initials are ordinary letters, so they go only as a whole segment of a branch, and only where git or a
recording program wrote that branch as one.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

from swe_together.pipeline.privacy._model import Family, Span
from swe_together.pipeline.privacy._re2 import compile_bytes
from swe_together.pipeline.privacy._words import BRANCH

_BRANCH: Final = compile_bytes(
    rb"(?:(?:[Bb]ranch(?:es|Name|_name)?|[Hh]ead[_-]?[Rr]ef(?:[_-]?[Nn]ame)?|\b(?:checkout|switch|worktree add|branch)"
    rb"(?: -[a-zA-Z-]{1,12}){0,2})[\\\"'`:= \t*]{1,8}|origin/|upstream/|refs/heads/|-> "
    rb"|\bfrom [\w.-]{1,40}/|\binto ['\"]?|^\[)([A-Za-z0-9][\w.-]{0,39}/[A-Za-z0-9][\w./-]{0,100})"
)
_KEY: Final = re.compile(r"(?i)(?:git_?|current_?|base_?|source_?|target_?|head_?)?(?:branch|ref)(?:_?name)?")
_VALUE: Final = re.compile(rb"(?:refs/heads/|refs/remotes/\w+/|origin/)?([A-Za-z0-9][\w.-]{0,39}/[\w./-]{1,120})")


@lru_cache(maxsize=4096)
def _is_key(name: str) -> bool:
    return _KEY.fullmatch(name) is not None


def branch_of(name: str, value: bytes) -> bytes | None:
    """The branch that a value under a key names; None where it is none or has no segments."""
    match = _VALUE.fullmatch(value) if b"/" in value and _is_key(name) else None
    return match.group(1) if match else None


def branches(data: bytes) -> Iterator[bytes]:
    """Branches with segments that stand in ``data`` where git writes one."""
    for match in _BRANCH.finditer(data):
        yield match.group(1).rstrip(b".")


def handles(name: bytes, *, full: bool) -> frozenset[bytes]:
    """What a person may put before a branch, in lower case.

    Args:
        name: A full name, an account, or the part of a mail address before the ``@``.
        full: It is made of a first and a last name, so their initials and joined forms are the person's too.
    """
    low = name.lower()
    words = [word for word in re.split(rb"[\s._-]+", low) if word]
    found = {low} if re.fullmatch(rb"[\w.-]{2,39}", low) else set()
    if full and words:
        found.add(words[0])
    if full and len(words) > 1:
        first, last = words[0], words[-1]
        found |= {last, first[:1] + last, first + last[:1], b"".join(word[:1] for word in words)}
        found |= {mark.join(words) for mark in (b"", b".", b"-", b"_")}
    return frozenset(form for form in found if len(form) >= 2 and form.decode("latin-1") not in BRANCH)


RANK: Final = 950
Person = tuple[str, Family, bytes]
"""The kind, family and form that a person is replaced by."""
_TOKEN_BEFORE: Final = re.compile(rb"(?:^|[^A-Za-z0-9_./~\\-]|\\[nrt]|(?:origin|upstream|heads|remotes)/)$")


class NamedBranches:
    """The branches of a dataset, and the persons they may be named after."""

    def __init__(self) -> None:
        self._branches: dict[bytes, tuple[bytes, ...]] = {}
        self._segments: set[bytes] = set()
        self._persons: dict[bytes, Person] = {}
        self._guessed: set[bytes] = set()
        self._compiled: tuple[Any, Any] | None = None
        self._changes = 0

    def __len__(self) -> int:
        """How often a branch turned out to be a person's; what tells nothing yet does not count."""
        return self._changes

    def add(self, branch: bytes) -> None:
        """Remember a branch."""
        if branch not in self._branches:
            self._branches[branch] = segments = _segments(branch)
            self._segments.update(segments)
            if any(segment in self._persons for segment in segments):
                self._changed()

    def add_person(self, forms: Iterable[bytes], person: Person, *, guessed: bool = False) -> None:
        """Remember what a person may put before a branch, and what stands for the person elsewhere.

        Args:
            forms: What may stand before a branch.
            person: What stands for the person. The first to have a form keeps it.
            guessed: Nothing tells that the person works with git: anybody of whom that is known takes the form over.
        """
        for form in forms:
            if form not in self._persons or (form in self._guessed and not guessed):
                self._persons[form] = person
                (self._guessed.add if guessed else self._guessed.discard)(form)
                if form in self._segments:
                    self._changed()

    def _changed(self) -> None:
        self._compiled = None
        self._changes += 1

    def named(self) -> Iterator[tuple[bytes, Person]]:
        """The segments of branches that are a person's."""
        for segment in self._segments:
            if segment in self._persons:
                yield segment, self._persons[segment]

    def spans(self, data: bytes) -> Iterator[Span]:
        """Segments of branches in ``data`` that are a person's, also in folders named after the branch."""
        firsts, wholes = self._patterns()
        if firsts is not None and b"/" in data:
            for match in firsts.finditer(data):
                start = match.start(1)
                if _TOKEN_BEFORE.search(data[max(0, start - 9) : start]):
                    yield self._span(data, start, match.end(1))
        if wholes is not None:
            for match in wholes.finditer(data):
                before = data[max(0, match.start() - 1) : match.start()]
                if before.isalnum() or before == b"_":
                    continue
                start = match.start()
                for segment in re.split(rb"[/+-]", match.group()):
                    if segment.lower() in self._persons:
                        yield self._span(data, start, start + len(segment))
                        break
                    start += len(segment) + 1

    def _span(self, data: bytes, start: int, end: int) -> Span:
        kind, family, canonical = self._persons[data[start:end].lower()]
        return Span(start, end, kind, family, RANK, canonical)

    def _patterns(self) -> tuple[Any, Any]:
        """What begins a branch that is a person's, and these branches whole; None where there are none."""
        if self._compiled is None:
            import re2

            named = [b for b, segments in self._branches.items() if any(s in self._persons for s in segments)]
            firsts = {segment.lower() for b in named if (segment := b.partition(b"/")[0]).lower() in self._persons}
            wholes = {b.replace(b"/", mark) for b in named for mark in (b"/", b"-", b"+")}
            first = rb"(?i)(" + b"|".join(map(re2.escape, sorted(firsts))) + rb")/[a-z0-9]"
            whole = b"|".join(map(re2.escape, sorted(wholes, key=len, reverse=True)))
            self._compiled = (
                compile_bytes(first) if firsts else None,
                compile_bytes(whole, memory=256 << 20) if wholes else None,
            )
        return self._compiled


def _segments(branch: bytes) -> tuple[bytes, ...]:
    """The segments of a branch that may be a person's: short ones, such as initials, only where they come first."""
    first, *rest = branch.lower().split(b"/")
    return first, *(segment for segment in rest[:-1] if len(segment) >= 4)
