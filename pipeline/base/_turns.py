"""A session cut into turns: what the person said, and what happened until they spoke again."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from swe_together.pipeline.sessions import Call, Event, Human, Interrupt, Reply, Session


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn.

    Attributes:
        number: 0 for the first message.
        humans: The person's messages that begin it; several where the agent did nothing in between.
        events: What happened then.
        stopped: The person stopped the agent before they spoke.
    """

    number: int
    humans: tuple[Human, ...]
    events: tuple[Event, ...]
    stopped: bool

    @property
    def text(self) -> str:
        """What was said."""
        return "\n\n".join(human.text.strip() for human in self.humans)

    @property
    def at(self) -> datetime | None:
        """When it began."""
        return self.humans[0].at

    @property
    def reply(self) -> str:
        """The agent's last words of the turn; empty where it said nothing."""
        return next((event.text.strip() for event in reversed(self.events) if isinstance(event, Reply)), "")

    @property
    def calls(self) -> list[Call]:
        """The agent's tool calls."""
        return [event for event in self.events if isinstance(event, Call)]


def turns_of(session: Session) -> list[Turn]:
    """The session's turns; what happened before the person's first message belongs to none."""
    groups: list[tuple[list[Human], list[Event], bool]] = []
    stopped = False
    for event in session.events:
        if isinstance(event, Human):
            if groups and not _worked(groups[-1][1]) and not stopped:
                groups[-1][0].append(event)
            else:
                groups.append(([event], [], stopped or event.channel == "rejection"))
            stopped = False
        elif groups:
            stopped = stopped or isinstance(event, Interrupt)
            groups[-1][1].append(event)
    return [
        Turn(number, tuple(humans), tuple(events), stopped and number > 0)
        for number, (humans, events, stopped) in enumerate(groups)
    ]


def _worked(events: Sequence[Event]) -> bool:
    return any(isinstance(event, (Reply, Call)) for event in events)
