"""The policy ``human``: what a person may say, how they are asked, what of it is recorded."""

import asyncio
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from swe_together import defaults
from swe_together.errors import MisuseError, SimulatorError
from swe_together.mailbox import Mailbox
from swe_together.schema import Decision, EndReason, MessageKind, PersonsTurn
from swe_together.simulator import HumanUser, UserSetup, create_user, read_answers
from swe_together.simulator._human import PLAYED_BY, Typist, Writer, terminal_of_parent
from swe_together.simulator.fake import FakeWorld
from tests.simulator.cases import idle, left, play, script, seen

ANCHORS = ({"id": "b", "source_turn": 2}, {"id": "a", "source_turn": 1})
ALL = ["changed_paths", "path_exists", "diff_text", "file_text", "commands", "probe"]


def writer(folder: Path, said: Sequence[str], **budget: Any) -> HumanUser:
    return HumanUser(script(*ANCHORS, **budget), Writer(said), folder)


def test_what_was_written_down_is_said_exactly_and_then_the_person_leaves(tmp_path: Path) -> None:
    messages = ["not that.\n\n  keep the tabs\t", "words of a"]
    decisions = play(writer(tmp_path, messages), [(seen(turn), FakeWorld(failing=ALL)) for turn in (1, 2, 3)])
    assert [one.message for one in decisions] == [*messages, None]
    assert [one.kind for one in decisions] == [MessageKind.FREE, MessageKind.FREE, None]
    assert [one.action for one in decisions[:2]] == [None, None]
    assert [one.anchors for one in decisions] == [[], [], []]
    assert decisions[-1].end is EndReason.USER_LEFT
    assert left(decisions) == {"a": "dismissed", "b": "dismissed"}


def test_budgets_hold_for_people_and_guards_do_not(tmp_path: Path) -> None:
    decisions = play(writer(tmp_path, ["continue", "continue", "continue"], messages=2), idle(4))
    assert [one.message for one in decisions] == ["continue", "continue", None]
    assert decisions[-1].end is EndReason.MESSAGE_BUDGET
    turns = [PersonsTurn.model_validate_json((tmp_path / f"turn-{n}.json").read_bytes()) for n in (1, 2, 3)]
    assert [(one.messages_left, one.end) for one in turns] == [(2, None), (1, None), (0, EndReason.MESSAGE_BUDGET)]
    late = HumanUser(script(*ANCHORS), Writer(["too late"]), tmp_path, session_sec=60)
    assert play(late, [(seen(1, elapsed_sec=60), FakeWorld())])[0].end is EndReason.TIME_BUDGET


def test_nobody_is_asked_while_the_agent_works_on(tmp_path: Path) -> None:
    user = writer(tmp_path, ["now"])
    assert play(user, [(seen(1), FakeWorld())], yielded=False)[0].message is None
    assert play(user, [(seen(2), FakeWorld())])[0].message == "now"


async def answer(folder: Path, *requests: Any, turn: int = 1, raw: str | None = None) -> tuple[Decision, list[Any]]:
    """What a person at a terminal decides when these requests come one after the other."""
    user = HumanUser(script(*ANCHORS), Typist(folder), folder)
    deciding = asyncio.create_task(user.decide(seen(turn), FakeWorld()))
    answers = []
    if raw is not None:
        (folder / "inbox" / "0.json").write_text(raw)
    for request in requests:
        try:
            answers.append(await asyncio.to_thread(Mailbox(folder).ask, request, 10.0))
        except Exception as error:  # noqa: BLE001 - looked at by the tests
            answers.append(str(error))
    return await asyncio.wait_for(deciding, 10), answers


async def test_a_person_answers_through_the_mailbox(tmp_path: Path) -> None:
    decision, answers = await answer(tmp_path, {"turn": 1, "message": "Zwei\nZeilen ü"})
    assert decision.message == "Zwei\nZeilen ü"
    assert answers == [{"turn": 1}]
    turn = PersonsTurn.model_validate_json((tmp_path / "turn-1.json").read_bytes())
    assert (turn.turn, turn.observation, turn.messages_left) == (1, seen(1), 4)
    assert list((tmp_path / "inbox").iterdir()) == []


