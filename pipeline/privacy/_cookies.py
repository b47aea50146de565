"""Cookies: in headers, under keys of JSON, in pairs of a name and a value, and in stores of browsers.

What a cookie is called says little (``_cfuvid``, ``__cf_bm``, ``sid``), so every one goes whose value looks drawn at
random, and the attributes stay.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final
from urllib.parse import unquote_to_bytes

from swe_together.pipeline.privacy._contexts import has_marks, is_code, is_used
from swe_together.pipeline.privacy._objects import GAP, members, more_strings, objects
from swe_together.pipeline.privacy._plausible import is_broken_up, is_random
from swe_together.pipeline.privacy._re2 import any_of, compile_bytes
from swe_together.pipeline.privacy._salt import PLACEHOLDER, is_placeholder

_HEADER: Final = compile_bytes(
    rb"(?i)cookies?2?[\"'`]{0,2}[ \t]{0,4}(=>|[:=,]|[ \t][\"'])"
    + GAP
    + rb"(?:- |[\"']value[\"'][ \t]{0,4}:[ \t]{0,4})?(?:((?:[\[(]"
    + GAP
    + rb"){0,3})[\"'`]?((?:[^\r\n\"'`{\[(]|=\"[^\"\r\n;]{8,}\")(?:[^\r\n\"'`]|=\"[^\"\r\n;]{8,}\")*)|[\[(]?"
    + GAP
    + rb"(\{))"
)
"""Group 2 opens a list, 3 is a header or the first of the list, 4 opens an object."""
_CURL: Final = compile_bytes(rb"[ \t]-b[ \t=]?[\"']([^\r\n\"']{8,})[\"']")
_NAME: Final = re.compile(r"(?i)[a-z0-9_.-]{0,40}cookies?2?")
_PAIR: Final = re.compile(rb"([!#$%&*+.^_|~0-9A-Za-z-]{1,80})=\"?([^;,\s\"'\\]{8,})")
_BARE: Final = re.compile(rb"[ \t]*([^;,=\s\"'\\]{16,})[ \t]*(?:;|$)")
"""What stands before the attributes without a name."""
_ATTRIBUTES: Final = frozenset((b"path", b"domain", b"expires", b"max-age", b"samesite", b"priority", b"version"))
_LOGIN: Final = re.compile(rb"(?i)sess|sid|auth|token|login|remember|jwt")
_MASK: Final = re.compile(rb"(?:\[|<)?REDACTED(?:\]|>)?|\*{3,}|\xe2\x80\xa6")
"""What another redaction left inside a cookie: the rest of the value is still one."""
_BLANK: Final = re.compile(rb"(?i)(?:[sj]:)?\W*(?:deleted?|expired|removed|cleared|revoked|null|undefined|none)?\W*")
"""What a server leaves of a cookie that it takes back, also where it would be signed."""
_TELLS: Final = re.compile(rb"[A-Za-z]|\d{11}")
"""Without a letter and a long number what a mask left tells a version and a time at most."""
_STORE: Final = compile_bytes(rb"[\"'](?:httpOnly|sameSite)[\"']")
ANY_COOKIE: Final = any_of((_HEADER, _CURL, _STORE))
"""Found wherever there may be a cookie."""


@lru_cache(maxsize=4096)
def is_cookie_name(name: str) -> bool:
    """Whether a key, a header or a flag of this name holds cookies."""
    return _NAME.fullmatch(name) is not None


def cookies(data: bytes) -> Iterator[tuple[int, int]]:
    """The values of cookies in ``data``."""
    if b"ookie" in data or b"OOKIE" in data:
        for header in _HEADER.finditer(data):
            if header.group(4):
                for member in members(data, header.end()):
                    if _is_crumb(member.key.encode(), data[member.start : member.end]):
                        yield member.start, member.end
                continue
            yield from _crumbs(data, *header.span(3))
            if header.group(2) and header.group(1) != b",":
                for start, end in more_strings(data, header.end(3)):
                    yield from _crumbs(data, start, end)
    if b"curl" in data:
        for option in _CURL.finditer(data):
            yield from _crumbs(data, *option.span(1))
    for item in objects(data, (mark.start() for mark in _STORE.finditer(data))):
        found = {member.key: member for member in item}
        name, value = found.get("name"), found.get("value")
        if name and value and _is_crumb(data[name.start : name.end], data[value.start : value.end]):
            yield value.start, value.end


def _crumbs(data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    bare = _BARE.match(data, start, end)
    if bare is not None and not is_code(bare.group(1)) and _is_crumb(b"", bare.group(1)):
        yield bare.span(1)
    for pair in _PAIR.finditer(data, start, end):
        if _is_crumb(pair.group(1), pair.group(2)):
            yield pair.span(2)


def _is_crumb(name: bytes, value: bytes) -> bool:
    """Whether a cookie's value tells who somebody is."""
    if name.lower() in _ATTRIBUTES or is_placeholder(value):
        return False
    plain = unquote_to_bytes(value)
    left = _MASK.split(PLACEHOLDER.sub(b"", plain))
    if _BLANK.fullmatch(plain) or (len(left) > 1 and not any(map(_TELLS.search, left))):
        return False
    if _LOGIN.search(name) and has_marks(plain) and is_used(plain):
        return True
    rest = max(left, key=len)
    if not is_used(rest):
        return False
    mixed = any(48 <= byte <= 57 for byte in rest) and not rest.isdigit()
    return is_random(rest) or (mixed and (is_broken_up(rest) or is_random(rest + b"0")))
