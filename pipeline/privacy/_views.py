r"""One text, read the ways a reader might: as it stands, with its escapes resolved, with wrapped lines joined.

A secret in JSON inside JSON, in a URL or in coloured output is plain in some view. Every view knows for each of its
bytes where in the text it came from, so what is found in a view is replaced in the text.
"""

import html
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from swe_together.pipeline.privacy._model import PrivacyError
from swe_together.pipeline.privacy._re2 import compile_bytes

DEPTH: Final = 12
"""Escapes within escapes that are resolved. Recorded sessions hold four."""

_ESCAPE: Final = re.compile(
    rb"\\(?:u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|[\"'\\/bfnrtv0])"
    rb"|%[0-9A-Fa-f]{2}|&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});"
)
_INVISIBLE: Final = re.compile(rb"\x1b\[[0-9;?]{0,16}[A-Za-z]|\xe2\x80[\x8b-\x8d]|\xc2\xad|\xef\xbb\xbf")
"""Colours of a terminal and characters of no width: removed before escapes are resolved, for they part both."""
_HIDES: Final = re.compile(rb"\\[uUx][0-9a-fA-F{]|%[0-9A-Fa-f]{2}|&#")
_SIMPLE: Final = {
    b"b": b"\b",
    b"f": b"\f",
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"v": b"\v",
    b"0": b"\0",
    b'"': b'"',
    b"'": b"'",
    b"\\": b"\\",
    b"/": b"/",
}
_WRAP = compile_bytes(
    rb"([A-Za-z0-9+/=_.-]{16,})(\\?\r?\n[ \t]*(?:[+>|-][ \t]?|\d{1,6}(?:[|:\t]|\xe2\x86\x92)[ \t]*)?)"
)
_RUN = re.compile(rb"[A-Za-z0-9+/=_-]{1,512}")


@dataclass(frozen=True, slots=True)
class View:
    """A reading of a text.

    Attributes:
        data: Its bytes.
        joins: Offsets in ``data`` at which two lines were joined.
    """

    data: bytes
    _at: tuple[int, ...] = ()
    _source: tuple[int, ...] = ()
    _size: tuple[int, ...] = ()
    _literal: tuple[bool, ...] = ()
    _parent: "View | None" = None
    joins: tuple[int, ...] = ()

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original text that ``data[start:end]`` was read from; ``start < end``."""
        if self._parent is None:
            return start, end
        first, last = bisect_right(self._at, start) - 1, bisect_right(self._at, end - 1) - 1
        begin = self._source[first] + (start - self._at[first] if self._literal[first] else 0)
        stop = self._source[last] + (end - self._at[last] if self._literal[last] else self._size[last])
        return self._parent.place(begin, stop)


class _Builder:
    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.at: list[int] = []
        self.source: list[int] = []
        self.size: list[int] = []
        self.literal: list[bool] = []
        self.joins: list[int] = []
        self.length = 0

    def add(self, data: bytes, source: int, size: int, literal: bool) -> None:
        if data:
            self.parts.append(data)
            self.at.append(self.length)
            self.source.append(source)
            self.size.append(size)
            self.literal.append(literal)
            self.length += len(data)

    def view(self, parent: View) -> View:
        return View(
            b"".join(self.parts),
            tuple(self.at),
            tuple(self.source),
            tuple(self.size),
            tuple(self.literal),
            parent,
            tuple(self.joins),
        )


def views(data: bytes) -> Iterator[View]:
    """The readings of a text, itself first.

    Raises:
        PrivacyError: Escapes lie within escapes deeper than ``DEPTH`` and may still hide something.
    """
    current = View(data)
    for _ in range(DEPTH):
        yield current
        visible = _resolved(current, _INVISIBLE)
        if visible is not None:
            current = visible
            yield current
        joined = _joined(current)
        if joined is not None:
            yield joined
        deeper = _resolved(current, _ESCAPE)
        if deeper is None:
            return
        current = deeper
    if _HIDES.search(current.data):
        raise PrivacyError(f"text is escaped more than {DEPTH} times over.", "Leave it out.")
    yield current


def _resolved(view: View, escapes: re.Pattern[bytes]) -> View | None:
    """The view with each of some escapes resolved once; None where it has none."""
    data, built, last = view.data, _Builder(), 0
    for match in escapes.finditer(data):
        start, end = match.span()
        built.add(data[last:start], last, start - last, literal=True)
        built.add(_meaning(match.group()), start, end - start, literal=False)
        last = end
    if not last:
        return None
    built.add(data[last:], last, len(data) - last, literal=True)
    return built.view(view)


def _meaning(escape: bytes) -> bytes:
    if escape[:1] == b"%":
        return bytes.fromhex(escape[1:].decode())
    if escape[:1] == b"&":
        return html.unescape(escape.decode()).encode("utf-8", "replace")
    if escape[:1] != b"\\":
        return b""
    if escape[1:2] == b"x":
        return bytes.fromhex(escape[2:].decode())
    if escape[1:2] in b"uU":
        code = int(escape[2:].strip(b"{}"), 16)
        return chr(code).encode("utf-8", "surrogatepass") if code < 0x110000 else b"?"
    return _SIMPLE[escape[1:2]]


def _joined(view: View) -> View | None:
    """The view with lines joined where one long run of token characters seems to go on in the next line."""
    data, built, last = view.data, _Builder(), 0
    for match in _WRAP.finditer(data):
        start, end = match.span(2)
        if not _goes_on(data, match.start(1), start, end):
            continue
        built.add(data[last:start], last, start - last, literal=True)
        built.joins.append(built.length)
        last = end
    if not built.joins:
        return None
    built.add(data[last:], last, len(data) - last, literal=True)
    return built.view(view)


def _goes_on(data: bytes, begin: int, start: int, end: int) -> bool:
    """Whether the run before the break and the one after it look like halves of one token and not like words."""
    after = _RUN.match(data, end)
    if after is None or len(after.group()) < 4:
        return False
    head = data[begin:start]
    return _is_mixed(head) and (_is_mixed(after.group()) or after.group().isupper())


def _is_mixed(run: bytes) -> bool:
    text = run.decode("ascii")
    return any(c.isdigit() for c in text) or (not text.islower() and not text.istitle() and not text.isupper())
