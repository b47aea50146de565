"""The plain clustered t interval (CR1), for comparison: with few uneven clusters it covers less than it says."""

import math

from swe_together.report.stats._estimate import Estimate, grouped_or_nothing, student
from swe_together.report.stats._values import Grouped, Labels, Numbers

METHOD = "CR1, clusters - 1 df"


def plain_clustered(values: Numbers, clusters: Labels | None = None, *, level: float = 0.95) -> Estimate:
    """The mean, with the error √(C/(C-1) · Σ_g r_g²) / N and C-1 degrees of freedom for C clusters.

    Args:
        values: One a task.
        clusters: The cluster of each; without it every value is its own.
        level: Of the interval.

    Raises:
        ValueError: A value or label is missing, or their numbers differ.
    """
    grouped = grouped_or_nothing(values, clusters, level, METHOD)
    if isinstance(grouped, Estimate):
        return grouped
    return student(grouped, cr1_error(grouped), grouped.clusters - 1, level, METHOD)


def cr1_error(grouped: Grouped) -> float:
    """Standard error of the mean of at least two clusters."""
    count = grouped.clusters
    return math.sqrt(count / (count - 1) * float(grouped.residuals @ grouped.residuals)) / grouped.n
