"""The real command lines of three agents play whole sessions through stock Harbor, against a fake model server."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.agents.clients import Sums, side_call_name
from tests.agents.conftest import RunTrial
from tests.agents.conversation import check_first_turn_stands
from tests.agents.script import FIRST_TURN_OUTPUTS, MESSAGES
from tests.agents.trial import Trial
from tests.support.model_server import total

pytestmark = [pytest.mark.agents]

STEPS = [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1), (3, 2)]


def test_the_session_is_played_and_graded(native: Trial) -> None:
    assert [(call.turn, call.step) for call in native.agent_calls] == STEPS
    session = native.read("user-agent/session.json")
    assert [turn["message"] for turn in session["turns"]] == MESSAGES
    assert [turn["continuation"] for turn in session["turns"]] == ["first", "native", "native"]
    assert session["end"] == "anchors_exhausted"
    assert native.read("result.json")["verifier_result"]["rewards"] == {"reward": 1.0, "tests": 1.0, "interactive": 1}


def test_the_third_turn_still_holds_the_first_as_items_of_its_own(native: Trial) -> None:
    check_first_turn_stands(native.calls, FIRST_TURN_OUTPUTS)


def test_that_check_fails_when_the_conversation_is_only_restated(restated: Trial) -> None:
    session = restated.read("user-agent/session.json")
    assert [turn["continuation"] for turn in session["turns"]] == ["first", "restated", "restated"]
    assert [(call.turn, call.step) for call in restated.agent_calls] == STEPS
    with pytest.raises(AssertionError, match="tool call call_t1s1 of the first turn doesn't stand there"):
        check_first_turn_stands(restated.calls, FIRST_TURN_OUTPUTS)


def check_tokens(trial: Trial) -> None:
    found = trial.read("result.json")["agent_result"]
    reasoning = trial.read("user-agent/session.json")["usage"]["reasoning_tokens"]
    sums = Sums(found["n_input_tokens"], found["n_cache_tokens"], found["n_output_tokens"], reasoning)
    assert sums == trial.client.sums(total(trial.agent_calls))


def test_tokens_are_those_that_the_model_server_charged(native: Trial) -> None:
    check_tokens(native)


def test_tokens_are_those_charged_where_every_turn_is_a_new_conversation(restated: Trial) -> None:
    check_tokens(restated)


def check_turns(trial: Trial) -> None:
    for number, turn in enumerate(trial.read("user-agent/session.json")["turns"], 1):
        used = turn["usage"]
        sums = Sums(used["input_tokens"], used["cached_tokens"], used["output_tokens"], used["reasoning_tokens"])
        assert sums == trial.client.sums(total(call for call in trial.agent_calls if call.turn == number))


def test_every_turn_has_its_own_tokens(native: Trial) -> None:
    check_turns(native)


def test_every_turn_has_its_own_tokens_where_each_is_a_new_conversation(restated: Trial) -> None:
    check_turns(restated)


def check_cost(trial: Trial) -> None:
    steps = trial.read("agent/trajectory.json")["steps"]
    costs = [step["metrics"]["cost_usd"] for step in steps if step.get("metrics")]
    assert len(costs) == len(STEPS)
    assert trial.read("result.json")["agent_result"]["cost_usd"] == pytest.approx(sum(costs), rel=1e-9)


def test_the_cost_is_that_of_the_steps_counted_once(native: Trial) -> None:
    check_cost(native)


def test_the_cost_is_counted_once_where_each_turn_is_a_new_conversation(restated: Trial) -> None:
    check_cost(restated)


def test_no_token_of_opencode_is_lost(run_trial: RunTrial) -> None:
    trial = run_trial("opencode")
    steps = trial.read("agent/trajectory.json")["steps"]
    writes = [step["metrics"]["extra"]["cache_write_tokens"] for step in steps if step.get("metrics")]
    assert sum(writes) == total(trial.agent_calls).cache_write


def test_every_side_call_is_known_by_name(native: Trial) -> None:
    assert Counter(side_call_name(call) for call in native.side_calls) == dict(native.client.side_calls)


def test_the_result_names_the_agent_and_its_version(native: Trial) -> None:
    info = native.read("result.json")["agent_info"]
    assert (info["name"], info["version"]) == (native.client.name, native.client.version)


def test_the_users_turns_stand_in_the_trajectory(native: Trial) -> None:
    steps = native.read("agent/trajectory.json")["steps"]
    assert [step["message"] for step in steps if step["source"] == "user"] == MESSAGES
