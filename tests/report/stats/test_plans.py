"""Variance parts of results, and what a plan can see: by hand, against statsmodels, and by simulation."""

import math

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower

from swe_together.report.stats import (
    Plan,
    effect_correlation,
    expected_half_width,
    minimum_detectable_difference,
    paired_difference,
    variance_from_passes,
    variance_parts,
)
from tests.report.stats.designs import PAPER_SIZES, labels

PLAN = Plan(tasks=40, replicates=2, between=0.12, within=0.1)


def test_parts_by_hand() -> None:
    # Within: squares 0.5, 0.5, 0 over 3 df. Means 0.5, 0.5, 1: their variance 1/12, less noise (1/3)/2: below 0.
    found = variance_parts([[1, 0], [0, 1], [1, 1]], "aab")
    assert (found.within, found.between) == (pytest.approx(1 / 3), 0)
    assert (found.n, found.clusters, found.trials, found.df) == (3, 2, 6, 3)
    assert "taken as no difference" in found.warning
    # Means 1, 1, 0, 0 with no noise, apart by cluster: all of it lies between clusters.
    apart = variance_parts([[1, 1], [1, 1], [0, 0], [0, 0]], "aabb")
    assert (apart.within, apart.between, apart.icc) == (0, pytest.approx(1 / 3), 1)
    # Uneven: among (3·0.15² + 0.45²)/1 = 0.27, inside 0.08/2 = 0.04, usual size 4 - 10/4 = 1.5: 0.1533 of 0.1933.
    uneven = variance_parts([[x, x] for x in (0.2, 0.4, 0.6, 1.0)], "aaab")
    assert uneven.icc == pytest.approx(0.23 / 1.5 / (0.23 / 1.5 + 0.04))


def test_parts_that_cannot_be_told() -> None:
    once = variance_parts([[1], [0], [1]])
    assert (once.within, once.between, once.icc) == (None, None, None)
    assert "no task has two trials" in once.warning
    single = variance_parts([[1, 0]])
    assert (single.within, single.between) == (0.5, None)
    assert variance_parts([[1, 0], [0, 0], []]).n == 2
    assert variance_parts([[1, 0], [0, 0], [1, 1]]).icc is None
    assert variance_parts([]).n == 0
    with pytest.raises(ValueError, match=r"scores\[0\]\[1\] is nan"):
        variance_parts([[1, math.nan]])


def test_parts_are_found_again_in_generated_results() -> None:
    random = np.random.default_rng(2)
    groups = labels([6] * 150)
    centres = random.normal(scale=math.sqrt(0.06), size=150)[groups]
    shared = centres + random.normal(scale=math.sqrt(0.04), size=900)
    scores = shared[:, None] + random.normal(scale=math.sqrt(0.2), size=(900, 3))
    found = variance_parts(scores.tolist(), groups)
    assert (found.within, found.between, found.icc) == pytest.approx((0.2, 0.1, 0.6), rel=0.12)
    other = shared[:, None] + random.normal(scale=math.sqrt(0.1), size=(900, 1))
    noisy = other + random.normal(scale=math.sqrt(0.2), size=(900, 2))
    # True means share all of one model's variance 0.1 and half of the other's 0.2.
    assert effect_correlation(scores.tolist(), noisy.tolist()) == pytest.approx(math.sqrt(0.5), abs=0.06)


def test_correlation_that_cannot_be_told() -> None:
    assert effect_correlation([[1], [0]], [[1], [0]]) is None
    assert effect_correlation([[1, 1], [0, 0]], [[1, 0], [0, 1]]) is None
    with pytest.raises(ValueError, match="2 tasks and b has 1"):
        effect_correlation([[1], [0]], [[1]])
    with pytest.raises(ValueError, match="no trial"):
        effect_correlation([[1], []], [[1], [0]])


def test_parts_from_published_shares() -> None:
    # Chances 1, 1/2, 0 in equal parts: pass@1 1/2, pass^2 (1 + 1/4)/3.
    found = variance_from_passes(1 / 2, 5 / 12)
    assert (found.between, found.within) == (pytest.approx(1 / 6), pytest.approx(1 / 12))
    for wrong in ((0.5, 0.2), (0.5, 0.6), (1.2, 1.1)):
        with pytest.raises(ValueError, match="is needed"):
            variance_from_passes(*wrong)


