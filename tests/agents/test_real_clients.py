"""The real command lines of many agents play whole sessions through stock Harbor, against a fake model server."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tests.agents.conversation import check_turn_stands
from tests.agents.kinds import either_way, native, own_way, restated
from tests.agents.script import FIRST_TURN_OUTPUTS, MESSAGES, OUTPUTS
from tests.agents.trial import Trial

pytestmark = [pytest.mark.agents]


@either_way
def test_the_session_is_played_and_graded(trial: Trial) -> None:
    session = trial.read("user-agent/session.json")
    assert [turn["message"] for turn in session["turns"]] == MESSAGES
    assert session["end"] == "anchors_exhausted"
    assert trial.read("result.json")["verifier_result"]["rewards"] == {"reward": 1.0, "tests": 1.0, "interactive": 1}


@either_way
def test_a_call_fails_once_and_is_made_again(trial: Trial) -> None:
    calls = [(call.turn, call.step) for call in trial.agent_calls if call.status == 200]
    assert calls == trial.client.steps
    attempts = enumerate(trial.agent_calls, 1)
    failed = [(number, call.status, call.usage) for number, call in attempts if call.status != 200]
    assert failed == [(fault.call, fault.status, None) for fault in trial.client.script.faults]


@own_way
def test_the_result_says_how_the_conversation_was_continued(trial: Trial) -> None:
    turns = trial.read("user-agent/session.json")["turns"]
    how = trial.client.continuation
    assert [turn["continuation"] for turn in turns] == ["first", how, how]


@native
def test_the_third_turn_still_holds_the_first_as_items_of_its_own(trial: Trial) -> None:
    check(trial)


@restated
def test_that_check_fails_when_the_conversation_is_only_restated(trial: Trial) -> None:
    assert trial.restates
    with pytest.raises(AssertionError, match=r"tool call .* of the first turn doesn't stand there"):
        check(trial)


def check(trial: Trial) -> None:
    script = trial.client.script
    check_turn_stands(trial.calls, script.turns[0], FIRST_TURN_OUTPUTS, terminal=script.terminal)


@either_way
def test_the_user_sees_what_was_said_and_done(trial: Trial) -> None:
    lines = (trial.folder / "user-agent/decisions.jsonl").read_text(encoding="utf-8").splitlines()
    seen = [json.loads(line)["observation"] for line in lines]
    assert [look["turn"] for look in seen] == [1, 2, 3]
    for look, turn, outputs in zip(seen, trial.client.script.turns, OUTPUTS, strict=True):
        assert turn.reply in look["reply"]
        ran = [one for one in look["commands"] if any(shell.command in one["command"] for shell in turn.steps)]
        assert len(ran) == len(turn.steps)
        for one, output in zip(ran, outputs, strict=True):
            assert output in one["output"]


@own_way
def test_every_side_call_is_known_by_name(trial: Trial) -> None:
    names = [trial.client.side_call(call) or f"{call.method} {call.path}: {call.side}" for call in trial.side_calls]
    assert Counter(names) == dict(trial.client.side_calls)


@own_way
def test_the_result_names_the_agent_and_its_version(trial: Trial) -> None:
    info = trial.read("result.json")["agent_info"]
    assert (info["name"], info["version"]) == (trial.client.name, trial.client.version)


@either_way
def test_the_users_turns_stand_in_the_trajectory(trial: Trial) -> None:
    steps = trial.read("agent/trajectory.json")["steps"]
    assert [step["message"] for step in steps if step["source"] == "user"] == MESSAGES
