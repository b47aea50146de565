"""A session as it is gathered while a file is read."""

from dataclasses import dataclass, field
from datetime import datetime

from swe_together.pipeline.sessions._model import (
    Call,
    Channel,
    Event,
    Human,
    Interrupt,
    Notice,
    NoticeKind,
    Outcome,
    Reply,
)


@dataclass(slots=True)
class Gathered:
    """Events in the order in which they are added: no empty text, and each call and each outcome once."""

    delegated: bool = False
    """Another session started this one: what stands in a person's place was written by an agent."""
    events: list[Event] = field(default_factory=list)
    models: dict[str, None] = field(default_factory=dict)
    calls: dict[str, Call] = field(default_factory=dict)
    outcomes: set[str] = field(default_factory=set)

    def human(
        self,
        record: int,
        at: datetime | None,
        text: str,
        channel: Channel = "typed",
        *,
        images: int = 0,
        command: str | None = None,
    ) -> None:
        """Add words of the person."""
        if not text.strip():
            return
        if self.delegated:
            self.notice(record, at, "synthetic", text)
            return
        self.events.append(Human(record=record, at=at, text=text, channel=channel, images=images, command=command))

    def reply(self, record: int, at: datetime | None, text: str, model: str | None = None) -> None:
        """Add words of the agent."""
        if text.strip():
            self.events.append(Reply(record=record, at=at, text=text, model=model))

    def notice(self, record: int, at: datetime | None, kind: NoticeKind, text: str) -> None:
        """Add text of a program."""
        if text.strip():
            self.events.append(Notice(record=record, at=at, kind=kind, text=text))

    def interrupt(self, record: int, at: datetime | None) -> None:
        """Add that the person stopped the agent."""
        self.events.append(Interrupt(record=record, at=at))

    def call(self, call: Call) -> None:
        """Add a call, unless it stands there already."""
        if call.call_id not in self.calls:
            self.calls[call.call_id] = call
            self.events.append(call)

    def outcome(self, outcome: Outcome) -> bool:
        """Add what came of a call; False where that stands there already."""
        if outcome.call_id in self.outcomes:
            return False
        self.outcomes.add(outcome.call_id)
        self.events.append(outcome)
        return True

    def model(self, name: object) -> str | None:
        """Note a model's name, and give it back."""
        if not isinstance(name, str) or not name:
            return None
        self.models[name] = None
        return name
