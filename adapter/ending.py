"""The last steps of a session. Each one is tried; one that fails makes the session an environment error."""

import asyncio
import traceback
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from swe_together import defaults
from swe_together.adapter.session import Outcome
from swe_together.errors import EnvironmentFault
from swe_together.schema import EndReason

type Step = Callable[[Outcome], Awaitable[None]]
"""Takes the outcome as it stands when the step begins; an earlier step may have made it a fault."""


async def take_last_steps(outcome: Outcome, steps: Sequence[Step], seconds: float) -> Outcome:
    """Take every step in order, whatever became of the one before: containers must go even if a record can't be kept.

    Args:
        outcome: How the session ended.
        steps: What is left to do.
        seconds: Time for all of them; a step that begins late still gets ``defaults.KILL_GRACE_SEC``.

    Returns:
        The same outcome, or an environment error that names the first step that failed. Nothing is raised: an
        exception unknown to Harbor would be retried, graded and counted as a result of the agent.
    """
    deadline = asyncio.get_running_loop().time() + seconds
    for step in steps:
        limit = max(deadline, asyncio.get_running_loop().time() + defaults.KILL_GRACE_SEC)
        try:
            async with asyncio.timeout_at(limit):
                await step(outcome)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is no result of the agent
            outcome = faulted(outcome, error)
    return outcome


def faulted(outcome: Outcome, error: Exception) -> Outcome:
    """The outcome as an environment error; a fault that came first keeps its name."""
    if not outcome.end.valid:
        return outcome
    return replace(outcome, end=EndReason.ENVIRONMENT_ERROR, error=told(error), failure=None)


def told(error: Exception) -> str:
    """What a record says of an error: a fault's own sentence, else where it arose."""
    if isinstance(error, EnvironmentFault):
        return str(error)
    if isinstance(error, TimeoutError):
        return f"The last steps of the session took too long: {str(error) or 'time-out'}."
    return "".join(traceback.format_exception(error, limit=-4))
