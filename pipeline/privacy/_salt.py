"""The salt of a dataset, and the placeholders made with it.

A placeholder is a keyed digest of the value: the same value reads the same everywhere in a dataset, and nobody
without the salt can try values against it. The salt is never written beside the data.
"""

import contextlib
import hashlib
import hmac
import os
import re
import secrets
import tempfile
from pathlib import Path
from typing import Final

from swe_together.errors import MisuseError
from swe_together.pipeline.privacy._model import Family

BYTES: Final = 32
PLACEHOLDER: Final = re.compile(
    rb"(?:REDACTED-[a-z0-9-]{1,60}-[0-9a-f]{8}|(?:user|person|host|mail)-[0-9a-f]{8}(?:@example\.com)?"
    rb"|198\.1[89]\.\d{1,3}\.\d{1,3}|2001:db8::[0-9a-f]{1,4}:[0-9a-f]{1,4}|[2-9]\d\d-555-01\d\d|900000\d{9})"
)
"""Every placeholder; none is ever replaced again."""


class Salt:
    """A secret of at least 16 bytes that keys the placeholders of one dataset."""

    def __init__(self, key: bytes) -> None:
        if len(key) < 16:
            raise MisuseError(f"a salt of {len(key)} bytes can be guessed.", "Give at least 16 random bytes.")
        self._key = key

    def __repr__(self) -> str:
        return "Salt(…)"

    @classmethod
    def fresh(cls) -> "Salt":
        """A new salt that is kept nowhere: placeholders of two runs can't be linked."""
        return cls(secrets.token_bytes(BYTES))

    @classmethod
    def load(cls, path: Path) -> "Salt":
        """The salt in a file, made (readable by its owner alone) where there is none."""
        try:
            if not path.exists():
                _make(path)
        except OSError as error:
            raise MisuseError(f"{path}: the salt can't be written: {error}.", "Name another file.") from None
        try:
            return cls(bytes.fromhex(path.read_text(encoding="ascii").strip()))
        except (OSError, ValueError):
            raise MisuseError(f"{path}: not a salt of hex digits.", "Name another file, or remove it.") from None

    def digest(self, value: bytes) -> str:
        """Eight hex digits for a value."""
        return self._bytes(value).hex()[:8]

    def placeholder(self, kind: str, family: Family, value: bytes) -> bytes:
        """What stands in a value's place; made of letters, digits, ``-``, ``.``, ``:`` and ``@`` alone.

        An address of the internet becomes one of a range that is kept for benchmarks (198.18.0.0/15) or documents
        (2001:db8::/32), a telephone number one of those kept for fiction, and a mail address one at example.com.
        An account's number becomes one of fifteen digits, as no forge has.
        """
        raw, digest = self._bytes(value), self.digest(value)
        match family:
            case "email":
                text = f"mail-{digest}@example.com"
            case "account" if value.isdigit():
                text = f"900000{int.from_bytes(raw[:6]) % 10**9:09d}"
            case "account":
                text = f"user-{digest}"
            case "person":
                text = f"person-{digest}"
            case "host":
                text = f"host-{digest}"
            case "phone":
                text = f"{200 + int.from_bytes(raw[:2]) % 800}-555-01{raw[2] % 100:02d}"
            case "address" if b":" in value:
                text = f"2001:db8::{raw[:2].hex()}:{raw[2:4].hex()}"
            case "address":
                text = f"198.{18 + raw[0] % 2}.{raw[1]}.{raw[2]}"
            case _:
                text = f"REDACTED-{kind}-{digest}"
        return text.encode()

    def _bytes(self, value: bytes) -> bytes:
        return hmac.digest(self._key, value, hashlib.sha256)


def _make(path: Path) -> None:
    """Write a new salt, whole or not at all; where another process was first, its salt stays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(BYTES) + "\n")
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(name)
    finally:
        Path(name).unlink()


def is_placeholder(value: bytes) -> bool:
    """Whether a value is a placeholder as a whole."""
    return PLACEHOLDER.fullmatch(value) is not None
