"""Several votes on one goal."""

from collections.abc import Sequence

from swe_together.errors import JudgeError


def majority(votes: Sequence[bool]) -> bool:
    """What most votes say. Their number is odd, so that they can't be equal.

    Raises:
        JudgeError: It is even.
    """
    if len(votes) % 2 == 0:
        raise JudgeError(f"A goal has {len(votes)} votes; their number must be odd.")
    return 2 * sum(votes) > len(votes)


def flip_rate(votes: Sequence[bool]) -> float | None:
    """How often two votes on the same thing differ: the share of differing pairs. None with fewer than two votes."""
    count, met = len(votes), sum(votes)
    return None if count < 2 else 2 * met * (count - met) / (count * (count - 1))
