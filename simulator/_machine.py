"""Second half of a user's turn: the one message, or silence, and the end of the session."""

from swe_together import defaults
from swe_together.errors import SimulatorError
from swe_together.schema import Action, Decision, EndReason, MessageKind, Settlement, SimulatorScript, Tag
from swe_together.simulator._settling import SettlingMachine
from swe_together.simulator._state import AnchorState, AnchorStatus, Option, Sent, same_words


class SessionMachine(SettlingMachine):
    """The state machine of one session, the same for every policy.

    A policy's turn is ``settle``, ``eligible``, then ``conclude`` with its choice among the options. The machine
    holds the rules: order, one message a turn, no words twice, budgets, when the user may leave.

    Args:
        script: Anchors, persona and budget. Cycles are harmless here (such anchors are never eligible);
            ``validate_script`` finds them.

    Attributes:
        sent: Messages sent so far.
        end: Why the session ended, None while it goes on.

    Raises:
        SimulatorError: Two anchors share an id, or one names an id that isn't there.
    """

    def __init__(self, script: SimulatorScript) -> None:
        super().__init__(script)
        self.end: EndReason | None = None

    @property
    def statuses(self) -> dict[str, AnchorStatus]:
        """Where each anchor stands, by id, in the order of the script."""
        return {anchor: state.status for anchor, state in self._states.items()}

    def conclude(
        self, options: list[Option], choice: Option | None, *, yielded: bool = True, words: str | None = None
    ) -> Decision:
        """End the user's turn: apply the rules to a policy's choice, and record what follows from it.

        Silence towards an agent that has yielded is leaving. With an option left the machine speaks instead, required
        anchors first. An agent that asked gets the persona's reply to questions where no anchor answers it.

        Args:
            options: What ``eligible`` gave in this turn; the first alone is enough if it is the choice.
            choice: One of the options, or None to be silent.
            yielded: Whether the agent waits.
            words: A policy's own wording of the choice, in place of the authored one.

        Raises:
            SimulatorError: The choice is none of the options, or its words were sent before, or the session is over.
        """
        if self.end is not None:
            raise SimulatorError(f"The session is over already ({self.end.value}).")
        if choice is not None and choice not in options:
            raise SimulatorError(f"The user chose {choice.anchor.id!r}, which is not eligible.")
        for state in self._ordered:
            if state.watched(self._view.observation.turn) and not state.ignored:
                state.closed = True
        picked = self._override(options, choice, yielded=yielded)
        words = words if picked is choice else None
        reply = picked is None and yielded and self._owes_reply()
        wants_to_speak = picked is not None or reply
        if self._view.observation.elapsed_sec >= self.script.budget.session_sec and (wants_to_speak or not yielded):
            return self._leave(EndReason.TIME_BUDGET, "the session's time is up")
        if wants_to_speak and len(self.sent) >= self.script.message_budget:
            if yielded:
                return self._leave(EndReason.MESSAGE_BUDGET, "all messages of the budget are sent")
            self._guards.append("message_budget")
            return self._decision(Action.NO_OP, "all messages of the budget are sent, and the agent works on")
        if picked is not None:
            return self._speak(picked, words)
        if reply:
            return self._reply()
        if not yielded:
            return self._decision(Action.NO_OP, "nothing to say while the agent works on")
        if any(state.status is AnchorStatus.PENDING for state in self._ordered):
            return self._leave(EndReason.USER_LEFT, "nothing that is pending is eligible")
        return self._leave(EndReason.ANCHORS_EXHAUSTED, "nothing is pending")

    def dismiss(self, reason: str) -> list[Settlement]:
        """Close the list when somebody else ends the session (a fault, a deadline): what is pending is dismissed.

        Args:
            reason: Recorded with each of them.

        Returns:
            The dismissed anchors, in the order of the session; empty if there are none.
        """
        dismissed = [state for state in self._ordered if state.status is AnchorStatus.PENDING]
        for state in dismissed:
            state.status = AnchorStatus.DISMISSED
        return [Settlement(anchor=state.anchor.id, how="dismissed", reason=reason) for state in dismissed]

    def _override(self, options: list[Option], choice: Option | None, *, yielded: bool) -> Option | None:
        insists = [option for option in options if option.kind is MessageKind.INSIST]
        if choice is not None:
            if insists and choice.kind is not MessageKind.INSIST:
                self._guards.append(f"insist_first: {insists[0].anchor.id}")
                return insists[0]
            return choice
        if not yielded or not options:
            return None
        required = [option for option in options if option.anchor.required]
        chosen = (insists or required or options)[0]
        self._guards.append(f"{'required' if chosen.anchor.required else 'eligible_pending'}: {chosen.anchor.id}")
        return chosen

    def _owes_reply(self) -> bool:
        if not self._view.observation.agent_asks:
            return False
        replies = sum(message.kind is MessageKind.ON_QUESTION for message in self.sent)
        if replies >= defaults.MAX_ON_QUESTION:
            self._guards.append("max_on_question")
            return False
        text = self.script.persona.on_question
        others = [message for message in self.sent[:-1] if message.kind is not MessageKind.ON_QUESTION]
        if any(same_words(message.text) == same_words(text) for message in [*others, *self.sent[-1:]]):
            self._guards.append("already_sent: on_question")
            return False
        return True

    def _speak(self, option: Option, words: str | None) -> Decision:
        message = option.message if words is None else words
        if not message.strip():
            raise SimulatorError("The user chose to speak and said nothing.")
        if self.already_sent(message):
            raise SimulatorError(f"The user was about to repeat {message!r}.")
        state = self._states[option.anchor.id]
        if option.kind is MessageKind.INSIST:
            state.insists += 1
            reason = f"{option.anchor.id} was said after turn {state.said_turn} and is still not satisfied"
        else:
            self._say(state, "eligible, and its turn had come")
            reason = f"{option.anchor.id} is eligible"
        self._send(message, option.kind, option.anchor.id)
        return self._decision(
            option.action, reason, message=message, kind=option.kind, anchors=[option.anchor.id], tags=option.tags
        )

    def _reply(self) -> Decision:
        text = self.script.persona.on_question
        self._send(text, MessageKind.ON_QUESTION)
        return self._decision(
            Action.REDIRECT,
            "the agent asks, and no anchor answers it",
            message=text,
            kind=MessageKind.ON_QUESTION,
            tags=[Tag.WORKFLOW],
        )

    def _send(self, text: str, kind: MessageKind, *anchors: str) -> None:
        self.sent.append(Sent(self._view.observation.turn, text, kind, anchors))

    def _leave(self, end: EndReason, reason: str) -> Decision:
        for state in self._ordered:
            if state.status is AnchorStatus.PENDING:
                self._leave_list(state, AnchorStatus.DISMISSED, f"{reason}: {self._obstacle(state)}")
        self.end = end
        return self._decision(Action.NO_OP, reason, end=end)

    def _obstacle(self, state: AnchorState) -> str:
        waits = [other for other in state.anchor.after if not self.settled(other)]
        if waits:
            return f"it waits for {', '.join(waits)}"
        facts = self._facts.get((state.anchor.id, "condition", 0))
        if facts and not facts[-1].value:
            return "its condition does not hold"
        return "it was not reached"

    def _decision(
        self,
        action: Action,
        reason: str,
        *,
        message: str | None = None,
        kind: MessageKind | None = None,
        anchors: list[str] | None = None,
        tags: list[Tag] | None = None,
        end: EndReason | None = None,
    ) -> Decision:
        return Decision(
            action=action,
            message=message,
            kind=kind,
            anchors=anchors or [],
            tags=tags or [],
            end=end,
            reason=reason,
            settled=self.settlements,
            facts=self.facts,
            guards=list(self._guards),
        )
