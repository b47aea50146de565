"""The exact prompts of both policies for three tasks. docs/simulator.md explains them line by line."""

import pytest

from swe_together.schema import EndReason, MessageKind
from tests.simulator.model.goldens import FOLDER, POLICIES, cases, play


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("case", cases())
def test_prompts_are_exactly_these(case: str, policy: str) -> None:
    played = play(case, policy)
    assert played.text == (FOLDER / played.name).read_text(encoding="utf-8")


def test_there_are_three_cases_and_no_leftover_files() -> None:
    assert len(cases()) == 3
    named = {f"{case}.{policy}.txt" for case in cases() for policy in POLICIES}
    assert {path.name for path in FOLDER.glob("*.txt")} == named


def test_what_the_users_of_the_cases_do() -> None:
    anchored = play("tiny-task", "anchored").decisions
    assert [decision.anchors for decision in anchored] == [["semicolons"], ["longest"], []]
    assert anchored[1].message is not None
    assert anchored[1].message.startswith("and I need"), "a negation was added: the authored words are sent"
    assert anchored[1].guards == ["adaptation: a negation was added or left out; said as authored"]
    assert anchored[2].end is EndReason.ANCHORS_EXHAUSTED

    free = play("tiny-task", "llm").decisions
    assert [decision.kind for decision in free] == [MessageKind.ANCHOR, MessageKind.FREE, None]

    paths = play("windows-paths", "anchored").decisions
    assert [decision.kind for decision in paths] == [MessageKind.ANCHOR, MessageKind.INSIST]
    assert paths[1].message == "still breaks on C:\\ paths, I just tried"
    fact = play("windows-paths", "llm").decisions[1]
    assert (fact.kind, fact.message) == (MessageKind.FREE, "your own run says 1 failed, 12 passed")

    german = play("umlaute", "llm").decisions
    assert [decision.message is None for decision in german] == [True, False, False]
    assert german[0].end is None, "silence towards an agent that works on is no leaving"
