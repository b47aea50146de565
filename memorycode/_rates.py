"""The draws that decide a dialogue's figures, spread evenly over thirty dialogues of a size (a Latin hypercube).

For each dialogue such a draw is even between 0 and 1 and independent of its other draws, as published. But thirty
dialogues in a row take one from each thirtieth of the range, in an order drawn per seed and per draw, so that a whole
set lies nearer to the law than independent dialogues would.
"""

from dataclasses import dataclass
from functools import lru_cache

from swe_together.memorycode._dice import Dice
from swe_together.memorycode._laws import IRRELEVANT_UPDATES, PER_SIZE, SMALL_TALK_SHARE, law

type Key = tuple[str | int, ...]


class Spread:
    """The spread draws of one dialogue.

    Args:
        key: Of which set of dialogues it is.
        number: Its number among them, from 1.
    """

    def __init__(self, key: Key, number: int) -> None:
        self._key = key
        self._number = number

    def draw(self, *name: str | int) -> float:
        """From 0 to 1, the same for the same name."""
        part = _order((*self._key, *name))[(self._number - 1) % PER_SIZE]
        return (part + Dice(*self._key, *name, self._number).uniform(0.0, 1.0)) / PER_SIZE

    def uniform(self, low: float, high: float, *name: str | int) -> float:
        """A number between the two."""
        return low + (high - low) * self.draw(*name)

    def between(self, low: int, high: int, *name: str | int) -> int:
        """A whole number from ``low`` to ``high``, both included."""
        return low + int(self.draw(*name) * (high - low + 1))


@lru_cache(maxsize=4096)
def _order(key: Key) -> tuple[int, ...]:
    return tuple(Dice(*key).several(range(PER_SIZE), PER_SIZE))


@dataclass(frozen=True)
class Rates:
    """The rates of one dialogue.

    Attributes:
        share: Share of its sessions that hold rules.
        updates: Chance of an instruction to be an update.
        small_talk: Chance of a filler to be small talk, not an irrelevant instruction.
        irrelevant_updates: Chance of an irrelevant instruction to be an update.
    """

    share: float
    updates: float
    small_talk: float
    irrelevant_updates: float


def draw_rates(size: int, spread: Spread) -> Rates:
    """The rates of a dialogue of so many sessions."""
    laws = law(size)
    return Rates(
        share=spread.uniform(*laws.share, "share"),
        updates=spread.uniform(*laws.updates, "updates"),
        small_talk=spread.uniform(*SMALL_TALK_SHARE, "small talk"),
        irrelevant_updates=spread.uniform(*IRRELEVANT_UPDATES, "irrelevant updates"),
    )
