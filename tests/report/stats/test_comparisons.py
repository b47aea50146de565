"""Paired differences, Holm's correction, bands of ranks and equivalence."""

import json
import math
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import DescrStatsW, ttost_paired

from swe_together.report.stats import clustered_mean, equivalence, holm, paired_difference, rank_band
from tests.report.stats.designs import PAPER_SIZES, clustered

probabilities = st.floats(0, 1)


@pytest.mark.parametrize("count", [1, 2, 5, 21])
def test_holm_agrees_with_statsmodels(count: int) -> None:
    pvalues = (np.random.default_rng(count).uniform(size=count) ** 3).tolist()
    assert holm(pvalues) == pytest.approx(multipletests(pvalues, method="holm")[1].tolist(), abs=1e-9)


@given(st.lists(st.one_of(st.none(), probabilities), max_size=12))
def test_holm_keeps_what_is_missing_and_never_lowers(pvalues: list[float | None]) -> None:
    for before, after in zip(pvalues, holm(pvalues), strict=True):
        assert (before is None) == (after is None)
        assert before is None or after is None or before <= after <= 1


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.06, 0.06))
    assert holm([0.01, None, 0.03]) == (pytest.approx(0.03), None, pytest.approx(0.06))
    assert holm([]) == ()
    with pytest.raises(ValueError, match=r"pvalues\[1\] is 1.5"):
        holm([0.1, 1.5])


def test_a_difference_without_clusters_is_the_paired_t_test() -> None:
    random = np.random.default_rng(3)
    a, b = random.normal(size=(2, 30))
    theirs, found = stats.ttest_rel(a, b), paired_difference(a, b)
    interval = theirs.confidence_interval()
    assert (found.p, found.df) == pytest.approx((theirs.pvalue, 29), abs=1e-9)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), abs=1e-9)


def test_a_difference_by_task_is_the_clustered_mean_of_differences() -> None:
    a, groups = clustered(1, PAPER_SIZES)
    b, _ = clustered(2, PAPER_SIZES)
    found, mean = paired_difference(a, b, groups), clustered_mean(a - b, groups)
    assert (found.mean, found.low, found.df) == (mean.mean, mean.low, mean.df)
    back = paired_difference(b, a, groups)
    assert (back.mean, back.high) == pytest.approx((-(found.mean or 0), -(found.low or 0)))
    assert back.p == pytest.approx(found.p)


def test_a_difference_that_cannot_be_tested() -> None:
    same = paired_difference([1, 0, 1], [1, 0, 1])
    assert (same.mean, same.p, same.se) == (0, None, None)
    assert paired_difference([], []).mean is None
    with pytest.raises(ValueError, match=r"b\[0\] is nan"):
        paired_difference([1.0], [math.nan])
    with pytest.raises(ValueError, match="a has 2 values and b has 1"):
        paired_difference([1.0, 0.0], [1.0])


def test_bands_of_ranks() -> None:
    random = np.random.default_rng(4)
    hard = random.normal(size=60)
    values = {
        name: {f"t{i}": float(v) for i, v in enumerate(hard + mean + random.normal(scale=0.3, size=60))}
        for name, mean in (("low", 0.0), ("high", 1.0), ("high too", 1.01), ("lowest", -0.5))
    }
    found = rank_band(values, {f"t{i}": i // 4 for i in range(60)})
    bands = {rank.name: (rank.best, rank.worst, rank.inseparable) for rank in found.ranks}
    assert bands["low"] == (3, 3, ())
    assert bands["lowest"] == (4, 4, ())
    assert bands["high"] == (1, 2, ("high too",))
    assert bands["high too"] == (1, 2, ("high",))
    assert (found.n, found.clusters, len(found.pairs), found.warning) == (60, 15, 6, "")
    assert {pair.separated for pair in found.pairs} == {True, False}
    means = [rank.mean for rank in found.ranks]
    assert means == sorted(means, reverse=True)
    assert [p.p_holm for p in found.pairs] == list(holm([p.difference.p for p in found.pairs]))
    assert json.loads(json.dumps(asdict(found), allow_nan=False))["alpha"] == 0.05


def test_ranks_compare_on_common_tasks_alone_and_say_so() -> None:
    found = rank_band({"a": {"x": 1.0, "y": 0.0, "z": 1.0}, "b": {"y": 0.5, "z": 0.0, "w": 0.0}, "none": {}})
    assert [(r.name, r.n, r.best, r.worst) for r in found.ranks] == [("a", 3, 1, 3), ("b", 3, 1, 3), ("none", 0, 1, 3)]
    pair = found.pairs[0]
    assert (pair.difference.n, pair.difference.mean) == (2, pytest.approx(0.25))
    assert "models don't all have the same tasks" in found.warning
    assert "2 of 3 pairs can't be tested" in found.warning
    with pytest.raises(ValueError, match="task w has none"):
        rank_band({"a": {"w": 1.0}}, {})
    empty = rank_band({})
    assert (empty.ranks, empty.n, empty.df) == ((), 0, None)


@pytest.mark.parametrize("margin", [0.1, 0.3, 0.8])
def test_equivalence_agrees_with_statsmodels(margin: float) -> None:
    values = np.random.default_rng(6).normal(0.55, 0.8, size=50)
    p, (_, p_low, df), (_, p_high, _) = DescrStatsW(values).ttost_mean(0.5 - margin, 0.5 + margin)
    found = equivalence(values, centre=0.5, margin=margin)
    assert (found.p, found.p_low, found.p_high, found.df) == pytest.approx((p, p_low, p_high, df), abs=1e-9)
    assert found.equivalent == (p < 0.05)
    other = np.random.default_rng(7).normal(0.5, 0.8, size=50)
    assert equivalence(values - other, margin=margin).p == pytest.approx(
        ttost_paired(values, other, -margin, margin)[0], abs=1e-9
    )


def test_equivalence_is_the_interval_inside_the_margin() -> None:
    values, groups = clustered(8, PAPER_SIZES)
    for margin in np.linspace(0.05, 1.5, 30):
        found = equivalence(values, groups, centre=0.3, margin=float(margin), alpha=0.025)
        assert found.estimate.low is not None
        assert found.estimate.high is not None
        assert found.estimate.level == pytest.approx(0.95)
        inside = found.estimate.low > 0.3 - margin and found.estimate.high < 0.3 + margin
        assert found.equivalent == inside


def test_clusters_make_equivalence_harder() -> None:
    said = [1.0, 0.0] * 26
    by_pair = [index // 2 for index in range(52)]
    assert equivalence(said, centre=0.5, margin=0.15).equivalent is True
    four = [1.0] * 13 + [0.0] * 13 + [1.0] * 13 + [0.0] * 13
    assert equivalence(four, [i // 13 for i in range(52)], centre=0.5, margin=0.15).equivalent is False
    untold = equivalence(said, by_pair, centre=0.5, margin=0.15)
    assert (untold.equivalent, untold.p) == (None, None)
    with pytest.raises(ValueError, match="margin is 0"):
        equivalence(said, margin=0)
    with pytest.raises(ValueError, match="2·alpha"):
        equivalence(said, margin=0.1, alpha=0.5)
