"""Objects and lists of JSON that stand in a text: read around a place, without parsing the text as a whole.

A printed ``package.json`` or an answer of an API is often cut short, numbered, or part of a log, so nothing here asks
for valid JSON. Keys may lack quotes and be followed by ``=``, as in programs and TOML.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from swe_together.pipeline.privacy._re2 import LEAD

REACH: Final = 6000
"""Bytes to each side of a place in which its object must begin and end."""
_BRACES: Final = 80
_ITEMS: Final = 200
GAP: Final = rb"[ \t]*(?:\r?\n" + LEAD + rb"[ \t]*)?"
"""Between two signs of JSON: spaces, or the next line with what stands before lines."""
_MEMBER: Final = re.compile(
    rb"[{}]|(?<![\w-])([\"']?)([A-Za-z_]\w{0,40})\1[ \t]*[:=][ \t]*"
    rb"(?:\"([^\"\r\n]{0,500})\"|'([^'\r\n]{0,500})'|(\d{1,15}|true|false)\b)"
)
_NEXT: Final = re.compile(rb"([\"'`])[ \t]*," + GAP + rb"[\"'`]([^\r\n\"'`]{1,4000})")


@dataclass(frozen=True, slots=True)
class Member:
    """A key of an object and the stretch of its value, without quotes."""

    key: str
    quoted: bool
    """The key has quotes, as in JSON."""
    key_start: int
    start: int
    end: int


def objects(data: bytes, keys: Iterable[int]) -> Iterator[list[Member]]:
    """The members of the objects that have some keys, each object once; ``keys`` are where the keys begin."""
    seen: set[int] = set()
    for key in keys:
        if key not in seen:
            found = members(data, key)
            seen.update(member.key_start for member in found)
            yield found


def members(data: bytes, at: int) -> list[Member]:
    """The texts, numbers and truths that the innermost object around ``at`` has itself."""
    start, end = _edge(data, at, -1), _edge(data, at, 1)
    found: list[Member] = []
    depth = 0
    for match in _MEMBER.finditer(data, start, end):
        if match.group() == b"{":
            depth += 1
        elif match.group() == b"}":
            depth -= 1
        elif depth == 0:
            group = next(index for index in (3, 4, 5) if match.group(index) is not None)
            key = match.group(2).decode("ascii")
            found.append(Member(key, bool(match.group(1)), match.start(), match.start(group), match.end(group)))
    return found


def _edge(data: bytes, at: int, way: int) -> int:
    """Where the object around ``at`` begins (way -1) or ends (way 1), or as far as is looked."""
    depth, place = 0, at
    last = max(0, at - REACH) if way < 0 else min(len(data), at + REACH)
    for _ in range(_BRACES):
        if way < 0:
            found = max(data.rfind(b"{", last, place), data.rfind(b"}", last, place))
        else:
            ends = [where for where in (data.find(b"{", place, last), data.find(b"}", place, last)) if where >= 0]
            found = min(ends, default=-1)
        if found < 0:
            return last
        depth += 1 if data[found : found + 1] == (b"}" if way < 0 else b"{") else -1
        if depth < 0:
            return found + 1 if way < 0 else found
        place = found if way < 0 else found + 1
    return place


def more_strings(data: bytes, end: int) -> Iterator[tuple[int, int]]:
    """The further strings of a list, after one that ends at ``end``: stretches without quotes."""
    for _ in range(_ITEMS):
        match = _NEXT.match(data, end)
        if match is None:
            return
        yield match.span(2)
        end = match.end(2)
