"""What a model drafts is read strictly, marked for a person, and makes a draft that loads."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from swe_together.gaps import find_gaps, find_marks
from swe_together.judge.fake import ListedChat
from swe_together.pipeline.asking import NoAnswer
from swe_together.pipeline.base import Repository
from swe_together.pipeline.build import ARCHIVE, Plan, make_plan, write_task
from swe_together.pipeline.build._drafter import drafted
from swe_together.pipeline.check.subject import declared_cases
from swe_together.pipeline.fake import FakeReader
from swe_together.tasks import find_problems, load_task
from tests.pipeline.recorded import cleared, two_turns, wordbox

GOOD: dict[str, Any] = {
    "description": "Words without blanks.", "persona": "Somebody in a hurry.", "analysis": "Wants clean words.",
    "spec": "Strip blanks and split at semicolons.",
    "follow_ups": [{"number": 1, "when": "when it splits at commas only", "tags": ["request"],
                    "intents": [{"kind": "request", "text": "Split at semicolons."},
                                {"kind": "context", "text": "Files differ."}]}],
    "goals": [{"number": 0, "text": "Words have no blanks."}, {"number": 1, "text": "Semicolons split."}],
    "cases": [
        {"number": 0, "kind": "f2p", "name": "strips", "body": "equal(1, 1)\nassert True"},
        {"number": 1, "kind": "f2p", "name": "semicolons", "body": "assert True"},
        {"number": 0, "kind": "p2p", "name": "old", "body": "assert True"},
    ],
}  # fmt: skip


def plan(tmp_path: Path, task: Path | None = None) -> Plan:
    folder, _ = wordbox(tmp_path / "wordbox")
    with Repository(folder) as repository:
        archive = (task or tmp_path / "unused") / "environment" / ARCHIVE
        return make_plan(cleared(two_turns()), repository, name="words", archive=archive)


def test_a_draft_of_the_stand_in_loads_and_names_what_to_read(tmp_path: Path) -> None:
    task = tmp_path / "words"
    write_task(task, asyncio.run(drafted(plan(tmp_path, task), FakeReader())))
    assert find_gaps(task) == [] and find_problems(task) == []
    assert load_task(task).name == "swe-together/words"
    files = {mark.file.name for mark in find_marks(task)}
    assert files == {"README.md", "cases.py", "simulator.md"}


def test_a_models_words_take_the_place_of_the_rules(tmp_path: Path) -> None:
    task = tmp_path / "words"
    write_task(task, asyncio.run(drafted(plan(tmp_path, task), ListedChat([("draft", GOOD)], "reader-1"))))
    bundle = load_task(task)
    assert bundle.spec == "Strip blanks and split at semicolons.\n"
    (anchor,) = bundle.script.anchors
    assert anchor.message == "and split at semicolons too" and anchor.when == "when it splits at commas only"
    assert [intent.text for intent in bundle.intents.intents] == ["Split at semicolons.", "Files differ."]
    assert anchor.intents == [intent.id for intent in bundle.intents.intents]
    goals = {goal.id: (goal.text, goal.cases, goal.gate) for goal in bundle.rubric.goals}
    assert goals["first-message"] == ("Words have no blanks.", ["strips"], False)
    assert goals["what-worked"][1:] == (["old"], True)
    cases = {case.id: (case.turn, case.kind.value) for case in declared_cases(task)}
    assert cases == {"strips": (0, "f2p"), "semicolons": (1, "f2p"), "old": (0, "p2p")}
    assert "were written by reader-1: read them" in (task / "README.md").read_text()


def without(key: str, change: Callable[[Any], Any]) -> dict[str, Any]:
    value = json.loads(json.dumps(GOOD))
    value[key] = change(value[key])
    return value  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (without("follow_ups", lambda v: []), "follow_ups has the numbers []"),
        (without("spec", lambda v: "split() keeps blanks around words, strip them"), "spec is the first message alone"),
        (without("goals", lambda v: v[:1]), "they must be the same"),
        (without("goals", lambda v: [*v, {"number": 7, "text": "x"}]), "each message may have one"),
        (without("cases", lambda v: v[:2]), "No case is p2p"),
        (without("cases", lambda v: [*v, v[0]]), "same name"),
        (without("cases", lambda v: [{**v[0], "body": "assert ("}, *v[1:]]), "is no Python"),
    ],
)
def test_an_answer_that_does_not_hold_together_is_refused(tmp_path: Path, bad: dict[str, Any], told: str) -> None:
    model = ListedChat([("draft", bad), ("draft", GOOD)])
    asyncio.run(drafted(plan(tmp_path), model))
    assert told in model.asked[1].notes[0]
    with pytest.raises(NoAnswer):
        asyncio.run(drafted(plan(tmp_path / "again"), ListedChat([("draft", bad)] * 3)))
