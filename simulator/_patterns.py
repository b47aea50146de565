"""Regular expressions on text that agents wrote: RE2, so the time is linear whatever the text."""

from functools import lru_cache
from typing import Any

import re2

from swe_together import defaults

_EXCERPT_CHARS = 200


def encode(text: str) -> bytes:
    """UTF-8, with U+FFFD for what has no encoding: halves of surrogate pairs, which file names and logs can hold."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", errors="surrogatepass").decode("utf-16", errors="replace").encode()


@lru_cache(maxsize=512)
def compiled(pattern: str, *, within_lines: bool = False) -> Any:
    """The pattern in multi-line mode, ready to ``search`` in bytes.

    Args:
        pattern: RE2 syntax; ``^`` and ``$`` are the edges of a line.
        within_lines: Whether a match may not reach over the end of a line.
    """
    options = re2.Options()
    options.log_errors = False
    options.never_nl = within_lines
    return re2.compile(f"(?m){pattern}", options)


def find(pattern: str, text: str, *, within_lines: bool = False) -> str | None:
    """The line in which the first match begins, shortened; None where nothing matches."""
    data = encode(text)
    match = compiled(pattern, within_lines=within_lines).search(data)
    if match is None:
        return None
    start = data.rfind(b"\n", 0, match.start()) + 1
    end = data.find(b"\n", match.start())
    if match.start() - start > _EXCERPT_CHARS:
        start = match.start()
    line = data[start : len(data) if end < 0 else end][: 4 * _EXCERPT_CHARS].decode("utf-8", errors="replace")
    return shorten(line, _EXCERPT_CHARS)


def shorten(text: str, limit: int = defaults.OUTPUT_CHARS) -> str:
    """The text, or its beginning and an ellipsis: at most ``limit`` characters."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def middle_cut(text: str, limit: int = defaults.OUTPUT_CHARS) -> str:
    """The text, or its beginning and its longer end around an ellipsis: at most ``limit`` characters."""
    if len(text) <= limit:
        return text
    head = limit // 3
    return f"{text[:head]}…{text[len(text) - (limit - head - 1) :]}"
