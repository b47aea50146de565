"""The state machine as model policies need it: several anchors in one message, and words of the user's own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from swe_together.errors import EnvironmentFault, SimulatorError
from swe_together.schema import (
    Action,
    Decision,
    DecisionRecord,
    EndReason,
    MessageKind,
    Observation,
    ProbeCommand,
    Settlement,
    Tag,
)
from swe_together.simulator._machine import SessionMachine
from swe_together.simulator._state import AnchorStatus, Option, Sent
from swe_together.simulator._turn import TurnView
from swe_together.simulator._world import DiffText, ProbeOutcome


class RecordedWorld:
    """What is left of a world in a recorded observation. Asked by guards alone: predicates have their recorded values.

    Args:
        observation: The observation.
    """

    def __init__(self, observation: Observation) -> None:
        self._observation = observation

    async def changed_paths(self) -> Sequence[str]:
        """The paths that the observation shows."""
        return [change.path for change in self._observation.changes]

    async def path_exists(self, glob: str) -> bool:
        """Not recorded."""
        raise EnvironmentFault("A recording doesn't hold the working tree.")

    async def diff_text(self) -> DiffText:
        """The part of the turn's diff that the observation shows."""
        return DiffText(self._observation.diff, cut=True)

    async def file_text(self, path: str) -> str | None:
        """Nothing: guards look into files only to find what is harmless."""
        return None

    async def commands(self) -> Sequence[str]:
        """The commands that the observation shows."""
        return [command.command for command in self._observation.commands]

    async def probe(self, command: ProbeCommand) -> ProbeOutcome:
        """Not recorded."""
        raise EnvironmentFault("A recording doesn't hold the user's desk.")


@dataclass(frozen=True)
class FreeMessage:
    """Something said outside the anchors: an answer to the agent, or a fact pointed at."""

    text: str
    action: Action
    tags: Sequence[Tag]
    reason: str


class ModelMachine(SessionMachine):
    """Every rule of ``SessionMachine`` holds; a policy's guards are recorded beside the machine's own."""

    _free: FreeMessage | None = None

    @property
    def view(self) -> TurnView:
        """The turn, with the world behind it."""
        return self._view

    def note(self, guard: str) -> None:
        """Record a guard with this turn's decision."""
        if guard not in self._guards:
            self._guards.append(guard)

    def spare_messages(self) -> int:
        """Messages of the budget that no required anchor needs any more."""
        required = sum(
            state.anchor.required and state.status is AnchorStatus.PENDING for state in self._states.values()
        )
        return self.script.message_budget - len(self.sent) - required

    def express(self, options: list[Option], chosen: Sequence[Option], words: str, *, yielded: bool = True) -> Decision:
        """Say several options in one message, in words of the policy's own. Owed insists come first, as always.

        Raises:
            SimulatorError: One of them is not eligible, or the words were sent before.
        """
        if any(option not in options for option in chosen):
            raise SimulatorError("The user expressed an anchor that is not eligible.")
        first, *others = sorted(chosen, key=lambda option: option.kind is not MessageKind.INSIST)
        decision = self.conclude(options, first, yielded=yielded, words=words)
        if decision.message != words:
            return decision
        for option in others:
            state = self._states[option.anchor.id]
            if option.kind is MessageKind.INSIST:
                state.insists += 1
            else:
                self._say(state, f"said together with {first.anchor.id}")
        ids = [option.anchor.id for option in (first, *others)]
        self.sent[-1] = replace(self.sent[-1], anchors=tuple(ids))
        tags = list(dict.fromkeys(tag for option in (first, *others) for tag in option.tags))
        return decision.model_copy(update={"anchors": ids, "tags": tags, "settled": list(self._settlements)})

    def speak_freely(self, options: list[Option], message: FreeMessage) -> Decision:
        """Say something outside the anchors to an agent that waits; budgets hold as for any other message.

        Raises:
            SimulatorError: The words were sent before, or are none.
        """
        if not message.text.strip() or self.already_sent(message.text):
            raise SimulatorError(f"The user was about to say {message.text!r} outside the anchors.")
        self._free = message
        try:
            return self.conclude(options, None, yielded=True)
        finally:
            self._free = None

    def run_out(self) -> Decision:
        """Leave because the session's time is up.

        Raises:
            SimulatorError: The session is over.
        """
        if self.end is not None:
            raise SimulatorError(f"The session is over already ({self.end.value}).")
        return self._leave(EndReason.TIME_BUDGET, "the session's time is up")

    def resume(self, earlier: Sequence[DecisionRecord], record: DecisionRecord) -> list[Option]:
        """Stand where the recorded session stood when the user was about to decide in ``record``.

        Args:
            earlier: The decisions before it, in order.
            record: A decision that a model took part in, or one that failed on the way.

        Returns:
            What could be said.

        Raises:
            SimulatorError: The records are not of this script, or no model took part.
        """
        for past in earlier:
            self._remember(past.known_settled, past.turn)
            said = past.decision
            if said is None:
                continue
            if said.message is not None and said.kind is not None:
                self.sent.append(Sent(past.turn, said.message, said.kind, tuple(said.anchors)))
            # A message that insists may say other anchors for the first time along with it.
            anew = {one.anchor for one in past.known_settled if one.how == AnchorStatus.SAID.value}
            for anchor in said.anchors if said.kind is MessageKind.INSIST else []:
                self._state(anchor).insists += anchor not in anew
        spoken = set(record.decision.anchors) if record.decision is not None else set()
        self._remember(
            [one for one in record.known_settled if one.how != "dismissed" and one.anchor not in spoken], record.turn
        )
        self._turn = TurnView(RecordedWorld(record.observation), record.observation)
        for fact in record.known_facts:
            self._facts.setdefault((fact.anchor, fact.field, 0), []).append(fact)
        if record.call is None:
            raise SimulatorError(f"Turn {record.turn} was decided without a model.")
        return [
            Option(self._state(offered.anchor).anchor, offered.kind, offered.message) for offered in record.call.options
        ]

    def _remember(self, settled: Sequence[Settlement], turn: int) -> None:
        for one in settled:
            state = self._state(one.anchor)
            state.status = AnchorStatus(one.how)
            if state.status is AnchorStatus.SAID:
                state.said_turn = turn

    def _leave(self, end: EndReason, reason: str) -> Decision:
        if end is EndReason.ANCHORS_EXHAUSTED and not self.script.anchors:
            return super()._leave(EndReason.USER_LEFT, "the user has nothing to say any more")
        return super()._leave(end, reason)

    def _override(self, options: list[Option], choice: Option | None, *, yielded: bool) -> Option | None:
        return None if self._free is not None else super()._override(options, choice, yielded=yielded)

    def _owes_reply(self) -> bool:
        return self._free is not None or super()._owes_reply()

    def _reply(self) -> Decision:
        free = self._free
        if free is None:
            return super()._reply()
        self._send(free.text, MessageKind.FREE)
        return self._decision(free.action, free.reason, message=free.text, kind=MessageKind.FREE, tags=list(free.tags))
