"""What a trial reports of tokens and money is what the model server charged, field by field, or unknown."""

from __future__ import annotations

import pytest

from tests.agents.clients import Sums
from tests.agents.kinds import either_way
from tests.agents.trial import Trial
from tests.support.model_server import total

pytestmark = [pytest.mark.agents]


@either_way
def test_tokens_are_those_that_the_model_server_charged(trial: Trial) -> None:
    found = trial.read("result.json")["agent_result"]
    reasoning = trial.read("user-agent/session.json")["usage"]["reasoning_tokens"]
    sums = Sums(found["n_input_tokens"], found["n_cache_tokens"], found["n_output_tokens"], reasoning)
    assert sums == trial.client.sums(total(trial.agent_calls))


@either_way
def test_every_turn_has_its_own_tokens(trial: Trial) -> None:
    for number, turn in enumerate(trial.read("user-agent/session.json")["turns"], 1):
        used = turn["usage"]
        sums = Sums(used["input_tokens"], used["cached_tokens"], used["output_tokens"], used["reasoning_tokens"])
        assert sums == trial.client.sums(total(call for call in trial.agent_calls if call.turn == number)), number


@either_way
def test_the_cost_is_counted_once_or_unknown(trial: Trial) -> None:
    cost = trial.read("result.json")["agent_result"]["cost_usd"]
    turns = [turn["usage"]["cost_usd"] for turn in trial.read("user-agent/session.json")["turns"]]
    steps = [step["metrics"] for step in trial.read("agent/trajectory.json")["steps"] if step.get("metrics")]
    if trial.client.cost == "unknown":
        assert [cost, *turns] == [None] * 4
        return
    assert min(turns) > 0
    assert cost == pytest.approx(sum(turns), rel=1e-9)
    if trial.client.cost == "steps":
        assert len(steps) == len(trial.client.steps)
        assert cost == pytest.approx(sum(step["cost_usd"] for step in steps), rel=1e-9)
