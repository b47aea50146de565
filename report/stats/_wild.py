"""The wild cluster bootstrap: an interval that leans on no distribution, for a mean of few clusters.

Under a supposed mean the residual sums of whole clusters are turned by random weights (Webb's six points, made for few
clusters), and the t ratio is compared with those so drawn. The interval holds the means that are not refused.
"""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from swe_together.report.stats._cr1 import cr1_error
from swe_together.report.stats._estimate import Estimate, grouped_or_nothing, joined, student
from swe_together.report.stats._values import Floats, Grouped, Labels, Numbers

METHOD = "wild cluster bootstrap, Webb weights"
WEBB = np.sqrt([0.5, 1.0, 1.5]) * np.array([[-1.0], [1.0]])
FEW_CLUSTERS = 6
BISECTIONS = 60
SAME = 1e-9
"""Relative difference below which two t ratios are the same: weights that are all alike give the sample's own."""
FARTHEST = 2.0**20
"""Standard errors from the mean beyond which no end of an interval is looked for."""


@dataclass(frozen=True)
class _Drawn:
    """What the drawn weights make of the clusters, for any supposed mean.

    If the mean is the measured one less ``shift``, a drawn cluster's sum is ``w (r + shift n)``: drawn means and
    squared errors are polynomials in the shift. Arrays hold one number a draw.
    """

    error: float
    means: tuple[Floats, Floats]
    squares: tuple[Floats, Floats, Floats]

    @classmethod
    def of(cls, grouped: Grouped, weights: Floats) -> Self:
        sizes, total = grouped.sizes, grouped.n
        still, moved = weights * grouped.residuals, weights * sizes
        means = still.sum(axis=1) / total, moved.sum(axis=1) / total
        rest, slope = still - np.outer(means[0], sizes), moved - np.outer(means[1], sizes)
        squares = (rest**2).sum(axis=1), 2 * (rest * slope).sum(axis=1), (slope**2).sum(axis=1)
        return cls(float(np.sqrt(grouped.residuals @ grouped.residuals)), means, squares)

    def p(self, shift: float) -> float:
        """Two-sided p-value of that mean."""
        means = self.means[0] + shift * self.means[1]
        errors = np.sqrt(np.maximum(0, self.squares[0] + shift * (self.squares[1] + shift * self.squares[2])))
        # Compared as products, since a draw may be without error; one as far out as the sample counts as farther.
        return float((np.abs(means) * self.error >= abs(shift) * errors * (1 - SAME)).mean())


def wild_bootstrap(
    values: Numbers, clusters: Labels | None = None, *, level: float = 0.95, draws: int = 1999, seed: int = 0
) -> Estimate:
    """The mean with an interval from the restricted wild cluster bootstrap.

    Args:
        values: One a task.
        clusters: The cluster of each; without it every value is its own.
        level: Of the interval.
        draws: Number of bootstrap draws, at least 99.
        seed: Of the draws: the same seed gives the same interval.

    Returns:
        An estimate without ``df``, with CR1's error; an end that isn't there is None, with a warning.

    Raises:
        ValueError: A value or label is missing, their numbers differ, or there are too few draws.
    """
    if draws < 99:
        raise ValueError(f"draws is {draws}: at least 99 are needed")
    grouped = grouped_or_nothing(values, clusters, level, METHOD)
    if isinstance(grouped, Estimate):
        return grouped
    count, se = grouped.clusters, cr1_error(grouped)
    if grouped.is_rounding(se):
        return student(grouped, se, math.inf, level, METHOD)
    weights = np.random.default_rng(seed).choice(WEBB.ravel(), size=(draws, count))
    drawn = _Drawn.of(grouped, weights)
    # The supposed mean lies below the measured one by the shift: a positive shift leads to the lower end.
    down, up = (_end(drawn, sign, se, 1 - level) for sign in (1.0, -1.0))
    low = None if down is None else grouped.mean - down
    high = None if up is None else grouped.mean - up
    warning = joined(
        f"only {count} clusters to draw weights for" if count < FEW_CLUSTERS else "",
        "an end of the interval is so far away that none was found" if low is None or high is None else "",
    )
    return Estimate(grouped.mean, low, high, se, None, grouped.n, count, METHOD, warning, level)


def _end(drawn: _Drawn, sign: float, se: float, alpha: float) -> float | None:
    near, far = 0.0, 1.0
    while drawn.p(sign * far * se) > alpha:
        near, far = far, 2 * far
        if far > FARTHEST:
            return None
    for _ in range(BISECTIONS):
        middle = (near + far) / 2
        near, far = (middle, far) if drawn.p(sign * middle * se) > alpha else (near, middle)
    return sign * far * se
