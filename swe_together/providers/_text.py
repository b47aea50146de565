"""Fitting text into a budget, and fencing what others wrote."""

import re
from collections.abc import Sequence

OPEN, CLOSE = "⟦", "⟧"
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def clean(text: str) -> str:
    """The text as it may stand in a prompt: no terminal codes, no control signs, no marks like our own."""
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    text = _CONTROL.sub("", _ESCAPES.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
    # Not str.translate: on long texts that is fifty times slower.
    return text.replace(OPEN, "[").replace(CLOSE, "]")


def fenced(name: str, text: str) -> str:
    """Text of others between marks that can't stand in it."""
    return f"{OPEN}{name}{CLOSE}\n{clean(text)}\n{OPEN}/{name}{CLOSE}"


def cut(text: str, limit: int) -> str:
    """At most ``limit`` characters: head and tail, and between them how much is left out."""
    if len(text) <= limit:
        return text
    note = f" [… {len(text) - limit} characters left out …] "
    if limit <= len(note):
        return text[: max(0, limit - 1)] + "…" * min(1, max(0, limit))
    keep = limit - len(note)
    return text[: keep - keep // 2] + note + text[len(text) - keep // 2 :]


def cut_line(text: str, limit: int) -> str:
    """One line of at most ``limit`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def fit(texts: Sequence[str], budget: int) -> list[str]:
    """The texts, the longest of them cut until all together have at most ``budget`` characters."""
    if sum(map(len, texts)) <= budget:
        return list(texts)
    left, share, remaining = budget, 0, len(texts)
    for length in sorted(map(len, texts)):
        share = left // remaining
        if length > share:
            break
        left -= length
        remaining -= 1
    return [cut(text, share) for text in texts]
