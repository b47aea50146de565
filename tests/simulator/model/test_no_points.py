"""The policy ``llm`` where a session has no points: its analysis is all it knows, and what it says must rest on it."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from swe_together import defaults
from swe_together.errors import SimulatorError
from swe_together.schema import Action, Decision, EndReason, MessageKind, SimulatorScript, Tag
from swe_together.simulator.fake import FakeWorld
from swe_together.simulator.model import Background, FreeUser
from swe_together.simulator.model._answers import Ground, free_schema
from swe_together.simulator.model._prefix import _NO_POINTS
from swe_together.simulator.model.fake import ListedModel
from tests.simulator.cases import seen
from tests.simulator.model.users import SECRETS, SILENCE, requests, say

ANALYSIS = """\
### Turn 2
**Said**: "add warning logging there"
### Turn 3
**Said**: "commit it"
**Said**: "continue"
**Said**: "rows that belong to the same group are kept together"
"""
SCRIPT = SimulatorScript.model_validate(
    {
        "persona": {"description": "somebody", "on_question": "whatever you think is best"},
        "anchors": [],
        "budget": {"messages": 2},
    }
)


def user(*answers: dict[str, Any]) -> FreeUser:
    return FreeUser(SCRIPT, Background("log a warning", ANALYSIS, SECRETS), ListedModel(answers))


def decide(player: FreeUser, turn: int = 1, **values: Any) -> Decision:
    return asyncio.run(player.decide(seen(turn, **values), FakeWorld()))


def test_a_wish_of_the_session_is_said() -> None:
    player = user(say("add warning logging there", action="new_requirement", quote="add warning logging there"))
    decision = decide(player)
    assert (decision.message, decision.kind) == ("add warning logging there", MessageKind.FREE)
    assert (decision.action, decision.tags, decision.anchors) == (Action.NEW_REQUIREMENT, [Tag.REQUEST], [])
    assert "the session tells of 'add warning logging there'" in decision.reason


def test_a_fact_that_is_seen_is_a_ground_as_ever() -> None:
    player = user(say("3 tests failed there", action="redirect", quote="3 failed"))
    assert decide(player, reply="My run says 3 failed.").reason.startswith("points at '3 failed'")


@pytest.mark.parametrize(
    ("message", "quote", "why"),
    [
        ("add a cache as well please", None, "must quote a fact"),
        ("add a cache as well please", "add a cache", "doesn't stand under"),
        ("rename all of the files", "add warning logging there", "doesn't speak of what it quotes"),
        ("call _collect_groups and log it, commit it", "commit it", "a name that nobody in this session"),
    ],
)
def test_an_invented_wish_has_no_ground(message: str, quote: str | None, why: str) -> None:
    wrong = say(message, action="new_requirement", quote=quote)
    player = user(wrong, SILENCE)
    assert decide(player).end is EndReason.USER_LEFT
    assert player.last_call is not None
    assert why in player.last_call.refused[0].problem


def test_a_continue_of_the_session_may_be_said_and_no_other() -> None:
    assert decide(user(say("continue", action="redirect", quote="continue"))).message == "continue"
    player = user(say("go on", action="redirect", quote="commit it"), SILENCE)
    assert decide(player).message is None


def test_what_the_session_says_may_be_said_though_the_rubric_says_it_too() -> None:
    text = "rows that belong to the same group are kept together"
    assert decide(user(say(text, action="new_requirement", quote="same group"))).message == text


def test_silence_is_leaving_by_the_users_own_wish() -> None:
    decision = decide(user(SILENCE))
    assert (decision.end, decision.settled) == (EndReason.USER_LEFT, [])


def test_an_agent_that_asks_gets_the_one_sentence_that_no_session_holds() -> None:
    decision = decide(user(SILENCE, SILENCE, SILENCE), reply="Shall I go on?", agent_asks=True)
    assert (decision.message, decision.kind) == ("whatever you think is best", MessageKind.ON_QUESTION)


def test_messages_have_a_budget() -> None:
    texts = ["add warning logging there", "commit it", "commit it now"]
    player = user(*(say(text, action="redirect", quote=text.removesuffix(" now")) for text in texts), SILENCE)
    assert [decide(player, turn).message for turn in (1, 2)] == texts[:2]
    assert decide(player, 3).message is None


def test_noise_ends_the_session_typed() -> None:
    wrong = say("add a cache", action="new_requirement", quote="add a cache")
    with pytest.raises(SimulatorError, match="gave no usable answer"):
        decide(user(wrong, wrong, wrong))


def test_the_form_has_no_points_and_room_for_wishes_until_the_last_try() -> None:
    wrong = say("add a cache", action="new_requirement", quote="add a cache")
    player = user(wrong, wrong, SILENCE)
    decide(player)
    wide = free_schema([], wishes=True)
    assert [request.schema for request in requests(player)] == [wide, wide, free_schema([], Ground.NONE)]
    assert "new_requirement" in str(wide) and "points" not in str(wide)


def test_the_prompt_has_the_rules_that_the_docs_explain() -> None:
    player = user(SILENCE)
    decide(player)
    (request,) = requests(player)
    assert "# Your points" not in request.system and "points stand" not in request.user
    assert "# You may say now\nWhat the session holds for this moment." in request.user
    docs = (Path(__file__).parents[3] / "docs" / "simulator.md").read_text(encoding="utf-8")
    rules = re.findall(r"^- (.*)$", request.system.partition("# Rules\n")[2], re.MULTILINE)
    assert rules[: len(_NO_POINTS)] == list(_NO_POINTS)
    for rule in rules:
        assert rule in docs, rule
    assert f"{defaults.ANALYSIS_CHARS + defaults.POINTS_CHARS:,}" in docs


def test_a_long_analysis_has_the_room_of_the_points() -> None:
    long = FreeUser(SCRIPT, Background("log a warning", "words " * 9_000, SECRETS), ListedModel([SILENCE]))
    decide(long)
    (request,) = requests(long)
    room = defaults.ANALYSIS_CHARS + defaults.POINTS_CHARS
    assert room - 100 < len(request.system.partition("is about\n")[2].partition("\n\n# Your first")[0]) <= room
