"""Draws that are the same on every Python: from ``random.Random.random`` alone, whose sequence Python guarantees."""

import hashlib
import random
from collections.abc import Sequence


class Dice:
    """A source of draws of its own, never the global one.

    Args:
        key: What the draws are for; other keys give unrelated draws.
    """

    def __init__(self, *key: str | int) -> None:
        digest = hashlib.sha256("\0".join(map(str, key)).encode()).digest()
        self._random = random.Random(int.from_bytes(digest, "big")).random

    def below(self, end: int) -> int:
        """A whole number from 0 to ``end - 1``."""
        return int(self._random() * end)

    def between(self, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``, both included."""
        return low + self.below(high - low + 1)

    def uniform(self, low: float, high: float) -> float:
        """A number between the two."""
        return low + (high - low) * self._random()

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self._random() < probability

    def choice[T](self, of: Sequence[T]) -> T:
        """One of them."""
        return of[self.below(len(of))]

    def several[T](self, of: Sequence[T], count: int) -> list[T]:
        """``count`` different places of the sequence, in the order drawn."""
        left = list(of)
        return [left.pop(self.below(len(left))) for _ in range(count)]
