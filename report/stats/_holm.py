"""Holm's correction: of many tests, how sure one may be of each."""

from collections.abc import Sequence


def holm(pvalues: Sequence[float | None]) -> tuple[float | None, ...]:
    """Adjusted p-values: below α together with probability at most α where nothing is there.

    Args:
        pvalues: One a test; None where there is none, which stays None but counts as one of the tests that were tried.

    Raises:
        ValueError: One isn't between 0 and 1.
    """
    for index, p in enumerate(pvalues):
        if p is not None and not 0 <= p <= 1:
            raise ValueError(f"pvalues[{index}] is {p:g}: a probability is needed")
    adjusted: list[float | None] = [None] * len(pvalues)
    highest = 0.0
    known = sorted((p, index) for index, p in enumerate(pvalues) if p is not None)
    for rank, (p, index) in enumerate(known):
        highest = max(highest, min(1.0, (len(pvalues) - rank) * p))
        adjusted[index] = highest
    return tuple(adjusted)
