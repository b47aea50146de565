"""How often the 95 % intervals hold the truth, over 2,000 draws with the paper's repository sizes.

The numbers stand in docs/statistics.md; draws are seeded, so they are the same every time.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from swe_together.report.stats import (
    Estimate,
    clustered_mean,
    clustered_share,
    paired_difference,
    plain_clustered,
    wild_bootstrap,
)
from swe_together.report.stats._cr2 import satterthwaite
from tests.report.stats.designs import PAPER_SIZES, RECOUNTED_SIZES, Floats, clustered, labels, passes

DRAWS = 2000
DOCUMENT = Path(__file__).parents[3] / "docs" / "statistics.md"


def of_independence(values: Floats, groups: NDArray[np.intp]) -> Estimate:
    """CR2 as it is mostly used: degrees of freedom as if values of one repository didn't correlate."""
    found = clustered_mean(values, groups)
    if found.mean is None or found.se is None:
        return found
    half = stats.t.ppf(0.975, satterthwaite(np.bincount(groups).astype(float), 0.0)) * found.se
    return replace(found, low=found.mean - half, high=found.mean + half)


METHODS = (plain_clustered, of_independence, clustered_mean, clustered_share)
"""In the order of the document's columns."""


def seed(success: float, icc: float) -> int:
    return round(1000 * success + 10 * icc)


@cache
def estimates(method: Callable[..., Estimate], sizes: tuple[int, ...], success: float, icc: float) -> list[Estimate]:
    groups = labels(sizes)
    return [method(values, groups) for values in passes(sizes, success, icc, DRAWS, seed(success, icc))]


def coverage(found: list[Estimate], truth: float) -> float:
    """Share of intervals that hold the truth; one without ends holds nothing."""
    held = [e.low is not None and e.high is not None and e.low <= truth <= e.high for e in found]
    return float(np.mean(held))


def test_the_sizes_are_those_of_the_set() -> None:
    for sizes in (PAPER_SIZES, RECOUNTED_SIZES):
        assert (sum(sizes), len(sizes)) == (109, 25)


@pytest.mark.parametrize("sizes", [PAPER_SIZES, RECOUNTED_SIZES], ids=["paper", "recounted"])
@pytest.mark.parametrize("icc", [0.0, 0.2, 0.5])
@pytest.mark.parametrize("method", [clustered_mean, clustered_share])
def test_at_success_06_intervals_hold_what_they_say(
    method: Callable[..., Estimate], icc: float, sizes: tuple[int, ...]
) -> None:
    assert 0.93 <= coverage(estimates(method, sizes, 0.6, icc), 0.6) <= 0.97


@pytest.mark.parametrize("icc", [0.0, 0.2, 0.5])
def test_the_plain_interval_does_not(icc: float) -> None:
    assert coverage(estimates(plain_clustered, PAPER_SIZES, 0.6, icc), 0.6) < 0.93


@pytest.mark.parametrize("icc", [0.2, 0.5])
def test_nor_does_the_usual_small_sample_correction_where_repositories_correlate(icc: float) -> None:
    assert coverage(estimates(of_independence, PAPER_SIZES, 0.6, icc), 0.6) < 0.93


@pytest.mark.parametrize("icc", [0.0, 0.2, 0.5])
def test_at_success_09_the_mean_warns_and_the_share_holds(icc: float) -> None:
    means = estimates(clustered_mean, PAPER_SIZES, 0.9, icc)
    warned = [bool(e.warning) for e in means]
    assert np.mean(warned) > 0.97, "an interval near 1 is warned about"
    if icc:
        assert coverage(means, 0.9) < 0.93, "and the warning is needed"
    assert coverage(estimates(clustered_share, PAPER_SIZES, 0.9, icc), 0.9) >= 0.93


@pytest.mark.parametrize("icc", [0.0, 0.2, 0.5])
def test_the_wild_bootstrap_is_near(icc: float) -> None:
    groups = labels(PAPER_SIZES)
    draws = passes(PAPER_SIZES, 0.6, icc, DRAWS, seed(0.6, icc))[:300]
    assert 0.91 <= coverage([wild_bootstrap(values, groups, draws=399) for values in draws], 0.6) <= 0.97


def test_values_without_ends_and_differences_of_two_models() -> None:
    normal = [clustered_mean(*clustered(number, PAPER_SIZES)) for number in range(DRAWS)]
    assert 0.93 <= coverage(normal, 0.4) <= 0.97
    # Two models of one mean, sharing half of each repository's effect.
    groups = labels(PAPER_SIZES)
    random = np.random.default_rng(9)
    shared, a, b = (random.normal(scale=0.3, size=(DRAWS, 1, 25)) for _ in range(3))
    chances = [1 / (1 + np.exp(-4 * (shared + own)[:, 0, groups])) for own in (a, b)]
    one, other = ((random.random((DRAWS, 109)) < chance).astype(float) for chance in chances)
    pairs = [paired_difference(x, y, groups) for x, y in zip(one, other, strict=True)]
    assert 0.93 <= coverage(list(pairs), 0.0) <= 0.97
    refused = np.mean([pair.p is not None and pair.p < 0.05 for pair in pairs])
    assert 0.03 <= refused <= 0.07


def test_the_documents_table_is_what_is_measured_here() -> None:
    rows = re.findall(r"^\| (0\.\d) \| (0(?:\.\d)?) \|((?: [\d.]+ \|){4})", DOCUMENT.read_text(), re.MULTILINE)
    assert len(rows) == 6
    for success, icc, shown in rows:
        measured = [
            100 * coverage(estimates(method, PAPER_SIZES, float(success), float(icc)), float(success))
            for method in METHODS
        ]
        # Within a handful of draws: rounding of another machine may turn one.
        assert [float(cell) for cell in shown.strip(" |").split(" | ")] == pytest.approx(measured, abs=0.25)
