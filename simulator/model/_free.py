"""The policy ``llm``: free words and five actions, tied to the anchors, to a question, or to a fact."""

from typing import ClassVar, Final

from swe_together.providers import Completion, Refused, cut
from swe_together.schema import Action, Decision, Observation, Tag
from swe_together.simulator._state import Option
from swe_together.simulator.guards import early_end
from swe_together.simulator.model._answers import FreeAnswer, parse
from swe_together.simulator.model._asking import Unusable
from swe_together.simulator.model._grounds import seen_part, ungrounded
from swe_together.simulator.model._machine import FreeMessage
from swe_together.simulator.model._policy import ModelUser, unusable_error
from swe_together.simulator.model._prefix import Policy
from swe_together.simulator.model._requests import Request

_REASON_CHARS = 300
_TAGS: Final = {
    Action.QUESTION: [Tag.QUESTION],
    Action.REDIRECT: [Tag.CORRECTION],
    Action.CHECK_EXTERNAL: [Tag.VERIFICATION],
    Action.NEW_REQUIREMENT: [Tag.REQUEST],
}


class FreeUser(ModelUser):
    """The paper's user: default silence, conditioned on the turn, its own past and the session analysis.

    Where the session has no anchors, the analysis is a ground too: what it tells of may be said, wishes included.
    """

    name: ClassVar[Policy] = "llm"

    def needs_model(self, options: list[Option]) -> bool:
        """Always: there may be a question to answer, or a fact to point at."""
        return True

    async def accept(
        self,
        completion: Completion,
        options: list[Option],
        observation: Observation,
        request: Request,
        *,
        yielded: bool,
    ) -> Decision:
        """Silence, one or more anchors in words of its own, or something outside them that has a ground."""
        answer = parse(completion, FreeAnswer)
        if answer.message is None:
            return self._silence(answer, options, observation, yielded=yielded)
        words = answer.message.strip()
        if not answer.points:
            message = self._grounded(answer, words, observation, request, yielded=yielded)
            also = [self._script.persona.on_question] if answer.quote is None else self._told(answer.quote)
            await self.check(words, [], observation, yielded=yielded, also=also)
            return self.machine.speak_freely(options, message)
        by_id = {option.anchor.id: option for option in options}
        wrong = [point for point in answer.points if point not in by_id]
        if wrong:
            allowed = ", ".join(by_id) or "none"
            raise Refused(f"{cut(wrong[0], 64)!r} may not be said now. Points that may: {allowed}.")
        chosen = [by_id[point] for point in answer.points]
        await self.check(words, chosen, observation, yielded=yielded)
        return self._explained(self.machine.express(options, chosen, words, yielded=yielded), answer)

    def give_up(self, unusable: Unusable, options: list[Option], *, yielded: bool) -> Decision:
        """Where the model insists on leaving an agent that asks, the persona's own reply to questions is given."""
        if unusable.refusals[-1].guard != "early_end":
            raise unusable_error(self.model.name, unusable)
        return self.machine.conclude(options, None, yielded=yielded)

    def _silence(
        self, answer: FreeAnswer, options: list[Option], observation: Observation, *, yielded: bool
    ) -> Decision:
        if not options:
            ending = early_end(None, self.scene([], observation, yielded=yielded))
            if ending is not None:
                raise Refused(ending, "early_end")
        return self._explained(self.machine.conclude(options, None, yielded=yielded), answer)

    def _grounded(
        self, answer: FreeAnswer, words: str, observation: Observation, request: Request, *, yielded: bool
    ) -> FreeMessage:
        """The message outside the anchors, if it answers a question or points at a fact that can be seen."""
        if not yielded:
            raise Refused("The agent works on: without points there is nothing to say.")
        if answer.action is None or (answer.action is Action.NEW_REQUIREMENT and self._script.anchors):
            raise Refused("A new requirement must be one of the points.")
        if self.machine.spare_messages() <= 0:
            raise Refused("All messages that are left are needed for points.")
        reason = cut(answer.reason, _REASON_CHARS)
        if answer.quote is None or not answer.quote.strip():
            if not observation.agent_asks:
                raise Refused("The agent asks nothing: without points, a message must quote a fact in `quote`.")
            return FreeMessage(words, answer.action, [Tag.WORKFLOW], f"answers the agent; the model: {reason}")
        quote = " ".join(answer.quote.split())
        told = bool(self._told(quote))
        problem = ungrounded(words, quote, self._background.analysis if told else seen_part(request))
        if problem is not None:
            raise Refused(problem)
        ground = f"{'the session tells of' if told else 'points at'} {quote!r}"
        return FreeMessage(words, answer.action, _TAGS[answer.action], f"{ground}; the model: {reason}")

    def _told(self, quote: str) -> list[str]:
        """The quotation, where it is the session's own and may be said."""
        told = not self._script.anchors and " ".join(quote.split()) in " ".join(self._background.analysis.split())
        return [quote] if told else []

    def _explained(self, decision: Decision, answer: FreeAnswer) -> Decision:
        return decision.model_copy(
            update={"reason": f"{decision.reason}; the model: {cut(answer.reason, _REASON_CHARS)}"}
        )
