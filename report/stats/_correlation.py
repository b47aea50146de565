"""Correlations with intervals, for few points such as the models of a table."""

import math
from dataclasses import dataclass

import numpy as np

from swe_together.report.stats._estimate import joined
from swe_together.report.stats._student import quantile, two_sided
from swe_together.report.stats._values import Floats, Numbers, check_level, numbers

FEW_POINTS = 10


@dataclass(frozen=True)
class Correlation:
    """A coefficient and how well it is known.

    Attributes:
        r: Between -1 and 1; None where either side doesn't vary, or there are fewer than two points.
        low: Lower end; None, like ``high``, with fewer than four points or where r is -1 or 1.
        p: Two-sided p-value of no correlation, by Student's t; None where there is none.
        df: Of that test.
        clusters: As ``n``: each point stands for itself.
    """

    r: float | None
    low: float | None
    high: float | None
    p: float | None
    df: float | None
    n: int
    clusters: int
    method: str
    warning: str
    level: float = 0.95


def pearson_interval(x: Numbers, y: Numbers, *, level: float = 0.95) -> Correlation:
    """Pearson's coefficient; interval from Fisher's z with the error 1/√(n-3).

    Raises:
        ValueError: A value is missing, or the lengths differ.
    """
    first, second = _both(x, y, level)
    return fisher_interval(_coefficient(first, second), len(first), level=level)


def spearman_interval(x: Numbers, y: Numbers, *, level: float = 0.95) -> Correlation:
    """Spearman's coefficient of ranks, ties sharing theirs; Fisher's z with the error √((1 + r²/2)/(n-3)).

    That error (Bonett and Wright 2000) is wider than Pearson's: ranks know less.

    Raises:
        ValueError: A value is missing, or the lengths differ.
    """
    first, second = _both(x, y, level)
    r = _coefficient(_ranks(first), _ranks(second))
    return _interval(r, len(first), level, "Spearman, Fisher z (Bonett-Wright)", 1 + (r or 0) ** 2 / 2)


def fisher_interval(r: float | None, n: int, *, level: float = 0.95) -> Correlation:
    """The interval of a Pearson coefficient that is known already.

    Raises:
        ValueError: It isn't between -1 and 1.
    """
    check_level(level)
    if r is not None and not -1 <= r <= 1:
        raise ValueError(f"r is {r:g}: a coefficient between -1 and 1 is needed")
    return _interval(r, n, level, "Pearson, Fisher z", 1.0)


def _both(x: Numbers, y: Numbers, level: float) -> tuple[Floats, Floats]:
    check_level(level)
    first, second = numbers(x, "x"), numbers(y, "y")
    if len(first) != len(second):
        raise ValueError(f"x has {len(first)} values and y has {len(second)}: give both for the same points")
    return first, second


def _coefficient(x: Floats, y: Floats) -> float | None:
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    one, other = x - x.mean(), y - y.mean()
    one, other = one / np.linalg.norm(one), other / np.linalg.norm(other)
    return min(1.0, max(-1.0, float(one @ other)))


def _ranks(values: Floats) -> Floats:
    """Ranks from 1; equal values share the mean of theirs."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return ranks


def _interval(r: float | None, n: int, level: float, method: str, spread: float) -> Correlation:
    few = f"only {n} points: the interval leans on normal values" if n < FEW_POINTS else ""
    if r is None:
        return Correlation(None, None, None, None, None, n, n, method, joined("one side doesn't vary", few), level)
    df = n - 2
    rest = 1 - r * r
    if rest <= 1e-15 or n < 4:
        said = "all points on one line: no interval" if n >= 4 else "fewer than four points: no interval"
        p = None if df < 1 else 0.0 if rest <= 1e-15 else two_sided(r * math.sqrt(df / rest), df)
        return Correlation(r, None, None, p, df if df > 0 else None, n, n, method, joined(said, few), level)
    half = quantile((1 + level) / 2) * math.sqrt(spread / (n - 3))
    low, high = math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)
    return Correlation(r, low, high, two_sided(r * math.sqrt(df / rest), df), df, n, n, method, few, level)
