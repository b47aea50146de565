"""Private keys in armour, whole or cut off."""

import re
from collections.abc import Iterator
from typing import Final

from swe_together.pipeline.privacy._re2 import compile_bytes

_BEGIN: Final = compile_bytes(
    rb"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d: [^\r\n]{1,80}"
)
_END: Final = re.compile(rb"-----END |Private-MAC:")
_LINE: Final = compile_bytes(
    rb"(?:[\r\n]|\\[rn])*[ \t\"'`,]*(?:[+>|-][ \t]?|\d{1,6}(?:[|:\t]|\xe2\x86\x92)[ \t]*)?[ \t\"']*"
    rb"(?:[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/=]{1,16}(?:[\r\n\\\"]|$)|(?:Proc-Type|DEK-Info|Version|Comment"
    rb"|Encryption|Public-Lines|Private-Lines|Hash): ?[^\r\n\\]{1,120})[ \t\"'`,;+]*"
)


def private_keys(data: bytes) -> Iterator[tuple[int, int]]:
    """The bodies of private keys, between their first and last line; a cut-off key counts as far as it goes."""
    if b"PRIVATE KEY" not in data and b"PuTTY-User" not in data:
        return
    for begin in _BEGIN.finditer(data):
        start = position = begin.end()
        letters = 0
        while True:
            line = _LINE.match(data, position)
            if line is None or line.end() == position or _END.match(data, position):
                break
            letters += len(re.sub(rb"[^A-Za-z0-9+/=]", b"", line.group()))
            position = line.end()
        if letters >= 40:
            body = data[start:position]
            lead = len(body) - len(body.lstrip(b"\r\n \t"))
            yield start + lead, start + len(body.rstrip(b"\r\n \t\"'`,;+"))
