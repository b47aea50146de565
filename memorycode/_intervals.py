"""Shares with intervals that know that what comes from one dialogue belongs together."""

import math
import statistics
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

LEVEL = 0.95


@dataclass(frozen=True)
class Share:
    """A share of something.

    Attributes:
        value: None where there was nothing to count.
        count: How many things were counted.
        clusters: From how many dialogues.
        low: Lower end of the interval; None with fewer than two dialogues.
        high: Upper end.
    """

    value: float | None
    count: int
    clusters: int
    low: float | None = None
    high: float | None = None


def pooled(counted: Iterable[tuple[Hashable, bool]]) -> Share:
    """The share of what is true, everything pooled (micro); a ratio estimate with clustered errors, t distributed.

    Args:
        counted: Cluster and whether it is true, for each thing.
    """
    sums: dict[Hashable, tuple[int, int]] = {}
    for cluster, true in counted:
        hits, total = sums.get(cluster, (0, 0))
        sums[cluster] = hits + true, total + 1
    total = sum(count for _, count in sums.values())
    if not total:
        return Share(None, 0, 0)
    value = sum(hits for hits, _ in sums.values()) / total
    if len(sums) < 2:
        return Share(value, total, len(sums))
    squares = sum((hits - value * count) ** 2 for hits, count in sums.values())
    error = math.sqrt(len(sums) / (len(sums) - 1) * squares) / total
    reach = t_quantile(len(sums) - 1) * error
    return Share(value, total, len(sums), max(0.0, value - reach), min(1.0, value + reach))


def averaged(values: Sequence[float], bounds: tuple[float, float] = (0.0, 1.0)) -> Share:
    """The mean of one value a dialogue (macro), with a t interval cut off at ``bounds``."""
    if not values:
        return Share(None, 0, 0)
    value = statistics.fmean(values)
    if len(values) < 2:
        return Share(value, 1, 1)
    reach = t_quantile(len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))
    return Share(value, len(values), len(values), max(bounds[0], value - reach), min(bounds[1], value + reach))


def t_quantile(degrees: int, level: float = LEVEL) -> float:
    """The two-sided quantile of Student's t: exact for one and two degrees of freedom, to 0.5 % beyond.

    Args:
        degrees: Degrees of freedom, at least 1.
        level: Share of the distribution between minus and plus the result.
    """
    p = (1 + level) / 2
    if degrees == 1:
        return math.tan(math.pi * (p - 0.5))
    if degrees == 2:
        return (2 * p - 1) / math.sqrt(2 * p * (1 - p))
    z, n = statistics.NormalDist().inv_cdf(p), degrees
    terms = (
        z,
        (z**3 + z) / (4 * n),
        (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2),
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3),
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4),
    )
    return sum(terms)
