"""Encoded bodies inside a text: base64, hexadecimal, and what is compressed inside those."""

import base64
import binascii
import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from swe_together.pipeline.privacy._model import PrivacyError
from swe_together.pipeline.privacy._re2 import compile_bytes

LARGEST: Final = 64 << 20
"""Bytes that a compressed body may unpack to."""

_BASE64 = compile_bytes(rb"[A-Za-z0-9+/_-]{16,}={0,2}")
_HEX = compile_bytes(rb"(?:[0-9a-f]{2}){16,}|(?:[0-9A-F]{2}){16,}")
_PICTURE: Final = (
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"RIFF",
    b"%PDF",
    b"\x00\x00\x01\x00",
    b"BM",
    b"\x00asm",
    b"wOF",
)
_GZIP: Final = b"\x1f\x8b"
_ZLIB: Final = (b"\x78\x01", b"\x78\x9c", b"\x78\xda")
_ZIP: Final = b"PK\x03\x04"


@dataclass(frozen=True, slots=True)
class Body:
    """An encoded stretch ``[start, end)`` and what it says.

    ``encode`` writes a changed text in the same encoding; None where only a placeholder can stand for the body.
    """

    start: int
    end: int
    plain: bytes
    encode: Callable[[bytes], bytes] | None
    how: str


def is_picture(data: bytes) -> bool:
    """Whether the bytes begin as a picture, a document or a font does."""
    return data.startswith(_PICTURE)


def bodies(data: bytes, on_picture: Callable[[bytes], None]) -> Iterator[Body]:
    """Encoded bodies in ``data`` that say text.

    Args:
        data: What to look through.
        on_picture: Called for each body that is a picture: it is kept, unread.

    Raises:
        PrivacyError: A compressed body unpacks to more than ``LARGEST`` bytes.
    """
    for match in _BASE64.finditer(data):
        for start, end in _tries(data, *match.span()):
            decoded = _unbase64(data[start:end])
            if decoded is None:
                continue
            if len(decoded) > 40 and is_picture(decoded):
                on_picture(decoded)
                break
            body = _body(start, end, decoded, _base64_writer(data[start:end]), "base64")
            if body is not None:
                yield body
                break
    for match in _HEX.finditer(data):
        body = _body(match.start(), match.end(), bytes.fromhex(match.group().decode()), _hex_writer, "hex")
        if body is not None:
            yield body


def _tries(data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where a body may begin: at the run's start, after signs that belong to a diff, and after path-like heads."""
    run = data[start:end]
    plain = run.strip(b"=")
    if (plain.isalpha() and (plain.islower() or plain.isupper())) or re.fullmatch(rb"[0-9a-fA-F-]+", plain):
        return
    yield start, end
    cut = len(run) - len(run.lstrip(b"+-/_"))
    if cut:
        yield start + cut, end
    tail = max(run.rfind(b"/", 0, 64), run.rfind(b"-", 0, 64), run.rfind(b"_", 0, 64)) + 1
    if tail > cut and end - start - tail >= 16:
        yield start + tail, end


def _unbase64(run: bytes) -> bytes | None:
    text = run.rstrip(b"=").translate(bytes.maketrans(b"-_", b"+/"))
    if len(text) % 4 == 1:
        text = text[:-1]
    try:
        return base64.b64decode(text + b"=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def _base64_writer(run: bytes) -> Callable[[bytes], bytes]:
    url, padded = b"-" in run or b"_" in run, run.endswith(b"=") or len(run) % 4 == 0

    def write(plain: bytes) -> bytes:
        text = base64.urlsafe_b64encode(plain) if url else base64.b64encode(plain)
        return text if padded else text.rstrip(b"=")

    return write


def _hex_writer(plain: bytes) -> bytes:
    return plain.hex().encode()


def _body(start: int, end: int, decoded: bytes, encode: Callable[[bytes], bytes], how: str) -> Body | None:
    if is_text(decoded):
        return Body(start, end, decoded, encode, how)
    if len(decoded) >= 24 and decoded[1::2].count(0) > len(decoded) * 0.4:
        wide = decoded.decode("utf-16-le", "replace").encode("utf-8", "replace")
        if is_text(wide):
            return Body(start, end, wide, None, f"{how}, UTF-16")
    unpacked = _unpacked(decoded)
    if unpacked is not None:
        return Body(start, end, unpacked, None, f"{how}, compressed")
    return None


def is_text(data: bytes) -> bool:
    """Whether bytes read as text: valid UTF-8, almost all of it printable."""
    if len(data) < 8:
        return False
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        # A cut-off body may end in the middle of a character.
        try:
            text = data[:-3].decode("utf-8")
        except UnicodeDecodeError:
            return False
    shown = sum(1 for c in text[:4096] if c.isprintable() or c in "\r\n\t\x1b")
    return shown >= 0.95 * len(text[:4096])


def _unpacked(data: bytes) -> bytes | None:
    """The text in a compressed body; None where it is none."""
    if data.startswith(_ZIP):
        return _unzipped(data)
    if not data.startswith(_GZIP) and not data.startswith(_ZLIB):
        return None
    worker = zlib.decompressobj(wbits=47)
    try:
        plain = worker.decompress(data, LARGEST)
    except zlib.error:
        return None
    if worker.unconsumed_tail:
        raise PrivacyError(f"a compressed body unpacks to more than {LARGEST} bytes.", "Leave it out.")
    return plain if is_text(plain) else None


def _unzipped(data: bytes) -> bytes | None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > LARGEST:
                raise PrivacyError(f"a compressed body unpacks to more than {LARGEST} bytes.", "Leave it out.")
            texts = [archive.read(entry) for entry in archive.infolist()]
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error, EOFError):
        return None
    return b"\n".join(text for text in texts if is_text(text)) or None
