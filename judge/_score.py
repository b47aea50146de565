"""Numbers of the rubric: score, decided share, gates, threshold curve."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from swe_together import defaults

_EPSILON = 1e-9
"""Weights are decimal fractions; sums of them miss the threshold by less than this."""


class Decided(Protocol):
    """What the score needs of a goal."""

    @property
    def goal(self) -> str:
        """Its id."""
        ...

    @property
    def weight(self) -> float | None:
        """None for a gate."""
        ...

    @property
    def gate(self) -> bool:
        """Whether it is one."""
        ...

    @property
    def met(self) -> bool | None:
        """None where nothing decided it."""
        ...


@dataclass(frozen=True)
class Score:
    """The score of one final state.

    Attributes:
        value: Weight of the met goals by weight of the decided ones; 0 where a gate failed; None where nothing was
            decided.
        decided_share: Weight of the decided goals, of 1.
        failed_gates: Gates that are not met.
        undecided_gates: Gates that nothing decided: the score says nothing about them.
    """

    value: float | None
    decided_share: float
    failed_gates: tuple[str, ...]
    undecided_gates: tuple[str, ...]


def score(goals: Iterable[Decided]) -> Score:
    """The score over the decided goals, their weights renormalised."""
    listed = list(goals)
    weighted = [(goal.weight or 0.0, goal.met) for goal in listed if not goal.gate]
    share = sum(weight for weight, met in weighted if met is not None)
    failed = tuple(goal.goal for goal in listed if goal.gate and goal.met is False)
    undecided = tuple(goal.goal for goal in listed if goal.gate and goal.met is None)
    share = min(1.0, round(share, 12))
    value: float | None
    if failed:
        value = 0.0
    elif share <= _EPSILON:
        value = None
    else:
        value = min(1.0, round(sum(weight for weight, met in weighted if met) / share, 12))
    return Score(value, share, failed, undecided)


def passes(value: float, threshold: float = defaults.PASS_THRESHOLD) -> bool:
    """Whether a score reaches the threshold."""
    return value >= threshold - _EPSILON


def threshold_curve(values: Sequence[float], thresholds: Sequence[float] | None = None) -> list[tuple[float, float]]:
    """The share of scores that pass, by threshold.

    Args:
        values: Scores. Trials without one have no place here: whoever draws the curve says how many there are.
        thresholds: 0.50, 0.55, … 1.00 unless told otherwise.

    Raises:
        ValueError: There are no scores.
    """
    if not values:
        raise ValueError("a threshold curve needs at least one score")
    asked = [step / 20 for step in range(10, 21)] if thresholds is None else thresholds
    return [(one, sum(passes(value, one) for value in values) / len(values)) for one in asked]
