"""Verdicts of several judges or people on the same goals."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from swe_together.errors import TogetherError

COLUMNS = ("trial", "goal", "rater", "met")
_BOOLEANS: Mapping[str, bool | None] = {"true": True, "false": False, "": None}


class Unit(NamedTuple):
    """One thing that is rated: a goal of a trial."""

    trial: str
    goal: str


@dataclass
class Ratings:
    """Verdicts by unit and rater. A rater who didn't rate a unit has no entry there: missing is no verdict."""

    verdicts: dict[Unit, dict[str, bool]] = field(default_factory=dict)

    def add(self, trial: str, goal: str, rater: str, met: bool | None) -> None:
        """Enter a verdict; None enters none.

        Raises:
            TogetherError: The rater has rated this unit otherwise before.
        """
        if met is None:
            return
        given = self.verdicts.setdefault(Unit(trial, goal), {})
        if given.setdefault(rater, met) is not met:
            raise TogetherError(
                f"{rater} rates goal {goal} of {trial} twice, and differently.", "Keep one of the rows."
            )

    @property
    def raters(self) -> list[str]:
        """Everybody who rated something, in alphabetical order."""
        return sorted({rater for given in self.verdicts.values() for rater in given})

    def pairs(self, one: str, other: str) -> list[tuple[bool, bool]]:
        """Verdicts of two raters on what both have rated."""
        return [(given[one], given[other]) for given in self.verdicts.values() if one in given and other in given]

    def units(self) -> list[list[bool]]:
        """All verdicts, unit by unit."""
        return [list(given.values()) for given in self.verdicts.values()]


def add_rows(ratings: Ratings, rows: Iterable[Mapping[str, Any]], names: Mapping[str, str]) -> None:
    """Enter rows with ``trial``, ``goal``, ``rater`` and ``met`` (true or false; empty or null: not rated).

    Args:
        ratings: Where.
        rows: The rows of a file.
        names: What a trial is called elsewhere: judgements name states.

    Raises:
        ValueError: A row is no such row.
    """
    for number, row in enumerate(rows, start=1):
        missing = [name for name in COLUMNS if name not in row]
        if missing:
            raise ValueError(f"row {number} has no {missing[0]}")
        met = row["met"]
        if isinstance(met, str):
            if met.strip().lower() not in _BOOLEANS:
                raise ValueError(f"row {number}: met is {met!r}")
            met = _BOOLEANS[met.strip().lower()]
        if met is not None and not isinstance(met, bool):
            raise ValueError(f"row {number}: met is {met!r}")
        trial, goal, rater = (name.strip() if isinstance(name := row[column], str) else "" for column in COLUMNS[:3])
        if not (trial and goal and rater):
            raise ValueError(f"row {number}: trial, goal and rater must be named")
        ratings.add(names.get(trial, trial), goal, rater, met)
