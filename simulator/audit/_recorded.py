"""A recorded session put through the same state machine, with recorded values of predicates in place of a world."""

import json
from collections.abc import Sequence
from typing import Any

from swe_together.errors import EnvironmentFault
from swe_together.schema import (
    Decision,
    Fact,
    MessageKind,
    Observation,
    Predicate,
    ProbeCommand,
    SimulatorScript,
)
from swe_together.simulator._predicates import FactField
from swe_together.simulator._state import AnchorState, AnchorStatus, Option, Sent
from swe_together.simulator._turn import TurnView
from swe_together.simulator._world import DiffText, ProbeOutcome
from swe_together.simulator.audit._input import Decided
from swe_together.simulator.model import Background, FreeUser, ModelMachine, Request
from swe_together.simulator.model.fake import ListedModel

_FactKey = tuple[str, FactField, str]


class GoneWorld:
    """A world of which nothing is left: whoever asks it is told so."""

    async def changed_paths(self) -> Sequence[str]:
        """Not recorded."""
        raise self._gone()

    async def path_exists(self, glob: str) -> bool:
        """Not recorded."""
        raise self._gone()

    async def diff_text(self) -> DiffText:
        """Not recorded."""
        raise self._gone()

    async def file_text(self, path: str) -> str | None:
        """Not recorded."""
        raise self._gone()

    async def commands(self) -> Sequence[str]:
        """Not recorded."""
        raise self._gone()

    async def probe(self, command: ProbeCommand) -> ProbeOutcome:
        """Not recorded."""
        raise self._gone()

    def _gone(self) -> EnvironmentFault:
        return EnvironmentFault("The record doesn't hold this.")


class RecordedMachine(ModelMachine):
    """Every rule of the machine, moved along by what was decided, whether the rules allowed it or not.

    A turn is ``begin``, then ``allowed`` and whatever else is asked, then ``follow``.
    """

    _ignored_known = False

    def begin(self, record: Decided) -> None:
        """Stand where the recorded session stood when the user was about to speak or leave.

        Raises:
            SimulatorError: The record names an anchor that the script doesn't have.
        """
        decision = record.decision
        for named in decision.anchors:
            self._state(named)
        before = [one for one in decision.settled if one.how != "dismissed" and one.anchor not in decision.anchors]
        self._remember(before, record.turn)
        self._turn = TurnView(GoneWorld(), record.observation)
        self._settlements, self._guards, self._ignored_known = [], [], False
        self._values = {_key(fact.anchor, fact.field, fact.predicate): fact.value for fact in decision.facts}
        self._recall(decision.facts)

    async def allowed(self, *, first: bool) -> list[Option]:
        """What could be said, by the recorded values.

        Args:
            first: Only the first of it, as the scripted policy asks.

        Raises:
            EnvironmentFault: A value that decides isn't recorded.
        """
        recorded = self._facts
        try:
            for state in self._ordered:
                if state.watched(self._view.observation.turn):
                    state.ignored = await self._farewell(state) is None
            self._ignored_known = True
            return await self.eligible(first=first)
        finally:
            self._facts = recorded

    def expressed(self, decision: Decision, offered: Sequence[Option]) -> list[Option]:
        """What a message says, in authored words: as the rules offered it, else as the anchor has it."""
        by_id = {option.anchor.id: option for option in offered}
        return [by_id.get(anchor) or self._unoffered(anchor) for anchor in decision.anchors]

    def _unoffered(self, name: str) -> Option:
        anchor = self._state(name).anchor
        if self.is_insist(name) and anchor.insist is not None:
            return Option(anchor, MessageKind.INSIST, anchor.insist.message)
        return Option(anchor, MessageKind.ANCHOR, anchor.message)

    @property
    def sent_kinds(self) -> list[MessageKind | None]:
        """Kinds of the messages so far; None is the first one's."""
        return [None, *(message.kind for message in self.sent)]

    def unsettled(self, anchor: str) -> list[str]:
        """Anchors that would have had to be settled before this one."""
        return [other for other in self._state(anchor).anchor.after if not self.settled(other)]

    def is_insist(self, anchor: str) -> bool:
        """Whether speaking of the anchor now is insisting: it was said before this turn."""
        return self._state(anchor).status is AnchorStatus.SAID

    def insisted_enough(self, anchor: str) -> bool:
        """Whether every insist on the anchor has been said."""
        state = self._state(anchor)
        return state.anchor.insist is None or state.insists >= state.anchor.insist.max

    def follow(self, record: Decided) -> None:
        """Move on as was decided."""
        decision = record.decision
        for state in self._ordered:
            if self._ignored_known and state.watched(record.turn) and not state.ignored:
                state.closed = True
        for anchor in decision.anchors:
            if self.is_insist(anchor):
                self._state(anchor).insists += 1
        self._remember(decision.settled, record.turn)
        if decision.message is not None and decision.kind is not None:
            self.sent.append(Sent(record.turn, decision.message, decision.kind, tuple(decision.anchors)))

    def owes_reply(self) -> bool:
        """Whether the agent asks, and the persona's reply to questions may still be given."""
        return self._owes_reply()

    async def _holds(self, state: AnchorState, field: FactField, predicate: Predicate, number: int = 0) -> bool:
        try:
            # What depends on the session alone is decided anew.
            return await super()._holds(state, field, predicate, number)
        except EnvironmentFault:
            dumped = predicate.model_dump(mode="json", by_alias=True, exclude_none=True)
            value = self._values.get(_key(state.anchor.id, field, dumped))
            if value is None:
                raise
            return value

    def _recall(self, facts: Sequence[Fact]) -> None:
        self._facts = {}
        for fact in facts:
            self._facts.setdefault((fact.anchor, fact.field, 0), []).append(fact)


class RecordedUser(FreeUser):
    """The user of a recorded session: knows what it had said and seen, asks nobody.

    Args:
        script: Anchors, persona and budget of the task.
        background: Instruction, session analysis and secrets.
    """

    def __init__(self, script: SimulatorScript, background: Background) -> None:
        super().__init__(script, background, ListedModel([]))
        self.recorded = RecordedMachine(script)
        self.machine = self.recorded

    def begin(self, record: Decided) -> None:
        """See the turn, and stand where the user stood."""
        self.see(record.observation)
        self.recorded.begin(record)

    def follow(self, record: Decided) -> None:
        """Move on as was decided."""
        self.recorded.follow(record)
        self._said(record.decision)

    def shown(self, options: list[Option], observation: Observation) -> Request:
        """What the policy ``llm`` is shown at this moment; scripted users see no less."""
        return self.request(options, observation, yielded=True)


def _key(anchor: str, field: FactField, predicate: dict[str, Any]) -> _FactKey:
    return anchor, field, json.dumps(predicate, sort_keys=True)
