"""Quantiles and probabilities of the normal and of Student's distributions. ``df`` may be infinite: the normal one."""

import math

from scipy import special


def quantile(share: float, df: float = math.inf) -> float:
    """The value below which ``share`` of the distribution lies."""
    return float(special.ndtri(share) if math.isinf(df) else special.stdtrit(df, share))


def below(value: float, df: float = math.inf) -> float:
    """Probability of a smaller value."""
    return float(special.ndtr(value) if math.isinf(df) else special.stdtr(df, value))


def two_sided(value: float, df: float = math.inf) -> float:
    """Probability of a value at least as far from 0, on either side."""
    return 2 * below(-abs(value), df)


def beyond(critical: float, shift: float, df: float = math.inf) -> float:
    """Probability that Student's value around ``shift`` (noncentral) is further from 0 than ``critical``."""
    if math.isinf(df):
        return float(special.ndtr(shift - critical) + special.ndtr(-shift - critical))
    return float(1 - special.nctdtr(df, shift, critical) + special.nctdtr(df, shift, -critical))
