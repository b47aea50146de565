"""Generated data for the tests of statistics: the paper's repository sizes, and shares that correlate within them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

type Floats = NDArray[np.float64]

PAPER_SIZES = (27, 23, 9, 8, 7, 5, 5, 4, 3, 2, 2, *[1] * 14)
"""Tasks of each repository, as the paper's set is described: 109 tasks of 25 repositories."""
RECOUNTED_SIZES = (27, 23, 9, 8, 7, 5, 4, 4, 3, 2, 2, 2, *[1] * 13)
"""The same set counted from its tasks, renamed repositories taken as one."""


def labels(sizes: Sequence[int]) -> NDArray[np.intp]:
    """The cluster of each value."""
    return np.repeat(np.arange(len(sizes)), sizes)


def passes(sizes: Sequence[int], success: float, icc: float, draws: int, seed: int) -> Floats:
    """Outcomes 0 and 1, one row a draw: each repository's chance is beta-distributed, which gives exactly ``icc``."""
    random = np.random.default_rng(seed)
    chances = np.full((draws, len(sizes)), success)
    if icc:
        strength = 1 / icc - 1
        chances = random.beta(success * strength, (1 - success) * strength, size=(draws, len(sizes)))
    return (random.random((draws, sum(sizes))) < np.repeat(chances, sizes, axis=1)).astype(float)


def clustered(seed: int, sizes: Sequence[int], icc: float = 0.3) -> tuple[Floats, NDArray[np.intp]]:
    """Normal values that correlate within clusters, in mixed order."""
    random = np.random.default_rng(seed)
    groups = random.permutation(labels(sizes))
    effects = random.normal(scale=np.sqrt(icc), size=len(sizes))
    return effects[groups] + random.normal(loc=0.4, scale=np.sqrt(1 - icc), size=len(groups)), groups
