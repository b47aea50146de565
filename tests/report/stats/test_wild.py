"""The wild cluster bootstrap: by a loop of its own, by seed, and where it has no end."""

import numpy as np
import pytest

from swe_together.report.stats import clustered_mean, plain_clustered, wild_bootstrap
from swe_together.report.stats._wild import WEBB
from tests.report.stats.designs import PAPER_SIZES, clustered


def p_value(values: list[float], groups: list[int], supposed: float, draws: int, seed: int) -> float:
    """The restricted bootstrap's p-value, draw by draw and value by value, as it is described."""
    names = sorted(set(groups), key=groups.index)
    weights = np.random.default_rng(seed).choice(WEBB.ravel(), size=(draws, len(names)))

    def ratio(sample: list[float]) -> float:
        mean = sum(sample) / len(sample)
        sums = [sum(v - mean for v, g in zip(sample, groups, strict=True) if g == name) for name in names]
        return abs(mean - supposed) / (sum(s * s for s in sums) ** 0.5 / len(sample))

    measured = ratio(values)
    drawn = [
        [supposed + row[names.index(g)] * (v - supposed) for v, g in zip(values, groups, strict=True)]
        for row in weights.tolist()
    ]
    return sum(ratio(one) >= measured * (1 - 1e-9) for one in drawn) / draws


def test_its_ends_are_where_a_plain_loop_stops_refusing() -> None:
    values, groups = clustered(5, (6, 5, 4, 4, 3, 2, 2, 1))
    found = wild_bootstrap(values, groups, draws=399, seed=4)
    assert found.low is not None
    assert found.high is not None
    step = (found.high - found.low) / 1000
    for end, inwards in ((found.low, step), (found.high, -step)):
        assert p_value(values.tolist(), groups.tolist(), end + inwards, 399, 4) > 0.05
        assert p_value(values.tolist(), groups.tolist(), end - inwards, 399, 4) <= 0.05


def test_the_same_seed_gives_the_same_interval() -> None:
    values, groups = clustered(6, PAPER_SIZES)
    one, again, other = (wild_bootstrap(values, groups, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert one.low != other.low
    assert other.low == pytest.approx(one.low, abs=0.05)
    assert (one.mean, one.se) == (plain_clustered(values, groups).mean, plain_clustered(values, groups).se)
    assert one.df is None


def test_weights_have_mean_0_and_variance_1() -> None:
    assert WEBB.mean() == pytest.approx(0)
    assert (WEBB**2).mean() == pytest.approx(1)


def test_many_clusters_give_the_t_interval() -> None:
    values = np.random.default_rng(2).normal(size=400)
    wild, plain = wild_bootstrap(values, draws=4999), clustered_mean(values)
    assert (wild.low, wild.high) == pytest.approx((plain.low, plain.high), abs=0.01)


def test_an_end_that_is_not_there() -> None:
    found = wild_bootstrap([0.1, 0.4, 0.3, 0.9], "aabb")
    assert (found.low, found.high) == (None, None)
    assert "only 2 clusters" in found.warning
    assert "none was found" in found.warning


def test_without_values_spread_or_draws() -> None:
    assert wild_bootstrap([]).mean is None
    assert wild_bootstrap([1.0, 0.0], "aa").low is None
    assert "no spread" in wild_bootstrap([0.5] * 8).warning
    with pytest.raises(ValueError, match="draws is 10"):
        wild_bootstrap([1.0, 0.0, 0.3], draws=10)
