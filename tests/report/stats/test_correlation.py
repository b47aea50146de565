"""Correlations agree with scipy; with few points they say so."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from swe_together.report.stats import fisher_interval, pearson_interval, spearman_interval


@pytest.mark.parametrize("count", [4, 7, 30])
@pytest.mark.parametrize("ties", [False, True])
def test_agrees_with_scipy(count: int, ties: bool) -> None:
    random = np.random.default_rng(count)
    x = random.normal(size=count)
    y = x + random.normal(size=count)
    if ties:
        x, y = np.round(x), np.round(y, 1)
    ours, theirs = pearson_interval(x, y), stats.pearsonr(x, y)
    interval = theirs.confidence_interval(0.95)
    assert (ours.r, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue), abs=1e-9)
    assert (ours.low, ours.high) == pytest.approx((interval.low, interval.high), abs=1e-9)
    ranked, rho = spearman_interval(x, y), stats.spearmanr(x, y)
    assert (ranked.r, ranked.p) == pytest.approx((rho.statistic, rho.pvalue), abs=1e-9)
    assert (ours.warning == "") == (count >= 10)


def test_spearman_by_hand() -> None:
    # Ranks 1 2 3 4 5 against 2 1 4 3 5: squared differences 1+1+1+1 = 4, so 1 - 6·4/(5·24) = 0.8.
    found = spearman_interval([1, 2, 3, 4, 5], [20, 10, 40, 30, 50])
    half = 1.959963985 * math.sqrt((1 + 0.32) / 2)
    assert found.r == pytest.approx(0.8)
    assert found.low == pytest.approx(math.tanh(math.atanh(0.8) - half))
    assert "only 5 points" in found.warning


def test_what_cannot_be_told() -> None:
    assert pearson_interval([], []).r is None
    flat = spearman_interval([1, 1, 1, 1], [1, 2, 3, 4])
    assert (flat.r, flat.low, flat.p) == (None, None, None)
    assert "doesn't vary" in flat.warning
    three = pearson_interval([1, 2, 3], [1, 3, 2])
    assert (three.r, three.low) == (pytest.approx(0.5), None)
    assert "fewer than four" in three.warning
    line = spearman_interval([1, 2, 3, 4], [1, 4, 9, 16])
    assert (line.r, line.low, line.p) == (pytest.approx(1), None, 0)
    assert "on one line" in line.warning
    two = pearson_interval([1, 2], [1, 3])
    assert (two.low, two.p) == (None, None)


def test_misuse() -> None:
    with pytest.raises(ValueError, match=r"y\[1\] is nan"):
        pearson_interval([1, 2], [1, math.nan])
    with pytest.raises(ValueError, match="x has 2 values and y has 1"):
        spearman_interval([1, 2], [1])
    with pytest.raises(ValueError, match=r"r is 1\.2"):
        fisher_interval(1.2, 9)


points = st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=4, max_size=20)


@given(points)
def test_only_the_order_matters_to_spearman(pairs: list[tuple[int, int]]) -> None:
    x, y = [a for a, _ in pairs], [b for _, b in pairs]
    plain, bent = spearman_interval(x, y), spearman_interval([a**3 for a in x], [math.exp(b / 50) for b in y])
    assert plain.r == pytest.approx(bent.r)
    if plain.low is not None and plain.high is not None and plain.r is not None:
        assert -1 <= plain.low <= plain.r <= plain.high <= 1
