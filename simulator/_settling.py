"""First half of a user's turn: which anchors leave the list, and which could be said."""

from swe_together.errors import SimulatorError
from swe_together.schema import Anchor, Fact, MessageKind, Observation, Predicate, Settlement, SimulatorScript
from swe_together.schema._predicates import Said
from swe_together.simulator._predicates import FactField, evaluate, references
from swe_together.simulator._state import AnchorState, AnchorStatus, Option, Sent, same_words
from swe_together.simulator._turn import TurnView
from swe_together.simulator._world import World


class SettlingMachine:
    """Anchors of one session: settling, and what is eligible. The rules of speaking and leaving are the subclass's.

    Raises:
        SimulatorError: Two anchors share an id, or one names an id that isn't there.
    """

    def __init__(self, script: SimulatorScript) -> None:
        self.script = script
        self.sent: list[Sent] = []
        self._states = {anchor.id: AnchorState(anchor, place) for place, anchor in enumerate(script.anchors)}
        if len(self._states) < len(script.anchors):
            raise SimulatorError("Two anchors have the same id.", "Give every anchor of simulator.md its own id.")
        self._ordered = sorted(self._states.values(), key=lambda state: (state.anchor.source_turn, state.position))
        for anchor in script.anchors:
            for named in [*anchor.after, *(i for _, p in predicates(anchor) for i in references(p))]:
                self._state(named)
        self._turn: TurnView | None = None
        self._facts: dict[tuple[str, FactField, int], list[Fact]] = {}
        self._settlements: list[Settlement] = []
        self._guards: list[str] = []

    @property
    def facts(self) -> list[Fact]:
        """Values of predicates in this turn, so far."""
        return [fact for facts in self._facts.values() for fact in facts]

    @property
    def settlements(self) -> list[Settlement]:
        """Anchors that have left the list in this turn, so far."""
        return list(self._settlements)

    def said(self, anchor: str) -> bool:
        """Whether the anchor of this id has been said."""
        return self._state(anchor).status is AnchorStatus.SAID

    def settled(self, anchor: str) -> bool:
        """Whether the anchor of this id has been said, satisfied or expired."""
        return self._state(anchor).settled

    def already_sent(self, text: str) -> bool:
        """Whether the same words were sent before; case and white space don't count."""
        return any(same_words(message.text) == same_words(text) for message in self.sent)

    async def settle(self, world: World, observation: Observation) -> list[Settlement]:
        """Begin a user's turn: pending anchors that are satisfied or expired leave the list.

        Goes on until nothing changes, since one anchor's settling can be another's. An anchor that is both satisfied
        and expired counts as satisfied: the agent did it.

        Returns:
            The anchors that left, in the order in which they did.

        Raises:
            EnvironmentFault: The world could not answer.
            SimulatorError: The observation isn't of a later turn than the one before.
        """
        if self._turn is not None and observation.turn <= self._turn.observation.turn:
            raise SimulatorError(
                f"Turn {observation.turn} was shown to the user after turn {self._turn.observation.turn}."
            )
        self._turn = TurnView(world, observation)
        self._facts, self._settlements, self._guards = {}, [], []
        await self._settle()
        return self.settlements

    async def eligible(self, *, yielded: bool = True, first: bool = False) -> list[Option]:
        """What the user may say now: owed insists, then anchors, each in the order of the session.

        Args:
            yielded: Whether the agent waits; only then does the user insist.
            first: Stop at the first option, which spares the conditions (and probes) of the rest.
        """
        while True:
            options, settled = await self._scan(yielded=yielded, first=first)
            if not settled:
                return options
            await self._settle()

    @property
    def _view(self) -> TurnView:
        if self._turn is None:
            raise SimulatorError("The user was asked before any turn was settled.")
        return self._turn

    def _state(self, anchor: str) -> AnchorState:
        if anchor not in self._states:
            raise SimulatorError(f"There is no anchor {anchor!r}.", "Correct the id in simulator.md.")
        return self._states[anchor]

    async def _settle(self) -> None:
        changed = await self._settle_once(only_dependent=False)
        while changed:
            changed = await self._settle_once(only_dependent=True)
        # Only now: whether a user was ignored may depend on other anchors, and those stand where they stand now.
        for state in self._ordered:
            if state.watched(self._view.observation.turn):
                state.ignored = await self._farewell(state) is None

    async def _settle_once(self, *, only_dependent: bool) -> bool:
        changed = False
        for state in self._ordered:
            if state.status is not AnchorStatus.PENDING or (only_dependent and not _depends_on_others(state.anchor)):
                continue
            farewell = await self._farewell(state)
            if farewell is not None:
                self._leave_list(state, *farewell)
                changed = True
        return changed

    async def _farewell(self, state: AnchorState) -> tuple[AnchorStatus, str] | None:
        """How and why there is nothing (more) to say about the anchor; None while there is."""
        satisfied, expires = state.anchor.satisfied, state.anchor.expires
        if satisfied is not None and await self._holds(state, "satisfied", satisfied):
            return AnchorStatus.SATISFIED, "the agent did it unasked"
        if expires is not None and await self._holds(state, "expires", expiry(expires)):
            why = f"pointless now that {expires!r} is said" if isinstance(expires, str) else "it has become pointless"
            return AnchorStatus.EXPIRED, why
        return None

    async def _scan(self, *, yielded: bool, first: bool) -> tuple[list[Option], bool]:
        """Options, and whether an anchor was settled on the way because its words had been sent."""
        options: list[Option] = []
        for state in self._ordered if yielded else []:
            insist = state.anchor.insist
            if insist is None or not state.ignored or not state.watched(self._view.observation.turn):
                continue
            if self.already_sent(insist.message):
                state.insists = insist.max
                self._guards.append(f"already_sent: insist on {state.anchor.id}")
                continue
            options.append(Option(state.anchor, MessageKind.INSIST, insist.message))
            if first:
                return options, False
        for state in self._ordered:
            if state.status is not AnchorStatus.PENDING or not await self._may_be_said(state):
                continue
            message = await self._words(state)
            if self.already_sent(message):
                self._say(state, "the same words were sent before")
                self._guards.append(f"already_sent: {state.anchor.id}")
                return [], True
            options.append(Option(state.anchor, MessageKind.ANCHOR, message))
            if first:
                break
        return options, False

    async def _may_be_said(self, state: AnchorState) -> bool:
        if not all(self.settled(other) for other in state.anchor.after):
            return False
        condition = state.anchor.condition
        return condition is None or await self._holds(state, "condition", condition)

    async def _words(self, state: AnchorState) -> str:
        for number, variant in enumerate(state.anchor.variants):
            if await self._holds(state, "variant", variant.condition, number):
                return variant.message
        return state.anchor.message

    async def _holds(self, state: AnchorState, field: FactField, predicate: Predicate, number: int = 0) -> bool:
        anchor = state.anchor.id
        result = await evaluate(predicate, self._view, self, anchor=anchor, field=field)
        self._facts[anchor, field, number] = result.facts
        return result.value

    def _say(self, state: AnchorState, reason: str) -> None:
        state.said_turn = self._view.observation.turn
        self._leave_list(state, AnchorStatus.SAID, reason)

    def _leave_list(self, state: AnchorState, status: AnchorStatus, reason: str) -> None:
        state.status = status
        self._settlements.append(
            Settlement.model_validate({"anchor": state.anchor.id, "how": status.value, "reason": reason})
        )


def expiry(expires: Predicate | str) -> Predicate:
    """The ``expires`` of an anchor as a predicate: an id stands for that anchor's being said."""
    return Said(said=expires) if isinstance(expires, str) else expires


def predicates(anchor: Anchor) -> list[tuple[str, Predicate]]:
    """Every predicate of an anchor with its field, dotted."""
    found: list[tuple[str, Predicate]] = []
    if anchor.condition is not None:
        found.append(("condition", anchor.condition))
    if anchor.satisfied is not None:
        found.append(("satisfied", anchor.satisfied))
    if anchor.expires is not None:
        found.append(("expires", expiry(anchor.expires)))
    found.extend((f"variants.{number}.condition", variant.condition) for number, variant in enumerate(anchor.variants))
    return found


def _depends_on_others(anchor: Anchor) -> bool:
    looked_at = [p for p in (anchor.satisfied, anchor.expires and expiry(anchor.expires)) if p]
    return any(references(predicate) for predicate in looked_at)
