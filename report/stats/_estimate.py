"""What comes out: a mean with its interval, a difference with its p-value. None where a number is undefined."""

import math
from dataclasses import dataclass

from swe_together.report.stats._student import quantile, two_sided
from swe_together.report.stats._values import Grouped, Labels, Numbers, check_level, codes, numbers

NO_VALUES = "there are no values"
ONE_CLUSTER = "fewer than two clusters: the values can't tell an interval"
NO_SPREAD = "there is no spread between clusters: the values can't tell an interval"
FEW_DF = 4.0
"""Below so many degrees of freedom Student's distribution is a rough guide to the ratio of mean and error."""


@dataclass(frozen=True)
class Estimate:
    """A mean and how well it is known.

    Attributes:
        mean: None without values.
        low: Lower end of the interval; None, like ``high`` and ``se``, where the values can't tell it.
        se: Standard error, in the unit of the values.
        df: Degrees of freedom of the interval; None where it needs none.
        n: Number of values.
        clusters: Number of clusters among them.
        method: How interval and error were come by.
        warning: Why not to lean on the interval, or empty.
        level: Of the interval.
    """

    mean: float | None
    low: float | None
    high: float | None
    se: float | None
    df: float | None
    n: int
    clusters: int
    method: str
    warning: str
    level: float = 0.95


@dataclass(frozen=True)
class Difference(Estimate):
    """An estimate whose distance from 0 is tested.

    Attributes:
        p: Two-sided p-value; None where there is no standard error.
    """

    p: float | None = None


def grouped_or_nothing(values: Numbers, clusters: Labels | None, level: float, method: str) -> Grouped | Estimate:
    """Checked values by cluster; or the estimate without an interval that is all there is to say of them.

    Raises:
        ValueError: A value or label is missing, their numbers differ, or the level isn't a share.
    """
    check_level(level)
    found = numbers(values)
    groups = codes(clusters, len(found))
    if not len(found):
        return Estimate(None, None, None, None, None, 0, 0, method, NO_VALUES, level)
    grouped = Grouped.of(found, groups)
    if grouped.clusters < 2:
        return Estimate(grouped.mean, None, None, None, None, grouped.n, 1, method, ONE_CLUSTER, level)
    return grouped


def student(grouped: Grouped, se: float, df: float, level: float, method: str) -> Estimate:
    """Mean ± Student's quantile · error; without an interval where there is no spread to take it from."""
    n, clusters, mean = grouped.n, grouped.clusters, grouped.mean
    if grouped.is_rounding(se):
        return Estimate(mean, None, None, None, None, n, clusters, method, NO_SPREAD, level)
    half = quantile((1 + level) / 2, df) * se
    return Estimate(mean, mean - half, mean + half, se, df, n, clusters, method, few(df), level)


def tested(estimate: Estimate) -> Difference:
    """The same, with the two-sided p-value of a mean of 0."""
    p = None
    if estimate.mean is not None and estimate.se is not None and estimate.df is not None:
        p = two_sided(estimate.mean / estimate.se, estimate.df)
    return Difference(**vars(estimate), p=p)


def few(df: float) -> str:
    """The warning that so few degrees of freedom deserve, or nothing."""
    if math.isinf(df) or df >= FEW_DF:
        return ""
    return f"only {df:.1f} degrees of freedom: a few clusters hold most of the values"


def joined(*warnings: str) -> str:
    """Warnings in one line, the empty ones left out."""
    return "; ".join(warning for warning in warnings if warning)
