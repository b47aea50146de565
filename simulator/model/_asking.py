"""Asking a model until its answer can be used, or until it has had its chances."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from swe_together.defaults import MAX_ANSWERS, MIN_CALL_SEC, NOTES_CHARS, RAW_CHARS
from swe_together.errors import SimulatorError
from swe_together.providers import Completion, Refused, cut
from swe_together.schema import ModelCall, OfferedOption, RefusedAnswer
from swe_together.simulator._state import Option
from swe_together.simulator.model._requests import Model, NoAnswer, Request


class Unusable(Exception):
    """No answer of the turn could be used.

    Args:
        refusals: Why, one for each answer.
        raw: The last answer.
    """

    def __init__(self, refusals: Sequence[Refused], raw: str) -> None:
        self.refusals = list(refusals)
        self.raw = raw
        super().__init__("; ".join(refusal.reason for refusal in refusals))


@dataclass
class Exchange:
    """All requests and answers of one turn.

    Attributes:
        request: The first request, without notes.
        options: What could be said.
        session_sec: The session's budget.
        completions: The answers.
        refused: Those of them that could not be used.
        unanswered: The requests at the end that got no answer.
    """

    request: Request
    options: Sequence[Option]
    session_sec: float
    completions: list[Completion] = field(default_factory=list)
    unanswered: Completion | None = None
    refused: list[RefusedAnswer] = field(default_factory=list)

    async def ask[Accepted](
        self,
        model: Model,
        accept: Callable[[Completion], Awaitable[Accepted]],
        seconds_left: Callable[[], float],
        note: Callable[[str], None],
    ) -> Accepted:
        """Ask, again with the reason where an answer is refused.

        Args:
            model: Who is asked.
            accept: Reads an answer; raises ``Refused`` where it can't be used.
            seconds_left: Of the session.
            note: Told of every guard that fires.

        Raises:
            Unusable: No answer could be used.
            SimulatorError: The provider failed, or the time is up.
        """
        refusals: list[Refused] = []
        while len(refusals) < MAX_ANSWERS:
            if refusals and seconds_left() < MIN_CALL_SEC:
                raise SimulatorError(f"The session's time ended before {model.name!r} gave a usable answer.")
            notes = [cut(refusal.reason, NOTES_CHARS // MAX_ANSWERS) for refusal in refusals]
            try:
                completion = await model.complete(self.request.again(notes), max(seconds_left(), MIN_CALL_SEC))
            except NoAnswer as failure:
                self.unanswered = failure.tries
                raise
            self.completions.append(completion)
            try:
                return await accept(completion)
            except Refused as refusal:
                refusals.append(refusal)
                raw = cut(completion.raw, RAW_CHARS)
                self.refused.append(RefusedAnswer(raw=raw, problem=refusal.reason, guard=refusal.guard))
                if refusal.guard is not None:
                    note(f"{refusal.guard}: {cut(refusal.reason, 200)}")
        raise Unusable(refusals, self.completions[-1].raw)

    def record(self, model: Model, seconds: float) -> ModelCall:
        """The turn's call for the record; what any of its requests left unknown is unknown."""
        answer = self.completions[-1] if self.completions else Completion()
        last = self.unanswered or answer
        tries = [*self.completions, *([self.unanswered] if self.unanswered is not None else [])]
        faults = [fault for completion in tries for fault in completion.faults]
        costs = [completion.cost_usd for completion in self.completions]
        return ModelCall(
            model=model.name,
            prompt_sha256=self.request.digest,
            prompt_chars=self.request.chars,
            temperature=model.temperature,
            structure=last.structure,
            input_tokens=_sum([completion.input_tokens for completion in self.completions]),
            cached_tokens=_sum([completion.cached_tokens for completion in self.completions]),
            output_tokens=_sum([completion.output_tokens for completion in self.completions]),
            cost_usd=_sum(costs),
            seconds=seconds,
            retries=max(0, len(self.completions) + len(faults) - 1),
            raw=cut(answer.raw, RAW_CHARS) if self.completions else "",
            faults=faults,
            dropped=list(last.dropped),
            refused=self.refused,
            options=[
                OfferedOption(anchor=option.anchor.id, kind=option.kind, message=option.message)
                for option in self.options
            ],
            session_sec=self.session_sec,
        )


def _sum[Number: (int, float)](counts: Sequence[Number | None]) -> Number | None:
    """The sum; unknown where one of them is, and where there is none."""
    known = [count for count in counts if count is not None]
    return sum(known) if known and len(known) == len(counts) else None
