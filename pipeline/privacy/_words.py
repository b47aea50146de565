"""Lists of words, kept as plain text so that they can be read and added to."""

from pathlib import Path
from typing import Final


def _words(name: str) -> frozenset[str]:
    return frozenset((Path(__file__).parent / "assets" / f"{name}.txt").read_text(encoding="utf-8").split())


EXAMPLE: Final = _words("example-words")
"""Words of which made-up passwords consist."""
COMMON: Final = _words("common-words")
"""Words that are also names of persons: they are replaced only inside a full name."""
SHARED: Final = frozenset(word.encode() for word in _words("shared-accounts"))
"""Accounts that stand for nobody: they are kept."""
STOCK: Final = frozenset(word.encode() for word in _words("stock-persons"))
"""Persons of examples: kept, unless a dataset's own home, mail or commits use the name."""
BRANCH: Final = _words("branch-words")
"""First parts of branches' names that say what a branch is for."""
