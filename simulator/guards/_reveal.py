"""Whether a message expresses an anchor whose time hasn't come."""

import re

from swe_together.simulator.guards._scene import Scene
from swe_together.simulator.guards._stopwords import NEGATIONS
from swe_together.simulator.guards._text import code_pieces, content

_SHARE = 0.5
_WORDS = 2
_MANY_SHARE = 0.4
_MANY = 3
_TELLING = re.compile(r"(?=.*[^\W\d])(?:.*[^\w.,:-]|.*\w[_.]\w|.*\d|[a-z]+[A-Z])")
"""Pieces of code that give an anchor away alone: not GitHub, not a version number."""
_WORK = frozenset(
    {
        "add",
        "change",
        "check",
        "code",
        "err",
        "error",
        "file",
        "files",
        "fix",
        "line",
        "lines",
        "pls",
        "test",
        "tests",
        "value",
    }
)
_MIN_CODE = 3


def early_reveal(text: str, scene: Scene) -> str | None:
    """What only a later anchor says: a name or value of it, or most of its words."""
    mine, my_code = content(text) - NEGATIONS, code_pieces(text)
    allowed: set[str] = set()
    for authored in scene.authored:
        allowed |= content(authored) | code_pieces(authored)
    for anchor, words in scene.later:
        told = {
            piece
            for piece in code_pieces(words) & my_code
            if len(piece) >= _MIN_CODE and _TELLING.match(piece)
            if piece not in allowed and not scene.shown.has_text(piece)
        }
        if told:
            return f"It mentions {min(told)!r}: that is the point {anchor!r}, which it may not express or doesn't name."
        meant = content(words) - NEGATIONS - allowed
        own = {word for word in meant - _WORK if not scene.spoken.has_word(word)}
        common = own & mine
        share = len(common) / len(own) if own else 0.0
        whole = bool(own) and len(meant) >= _WORDS and meant <= mine
        if whole or (len(common) >= _WORDS and share >= _SHARE) or (len(common) >= _MANY and share >= _MANY_SHARE):
            told_of = ", ".join(sorted(common))
            return f"It speaks of {told_of}: that is the point {anchor!r}, which it may not express or doesn't name."
    return None
