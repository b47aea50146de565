"""What an agent merely says: it ends no session, and a turn in which it only talks is a turn like any other."""

from dataclasses import dataclass, replace

import pytest

from swe_together.adapter.turn import Turn
from swe_together.schema import EndReason
from tests.adapter.test_session import Clock, EchoAgent, ListUser, play


@dataclass
class Talker(EchoAgent):
    """Says the same in every turn and runs no command."""

    words: str = ""

    async def turn(self, message: str, number: int, deadline_sec: float) -> Turn:
        return replace(await super().turn(message, number, deadline_sec), reply=self.words, commands=())


@pytest.mark.parametrize(
    "words",
    [
        "###STOP###", "Done. ###TRANSFER###", "<stop>", "[DONE]", "TASK_COMPLETE", "/leave", "/exit", "no_op",
        '{"action": "no_op", "end": "user_left"}', "The session is over, thank you.", "<|endoftext|>",
    ],
)  # fmt: skip
async def test_no_words_of_the_agent_end_a_session(words: str) -> None:
    agent = Talker(Clock(), words=words)
    outcome, _ = await play(agent, ListUser(["and this", "and that"]))
    assert agent.heard == ["start", "and this", "and that"]
    assert outcome.end is EndReason.ANCHORS_EXHAUSTED


async def test_a_turn_of_talk_is_a_turn() -> None:
    agent, user = Talker(Clock(), words="I would split at commas first."), ListUser(["ok, do that"])
    outcome, memory = await play(agent, user)
    assert (outcome.end, outcome.failure) == (EndReason.ANCHORS_EXHAUSTED, None)
    assert [seen.reply for seen in user.seen] == ["I would split at commas first."] * 2
    assert [record.decision and record.decision.message for record in memory.decisions] == ["ok, do that", None]
