"""A question that comes to nothing has cost something: what was answered and spent goes with the error."""

import pytest

from swe_together.judge import ChatModel, Conversation, FailedQuestion, tag_messages
from swe_together.judge._settings import TaggerUnanswered
from swe_together.judge.fake import ListedChat
from swe_together.providers import Completion
from tests.judge.cases import dialogue

FREE = dialogue({"message": "do it"}, {"message": "it fails", "kind": "free"})
PRICED = Completion(content="no idea", input_tokens=100, cached_tokens=0, output_tokens=5, cost_usd=0.25)


async def failure(model: ChatModel) -> FailedQuestion:
    with pytest.raises(FailedQuestion) as raised:
        await tag_messages(FREE, model)
    return raised.value


async def test_three_unusable_answers() -> None:
    question = (await failure(ListedChat([PRICED] * 3))).question
    assert question.ledger.requests == len(question.refused) == 3
    assert (question.ledger.usage.input_tokens, question.ledger.usage.cost_usd) == (300, 0.75)
    assert "no idea" in question.answer


class Gone(ListedChat):
    """Answers once, then its provider is gone."""

    async def answer(self, conversation: Conversation, seconds: float) -> Completion:
        if self.asked:
            raise TaggerUnanswered("gone", "Wait.", Completion(faults=("503", "503")))
        return await super().answer(conversation, seconds)


async def test_a_provider_that_goes_away() -> None:
    error = await failure(Gone([PRICED]))
    assert (error.message, error.remedy) == ("gone", "Wait.")
    assert error.question.faults == ["503", "503"]
    assert (error.question.ledger.requests, error.question.ledger.usage.cost_usd) == (1, 0.25)


async def test_a_provider_that_never_answers_leaves_the_price_unknown() -> None:
    model = Gone([])
    model.asked.append(Conversation("", "", ()))
    question = (await failure(model)).question
    assert (question.answer, question.ledger.requests, question.ledger.usage.cost_usd) == ("", 0, None)
