"""Whether a value is a secret that somebody uses, or a word, a reference or a made-up example.

Wrong either way has a price: a secret that stays is published, and a fixture that goes breaks a task. The first is
worse, so a value counts as made up only when nothing but known example words, runs and repeats is left of it.
"""

import math
import re
from collections import Counter
from typing import Final

from swe_together.pipeline.privacy._salt import is_placeholder
from swe_together.pipeline.privacy._words import EXAMPLE

_MARKS: Final = re.compile(
    rb"(?i)example|placeholder|redacted|changeme|change[-_]me|replace[-_]?(?:me|with)|not[-_]?a?[-_]?(?:real|secret)"
    rb"|(?:^|[-_.])(?:fake|dummy|insert[-_]|your[-_]|(?:test|mock|sample|demo|invalid|xxx+)(?:$|[-_.]))"
)
"""Short words count at the start of a piece alone: inside a random token they turn up by chance."""
_LONGEST: Final = max(map(len, EXAMPLE))
_REFERENCE: Final = re.compile(
    rb"^[A-Z]{2,}(?:_[A-Z]+)+$|^[{<(\[]|^%[sdv(]|(?:^|[-_/:.=@])\$[A-Za-z_{(]|\$[{(]|\{\{|\}\}|\bprocess\.env"
    rb"|\bos\.environ|\bgetenv|\bsecrets\.|\bvault:"
    rb"|\w\([^)]*\)?|\{[\w\[\]:.-]*\}|\[\w*\]|<\w[\w -]*>|=>|\*{3}|\.\.\.|\xe2\x80\xa6"
)
_PIECES: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def entropy(value: bytes) -> float:
    """Shannon entropy of the value's bytes, in bits a byte."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values()) if size else 0.0


def is_made_up(value: bytes) -> bool:
    """Whether a token-shaped value is an example: marked as one, of few characters, or of runs as in a keyboard row."""
    if is_placeholder(value) or _MARKS.search(value):
        return True
    body = re.split(rb"[-_]", value)[-1] if len(value) < 80 else value[8:]
    body = body if len(body) >= 12 else value
    return len(set(body)) < 6 or _in_runs(body) >= 0.55


def _in_runs(value: bytes) -> float:
    """The share of a value that lies in runs of four or more equal or consecutive characters."""
    covered, start = 0, 0
    low = value.lower()
    for index in range(1, len(low) + 1):
        if index < len(low) and index > start:
            step = low[index] - low[index - 1]
            first = low[start + 1] - low[start]
            if step == first and step in (-1, 0, 1):
                continue
        if index - start >= 4:
            covered += index - start
        start = index if index - start >= 4 or index - start < 2 else index - 1
    return covered / len(low) if low else 1.0


def is_reference(value: bytes) -> bool:
    """Whether a value names where a secret is, rather than being one: a variable, a call, a template."""
    return _REFERENCE.search(value) is not None


def is_words(value: bytes) -> bool:
    """Whether nothing but example words and digits is left of a value."""
    text = value.decode("latin-1")
    pieces = _PIECES.findall(text)
    if is_broken_up(value) or sum(map(len, pieces)) < len(text) * 0.6:
        return False
    left = 0
    for piece in pieces:
        if piece.isdigit():
            left += len(piece) if len(piece) > 4 and not _in_runs(piece.encode()) else 0
        else:
            left += _unknown(piece.lower())
    return left <= 2


def _unknown(piece: str) -> int:
    """How many letters of a piece no example words cover."""
    best = [0] * (len(piece) + 1)
    for index in range(len(piece) - 1, -1, -1):
        best[index] = best[index + 1] + 1
        for end in range(index + 1, min(len(piece), index + _LONGEST) + 1):
            if piece[index:end] in EXAMPLE and best[end] < best[index]:
                best[index] = best[end]
    return best[0]


def is_random(value: bytes) -> bool:
    """Whether a value looks drawn at random: letters and digits mixed, no words, many different characters."""
    text = value.decode("latin-1")
    digits = sum(c.isdigit() for c in text)
    if not digits or digits == len(text):
        return len(text) >= 20 and is_broken_up(value) and entropy(value) > 3.5
    pieces = re.split(r"[-_./:]", text)
    wordy = sum(len(p) for p in pieces if p.isalpha() and (p.islower() or p.istitle()))
    if wordy > len(text) * 0.45:
        return False
    return len(text) >= 12 and entropy(value) > 2.8 and (digits >= 2 or is_broken_up(value))


def is_broken_up(value: bytes) -> bool:
    """Whether letters change case and turn into digits too often for a name made of words."""
    pieces = _PIECES.findall(value.decode("latin-1"))
    return len(pieces) >= 4 and sum(map(len, pieces)) / len(pieces) < 3.2
