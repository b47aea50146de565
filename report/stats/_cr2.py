"""The mean of clustered values with the small-sample correction of Bell and McCaffrey (CR2).

Error: V = Σ_g r_g² / (1 - n_g/N) / N², r_g the sum of the residuals of cluster g of n_g values. Degrees of freedom
after Satterthwaite: (Σ λ)² / Σ λ² of the eigenvalues λ of V's quadratic form, under a working correlation that is the
same between any two values of a cluster. That correlation is estimated (Imbens and Kolesár 2016): taking it as 0, the
usual choice, leaves too many degrees of freedom where a few large clusters do correlate.
"""

from dataclasses import replace

import numpy as np

from swe_together.report.stats._estimate import Estimate, grouped_or_nothing, joined, student
from swe_together.report.stats._values import Floats, Grouped, Labels, Numbers

METHOD = "CR2, Satterthwaite df"
NEAR_THE_END = 0.2


def clustered_mean(values: Numbers, clusters: Labels | None = None, *, level: float = 0.95) -> Estimate:
    """The mean of values that come in clusters, each value with the same weight.

    Args:
        values: One a task.
        clusters: The cluster (repository) of each; without it every value is its own, which is the plain t interval.
        level: Of the interval.

    Raises:
        ValueError: A value or label is missing, or their numbers differ.
    """
    grouped = grouped_or_nothing(values, clusters, level, METHOD)
    if isinstance(grouped, Estimate):
        return grouped
    correlation = working_correlation(grouped)
    method = f"{METHOD} at a working correlation of {correlation:.2f}"
    df = satterthwaite(grouped.sizes, correlation)
    estimate = student(grouped, cr2_error(grouped), df, level, method)
    return replace(estimate, warning=joined(_skewed(grouped, estimate), estimate.warning))


def cr2_error(grouped: Grouped) -> float:
    """Standard error of the mean of at least two clusters."""
    kept = 1 - grouped.sizes / grouped.n
    return float(np.sqrt((grouped.residuals**2 / kept).sum()) / grouped.n)


def working_correlation(grouped: Grouped) -> float:
    """Correlation between two values of one cluster, from all such pairs together, between 0 and 1."""
    pairs = float((grouped.sizes * (grouped.sizes - 1)).sum())
    if not pairs or grouped.is_rounding(float(np.sqrt(grouped.squares / grouped.n))):
        return 0.0
    return min(1.0, max(0.0, grouped.pairs / pairs / (grouped.squares / grouped.n)))


def satterthwaite(sizes: Floats, correlation: float) -> float:
    """Degrees of freedom of CR2's error of a mean.

    The residual sums of the clusters have the covariance δ_ij v_i - (v_i n_j + n_i v_j)/N + n_i n_j Σv/N², with
    v_g = n_g + correlation · n_g (n_g - 1) the variance of a cluster's sum; each counts 1/(1 - n_g/N).

    Args:
        sizes: Values of each cluster; at least two clusters.
        correlation: Between two values of one cluster.
    """
    total = float(sizes.sum())
    weights = 1 / (1 - sizes / total)
    variances = sizes + correlation * sizes * (sizes - 1)
    whole = float(variances.sum()) / total
    rest = sizes * sizes * whole / total - 2 * variances * sizes / total
    trace = float((weights * (variances + rest)).sum())
    # The square sum of all entries, in sums over single clusters: a matrix of all pairs would be large for many.
    nn, vv, nv = (
        float((weights * one * other).sum())
        for one, other in ((sizes, sizes), (variances, variances), (sizes, variances))
    )
    off = (whole * nn) ** 2 - 4 * whole * nn * nv + 2 * (nn * vv + nv * nv)
    on = float((weights**2 * (variances**2 + 2 * variances * rest)).sum())
    return trace**2 / (off / total**2 + on)


def _skewed(grouped: Grouped, estimate: Estimate) -> str:
    """The warning for values between 0 and 1 whose mean is close to either, or whose interval goes beyond; or nothing.

    Such means are skewed, and an interval of the same length on both sides covers less than it says.
    """
    if estimate.low is None or estimate.high is None or grouped.lowest < 0 or grouped.highest > 1:
        return ""
    if NEAR_THE_END <= grouped.mean <= 1 - NEAR_THE_END and estimate.low >= 0 and estimate.high <= 1:
        return ""
    return "close to 0 or 1, where an interval of a mean covers less than it says: take that of a share"
