"""One question to a model whose answer has one form: asked again with the reason where it can't be used."""

import time
from collections.abc import Callable
from dataclasses import replace

from swe_together import defaults
from swe_together.errors import TaggerError
from swe_together.judge._conversation import ChatModel, Conversation
from swe_together.judge._settings import TaggerUnanswered
from swe_together.judge._tools import calls_of
from swe_together.providers import MIN_CALL_SEC, Completion, Form, Refused, cut, read_form, total
from swe_together.schema import Ledger, ModelQuestion, RefusedAnswer


class FailedQuestion(TaggerError):
    """A question that came to nothing. ``question``: what was answered, and what it cost."""

    def __init__(self, message: str, remedy: str, question: ModelQuestion) -> None:
        super().__init__(message, remedy)
        self.question = question


_DUTY = "You are asked to sort messages of a session, nothing else."


async def ask[F: Form, Accepted](
    model: ChatModel,
    question: Conversation,
    form: type[F],
    accept: Callable[[F], Accepted],
    clock: Callable[[], float] = time.monotonic,
) -> tuple[Accepted, ModelQuestion]:
    """Ask until the answer can be used, three times at most.

    Args:
        model: Who is asked.
        question: The question, with the one tool that answers it.
        form: Arguments of that tool.
        accept: Reads them; raises ``Refused`` where they can't be used.
        clock: Seconds, monotonic.

    Raises:
        FailedQuestion: No answer could be used, or none could be had.
    """
    began = clock()
    answers: list[Completion] = []
    refused: list[RefusedAnswer] = []
    unanswered: list[Completion] = []

    def record() -> ModelQuestion:
        return ModelQuestion(
            model=model.name,
            temperature=model.temperature,
            prompt_sha256=question.digest,
            answer=cut(answers[-1].raw, defaults.RAW_CHARS) if answers else "",
            refused=refused,
            faults=[fault for one in [*answers, *unanswered] for fault in one.faults],
            ledger=Ledger(requests=len(answers), usage=total(answers), seconds=clock() - began),
        )

    while len(refused) < defaults.MAX_ANSWERS:
        left = defaults.TAGGER_SEC - (clock() - began)
        if left < MIN_CALL_SEC:
            late = f"The time for {model.name!r} was over before it gave a usable answer."
            raise FailedQuestion(late, "Ask again.", record())
        notes = [f"Your answer could not be used. {cut(one.problem, 500)} Answer again." for one in refused]
        try:
            completion = await model.answer(replace(question, notes=notes), left)
        except TaggerUnanswered as failure:
            unanswered.append(failure.tries)
            raise FailedQuestion(failure.message, failure.remedy, record()) from failure
        answers.append(completion)
        try:
            calls = calls_of(completion, question.tools, _DUTY)
            if len(calls) != 1:
                raise Refused(f"It holds {len(calls)} calls; call {question.tools[0].name} exactly once.")
            accepted = accept(read_form(calls[0].arguments, form))
        except Refused as refusal:
            refused.append(RefusedAnswer(raw=cut(completion.raw, defaults.RAW_CHARS), problem=refusal.reason))
            continue
        return accepted, record()
    raise FailedQuestion(
        f"{model.name!r} gave no usable answer in {len(refused)} tries: {' '.join(one.problem for one in refused)}",
        "Take a model that follows the form, or ask again.",
        record(),
    )