async def test_a_person_may_leave(tmp_path: Path) -> None:
    decision, _ = await answer(tmp_path, {"turn": 1, "leave": True})
    assert (decision.message, decision.end) == (None, EndReason.USER_LEFT)


REFUSED: list[tuple[Any, str]] = [
    ({"turn": 1, "message": " \n"}, "an empty message is no message"),
    ({"turn": 1, "message": ["x"]}, "a message is a text"),
    ({"turn": 1}, "a message is a text"),
    ({"turn": 1, "leave": "yes"}, "a message is a text"),
    ({"turn": 2, "message": "x"}, "it is turn 1 that waits"),
    ({"message": "x"}, "it is turn 1 that waits"),
    (["x"], "it is turn 1 that waits"),
    ({"turn": 1, "message": "x" * (defaults.PERSON_CHARS + 1)}, "at most 100000 characters"),
    ({"turn": 1, "message": "half a \ud83d sign"}, "no text"),
]


@pytest.mark.parametrize(("request_", "why"), REFUSED)
async def test_what_cannot_be_used_is_refused_and_asked_again(tmp_path: Path, request_: Any, why: str) -> None:
    decision, answers = await answer(tmp_path, request_, {"turn": 1, "message": "now then"})
    assert why in answers[0]
    assert decision.message == "now then"


async def test_a_request_that_is_no_json_is_refused(tmp_path: Path) -> None:
    decision, _ = await answer(tmp_path, {"turn": 1, "message": "fine"}, raw="{")
    assert decision.message == "fine"
    assert "is not JSON" in json.loads((tmp_path / "outbox" / "0.json").read_text())["error"]


async def test_a_person_who_never_answers_is_a_typed_error(tmp_path: Path) -> None:
    seconds = iter([0.0, 1.0, 7_300.0])
    user = HumanUser(script(), Typist(tmp_path, wait_sec=7_200, clock=lambda: next(seconds)), tmp_path)
    with pytest.raises(SimulatorError, match="No person answered turn 1 within 2 hours"):
        await user.decide(seen(1), FakeWorld())


async def test_a_person_whose_terminal_is_gone_is_a_typed_error(tmp_path: Path) -> None:
    there = iter([True, False])
    user = HumanUser(script(), Typist(tmp_path, present=lambda: next(there)), tmp_path)
    with pytest.raises(SimulatorError, match="terminal was gone in turn 1"):
        await user.decide(seen(1), FakeWorld())


def test_a_parent_that_has_died_is_missed() -> None:
    assert terminal_of_parent({})()
    assert terminal_of_parent({PLAYED_BY: str(os.getppid())})()
    assert not terminal_of_parent({PLAYED_BY: str(os.getpid())})()


BROKEN = {
    "a: 1": "are no list",
    "[": "neither YAML nor JSON",
    "- no\n": "message 1: a message is a text",
    '["fine", "  "]': "message 2: an empty message",
}


@pytest.mark.parametrize("text", BROKEN)
def test_a_file_of_answers_must_be_a_list_of_messages(tmp_path: Path, text: str) -> None:
    file = tmp_path / "answers.yaml"
    file.write_text(text)
    with pytest.raises(MisuseError, match=BROKEN[text]) as caught:
        read_answers(file)
    assert str(file) in str(caught.value)


def test_answers_are_yaml_or_json(tmp_path: Path) -> None:
    file = tmp_path / "answers"
    file.write_text("- one\n- |\n  two\n  lines\n")
    assert read_answers(file) == ["one", "two\nlines\n"]
    file.write_text('["one", "two"]')
    assert read_answers(file) == ["one", "two"]
    with pytest.raises(MisuseError, match="can't be read"):
        read_answers(tmp_path / "none")


def test_the_policy_is_made_by_name(tmp_path: Path) -> None:
    file = tmp_path / "answers"
    file.write_text("[hello]")
    user = create_user("human", script(), UserSetup(human_folder=tmp_path, human_answers=file))
    assert user.name == "human"
    assert play(user, idle(1))[0].message == "hello"
    assert isinstance(create_user("human", script(), UserSetup(human_folder=tmp_path)), HumanUser)
    with pytest.raises(MisuseError, match="needs a folder"):
        create_user("human", script())
