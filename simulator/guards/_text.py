"""How guards read text: words, content words, names of code, prose without code."""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

from swe_together.simulator.guards._stopwords import NEGATIONS, STOPWORDS

CJK = "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = re.compile(rf"[{CJK}]|(?:(?![{CJK}])\w)+")
_CONTRACTIONS = (
    (re.compile(r"\bcan't\b"), "can not"),
    (re.compile(r"\bcannot\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"'(?:s|re|ve|ll|d|m)\b"), ""),
)
_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_INLINE = re.compile(r"`[^`\n]*`")
_QUOTED = re.compile(r"\"[^\"\n]{0,300}\"|“[^”\n]{0,300}”|«[^»\n]{0,300}»|„[^“”\n]{0,300}[“”]|「[^」\n]{0,300}」")
_ADDRESS = re.compile(r"https?://\S+|\S+@\S+\.\S+")
_EDGES = "\"'`“”‘’«»„()[]{}<>,.;:!?…*。，、；：！？「」（）"
_CODE_SIGNS = re.compile(r"[_=\\/(){}\[\]<>#@$%&+|~^]|\d|(?<=\w)[.;:](?=\w)|(?<=[a-z])[A-Z]")
_NAME = re.compile(r"[A-Za-z_]\w*")


def words(text: str) -> list[str]:
    """Words in lower case, contractions spelled out; Chinese, Japanese and Korean signs are one word each."""
    text = unicodedata.normalize("NFKC", text).replace("’", "'").casefold()
    for pattern, replacement in _CONTRACTIONS:
        text = pattern.sub(replacement, text)
    return _WORD.findall(text)


@lru_cache(maxsize=512)
def content(text: str) -> frozenset[str]:
    """Words that carry the meaning: no stop words, no single letters; of what looks like code nothing.

    Chinese, Japanese and Korean signs come in pairs, since one alone says little.
    """
    found = words(" ".join(chunk for chunk in text.split() if not is_code(chunk)))
    pairs = {one + two for one, two in pairwise(found) if is_cjk(one) and is_cjk(two)}
    return frozenset(pairs).union(
        word for word in found if is_content(word) and (word in NEGATIONS or not is_cjk(word))
    )


def is_content(word: str) -> bool:
    """Whether a word (as ``words`` gives it) carries meaning of its own. Negations do."""
    if word in NEGATIONS:
        return True
    return word not in STOPWORDS and (len(word) > 1 or is_cjk(word))


def is_cjk(word: str) -> bool:
    """Whether the word is a Chinese, Japanese or Korean sign."""
    return len(word) == 1 and re.match(f"[{CJK}]", word) is not None


def is_code(chunk: str) -> bool:
    """Whether a piece between blanks looks like code, a path, an option or a number."""
    return bool(_CODE_SIGNS.search(chunk.strip(_EDGES))) or chunk.startswith("--")


@lru_cache(maxsize=512)
def code_pieces(text: str) -> frozenset[str]:
    """Pieces between blanks that look like code, without the punctuation around them."""
    pieces = set()
    for chunk in text.split():
        bare = chunk.strip(_EDGES)
        if (len(bare) > 1 and is_code(chunk)) or bare.isdigit() or (bare and "\\" in chunk):
            pieces.add(bare)
    return frozenset(pieces)


def names(text: str) -> set[str]:
    """Names that nobody writes by chance: with an underscore inside or capitals inside, six characters or more."""
    return {name for name in _NAME.findall(text) if is_distinctive(name)}


def is_distinctive(name: str) -> bool:
    """Whether a name is one that nobody writes by chance."""
    bare = name.strip("_")
    return len(bare) >= 6 and ("_" in bare or re.search(r"[a-z][A-Z]", bare) is not None)


def prose(text: str) -> str:
    """The text without code, quotations, addresses and pieces that look like code."""
    for pattern in (_FENCE, _INLINE, _QUOTED, _ADDRESS):
        text = pattern.sub(" ", text)
    return " ".join(chunk for chunk in text.split() if not is_code(chunk))
