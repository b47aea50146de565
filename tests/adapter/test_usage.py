"""Tokens and money: neither double counted nor zero when unknown."""

from typing import Any

import pytest

from swe_together.adapter.agent_facts import AgentFacts, facts_of
from swe_together.adapter.usage import cost_is_of_turn, difference, is_total, reported, total
from swe_together.schema import Usage


def test_unknown_is_not_zero() -> None:
    assert reported(None, {}) == Usage()
    assert reported({"steps": [], "final_metrics": {"total_prompt_tokens": None}}, {}).input_tokens is None
    assert total([Usage(input_tokens=3), Usage()]).input_tokens is None
    assert total([]).input_tokens is None


def test_trajectory_wins_over_a_context_that_turned_unknown_into_zero() -> None:
    trajectory = {"steps": [], "final_metrics": {"total_prompt_tokens": 5, "total_completion_tokens": 2}}
    found = reported(trajectory, {"n_input_tokens": 5, "n_cache_tokens": 0, "n_output_tokens": 2})
    assert (found.input_tokens, found.cached_tokens, found.output_tokens) == (5, None, 2)


def test_a_zero_beside_the_trajectory_says_nothing_and_a_figure_counts() -> None:
    trajectory = {"steps": [], "final_metrics": {"total_prompt_tokens": 5, "total_completion_tokens": 2}}
    found = reported(trajectory, {"n_input_tokens": 5, "n_cache_tokens": 3, "n_output_tokens": 2, "cost_usd": 0.5})
    assert (found.cached_tokens, found.cost_usd) == (3, 0.5)
    assert reported(trajectory, {"cost_usd": 0.0}).cost_usd is None


@pytest.mark.parametrize("metrics", [None, {}, {"total_prompt_tokens": 0, "total_completion_tokens": 0}])
def test_no_token_at_all_is_unknown(metrics: dict[str, int] | None) -> None:
    zeros = {"n_input_tokens": 0, "n_cache_tokens": 0, "n_output_tokens": 0, "cost_usd": 0.0}
    assert reported({"steps": [], "final_metrics": metrics}, zeros) == Usage()


def test_a_cost_without_tokens_is_a_cost() -> None:
    assert reported(None, {"cost_usd": 0.25}) == Usage(cost_usd=0.25)


@pytest.mark.parametrize(
    ("tokens", "resumed", "cumulative", "total"),
    [
        ("steps", True, True, True), ("steps", False, True, True), ("steps", True, False, False),
        ("turn", True, True, False), ("conversation", True, False, True), ("conversation", False, False, False),
    ],
)  # fmt: skip
def test_what_the_reported_tokens_cover(tokens: Any, resumed: bool, cumulative: bool, total: bool) -> None:
    assert is_total(AgentFacts("test", tokens=tokens), resumed, cumulative) is total


def test_sums_and_differences() -> None:
    a = Usage(input_tokens=10, cached_tokens=1, output_tokens=2, reasoning_tokens=1, cost_usd=0.5)
    b = Usage(input_tokens=30, cached_tokens=4, output_tokens=5, reasoning_tokens=None, cost_usd=0.7)
    assert total([a, a]).input_tokens == 20
    assert total([a, a]).cost_usd == 1.0
    assert difference(b, a) == Usage(
        input_tokens=20, cached_tokens=3, output_tokens=3, cost_usd=b.cost_usd - a.cost_usd
    )  # type: ignore[operator]


def test_tokens_that_stand_apart_in_the_steps_are_added_once() -> None:
    extra = {"extra": {"cache_write_tokens": 30, "reasoning_tokens": 4}}
    steps = [{"metrics": extra}, {"metrics": {"extra": None}}, {"is_copied_context": True, "metrics": extra}]
    trajectory = {"steps": steps, "final_metrics": {"total_prompt_tokens": 100, "total_completion_tokens": 10}}
    found = reported(trajectory, {}, facts_of("opencode"))
    assert (found.input_tokens, found.output_tokens, found.reasoning_tokens) == (130, 14, 4)
    plain = reported(trajectory, {})
    assert (plain.input_tokens, plain.output_tokens, plain.reasoning_tokens) == (100, 10, 4)
    assert reported({"steps": steps}, {}, facts_of("opencode")).input_tokens is None


def test_reasoning_tokens_of_steps() -> None:
    steps = [
        {"metrics": {"extra": {"reasoning_output_tokens": 4}}},
        {"metrics": {"extra": {"reasoning_tokens": 3}}},
        {"metrics": {"extra": {"output_tokens_details": {"thinking_tokens": 5}}}},
        {"metrics": {"extra": {"thoughts_tokens": 6}}},
        {"metrics": {"extra": {"completion_tokens_details": {"reasoning_tokens": 7}}}},
        {"metrics": {}},
        {"is_copied_context": True, "metrics": {"extra": {"reasoning_tokens": 9}}},
    ]
    assert reported({"steps": steps, "final_metrics": {"total_prompt_tokens": 1}}, {}).reasoning_tokens == 25
    assert reported({"steps": steps[5:], "final_metrics": {"total_prompt_tokens": 1}}, {}).reasoning_tokens is None


def test_reasoning_tokens_of_the_whole_count_where_no_step_says() -> None:
    def found(steps: list[Any], whole: int) -> int | None:
        metrics = {"total_prompt_tokens": 1, "extra": {"total_reasoning_tokens": whole}}
        return reported({"steps": steps, "final_metrics": metrics}, {}).reasoning_tokens

    assert found([{"metrics": {}}], 9) == 9
    assert found([{"metrics": {"extra": {"thoughts_tokens": 4}}}], 9) == 4
    assert found([], 0) is None


def test_cost_of_the_turn_alone() -> None:
    estimate = {"final_metrics": {"extra": {"cost_source": "litellm_estimate"}}}
    claude, codex = facts_of("claude-code"), facts_of("codex")
    assert cost_is_of_turn(claude, False, {"final_metrics": {}})
    assert not cost_is_of_turn(claude, True, {"final_metrics": {}})
    assert not cost_is_of_turn(claude, False, estimate)
    assert not cost_is_of_turn(codex, False, None)
