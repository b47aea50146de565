"""Freezing: every rule at once, the commands on the reference, and a digest that shows a later change."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from swe_together.errors import DraftError
from swe_together.judge import Ran
from swe_together.judge.drafting import freeze, problems_of, red_checks
from swe_together.judge.fake import FakeWorkspace
from swe_together.schema import Rubric
from tests.judge.drafting.cases import FAULT, SPLIT, drafted, material

CASES = material().cases


def test_a_sound_draft() -> None:
    draft = drafted()
    assert problems_of(draft, CASES) == []
    rubric = freeze(draft, "Ann", "2026-03-04")
    assert rubric.provenance.author == "Drafted by listed, attacked by listed; edited and frozen by Ann."
    assert rubric.provenance.sources == [f"instruction.md (sha256 {'a' * 12})"]
    assert rubric.provenance.frozen == "2026-03-04"
    assert rubric.provenance.digest is not None
    assert [goal.id for goal in rubric.goals] == [goal.id for goal in draft.goals]
    assert "why" not in json.loads(rubric.model_dump_json())["goals"][0]


def test_a_persons_own_draft_names_no_critic() -> None:
    rubric = freeze(drafted(author="Bob", critic=None), "Ann", "2026-03-04")
    assert rubric.provenance.author == "Drafted by Bob; edited and frozen by Ann."


def test_goals_that_change_after_freezing_are_found() -> None:
    value = freeze(drafted(), "Ann", "2026-03-04").model_dump(mode="json")
    assert Rubric.model_validate(value).goals
    value["goals"][0]["text"] = "Something easier."
    with pytest.raises(ValidationError, match="changed after they were frozen"):
        Rubric.model_validate(value)


def with_goal(place: int, **changes: Any) -> dict[str, Any]:
    goals = [goal.model_dump(mode="json") for goal in drafted().goals]
    goals[place] |= changes
    return {"goals": goals}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (with_goal(0, weight=0.4), "sum to 1, they sum to 0.92"),
        (with_goal(2, id="semicolons"), "goal ids must be unique: semicolons"),
        ({"goals": [{**goal.model_dump(mode="json"), "tier": "polish"} for goal in drafted().goals]}, "is core"),
        (with_goal(0, cases=["no-such"]), "names the test case no-such"),
        (with_goal(0, cases=[]), "nothing decides goal clean-words"),
        (with_goal(2, check={"run": "true"}), "says-so is about the conversation"),
        ({"findings": [FAULT]}, "finding 1 (weight, semicolons) must be dealt with: too dear"),
    ],
)
def test_what_keeps_a_draft_from_being_frozen(changes: dict[str, Any], problem: str) -> None:
    (told,) = problems_of(drafted(**changes), CASES)
    assert problem in told


@pytest.mark.parametrize("fault", [{**FAULT, "must": False}, {**FAULT, "answer": "no: they said so twice"}])
def test_findings_that_are_answered_or_may_stay(fault: dict[str, Any]) -> None:
    assert problems_of(drafted(findings=[fault]), CASES) == []


def test_all_problems_are_told_at_once() -> None:
    changes = with_goal(0, cases=["no-such"], weight=0.4) | {"findings": [FAULT]}
    assert len(problems_of(drafted(**changes), CASES)) == 3


async def test_commands_must_hold_on_the_reference() -> None:
    rubric = freeze(drafted(), "Ann", "2026-03-04")
    assert await red_checks(rubric, FakeWorkspace(commands={SPLIT: Ran(0, "")})) == []
    told = await red_checks(rubric, FakeWorkspace(commands={SPLIT: Ran(1, "Traceback\nwanted ['a', 'b']\n")}))
    assert told == ["goal semicolons is not met by the reference: its command ended with 1. wanted ['a', 'b']"]
    with pytest.raises(DraftError, match="container failed"):
        await red_checks(rubric, FakeWorkspace(broken=True))
