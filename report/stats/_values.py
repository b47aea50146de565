"""What goes into the numbers: finite values, labels of clusters, and the sums over each cluster."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

type Floats = NDArray[np.float64]
type Codes = NDArray[np.intp]
type Numbers = Sequence[float] | NDArray[Any]
type Labels = Sequence[Hashable] | NDArray[Any]

ROUNDING = 1e-12
"""Relative size below which a spread is no more than the rounding of sums."""


def numbers(values: Numbers, name: str = "values") -> Floats:
    """Values as an array of one dimension.

    Raises:
        ValueError: One of them is missing or infinite, or no number. What is missing is never taken for a zero: leave
            it out, and say how many are left out.
    """
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as problem:
        raise ValueError(f"{name}: not all of them are numbers ({problem})") from None
    if found.ndim != 1:
        raise ValueError(f"{name}: one dimension is needed, not {found.ndim}")
    bad = np.flatnonzero(~np.isfinite(found))
    if bad.size:
        raise ValueError(f"{name}[{bad[0]}] is {found[bad[0]]:g}: leave out what is missing, and say how many")
    return found


def codes(clusters: Labels | None, count: int) -> Codes:
    """Labels as whole numbers from 0, in the order of their first appearance; without labels each value has its own.

    Raises:
        ValueError: There are more or fewer labels than values, or one is missing.
    """
    if clusters is None:
        return np.arange(count)
    if len(clusters) != count:
        raise ValueError(f"clusters: {len(clusters)} labels for {count} values")
    known: dict[Hashable, int] = {}
    found = [known.setdefault(label, len(known)) for label in clusters]
    for label, code in known.items():
        if label is None or label != label:
            raise ValueError(f"clusters[{found.index(code)}] is {label}: name the cluster of each value")
    return np.asarray(found, dtype=np.intp)


def check_level(level: float, name: str = "level") -> None:
    """Refuse what isn't a share strictly between 0 and 1."""
    if not 0 < level < 1:
        raise ValueError(f"{name} is {level:g}: a share between 0 and 1 is needed")


@dataclass(frozen=True)
class Grouped:
    """Values summed up by cluster.

    Attributes:
        mean: Over all values, each with the same weight.
        sizes: Values of each cluster, as floats.
        residuals: Sum over each cluster of value minus mean; shape of ``sizes``.
        squares: Sum over all values of the squared difference from the mean.
        pairs: Sum over all ordered pairs of two values of one cluster of the product of their differences.
        lowest: Smallest value.
        highest: Largest value.
    """

    mean: float
    sizes: Floats
    residuals: Floats
    squares: float
    pairs: float
    lowest: float
    highest: float

    @classmethod
    def of(cls, values: Floats, groups: Codes) -> Self:
        """Sums of at least one value."""
        mean = float(values.mean())
        rest = values - mean
        sizes = np.bincount(groups).astype(np.float64)
        residuals = np.bincount(groups, weights=rest)
        squares = float(rest @ rest)
        pairs = float(residuals @ residuals) - squares
        return cls(mean, sizes, residuals, squares, pairs, float(values.min()), float(values.max()))

    @property
    def n(self) -> int:
        """Number of values."""
        return int(self.sizes.sum())

    @property
    def clusters(self) -> int:
        """Number of clusters."""
        return len(self.sizes)

    def is_rounding(self, spread: float) -> bool:
        """Whether a standard error or deviation is no more than the rounding of sums."""
        return spread <= ROUNDING * max(abs(self.lowest), abs(self.highest))