def test_half_width_by_hand() -> None:
    found = expected_half_width(PLAN)
    assert found.se == pytest.approx(math.sqrt((0.12 + 0.05) / 40))
    assert found.value == pytest.approx(2.022690912 * found.se)
    assert found.df == pytest.approx(39)
    normal = expected_half_width(PLAN, df=math.inf)
    assert (normal.value, normal.df) == (pytest.approx(1.959963985 * normal.se), None)


@pytest.mark.parametrize("power", [0.8, 0.9])
@pytest.mark.parametrize("tasks", [5, 30, 109])
def test_a_difference_without_clusters_is_statsmodels_paired_t(tasks: int, power: float) -> None:
    plan = Plan(tasks, 4, between=0.12, within=0.1, correlation=0.6, power=power)
    spread = math.sqrt(2 * 0.12 * 0.4 + 2 * 0.1 / 4)
    theirs = TTestPower().solve_power(nobs=tasks, alpha=0.05, power=power, alternative="two-sided")
    assert minimum_detectable_difference(plan).value == pytest.approx(theirs * spread, rel=1e-6)


def test_more_of_anything_good_sees_more() -> None:
    def value(paired: bool = True, **changes: float) -> float:
        plan = Plan(**{"tasks": 40, "replicates": 2, "between": 0.12, "within": 0.1, **changes})  # type: ignore[arg-type]
        return minimum_detectable_difference(plan, paired=paired).value or math.nan

    usual = value()
    assert value(tasks=80) < value(replicates=4) < usual < value(power=0.95) < value(power=0.95, alpha=0.01)
    assert value(correlation=0.9) < usual < value(paired=False)
    assert usual < value(clusters=8, icc=0.2) < value(clusters=8, icc=0.6) < value(clusters=4, icc=0.6)
    assert value(clusters=40, icc=0.6) == pytest.approx(usual)


def test_uneven_clusters_see_less_than_even_ones() -> None:
    even = minimum_detectable_difference(Plan(109, 2, 0.12, 0.11, clusters=25, icc=0.3))
    uneven = minimum_detectable_difference(Plan(109, 2, 0.12, 0.11, clusters=PAPER_SIZES, icc=0.3))
    assert (uneven.value or 0) > 1.2 * (even.value or 0)
    assert (uneven.df or 0) < 7 < (even.df or 0)
    assert minimum_detectable_difference(Plan(9, 2, 0.1, 0.1, clusters=1)).value is None
    assert "fewer than two clusters" in expected_half_width(Plan(1, 2, 0.1, 0.1)).warning


def test_the_difference_is_found_as_often_as_planned() -> None:
    sizes = (6,) * 12
    plan = Plan(72, 3, between=0.2, within=0.3, clusters=sizes, icc=0.4, correlation=0.5)
    difference = minimum_detectable_difference(plan).value or math.nan
    random = np.random.default_rng(12)
    groups = labels(sizes)

    def effects(share: float) -> np.ndarray:  # type: ignore[type-arg]
        centres = random.normal(scale=math.sqrt(0.2 * share * 0.4), size=12)[groups]
        return centres + random.normal(scale=math.sqrt(0.2 * share * 0.6), size=72)

    def measured(true: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
        return true + random.normal(scale=math.sqrt(0.3 / 3), size=72)

    found = 0
    for _ in range(1500):
        shared = effects(0.5)
        a, b = measured(shared + effects(0.5) + difference), measured(shared + effects(0.5))
        p = paired_difference(a, b, groups).p
        found += p is not None and p < 0.05
    assert found / 1500 == pytest.approx(0.8, abs=0.05)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"tasks": 0}, "tasks is 0"), ({"replicates": 0}, "replicates is 0"), ({"between": -1}, "between is -1"),
        ({"within": math.nan}, "within is nan"), ({"icc": 1.5}, "icc is 1.5"), ({"power": 0.01}, "power is 0.01"),
        ({"correlation": 2}, "correlation is 2"), ({"alpha": 0}, "alpha is 0"), ({"clusters": 41}, "clusters is 41"),
        ({"clusters": (20, 19)}, "add up to 39"), ({"clusters": (41, -1)}, "none empty"),
    ],
)  # fmt: skip
def test_a_plan_that_is_none(change: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Plan(**{"tasks": 40, "replicates": 2, "between": 0.12, "within": 0.1, **change})  # type: ignore[arg-type]
