"""Names of persons in settings (TOML, YAML, INI, keyword arguments): right beside a key for their mail address.

Only the line before or after, or the next item of the same line, is beside: further away a ``name`` is a package's.
"""

import re
from collections.abc import Iterator
from typing import Final

from swe_together.pipeline.privacy._author_keys import mail_role, name_role
from swe_together.pipeline.privacy._model import Family
from swe_together.pipeline.privacy._people import is_named
from swe_together.pipeline.privacy._re2 import compile_bytes

_MAIL: Final = compile_bytes(
    rb"([Mm]ail[\w.-]{0,12}|MAIL[\w.-]{0,12})[\"']?[ \t]{0,20}(?:=>|[:=])[ \t]{0,20}[\[\"'< \t]{0,4}"
    rb"([^\s\"'<>,;\[\]{}]{3,120})[\"'> \t\]]{0,4}"
)
"""Group 1 is the end of a key."""
_KEY: Final = re.compile(rb"(?<![\w.])[A-Za-z][\w.-]{0,60}\Z")
_NAME: Final = re.compile(
    rb"(?<![\w.])(?<!--)([A-Za-z][\w.-]{0,60})[\"']?[ \t]{0,20}(?:=>|[:=])[ \t]{0,20}\[?[ \t]{0,4}"
    rb"(?:\"([^\"\r\n]{2,60})\"|'([^'\r\n]{2,60})'"
    rb"|([A-Za-z\x80-\xff][^\r\n\"#<>@:;,=(){}\[\]|\\`]{1,60}"
    rb"(?:, [A-Z\x80-\xff][A-Za-z\x80-\xff.' -]{1,40})?))(?=[ \t\])]{0,4}(?:$|[\r\n\"'#<,;}\\]))"
)
_BARE: Final = 4
"""The group of a value without quotes."""
_ENTRY: Final = re.compile(rb"[ \t]*,[ \t]*[\"']([^\"'\r\n]{2,60})[\"']")
"""A further name of a list."""
_REACH: Final = 300
"""Bytes of a line that are looked at."""
_NUMBER: Final = re.compile(rb"(?:[\w./@-]{1,120}:)?[ \t]*\d{1,6}(?:[|:\t]|\xe2\x86\x92)|[\w./@-]{1,120}\.\w{1,8}:")
"""A line's number, as ``cat -n`` and ``grep`` print it, or the file that it is of."""
_BLANK: Final = re.compile(rb"[+>|-]?[ \t]*(?:(?:#|//|;|\*)[ \t]*)?(?:-[ \t]+)?(?:(?:export|set|ENV)[ \t]+)?[\"']?")
"""What stands in a line before its first key: the sign of a diff, spaces, that of a comment, the dash of an item."""
_BETWEEN: Final = re.compile(rb"[\"'\])]*[ \t]*[,;][ \t]*[\"']?")
"""Between two items of the same line."""
_ITEM: Final = b"- "


def beside_mail(data: bytes) -> Iterator[tuple[int, int, str, Family]]:
    """Names of persons beside a key for a mail address in ``data``: start, end, kind, family."""
    for mail in _MAIL.finditer(data):
        key = _KEY.search(data, max(0, mail.start() - 48), mail.end(1))
        role = mail_role(key.group().decode("latin-1")) if key is not None else None
        if key is None or role is None:
            continue
        start = key.start()
        for name in _names(data, start, mail.end()):
            under = name.group(1).decode("latin-1")
            if role and name_role(under) == "" and data[name.end(1) : name.end(1) + 1] in (b'"', b"'"):
                continue  # JSON: a ``name`` there is that of the object, and ``author_email`` is another's.
            for begin, end in _values(data, name):
                if is_named(under, data[begin:end], mail.group(2)):
                    yield begin, end, "person-name", "person"


def _values(data: bytes, name: re.Match[bytes]) -> Iterator[tuple[int, int]]:
    """The value of a key, or the strings of its list, without what stands around it."""
    group = name.lastindex or 0
    begin, end = name.span(group)
    yield begin, begin + len(data[begin:end].rstrip(b" \t'"))
    while group != _BARE and (entry := _ENTRY.match(data, end + 1)):
        end = entry.end(1)
        yield entry.span(1)


def _names(data: bytes, start: int, end: int) -> Iterator[re.Match[bytes]]:
    """Keys for names beside the key for a mail address that begins at ``start`` and whose value ends at ``end``."""
    head, tail = _line(data, start)
    for name in _in(data, max(head, start - _REACH), start):
        if _BETWEEN.fullmatch(data, name.end(), start):
            yield name
    between = _BETWEEN.match(data, end)
    if between is not None:
        for name in _in(data, between.end(), tail):
            if name.start() == between.end():
                yield name
    for line in (_line(data, head - 1) if head else None, _line(data, tail + 1) if tail < len(data) else None):
        if line is not None:
            for name in _in(data, *line):
                if _level(data, min(name.start(), start), max(name.start(), start)):
                    yield name


def _in(data: bytes, start: int, end: int) -> Iterator[re.Match[bytes]]:
    """Keys for names in a stretch of one line."""
    for name in _NAME.finditer(data, start, end):
        if name_role(name.group(1).decode("latin-1")) is not None:
            yield name


def _line(data: bytes, at: int) -> tuple[int, int]:
    """Where the line around ``at`` begins and ends, without its break; a long one only as far as is looked."""
    start, end = data.rfind(b"\n", max(0, at - _REACH), at), data.find(b"\n", at, at + _REACH)
    return (max(0, at - _REACH) if start < 0 else start + 1), (min(len(data), at + _REACH) if end < 0 else end)


def _level(data: bytes, upper: int, lower: int) -> bool:
    """Whether keys of two lines are of the same table or item: below each other, and the lower begins no item.

    Where a text begins in the middle of a line, as in a string, its first key may be further to the right.
    """
    above, below = _before(data, upper), _before(data, lower)
    if not _BLANK.fullmatch(below) or below.endswith(_ITEM):
        return False
    if _BLANK.fullmatch(above):
        return len(above) == len(below)
    return above[-1:] in (b'"', b"'", b"`", b">", b"=", b",", b"(")


def _before(data: bytes, key: int) -> bytes:
    """What stands in the line before a key, without the line's number."""
    before = data[_line(data, key)[0] : key]
    number = _NUMBER.match(before)
    return before[number.end() :] if number else before
