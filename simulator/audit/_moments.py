"""A recorded session turn by turn: each decision beside what the rules say about its moment."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Final

from swe_together.errors import EnvironmentFault
from swe_together.schema import EndReason
from swe_together.simulator._state import Option
from swe_together.simulator.audit._input import AuditedTask, Decided
from swe_together.simulator.audit._recorded import RecordedUser

LEFT: Final = (EndReason.USER_LEFT, EndReason.ANCHORS_EXHAUSTED)
"""Ends that are the user's own; budgets and faults are reasons of their own."""


@dataclass(frozen=True)
class Moment:
    """A decision and what the rules say about its turn.

    Attributes:
        record: The decision.
        user: The recorded user, standing before the decision.
        options: What could be said; None where the record doesn't tell.
    """

    record: Decided
    user: RecordedUser
    options: list[Option] | None

    @property
    def offered(self) -> list[Option]:
        """What could be said, by the rules or else by the record's own list."""
        if self.options:
            return self.options
        call = self.record.call
        by_id = {anchor.id: anchor for anchor in self.user.recorded.script.anchors}
        listed = call.options if call is not None else []
        return [Option(by_id[one.anchor], one.kind, one.message) for one in listed if one.anchor in by_id]

    @property
    def expressed(self) -> list[Option]:
        """What the message says, in authored words."""
        return self.user.recorded.expressed(self.record.decision, self.offered)


async def moments(task: AuditedTask, decided: Sequence[Decided]) -> AsyncIterator[Moment]:
    """The moments of a session in order; each is only good until the next one.

    Raises:
        SimulatorError: The records are of another script.
    """
    user = RecordedUser(task.script, task.background)
    for record in decided:
        user.begin(record)
        try:
            # The scripted policy looks no further than the first thing to say, and records no more.
            options = await user.recorded.allowed(first=record.policy == "scripted")
        except EnvironmentFault:
            options = None
        yield Moment(record, user, options)
        user.follow(record)
