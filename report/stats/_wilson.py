"""Wilson's interval of a share of independent things."""

import math

from swe_together.report.stats._estimate import NO_VALUES, Estimate
from swe_together.report.stats._student import quantile
from swe_together.report.stats._values import check_level

METHOD = "Wilson"


def wilson(k: float, n: float, *, level: float = 0.95) -> Estimate:
    """The share ``k/n`` with Wilson's interval, which takes each of ``n`` to be independent of the others.

    Args:
        k: Successes; a fraction where an effective number is meant.
        n: All.
        level: Of the interval.

    Raises:
        ValueError: ``k`` isn't between 0 and ``n``, or either is not a finite number.
    """
    check_level(level)
    if not (math.isfinite(n) and 0 <= k <= n):
        raise ValueError(f"k is {k:g} of n {n:g}: 0 ≤ k ≤ n is needed")
    if n == 0:
        return Estimate(None, None, None, None, None, 0, 0, METHOD, NO_VALUES, level)
    share = k / n
    low, high = wilson_ends(share, n, quantile((1 + level) / 2))
    whole = int(n)
    return Estimate(share, low, high, math.sqrt(share * (1 - share) / n), None, whole, whole, METHOD, "", level)


def wilson_ends(share: float, n: float, z: float) -> tuple[float, float]:
    """Both ends, between 0 and 1, for a positive number of things and a normal quantile."""
    part = z * z / n
    centre = (share + part / 2) / (1 + part)
    half = math.sqrt(share * (1 - share) * part + part * part / 4) / (1 + part)
    # At a share of 0 or 1 the near end is that share; rounding may not say otherwise.
    return (0.0 if share == 0 else max(0.0, centre - half)), (1.0 if share == 1 else min(1.0, centre + half))
