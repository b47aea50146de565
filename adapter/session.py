"""The session loop: message, agent turn, look, decision, until the user leaves. Knows neither Harbor nor Docker."""

import asyncio
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from swe_together.adapter.turn import AgentDriver, AgentFailure, Turn
from swe_together.errors import EnvironmentFault, SessionFault, SimulatorError
from swe_together.schema import Action, Decision, DecisionRecord, EndReason, Observation, Settlement, TurnRecord
from swe_together.simulator import User, World

MIN_TURN_SEC = 1.0
"""With less time than this left, no further turn is begun."""


class Eyes(Protocol):
    """What the user sees of a turn, and can ask about it."""

    async def look(self, turn: Turn, number: int, elapsed_sec: float) -> tuple[Observation, World]:
        """Observe the state after a turn.

        Raises:
            EnvironmentFault: The container or an instrument in it failed.
        """
        ...


class Recorder(Protocol):
    """Keeps what happened, as it happens."""

    def turn(self, record: TurnRecord) -> None:
        """A turn was completed."""
        ...

    def decision(self, record: DecisionRecord) -> None:
        """The user decided, or failed to."""
        ...


@dataclass(frozen=True)
class Outcome:
    """How a session ended.

    ``failure`` is the agent's exception, to be raised again unchanged; ``settled`` are the anchors that were still
    pending when it ended otherwise than by a decision of the user.
    """

    end: EndReason
    error: str | None = None
    agent_seconds: float = 0.0
    user_seconds: float = 0.0
    failure: Exception | None = None
    settled: Sequence[Settlement] = ()


@dataclass(frozen=True)
class Limits:
    """Wall time in seconds. A user who ``stops_clock`` has all the time in the world: deciding doesn't count then."""

    session_sec: float
    turn_sec: float


async def run_session(
    instruction: str,
    *,
    user: User,
    agent: AgentDriver,
    eyes: Eyes,
    recorder: Recorder,
    limits: Limits,
    clock: Callable[[], float] = time.monotonic,
) -> Outcome:
    """Play one session. Faults of our own parts become typed end reasons, never a default or a no-op.

    Args:
        instruction: The first user message.
        user: Says the later ones.
        agent: Works.
        eyes: What the user sees of it.
        recorder: Keeps what happened.
        limits: Budgets; the session ends with ``time_budget`` when they are spent.
        clock: Seconds, monotonic.
    """
    started = clock()
    agent_seconds = user_seconds = stopped = 0.0
    message, said = instruction, Decision(action=Action.NO_OP, reason="the instruction")
    number = 0

    def outcome(end: EndReason, error: str | None = None, failure: Exception | None = None) -> Outcome:
        left_over = user.dismiss(f"the session ended with {end.value}")
        return Outcome(end, error, agent_seconds, user_seconds, failure, left_over)

    while True:
        left = limits.session_sec - (clock() - started - stopped)
        if left < MIN_TURN_SEC:
            return outcome(EndReason.TIME_BUDGET)
        number += 1
        try:
            turn = await agent.turn(message, number, min(limits.turn_sec, left))
        except AgentFailure as failure:
            agent_seconds += failure.turn.seconds
            recorder.turn(_record(number, message, said, failure.turn))
            return outcome(EndReason.AGENT_ERROR, str(failure), failure.cause)
        except EnvironmentFault as fault:
            return outcome(EndReason.ENVIRONMENT_ERROR, str(fault))
        agent_seconds += turn.seconds
        recorder.turn(_record(number, message, said, turn))
        looked = clock()
        failed: tuple[EndReason, str] | None = None
        try:
            observation, world = await eyes.look(turn, number, looked - started - stopped)
            asked = clock()
            decision = await _decide(user, observation, world, recorder, clock)
            stopped += clock() - asked if getattr(user, "stops_clock", False) else 0.0
        except SimulatorError as fault:
            failed = EndReason.SIMULATOR_ERROR, str(fault)
        except EnvironmentFault as fault:
            failed = EndReason.ENVIRONMENT_ERROR, str(fault)
        except Exception:  # noqa: BLE001 - a defect of ours must not pass for a result of the agent
            failed = EndReason.ENVIRONMENT_ERROR, traceback.format_exc(limit=-4)
        user_seconds += clock() - looked
        if failed is not None:
            return outcome(*failed)
        if decision.end is not None:
            error = None if decision.end.valid else decision.reason
            return Outcome(decision.end, error, agent_seconds, user_seconds)
        if decision.message is None:
            return outcome(EndReason.SIMULATOR_ERROR, "the user neither spoke nor left an agent that has yielded")
        message, said = decision.message, decision


async def _decide(
    user: User, observation: Observation, world: World, recorder: Recorder, clock: Callable[[], float]
) -> Decision:
    """The user's decision. It is recorded whatever comes of it: a failed one has cost tokens too, and can be retaken.

    Raises:
        EnvironmentFault: The world could not answer.
        SimulatorError: The policy failed in any other way.
    """
    asked = clock()

    def record(decision: Decision | None, error: str | None = None) -> None:
        machine = None if decision is not None else getattr(user, "machine", None)
        recorder.decision(
            DecisionRecord(
                turn=observation.turn,
                policy=user.name,
                observation=observation,
                decision=decision,
                error=error,
                settled=getattr(machine, "settlements", []),
                facts=getattr(machine, "facts", []),
                seconds=clock() - asked,
                call=getattr(user, "last_call", None),
            )
        )

    try:
        # A class of somebody's own may return anything.
        decision = Decision.model_validate(await user.decide(observation, world))
    except SessionFault as fault:
        record(None, str(fault))
        raise
    except asyncio.CancelledError:
        record(None, "The session was cut off while the user was deciding.")
        raise
    except Exception as defect:
        error = traceback.format_exc(limit=-4).strip()
        record(None, error)
        raise SimulatorError(error) from defect
    record(decision)
    return decision


def _record(number: int, message: str, said: Decision, turn: Turn) -> TurnRecord:
    return TurnRecord(
        turn=number,
        message=message,
        kind=said.kind,
        anchors=said.anchors,
        tags=said.tags,
        continuation=turn.continuation,
        seconds=turn.seconds,
        timed_out=turn.timed_out,
        killed_processes=turn.killed,
        usage=turn.usage,
    )
