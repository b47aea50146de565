"""One question to a model about a recorded session: asked again with the reason where the answer can't be used."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from swe_together import defaults
from swe_together.errors import TogetherError
from swe_together.judge import ChatModel, Conversation, ModelChoice, ProviderChat
from swe_together.judge._tools import calls_of
from swe_together.providers import MIN_CALL_SEC, Completion, Form, Refused, Role, cut, read_form, total
from swe_together.schema import Ledger

_DUTY: Final = "You are asked to describe a recorded session, nothing else."


class NoAnswer(TogetherError):
    """A model gave no answer that can be used. ``tries``: what is known of the requests that failed."""

    def __init__(self, message: str, remedy: str, tries: Completion | None = None) -> None:
        super().__init__(message, remedy)
        self.tries = tries


READER: Final = Role(
    "reader", "question", NoAnswer, "Look at the provider's status and limits, then ask again.", "--api-key-env NAME"
)


@dataclass(frozen=True)
class Answered[Accepted]:
    """An answer, what it was given to, and what it cost."""

    value: Accepted
    model: str
    prompt_sha256: str
    ledger: Ledger


def reading_model(choice: ModelChoice) -> ChatModel:
    """The client of a model that reads sessions.

    Raises:
        MisuseError: The host variable with its key isn't set.
    """
    return ProviderChat(choice.provider, READER)


async def ask[F: Form, Accepted](
    model: ChatModel,
    question: Conversation,
    form: type[F],
    accept: Callable[[F], Accepted],
    clock: Callable[[], float] = time.monotonic,
) -> Answered[Accepted]:
    """Ask until the answer can be used, three times at most.

    Args:
        model: Who is asked.
        question: The question, with the one tool that answers it.
        form: Arguments of that tool.
        accept: Reads them; raises ``Refused`` where they can't be used.
        clock: Seconds, monotonic.

    Raises:
        NoAnswer: No answer could be used, or none could be had.
    """
    began = clock()
    answers: list[Completion] = []
    refused: list[str] = []
    while len(refused) < defaults.MAX_ANSWERS:
        left = defaults.TAGGER_SEC - (clock() - began)
        if left < MIN_CALL_SEC:
            raise NoAnswer(f"The time for {model.name!r} was over before it gave a usable answer.", "Ask again.")
        notes = [f"Your answer could not be used. {cut(problem, 500)} Answer again." for problem in refused]
        completion = await model.answer(replace(question, notes=notes), left)
        answers.append(completion)
        try:
            calls = calls_of(completion, question.tools, _DUTY)
            if len(calls) != 1:
                raise Refused(f"It holds {len(calls)} calls; call {question.tools[0].name} exactly once.")
            accepted = accept(read_form(calls[0].arguments, form))
        except Refused as refusal:
            refused.append(refusal.reason)
            continue
        ledger = Ledger(requests=len(answers), usage=total(answers), seconds=clock() - began)
        return Answered(accepted, model.name, question.digest, ledger)
    raise NoAnswer(
        f"{model.name!r} gave no usable answer in {len(refused)} tries: {' '.join(refused)}",
        "Take a model that follows the form, or ask again.",
    )
