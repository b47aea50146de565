"""Tokens and money of a session: neither counted twice nor zero where unknown.

Some agents report totals of the whole session after each resumed turn, others those of the turn. Which, is seen from
their trajectory; what can't be seen stands in ``COST_OF_CONVERSATION``.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from swe_together.schema import Usage

COST_OF_CONVERSATION = frozenset({"claude-code"})
"""Agents whose reported cost is that of their own conversation although their tokens are those of the whole trial."""

_REASONING = ("reasoning_tokens", "reasoning_output_tokens")


def reported(trajectory: Mapping[str, Any] | None, context: Mapping[str, Any]) -> Usage:
    """What the agent reported after a turn, by its trajectory, else by Harbor's context. Unknown stays None."""
    metrics = (trajectory or {}).get("final_metrics")
    steps = (trajectory or {}).get("steps") or []
    if isinstance(metrics, Mapping) and any(
        metrics.get(k) is not None for k in ("total_prompt_tokens", "total_completion_tokens")
    ):
        return Usage(
            input_tokens=metrics.get("total_prompt_tokens"),
            cached_tokens=metrics.get("total_cached_tokens"),
            output_tokens=metrics.get("total_completion_tokens"),
            reasoning_tokens=_reasoning(steps),
            cost_usd=metrics.get("total_cost_usd"),
        )
    return Usage(
        input_tokens=context.get("n_input_tokens"),
        cached_tokens=context.get("n_cache_tokens"),
        output_tokens=context.get("n_output_tokens"),
        reasoning_tokens=_reasoning(steps),
        cost_usd=context.get("cost_usd"),
    )


def total(parts: Sequence[Usage]) -> Usage:
    """Sum over turns; a field that is unknown for any turn is unknown for the session."""
    return Usage.model_validate({n: _sum([getattr(part, n) for part in parts]) for n in Usage.model_fields})


def difference(now: Usage, before: Usage) -> Usage:
    """What a turn added to totals; unknown where either side is."""
    values = {}
    for name in Usage.model_fields:
        left, right = getattr(now, name), getattr(before, name)
        values[name] = None if left is None or right is None else max(left - right, 0)
    return Usage.model_validate(values)


def cost_is_of_turn(agent: str, resumed: bool, trajectory: Mapping[str, Any] | None) -> bool:
    """Whether the reported cost is that of the last turn alone; an estimate from summed tokens never is.

    Args:
        agent: Harbor's name of the agent.
        resumed: Whether the turn went on in the agent's own conversation.
        trajectory: Its trajectory after the turn.
    """
    extra = ((trajectory or {}).get("final_metrics") or {}).get("extra") or {}
    return agent in COST_OF_CONVERSATION and not resumed and extra.get("cost_source") != "litellm_estimate"


def _sum(values: Sequence[float | int | None]) -> float | int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None


def _reasoning(steps: Sequence[Any]) -> int | None:
    found: list[int] = []
    for step in steps:
        extra = ((step.get("metrics") or {}).get("extra") or {}) if isinstance(step, Mapping) else {}
        details = extra.get("output_tokens_details")
        values = [extra.get(key) for key in _REASONING]
        values.append(details.get("thinking_tokens") if isinstance(details, Mapping) else None)
        found += [value for value in values if isinstance(value, int)][:1]
    return sum(found) if found else None
