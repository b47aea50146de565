"""The outlook of a plan: where its numbers come from, and what it makes of them."""

import math

import pytest

from swe_together.report.plan import Earlier, Part, Wish, outlook
from swe_together.report.stats import Plan, expected_half_width, minimum_detectable_difference

NONE = Part(None, 0, 8)
TOLD = Earlier(8, 2, {"agent": Part(1.5, 6, 2), "user": Part(0.5, 8, 0)}, Part(12.0, 8, 0), 0.05, 0.1, 0.3, 0.8, "")
BARE = Earlier(8, 2, {"agent": NONE, "user": Part(0.5, 8, 0)}, NONE, None, None, None, None, "all trials alike")


def sources(wish: Wish, earlier: Earlier | None = None) -> dict[str, tuple[float | None, str]]:
    return {one.name: (one.value, one.source) for one in outlook(wish, earlier).assumptions}


def test_the_numbers_are_those_of_the_plan() -> None:
    found = outlook(Wish(30, 4))
    plan = Plan(30, 4, between=0.52 - 0.63**2, within=0.63 - 0.52)
    assert found.paired == minimum_detectable_difference(plan)
    assert found.unpaired == minimum_detectable_difference(plan, paired=False)
    assert found.half_width == expected_half_width(plan)
    # By hand: √((2·0.1231·0.5 + 2·0.11/4)/30) is 0.0771; 29 df need 2.9 of it.
    assert found.paired.value == pytest.approx(0.0771 * 2.9, abs=0.002)
    assert (found.trials, found.hours, found.cost, found.strictest) == (240, None, None, None)
    assert any("of a repository of its own" in note for note in found.notes)


def test_what_is_given_wins_over_what_was_told_and_that_over_what_is_assumed() -> None:
    usual = sources(Wish(30, 4, clusters=10))
    assert usual["correlation"] == (0.5, "assumed")
    assert usual["icc"] == (0.2, "assumed")
    assert usual["cost a trial"] == (None, "nobody knows")
    assert usual["between"][1].startswith("the paper's")
    told = sources(Wish(30, 4, clusters=10), TOLD)
    assert {name: value for name, (value, source) in told.items() if source == "earlier trials"} == {
        "between": 0.1, "within": 0.05, "correlation": 0.8, "icc": 0.3, "minutes a trial": 12.0, "cost a trial": 2.0,
    }  # fmt: skip
    given = sources(Wish(30, 4, clusters=10, icc=0.0, correlation=0.1, cost=0.0, minutes=1.0), TOLD)
    assert [given[name] for name in ("icc", "correlation", "cost a trial", "minutes a trial")] == [
        (0.0, "given"), (0.1, "given"), (0.0, "given"), (1.0, "given"),
    ]  # fmt: skip
    assert "icc" not in sources(Wish(30, 4), TOLD)


def test_hours_and_cost_of_all_models() -> None:
    found = outlook(Wish(30, 4, models=3, parallel=6), TOLD)
    assert (found.trials, found.cost, found.hours) == (360, 720.0, 360 * 12 / 60 / 6)
    assert "agent: unknown for 2 of 8 earlier trials" in found.notes
    untold = outlook(Wish(30, 4), BARE)
    assert (untold.cost, untold.hours) == (None, None)
    assert "earlier trials don't say how results vary: all trials alike" in untold.notes
    assert "time: unknown for 8 of 8 earlier trials" in untold.notes
    assert outlook(Wish(30, 4, cost=0)).cost == 0


def test_of_many_models_the_first_pair_needs_more() -> None:
    found = outlook(Wish(60, 4, models=5))
    plan = Plan(60, 4, between=0.52 - 0.63**2, within=0.63 - 0.52, alpha=0.05 / 10)
    assert found.strictest == minimum_detectable_difference(plan)
    assert (found.strictest.value or 0) > (found.paired.value or math.inf)


def test_a_plan_that_sees_nothing_says_so() -> None:
    for wish in (Wish(1, 4), Wish(9, 2, clusters=1), Wish(2, 1)):
        assert any("can tell no difference at all" in note for note in outlook(wish).notes)
    assert any("nothing tells a task's chance from luck" in note for note in outlook(Wish(30, 1)).notes)
    assert any("degrees of freedom" in note for note in outlook(Wish(30, 4, clusters=(10, 8, 7, 5))).notes)


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        (Wish(0, 4), "tasks is 0"), (Wish(3, 0), "replicates is 0"), (Wish(3, 4, models=0), "models is 0"),
        (Wish(3, 4, parallel=0), "parallel is 0"), (Wish(3, 4, cost=-1), "cost is -1"),
        (Wish(3, 4, minutes=math.nan), "minutes is nan"), (Wish(3, 4, correlation=3), "correlation is 3"),
    ],
)  # fmt: skip
def test_what_is_no_plan(wish: Wish, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        outlook(wish)
