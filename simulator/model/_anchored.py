"""The policy ``anchored``: the model picks one of the machine's options or silence, and may fit the words lightly."""

from typing import ClassVar

from swe_together.providers import Completion, Refused, cut
from swe_together.schema import Decision, Observation
from swe_together.simulator._state import Option, same_words
from swe_together.simulator.guards import adaptation
from swe_together.simulator.model._answers import SILENCE, ChosenAnswer, parse
from swe_together.simulator.model._asking import Unusable
from swe_together.simulator.model._policy import ModelUser, unusable_error
from swe_together.simulator.model._prefix import Policy
from swe_together.simulator.model._requests import Request

_REASON_CHARS = 300


class AnchoredUser(ModelUser):
    """Chooses among the eligible options. With none of them, no model is asked."""

    name: ClassVar[Policy] = "anchored"
    _chosen: tuple[Option, str] | None = None

    def needs_model(self, options: list[Option]) -> bool:
        """Whether anything may be said."""
        self._chosen = None
        return bool(options)

    async def accept(
        self,
        completion: Completion,
        options: list[Option],
        observation: Observation,
        request: Request,
        *,
        yielded: bool,
    ) -> Decision:
        """The choice, and its words where they are a light adaptation of the authored ones."""
        answer = parse(completion, ChosenAnswer)
        if answer.choice == SILENCE:
            return self._conclude(options, None, None, answer.reason, yielded=yielded)
        option = next((one for one in options if one.anchor.id == answer.choice), None)
        if option is None:
            allowed = ", ".join([*(one.anchor.id for one in options), SILENCE])
            raise Refused(f"{cut(answer.choice, 64)!r} may not be said now; choose one of: {allowed}.")
        self._chosen = option, answer.reason
        words = (answer.words or "").strip()
        if not words or same_words(words) == same_words(option.message):
            return self._conclude(options, option, None, answer.reason, yielded=yielded)
        too_far = adaptation(words, option.message)
        if too_far is not None:
            self.machine.note(f"adaptation: {too_far}; said as authored")
            return self._conclude(options, option, None, answer.reason, yielded=yielded)
        await self.check(words, [option], observation, yielded=yielded)
        return self._conclude(options, option, words, answer.reason, yielded=yielded)

    def give_up(self, unusable: Unusable, options: list[Option], *, yielded: bool) -> Decision:
        """The authored words, where an option was chosen and only its words were caught."""
        if self._chosen is None:
            raise unusable_error(self.model.name, unusable)
        option, reason = self._chosen
        self.machine.note("authored_words")
        return self._conclude(options, option, None, reason, yielded=yielded)

    def _conclude(
        self, options: list[Option], option: Option | None, words: str | None, reason: str, *, yielded: bool
    ) -> Decision:
        decision = self.machine.conclude(options, option, yielded=yielded, words=words)
        return decision.model_copy(update={"reason": f"{decision.reason}; the model: {cut(reason, _REASON_CHARS)}"})
