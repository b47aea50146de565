"""The interval of a share whose things come in clusters: never below 0 or above 1, and good near both."""

import math

from swe_together.report.stats._cr2 import cr2_error, satterthwaite
from swe_together.report.stats._estimate import Estimate, few, grouped_or_nothing
from swe_together.report.stats._student import quantile
from swe_together.report.stats._values import Labels, Numbers
from swe_together.report.stats._wilson import wilson_ends

METHOD = "CR2 on the logit scale, Satterthwaite df"
FALLBACK = "Wilson over the effective number of clusters"


def clustered_share(values: Numbers, clusters: Labels | None = None, *, level: float = 0.95) -> Estimate:
    """The mean of values between 0 and 1 with an interval taken on the logit scale.

    The error there is CR2's divided by p(1-p); degrees of freedom are Satterthwaite's of independent values. Where
    all values are 0 or all are 1, or clusters don't differ, the logit has no error: then it is Wilson's interval with
    (Σn)²/Σn² things, as if each cluster were one.

    Args:
        values: One a task: 0 or 1, or the share of its trials that pass.
        clusters: The cluster (repository) of each; without it every value is its own.
        level: Of the interval.

    Returns:
        An estimate whose ``se`` is of the share itself.

    Raises:
        ValueError: A value is missing or not between 0 and 1, a label is missing, or their numbers differ.
    """
    grouped = grouped_or_nothing(values, clusters, level, METHOD)
    if isinstance(grouped, Estimate):
        return grouped
    if grouped.lowest < 0 or grouped.highest > 1:
        raise ValueError(f"values go from {grouped.lowest:g} to {grouped.highest:g}: a share is between 0 and 1")
    n, count, mean = grouped.n, grouped.clusters, grouped.mean
    se = cr2_error(grouped)
    if grouped.is_rounding(se):
        low, high = wilson_ends(mean, n**2 / float(grouped.sizes @ grouped.sizes), quantile((1 + level) / 2))
        said = "there is no spread between clusters: each counts as one thing"
        return Estimate(mean, low, high, None, None, n, count, FALLBACK, said, level)
    df = satterthwaite(grouped.sizes, 0.0)
    centre, half = math.log(mean / (1 - mean)), quantile((1 + level) / 2, df) * se / (mean * (1 - mean))
    low, high = _share(centre - half), _share(centre + half)
    return Estimate(mean, low, high, se, df, n, count, METHOD, few(df), level)


def _share(logit: float) -> float:
    # Written for either sign: the plain formula overflows far below 0.
    return 1 / (1 + math.exp(-logit)) if logit >= 0 else math.exp(logit) / (1 + math.exp(logit))
