"""One agent turn as the session loop sees it, whatever agent played it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from swe_together.schema import Command, Usage

Continuation = Literal["first", "native", "restated", "fresh"]


@dataclass(frozen=True)
class Turn:
    """A completed agent turn.

    Attributes:
        reply: The agent's last words to the user; empty where it said nothing.
        commands: Everything it ran, in order.
        seconds: Wall time of the turn.
        timed_out: The per-turn deadline ended it, and its processes were killed.
        killed: How many processes were ended after it.
        usage: Tokens and money of this turn alone; None where unknown.
    """

    reply: str
    commands: Sequence[Command]
    seconds: float
    continuation: Continuation
    timed_out: bool = False
    killed: int = 0
    usage: Usage = field(default_factory=Usage)


class AgentFailure(Exception):
    """The inner agent raised. Harbor's own policy decides about its exception.

    Args:
        cause: The exception, to be raised again unchanged.
        turn: What is known of the turn until then.
    """

    def __init__(self, cause: Exception, turn: Turn) -> None:
        self.cause = cause
        self.turn = turn
        super().__init__(f"{type(cause).__name__}: {cause}")


class AgentDriver(Protocol):
    """Plays an agent turn by turn."""

    async def turn(self, message: str, number: int, deadline_sec: float) -> Turn:
        """Send ``message`` and return when the agent has yielded or the deadline ended the turn.

        Raises:
            AgentFailure: The agent itself failed.
            EnvironmentFault: The container failed.
        """
        ...
