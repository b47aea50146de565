"""Tokens and money: neither double counted nor zero when unknown."""

from swe_together.adapter.usage import cost_is_of_turn, difference, reported, total
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


def test_sums_and_differences() -> None:
    a = Usage(input_tokens=10, cached_tokens=1, output_tokens=2, reasoning_tokens=1, cost_usd=0.5)
    b = Usage(input_tokens=30, cached_tokens=4, output_tokens=5, reasoning_tokens=None, cost_usd=0.7)
    assert total([a, a]).input_tokens == 20
    assert total([a, a]).cost_usd == 1.0
    assert difference(b, a) == Usage(
        input_tokens=20, cached_tokens=3, output_tokens=3, cost_usd=b.cost_usd - a.cost_usd
    )  # type: ignore[operator]


def test_reasoning_tokens_of_steps() -> None:
    steps = [
        {"metrics": {"extra": {"reasoning_output_tokens": 4}}},
        {"metrics": {"extra": {"reasoning_tokens": 3}}},
        {"metrics": {"extra": {"output_tokens_details": {"thinking_tokens": 5}}}},
        {"metrics": {}},
    ]
    assert reported({"steps": steps, "final_metrics": {"total_prompt_tokens": 1}}, {}).reasoning_tokens == 12
    assert reported({"steps": steps[3:], "final_metrics": {"total_prompt_tokens": 1}}, {}).reasoning_tokens is None


def test_cost_of_the_turn_alone() -> None:
    estimate = {"final_metrics": {"extra": {"cost_source": "litellm_estimate"}}}
    assert cost_is_of_turn("claude-code", False, {"final_metrics": {}})
    assert not cost_is_of_turn("claude-code", True, {"final_metrics": {}})
    assert not cost_is_of_turn("claude-code", False, estimate)
    assert not cost_is_of_turn("codex", False, None)
