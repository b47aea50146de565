"""Wilson's interval and that of a clustered share."""

import json
import math
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from swe_together.report.stats import clustered_mean, clustered_share, wilson
from swe_together.report.stats._student import quantile
from tests.report.stats.designs import passes


@pytest.mark.parametrize(("k", "n"), [(0, 1), (0, 20), (1, 20), (73, 93), (143, 312), (20, 20)])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_wilson_agrees_with_statsmodels(k: int, n: int, level: float) -> None:
    found = wilson(k, n, level=level)
    assert (found.low, found.high) == pytest.approx(proportion_confint(k, n, 1 - level, "wilson"), abs=1e-9)
    assert (found.mean, found.n, found.clusters) == (k / n, n, n)


def test_wilson_by_hand() -> None:
    # z = 1.959964, z²/n = 0.384146: centre (0.5 + 0.192073)/1.384146 = 0.5; half √(0.0960365 + 0.0368920)/1.384146.
    found = wilson(5, 10)
    assert (found.low, found.high) == pytest.approx((0.236593, 0.763407), abs=1e-6)


def test_wilson_refuses_what_is_no_share() -> None:
    assert wilson(0, 0).mean is None
    for k, n in ((-1, 3), (4, 3), (math.nan, 3), (0, math.inf)):
        with pytest.raises(ValueError, match="0 ≤ k ≤ n is needed"):
            wilson(k, n)


def test_a_clustered_share_by_hand() -> None:
    # 3 of 4 singletons pass: p = 3/4; CR2 of singletons is the plain error √(s²/4) = √(1/4 / 4) = 1/4, df 3.
    # On the logit scale: log 3 ± 3.182446 · (1/4)/(3/16).
    found = clustered_share([1, 1, 1, 0])
    half = 3.182446305 * 4 / 3
    assert found.se == pytest.approx(0.25)
    assert found.low == pytest.approx(1 / (1 + math.exp(half) / 3))
    assert found.high == pytest.approx(1 / (1 + math.exp(-half) / 3))


def test_all_alike_falls_back_to_wilson_over_clusters() -> None:
    groups = ["a"] * 6 + ["b"] * 3 + ["c"] * 3
    found = clustered_share([1.0] * 12, groups)
    effective = 144 / 54
    z = quantile(0.975)
    assert (found.low, found.high) == pytest.approx((1 / (1 + z * z / effective), 1), abs=1e-12)
    assert "each counts as one" in found.warning
    assert clustered_share([0.0] * 12, groups).low == 0


def test_what_is_no_share_is_refused() -> None:
    with pytest.raises(ValueError, match=r"values go from 0 to 1.2"):
        clustered_share([0.0, 1.2])
    with pytest.raises(ValueError, match=r"values\[1\] is nan"):
        clustered_share([0.0, math.nan])
    assert clustered_share([]).mean is None
    assert clustered_share([0.0, 1.0], "aa").low is None


def test_far_from_the_ends_it_is_nearly_that_of_the_mean() -> None:
    values = passes([1] * 2000, 0.5, 0, 1, 3)[0]
    share, mean = clustered_share(values), clustered_mean(values)
    assert (share.low, share.high) == pytest.approx((mean.low, mean.high), abs=1e-3)


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from("abcde")), min_size=1, max_size=40))
def test_it_stays_between_0_and_1_and_turns_with_failure(pairs: list[tuple[float, str]]) -> None:
    groups = [g for _, g in pairs]
    found = clustered_share([v for v, _ in pairs], groups)
    turned = clustered_share([1 - v for v, _ in pairs], groups)
    assert json.loads(json.dumps(asdict(found), allow_nan=False)) == asdict(found)
    if found.low is not None and found.high is not None and found.mean is not None:
        assert 0 <= found.low <= found.mean + 1e-12
        assert found.mean - 1e-12 <= found.high <= 1
        if turned.low is not None and found.method == turned.method:
            assert turned.low == pytest.approx(1 - found.high, abs=1e-6)
