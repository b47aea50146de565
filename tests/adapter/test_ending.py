"""The last steps of a session: all are tried, and a failed one leaves no valid end. No Harbor, no Docker."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from swe_together import defaults
from swe_together.adapter.ending import take_last_steps
from swe_together.adapter.session import Outcome
from swe_together.errors import EnvironmentFault
from swe_together.schema import EndReason

LEFT = Outcome(EndReason.USER_LEFT, None, 12.0, 3.0)


def failing(error: Exception) -> Callable[[Outcome], Awaitable[None]]:
    async def step(outcome: Outcome) -> None:
        raise error

    return step


class Witness:
    """A step that remembers the outcome that it was shown."""

    def __init__(self) -> None:
        self.seen: list[EndReason] = []

    async def __call__(self, outcome: Outcome) -> None:
        self.seen.append(outcome.end)


async def test_when_all_goes_well_the_outcome_stays() -> None:
    first, last = Witness(), Witness()
    assert await take_last_steps(LEFT, [first, last], 5) is LEFT
    assert first.seen == last.seen == [EndReason.USER_LEFT]


@pytest.mark.parametrize(
    ("error", "named"),
    [
        (EnvironmentFault("The disk is full.", "Make room."), "The disk is full. Make room."),
        (RuntimeError("docker cp failed"), "docker cp failed"),
        (OSError(28, "No space left on device"), "No space left"),
    ],
)
async def test_a_failed_step_is_an_environment_error_and_the_next_ones_are_still_taken(
    error: Exception, named: str
) -> None:
    before, after = Witness(), Witness()
    ended = await take_last_steps(LEFT, [before, failing(error), after], 5)
    assert ended.end is EndReason.ENVIRONMENT_ERROR
    assert named in str(ended.error)
    assert (ended.agent_seconds, ended.user_seconds) == (12.0, 3.0)
    assert before.seen == [EndReason.USER_LEFT]
    assert after.seen == [EndReason.ENVIRONMENT_ERROR], "the marker comes last and must not say that all is well"


async def test_a_step_that_hangs_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(defaults, "KILL_GRACE_SEC", 0.05)
    after = Witness()

    async def hang(outcome: Outcome) -> None:
        await asyncio.sleep(1000)

    ended = await take_last_steps(LEFT, [hang, hang, after], 0.05)
    assert ended.end is EndReason.ENVIRONMENT_ERROR
    assert "too long" in str(ended.error)
    assert after.seen == [EndReason.ENVIRONMENT_ERROR]


@pytest.mark.parametrize("end", [EndReason.SIMULATOR_ERROR, EndReason.ENVIRONMENT_ERROR])
async def test_the_fault_that_came_first_keeps_its_name(end: EndReason) -> None:
    lost = Outcome(end, "the first fault")
    assert await take_last_steps(lost, [failing(RuntimeError("and another"))], 5) is lost


async def test_after_an_error_of_the_agent_a_failed_step_counts() -> None:
    broke = Outcome(EndReason.AGENT_ERROR, "the agent broke", failure=ValueError("broke"))
    ended = await take_last_steps(broke, [failing(RuntimeError("docker is gone"))], 5)
    assert (ended.end, ended.failure) == (EndReason.ENVIRONMENT_ERROR, None)
