"""The language of a message, by its script and its stop words. Code, quotations and addresses don't count."""

import re
from typing import Final

from swe_together.simulator.guards._scene import Scene
from swe_together.simulator.guards._stopwords import BY_LANGUAGE
from swe_together.simulator.guards._text import CJK, prose, words

NAMES: Final = {
    "ar": "Arabic", "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "fr": "French", "he": "Hebrew",
    "hi": "Hindi", "it": "Italian", "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "pt": "Portuguese",
    "ru": "Russian", "th": "Thai", "uk": "Ukrainian", "zh": "Chinese",
}  # fmt: skip
"""English names of languages; others go by their two letters."""

_SCRIPTS: Final = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")),
)
_LETTERS: Final = (
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
)
_SAME_SCRIPT: Final = {"ru": {"ru", "uk", "bg", "sr", "mk", "be", "kk", "mn"}, "ar": {"ar", "fa", "ur"}}
_LATIN_WORD = re.compile(r"[^\W\d_]+")
_MIN_WORDS = 4
_MIN_HITS = 3
_MARGIN = 1
_SIGNS_PER_WORD = 1.5
_LETTERS_PER_WORD = 5


def detect(text: str) -> str | None:
    """Two letters of the language, or None where the text is too short or too mixed to say."""
    plain = prose(text)
    signs = len(re.findall(f"[{CJK}]", plain))
    latin = [word for word in _LATIN_WORD.findall(re.sub(f"[{CJK}]", " ", plain)) if not word.isupper()]
    if signs / _SIGNS_PER_WORD > len(latin):
        return next((language for language, pattern in _SCRIPTS if pattern.search(plain)), None)
    for language, pattern in _LETTERS:
        letters = pattern.findall(plain)
        if len(letters) / _LETTERS_PER_WORD > sum(word.isascii() for word in latin):
            return language
    return _by_stop_words(" ".join(latin))


def language(text: str, scene: Scene) -> str | None:
    """Another language than the session's."""
    found = detect(text)
    if found is None or found == scene.language or scene.language in _SAME_SCRIPT.get(found, ()):
        return None
    if any(detect(authored) == found for authored in scene.authored):
        return None
    return f"It is in {named(found)}; this session is held in {named(scene.language)}."


def named(code: str) -> str:
    """The language's name in English."""
    return NAMES.get(code, code)


def _by_stop_words(text: str) -> str | None:
    spelled = words(text)
    if len(spelled) < _MIN_WORDS:
        return None
    hits = sorted(
        ((sum(word in stop for word in spelled), language) for language, stop in BY_LANGUAGE.items()), reverse=True
    )
    (best, language), (second, _) = hits[:2]
    return language if best >= _MIN_HITS and best - second >= _MARGIN else None
