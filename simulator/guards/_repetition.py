"""Whether a message says again what was said before, and whether it stays close to the task's own words."""

from collections import Counter
from difflib import SequenceMatcher

from swe_together.simulator.guards._scene import Scene
from swe_together.simulator.guards._stopwords import NEGATIONS
from swe_together.simulator.guards._text import code_pieces, content, is_content, words

_SAME_RATIO = 0.86
_MIN_WORDS = 5
_MIN_CONTAINED = 5
_NEW_CONTENT = 2
_NEW_SHARE = 0.25
_LONGER = 1.5
_LONGER_CHARS = 30


def repetition(text: str, scene: Scene) -> str | None:
    """The same words as an earlier message, but for a few."""
    mine = words(text)
    for earlier in scene.said:
        theirs = words(earlier)
        if not _same(mine, theirs):
            continue
        # An authored insist may be close to what it insists on.
        close = any(_same(words(authored), theirs) for authored in scene.authored if words(authored) != theirs)
        if close and mine != theirs:
            continue
        return "The user has said that already, in almost the same words."
    return None


def adaptation(text: str, authored: str) -> str | None:
    """Why ``text`` is more than a light adaptation of the authored words; None if it isn't.

    Every word that carries meaning, every name, number and negation must be there, and little may be new.
    """
    if len(text) > len(authored) * _LONGER + _LONGER_CHARS:
        return "it is much longer"
    missing = code_pieces(authored) - code_pieces(text)
    if missing:
        return f"{min(missing)!r} is missing"
    added = code_pieces(text) - code_pieces(authored)
    if added:
        return f"{min(added)!r} is new"
    if _negations(text) != _negations(authored):
        return "a negation was added or left out"
    wanted, given = content(authored), content(text)
    if wanted - given:
        return f"{min(wanted - given)!r} is missing"
    if len(given - wanted) > max(_NEW_CONTENT, int(len(wanted) * _NEW_SHARE)):
        return f"{len(given - wanted)} words are new"
    return None


def _same(mine: list[str], theirs: list[str]) -> bool:
    if not mine or not theirs:
        return False
    if mine == theirs:
        return True
    if min(len(mine), len(theirs)) < _MIN_WORDS:
        return False
    if SequenceMatcher(None, mine, theirs, autojunk=False).ratio() >= _SAME_RATIO:
        # One other content word is another message: "the same for North" after "the same for South".
        return not _swapped(mine, theirs)
    shorter, longer = sorted((mine, theirs), key=len)
    return len(shorter) >= _MIN_CONTAINED and f" {' '.join(shorter)} " in f" {' '.join(longer)} "


def _swapped(mine: list[str], theirs: list[str]) -> bool:
    ours = {word for word in mine if is_content(word)}
    old = {word for word in theirs if is_content(word)}
    return bool(ours - old) and bool(old - ours)


def _negations(text: str) -> Counter[str]:
    return Counter(word for word in words(text) if word in NEGATIONS)
