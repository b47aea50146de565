"""What became of a trial: whether it has a valid reward, or why not."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from swe_together.schema import SessionRecord, TestReport

BARE: Final = ("oracle", "nop")
"""Harbor's own agents that hold no session and are graded all the same."""


@dataclass(frozen=True)
class Outcome:
    """``reward`` is None unless ``status`` is ``ok``."""

    status: str
    reward: float | None = None
    cause: str = ""


def outcome(
    agent: str, result: Mapping[str, Any] | None, session: SessionRecord | None, report: TestReport | None
) -> Outcome:
    """What became of a trial whose records could be read.

    Args:
        agent: Harbor's bare name of the agent.
        result: Harbor's ``result.json``; None while there is none.
        session: The session; None where none was held.
        report: What the tests said; None where they said nothing.
    """
    if result is None:
        return Outcome("unfinished")
    if session is not None and not session.end.valid:
        return Outcome(session.end.value, cause=session.error or "")
    exceptions = recorded_exceptions(result)
    rewards = mapping(result, "verifier_result", "rewards")
    cause = "; ".join(f"{one.get('exception_type') or ''}: {one.get('exception_message', '')}" for one in exceptions)
    if "reward" not in rewards and report is not None and report.basis == "judge" and report.judge is not None:
        return Outcome("judge_error", cause=report.judge.error or "no goal was decided")
    if "reward" not in rewards and not exceptions and mapping(result, "config", "verifier").get("disable") is True:
        return Outcome("ungraded", cause="its job was told to grade nothing")
    if "reward" not in rewards:
        return Outcome("agent_invalid" if result.get("verifier") is None else "verifier_error", cause=cause)
    if any(mapping(exception, "policy").get("has_valid_reward") is False for exception in exceptions):
        return Outcome("agent_invalid", cause=cause)
    if session is None and agent not in BARE:
        return Outcome("not_interactive", cause="ran without the interactive layer: not a session")
    reward = number(rewards["reward"])
    if reward is None or not 0 <= reward <= 1:
        return Outcome("corrupt", cause=f"the reward {str(rewards['reward'])[:40]} is no number from 0 to 1")
    return Outcome("ok", reward, cause)


def recorded_exceptions(result: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The trial's own exception, then those of its steps: a task of several steps has them there and nowhere else."""
    steps = result.get("step_results")
    parts = [result, *(step for step in steps if isinstance(step, Mapping))] if isinstance(steps, list) else [result]
    return [found for part in parts if (found := mapping(part, "exception_info"))]


def mapping(value: Mapping[str, Any] | None, *names: str) -> Mapping[str, Any]:
    """A mapping inside a mapping; empty where it isn't there or is something else."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def number(value: object) -> float | None:
    """A finite number; None for anything else, truth values included."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None
