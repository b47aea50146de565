"""What every policy of the simulated user is to the session that runs it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from swe_together.errors import SessionFault, SimulatorError
from swe_together.schema import Decision, Observation, Settlement
from swe_together.simulator._world import World


class User(Protocol):
    """The user of one session. A session asks after each completed agent turn, until a decision has an ``end``.

    Some have more, which a session uses where it is there: ``last_call``, a model's part in the last decision;
    ``machine``, the state machine, for the record of a decision that failed; ``stops_clock``, true where the
    session's budget must not run while the user thinks.
    """

    @property
    def name(self) -> str:
        """The policy's name, as ``create_user`` takes it."""
        ...

    async def decide(self, observation: Observation, world: World, *, yielded: bool = True) -> Decision:
        """What the user does now.

        Args:
            observation: The turn as the user sees it; turns come in rising order, and each once.
            world: The state that the turn left; used during the call only.
            yielded: Whether the agent waits for the user. If so the decision has a message or an end. Towards an agent
                that works on, silence is a decision without both.

        Raises:
            EnvironmentFault: The world could not answer. The session has no result.
            SimulatorError: The policy failed in any other way. The session has no result; silence is never a fallback.
        """
        ...

    def dismiss(self, reason: str) -> list[Settlement]:
        """Dismiss what is pending when a session ends otherwise than by a decision (agent error, fault).

        Args:
            reason: Recorded with each dismissed anchor.
        """
        ...


@contextmanager
def policy_faults(policy: str) -> Iterator[None]:
    """Turn whatever goes wrong inside a policy into a ``SimulatorError`` with its cause; session faults pass."""
    try:
        yield
    except SessionFault:
        raise
    except Exception as error:
        raise SimulatorError(f"The user policy {policy!r} failed: {type(error).__name__}: {error}") from error
