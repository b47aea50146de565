"""Equivalence: whether a mean lies within a margin declared beforehand. An interval that holds it shows nothing."""

from dataclasses import dataclass

from swe_together.report.stats._cr2 import clustered_mean
from swe_together.report.stats._estimate import Estimate
from swe_together.report.stats._student import below
from swe_together.report.stats._values import Labels, Numbers, check_level


@dataclass(frozen=True)
class Equivalence:
    """Two one-sided tests (TOST).

    Attributes:
        estimate: The mean with the interval at the level 1 - 2α: it lies within the margin exactly where the test says
            equivalent.
        p: The larger of both p-values; None without a standard error.
        p_low: That the mean isn't above ``centre - margin``.
        p_high: That the mean isn't below ``centre + margin``.
        equivalent: None where it could not be tested: that is not a no.
    """

    estimate: Estimate
    centre: float
    margin: float
    alpha: float
    p: float | None
    p_low: float | None
    p_high: float | None
    equivalent: bool | None
    n: int
    clusters: int
    df: float | None
    method: str
    warning: str


def equivalence(
    values: Numbers, clusters: Labels | None = None, *, centre: float = 0.0, margin: float, alpha: float = 0.05
) -> Equivalence:
    """Whether the mean is equivalent to ``centre``.

    Args:
        values: One a task or judgement; of two arms, their paired differences.
        clusters: The cluster of each; without it every value is its own.
        centre: What the mean is compared with: 0.5 for a choice between two.
        margin: How far from it still counts as the same, on either side; above 0 and declared before looking.
        alpha: Of each test.

    Raises:
        ValueError: A value or label is missing, or the margin isn't above 0.
    """
    if not margin > 0:
        raise ValueError(f"margin is {margin:g}: it must be above 0")
    check_level(2 * alpha, "2·alpha")
    estimate = clustered_mean(values, clusters, level=1 - 2 * alpha)
    low = high = p = None
    if estimate.mean is not None and estimate.se is not None and estimate.df is not None:
        low = below(-(estimate.mean - centre + margin) / estimate.se, estimate.df)
        high = below((estimate.mean - centre - margin) / estimate.se, estimate.df)
        p = max(low, high)
    return Equivalence(
        estimate=estimate,
        centre=centre,
        margin=margin,
        alpha=alpha,
        p=p,
        p_low=low,
        p_high=high,
        equivalent=None if p is None else p < alpha,
        n=estimate.n,
        clusters=estimate.clusters,
        df=estimate.df,
        method=f"two one-sided tests, {estimate.method}",
        warning=estimate.warning,
    )
