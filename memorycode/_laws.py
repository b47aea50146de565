"""The published sampling laws of the study: how many sessions, instructions and fillers a dialogue has.

What the parameters alone fix has a mean and a standard deviation here in closed form. What comes out of the sampling as
a whole (updates, rules in force, words) is known by the published set only: thirty dialogues of each size.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

SIZES: Final = (1, 2, 3, 4, 5, 10, 15, 20, 30, 40, 50, 100)
PER_SIZE: Final = 30
PER_INSTRUCTION_SESSION: Final = (1, 2)
SMALL_TALK_SHARE: Final = (0.5, 0.7)
IRRELEVANT_UPDATES: Final = (0.5, 0.8)
SMALL_TALK_REUSE: Final = 3

type LengthClass = Literal["short", "medium", "long"]
LENGTHS: Final[tuple[LengthClass, ...]] = ("short", "medium", "long")
WORDS: Final[Mapping[LengthClass, Mapping[int, tuple[int, int]]]] = {
    "short": {1: (347, 107), 2: (251, 78), 3: (278, 74)},
    "medium": {1: (440, 115), 2: (325, 88), 3: (338, 91)},
    "long": {1: (644, 207), 2: (458, 126), 3: (465, 130)},
}
"""Mean and standard deviation of a session's words, by its length class and number of topics, as published."""


@dataclass(frozen=True)
class Law:
    """The parameters for dialogues of ``size`` sessions; ranges are drawn from evenly.

    Attributes:
        share: Share of the sessions that hold instructions.
        only: Most sessions with instructions and nothing else.
        updates: Chance of an instruction to be an update.
    """

    size: int
    share: tuple[float, float]
    only: int
    updates: tuple[float, float]

    @property
    def sessions(self) -> tuple[float, float]:
        """Mean and standard deviation of the number of sessions with instructions: ``int(size * share)``."""
        low, high = (self.size * bound for bound in self.share)
        if low == high:
            return float(int(low)), 0.0
        chances = {
            whole: (min(high, whole + 1) - max(low, whole)) / (high - low) for whole in range(int(low), math.ceil(high))
        }
        return _moments(chances)

    @property
    def instructions(self) -> tuple[float, float]:
        """Of the number of instructions, updates included."""
        each, spread = _moments(dict.fromkeys(PER_INSTRUCTION_SESSION, 0.5))
        mean, deviation = self.sessions
        return each * mean, math.sqrt(mean * spread**2 + (each * deviation) ** 2)

    @property
    def instruction_only(self) -> tuple[float, float]:
        """Of the number of sessions with instructions and nothing else."""
        return _moments(dict.fromkeys(range(self.only + 1), 1 / (self.only + 1)))

    @property
    def small_talk(self) -> tuple[float, float]:
        """Of the number of sessions with small talk."""
        return self._part(*SMALL_TALK_SHARE)

    @property
    def irrelevant(self) -> tuple[float, float]:
        """Of the number of sessions with an instruction that has nothing to do with code."""
        low, high = SMALL_TALK_SHARE
        return self._part(1 - high, 1 - low)

    def _part(self, low: float, high: float) -> tuple[float, float]:
        """A share, drawn once, of the sessions that aren't left to instructions alone."""
        only, only_spread = self.instruction_only
        open_mean, open_square = self.size - only, only_spread**2 + (self.size - only) ** 2
        mean, variance = (low + high) / 2, (high - low) ** 2 / 12
        square = variance + mean**2
        spread = open_mean * (mean - square) + open_square * square - (open_mean * mean) ** 2
        return open_mean * mean, math.sqrt(spread)


def law(size: int) -> Law:
    """The law for dialogues of so many sessions; sizes between the published ones follow the same rules."""
    share = (1.0, 1.0) if size == 1 else (0.5, 1.0) if size < 6 else (0.5, 0.7)
    only = 1 if size < 6 else 2 if size < 20 else size // 5
    return Law(size, share, only, (0.3, 0.5 if size >= 50 else 0.7))


type Figure = Literal["updates", "active", "words"]
PUBLISHED: Final[Mapping[int, Mapping[Figure, tuple[float, float]]]] = {
    1: {"updates": (0.0, 0.0), "active": (1.43, 0.5), "words": (369.07, 116.33)},
    2: {"updates": (0.0, 0.0), "active": (1.5, 0.51), "words": (854.07, 170.98)},
    3: {"updates": (0.23, 0.43), "active": (2.2, 0.92), "words": (1235.93, 212.66)},
    4: {"updates": (0.9, 0.84), "active": (2.63, 1.1), "words": (1561.3, 198.59)},
    5: {"updates": (1.33, 1.03), "active": (3.6, 1.4), "words": (2078.27, 341.47)},
    10: {"updates": (2.57, 1.61), "active": (5.13, 1.57), "words": (4210.53, 485.02)},
    15: {"updates": (4.8, 2.01), "active": (8.3, 2.12), "words": (6257.63, 906.92)},
    20: {"updates": (6.9, 2.5), "active": (10.2, 2.72), "words": (8129.03, 684.75)},
    30: {"updates": (10.83, 4.19), "active": (14.5, 4.43), "words": (12072.2, 765.58)},
    40: {"updates": (15.83, 5.05), "active": (18.83, 5.61), "words": (16266.93, 1208.65)},
    50: {"updates": (15.1, 4.13), "active": (28.3, 4.39), "words": (20645.23, 2263.58)},
    100: {"updates": (38.6, 9.12), "active": (48.2, 5.36), "words": (40793.4, 2871.87)},
}
"""Mean and standard deviation over the thirty published dialogues of each size."""


def _moments(chances: Mapping[int, float]) -> tuple[float, float]:
    mean = sum(value * chance for value, chance in chances.items())
    return mean, math.sqrt(max(0.0, sum(value**2 * chance for value, chance in chances.items()) - mean**2))
