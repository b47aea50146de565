"""Tokens and money of a session: neither counted twice nor zero where unknown.

Some agents report totals of the whole session after each resumed turn, others those of the turn. Which, is seen from
their trajectory; what can't be seen stands in :mod:`swe_together.adapter.agent_facts`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from swe_together.adapter.agent_facts import UNLISTED, AgentFacts
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
_REASONING = (
    ("reasoning_tokens",),
    ("reasoning_output_tokens",),
    ("thoughts_tokens",),
    ("total_reasoning_tokens",),
    ("output_tokens_details", "thinking_tokens"),
    ("completion_tokens_details", "reasoning_tokens"),
)
"""Where Harbor's readers leave the reasoning, below ``metrics.extra`` of a step or ``final_metrics.extra``."""


def reported(trajectory: Mapping[str, Any] | None, context: Mapping[str, Any], facts: AgentFacts = UNLISTED) -> Usage:
    """What the agent reported after a turn, by its trajectory, else by Harbor's context. Unknown stays None.

    Many of Harbor's readers write 0 where an agent reports nothing. No turn goes without a token sent and a token
    received: where both are 0, nothing is known of the tokens; and a 0 beside the trajectory says nothing at all.

    Args:
        trajectory: The agent's trajectory after the turn.
        context: What Harbor's reader of the agent filled in.
        facts: What is known of the agent.
    """
    metrics = (trajectory or {}).get("final_metrics")
    steps = (trajectory or {}).get("steps") or []
    shown = {field: metrics.get(name) for field, name in _SHOWN.items()} if isinstance(metrics, Mapping) else {}
    beside = {field: context.get(name) for field, name in _BESIDE.items()}
    source = next((told for told in (shown, beside) if told.get("input_tokens") or told.get("output_tokens")), None)
    cost = shown.get("cost_usd") or beside["cost_usd"] or None
    reasoning = _reasoning(steps, metrics)
    if source is None:
        return Usage(reasoning_tokens=reasoning, cost_usd=cost)
    if source is shown:
        # What the trajectory leaves open may stand beside it, but not as a 0.
        source = {name: (beside[name] or None) if value is None else value for name, value in shown.items()}
    for name, apart in facts.apart.items():
        if (told := source[name]) is not None:
            source = {**source, name: told + sum(_extra(step).get(apart) or 0 for step in _own(steps))}
    return Usage(**source, reasoning_tokens=reasoning)


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


def _reasoning(steps: Sequence[Any], whole: Any) -> int | None:
    """The sum over steps; where no step says, that of the whole, in which a 0 stands for nothing reported."""
    found = [value for step in _own(steps) for value in _reasoning_in(_extra(step))]
    if found:
        return sum(found)
    return next(iter(_reasoning_in(_extra({"metrics": whole}))), None) or None


def _reasoning_in(extra: Mapping[str, Any]) -> list[int]:
    values: list[int] = []
    for keys in _REASONING:
        value: Any = extra
        for key in keys:
            value = value.get(key) if isinstance(value, Mapping) else None
        if isinstance(value, int):
            values.append(value)
    return values[:1]


def _own(steps: Sequence[Any]) -> list[Mapping[str, Any]]:
    """The steps that the agent doesn't mark as taken over from earlier."""
    return [step for step in steps if isinstance(step, Mapping) and not step.get("is_copied_context")]


def _extra(step: Mapping[str, Any]) -> Mapping[str, Any]:
    metrics = step.get("metrics")
    extra = metrics.get("extra") if isinstance(metrics, Mapping) else None
    return extra if isinstance(extra, Mapping) else {}
