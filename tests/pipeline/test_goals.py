"""The item about the goals' own commands: what they must say of each state, and each way to say something else."""

import pytest

from swe_together.pipeline.check.goals import judged_by_checks, leaving_at_once
from swe_together.pipeline.check.model import StateResult
from swe_together.schema import Judgement
from tests.pipeline.facts import CASES, goal, judgement, results, state, subject

EVERY = [case for case, _, _ in CASES]


def said(name: str, judged: Judgement | None) -> str:
    """What the item says where one state was judged so."""
    changed = {name.replace("-", "_"): state(name, judgement=judged)}
    found = judged_by_checks(subject(), results(**changed))
    assert found.item == "checks of goals" and not found.passed
    return found.detail


def test_checks_that_decide_their_own_goals_alone() -> None:
    found = judged_by_checks(subject(), results())
    assert (found.passed, found.detail) == (True, "4 checks decide their own goals alone, in 8 states")


@pytest.mark.parametrize("name", ["reference-1", "alt-x"])
def test_what_is_right_meets_every_goal(name: str) -> None:
    assert said(name, judgement("b")) == f"{name} doesn't meet b: wanted b, found nothing"
    assert said(name, judgement("g")) == f"{name} doesn't meet g: wanted g, found nothing"


def test_nothing_done_meets_gates_alone() -> None:
    assert said("nothing", judgement("a", "c")) == "nothing meets b"
    assert said("nothing", judgement("a", "b", "c", "g")).startswith("nothing doesn't meet g: ")


def test_a_wrong_patch_fails_its_own_goal_and_no_other() -> None:
    assert said("wrong-a", judgement()) == "wrong-a meets a"
    assert said("wrong-a", judgement("a", "c")) == "wrong-a doesn't meet c: wanted c, found nothing"
    assert said("wrong-g", judgement()) == "wrong-g meets g"


def test_a_cheat_scores_less_than_the_threshold() -> None:
    assert said("cheat-x", judgement()) == "cheat-x scores 1.0"
    assert said("cheat-x", judgement("b").model_copy(update={"score": 0.85})) == "cheat-x scores 0.85"


def test_a_state_that_was_not_judged_is_no_proof() -> None:
    for name in ("nothing", "reference-1", "wrong-b", "alt-x", "cheat-y"):
        assert said(name, None) == f"{name} was not judged"
    known: dict[str, StateResult] = results()
    del known["wrong-a"]
    assert judged_by_checks(subject(), known).detail == "wrong-a was not judged"


def test_a_check_that_was_not_run_decides_nothing() -> None:
    assert said("wrong-b", judgement("b", undecided=["a"])) == "the check of a was not run on wrong-b"
    assert said("cheat-x", judgement("b", "c", undecided=["a"])) == "the check of a was not run on cheat-x"


def test_a_goal_without_a_check_may_stay_undecided() -> None:
    task = subject(goals=[*subject().goals[:2], goal("c", [], 0.3, check=False), subject().goals[3]])
    known = {}
    for name, result in results().items():
        unmet = [g.goal for g in result.judgement.goals if g.met is False] if result.judgement else []
        judged = judgement(*unmet, undecided=["c"]) if result.judgement else None
        known[name] = result.model_copy(update={"judgement": judged})
    found = judged_by_checks(task, known)
    assert (found.passed, found.detail) == (True, "3 checks decide their own goals alone, in 8 states")


LEAVING = {
    "passes a case": (
        state("leaves-at-once", ["a1"], judgement=judgement("a", "b", "c")),
        "it passes a2; it passes b1",
    ),
    "meets a goal": (state("leaves-at-once", EVERY, judgement=judgement("a", "c")), "it meets b"),
    "not judged": (state("leaves-at-once", EVERY), "leaves-at-once was not judged"),
    "as root": (state("leaves-at-once", EVERY, judgement=judgement("a", "b", "c"), error="run as root"), "run as root"),
}


@pytest.mark.parametrize("name", LEAVING)
def test_code_that_leaves_at_once_earns_nothing(name: str) -> None:
    found, words = LEAVING[name]
    verdict = leaving_at_once(subject(), results(leaves_at_once=found))
    assert verdict.item == "leaving at once" and not verdict.passed and words in verdict.detail
    assert leaving_at_once(subject(), results()).passed
    known = results()
    del known["leaves-at-once"]
    assert leaving_at_once(subject(), known).detail == "leaves-at-once was not judged"
