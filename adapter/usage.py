"""Tokens and money of a session: neither counted twice nor zero where unknown.

Some agents report totals of the whole session after each resumed turn, others those of the turn. Which, is seen from
their trajectory; what can't be seen stands in :mod:`swe_together.adapter.agent_facts`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from swe_together.adapter.agent_facts import AgentFacts
from swe_together.schema import Usage

_SHOWN = {
    "input_tokens": "total_prompt_tokens",
    "output_tokens": "total_completion_tokens",
    "cached_tokens": "total_cached_tokens",
    "cost_usd": "total_cost_usd",
}
_BESIDE = {
    "input_tokens": "n_input_tokens",
    "output_tokens": "n_output_tokens",
    "cached_tokens": "n_cache_tokens",
    "cost_usd": "cost_usd",
}
_REASONING = ("reasoning_tokens", "reasoning_output_tokens")


def reported(trajectory: Mapping[str, Any] | None, context: Mapping[str, Any]) -> Usage:
    """What the agent reported after a turn, by its trajectory, else by Harbor's context. Unknown stays None.

    Many of Harbor's readers write 0 where an agent reports nothing. No turn goes without a token sent and a token
    received: where both are 0, nothing is known of the tokens; and a 0 beside the trajectory says nothing at all.
    """
    metrics = (trajectory or {}).get("final_metrics")
    steps = (trajectory or {}).get("steps") or []
    shown = {field: metrics.get(name) for field, name in _SHOWN.items()} if isinstance(metrics, Mapping) else {}
    beside = {field: context.get(name) for field, name in _BESIDE.items()}
    source = next((told for told in (shown, beside) if told.get("input_tokens") or told.get("output_tokens")), None)
    cost = shown.get("cost_usd") or beside["cost_usd"] or None
    if source is None:
        return Usage(reasoning_tokens=_reasoning(steps), cost_usd=cost)
    if source is shown:
        # What the trajectory leaves open may stand beside it, but not as a 0.
        source = {name: (beside[name] or None) if value is None else value for name, value in shown.items()}
    return Usage(**source, reasoning_tokens=_reasoning(steps))


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


def is_total(facts: AgentFacts, resumed: bool, cumulative: bool) -> bool:
    """Whether the reported tokens cover earlier turns as well.

    Args:
        facts: What is known of the agent.
        resumed: Whether the turn went on in the agent's own conversation.
        cumulative: Whether its trajectory begins with the steps of the turn before, none of them marked as copied.
    """
    return {"steps": cumulative, "turn": False, "conversation": resumed}[facts.tokens]


def cost_is_of_turn(facts: AgentFacts, resumed: bool, trajectory: Mapping[str, Any] | None) -> bool:
    """Whether the reported cost is that of the last turn alone; an estimate from summed tokens never is.

    Args:
        facts: What is known of the agent.
        resumed: Whether the turn went on in the agent's own conversation.
        trajectory: Its trajectory after the turn.
    """
    extra = ((trajectory or {}).get("final_metrics") or {}).get("extra") or {}
    return facts.cost == "conversation" and not resumed and extra.get("cost_source") != "litellm_estimate"


def _sum(values: Sequence[float | int | None]) -> float | int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None


def _reasoning(steps: Sequence[Any]) -> int | None:
    found: list[int] = []
    for step in steps:
        if not isinstance(step, Mapping) or step.get("is_copied_context"):
            continue
        extra = (step.get("metrics") or {}).get("extra") or {}
        details = extra.get("output_tokens_details")
        values = [extra.get(key) for key in _REASONING]
        values.append(details.get("thinking_tokens") if isinstance(details, Mapping) else None)
        found += [value for value in values if isinstance(value, int)][:1]
    return sum(found) if found else None
