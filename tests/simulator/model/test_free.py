"""The policy ``llm``: five actions, tied to anchors, to a question, or to a fact; what is refused, what is recorded."""

from typing import Any

import pytest

from swe_together.errors import SimulatorError
from swe_together.schema import Action, EndReason, MessageKind, Tag
from swe_together.simulator import DiffText
from swe_together.simulator.fake import FakeWorld
from swe_together.simulator.model._answers import Ground, free_schema
from tests.simulator.cases import NEVER, ON_QUESTION, insisting, script
from tests.simulator.model.users import SILENCE, decide, free, requests, say

A = {"id": "a", "message": "why do we need a cache here", "tags": ["question"]}
B = {"id": "b", "message": "semicolons should split too", "action": "new_requirement", "tags": ["request"]}
LATER = {"id": "later", "message": "also has to work for C:\\ paths, half the team is on windows", "condition": NEVER}


def test_an_anchor_in_words_of_its_own() -> None:
    user = free(script(A, B), say("please split at ; too", "b", action="question"))
    decision = decide(user)
    assert (decision.message, decision.kind, decision.anchors) == ("please split at ; too", MessageKind.ANCHOR, ["b"])
    assert (decision.action, decision.tags) == (Action.NEW_REQUIREMENT, [Tag.REQUEST]), "the anchor's own"
    assert [(one.anchor, one.how) for one in decision.settled] == [("b", "said")]


@pytest.mark.parametrize(("reply", "last"), [("Done.", Ground.NONE), ("Done. Shall I go on?", Ground.QUESTION)])
def test_whoever_misquotes_twice_may_not_a_third_time(reply: str, last: Ground) -> None:
    misquoted = say("your own run says 3 failed", action="redirect", quote="3 failed")
    user = free(script(A, B), misquoted, misquoted, SILENCE)
    decide(user, reply=reply, agent_asks=reply.endswith("?"))
    assert [request.schema for request in requests(user)] == [
        free_schema(["a", "b"]), free_schema(["a", "b"]), free_schema(["a", "b"], last)
    ]  # fmt: skip


def test_points_bring_their_own_action() -> None:
    asked_for = {"reason": "now", "decision": {"points": ["b"], "message": "please split at ; too"}}
    decision = decide(free(script(A, B), asked_for))
    assert (decision.message, decision.action) == ("please split at ; too", Action.NEW_REQUIREMENT)


def test_two_anchors_in_one_message() -> None:
    user = free(
        script(A, B, {"id": "c", "after": ["a", "b"]}), say("why a cache? and split at ; too", "b", "a"), SILENCE
    )
    decision = decide(user)
    assert decision.anchors == ["b", "a"]
    assert {one.anchor: one.how for one in decision.settled} == {"a": "said", "b": "said"}
    assert decision.tags == [Tag.REQUEST, Tag.QUESTION]
    assert user.machine.sent[-1].anchors == ("b", "a")
    assert decide(user, 2).anchors == ["c"], "what waited for both may be said now"


def test_order_holds_inside_one_message_too() -> None:
    spec = script(A, B | {"after": ["a"]})
    user = free(
        spec, say("why a cache? and semicolons should split too", "a", "b"), say("why is there a cache at all", "a")
    )
    assert decide(user).anchors == ["a"]
    assert user.last_call is not None
    assert user.last_call.refused[0].problem == "'b' may not be said now. Points that may: a."
    assert [request.schema for request in requests(user)] == [free_schema(["a", "b"]), free_schema(["a"])]


def test_silence_is_leaving_where_nothing_may_be_said() -> None:
    decision = decide(free(script(LATER), SILENCE))
    assert decision.end is EndReason.USER_LEFT
    assert decision.settled[0].how == "dismissed"


def test_required_anchors_override_a_wish_to_leave() -> None:
    decision = decide(free(script(A, B | {"required": True}), SILENCE))
    assert (decision.anchors, decision.message, decision.guards) == (["b"], B["message"], ["required: b"])


def test_an_owed_insist_comes_before_a_new_anchor() -> None:
    user = free(script(insisting(), A | {"id": "c"}), say("first this, please", "a"), say("why is there a cache?", "c"))
    decide(user)
    decision = decide(user, 2)
    assert (decision.message, decision.kind, decision.guards) == ("still not", MessageKind.INSIST, ["insist_first: a"])


def test_an_answer_to_the_agents_question() -> None:
    user = free(script(LATER), say("no, leave it", action="redirect"))
    decision = decide(user, reply="Shall I rename it?", agent_asks=True)
    assert (decision.kind, decision.message, decision.anchors) == (MessageKind.FREE, "no, leave it", [])
    assert decision.tags == [Tag.WORKFLOW]
    assert decision.reason == "answers the agent; the model: because"


def test_a_question_may_be_answered_although_an_anchor_could_be_said() -> None:
    user = free(script(A | {"required": True}), say("no, leave it", action="redirect"), say("why a cache?", "a"))
    decision = decide(user, reply="Shall I rename it?", agent_asks=True)
    assert (decision.kind, decision.guards, decision.settled) == (MessageKind.FREE, [], [])
    assert decide(user, 2).anchors == ["a"]


FACT: dict[str, Any] = {
    "commands": [{"command": "pytest -q", "output": "1 failed, 12 passed", "exit": 1}], "commands_total": 1
}  # fmt: skip


def test_a_fact_that_can_be_seen() -> None:
    user = free(script(LATER), say("1 failed in your own run, no?", quote="1 failed, 12  passed", action="redirect"))
    decision = decide(user, **FACT)
    assert (decision.kind, decision.tags) == (MessageKind.FREE, [Tag.CORRECTION])
    assert decision.reason.startswith("points at '1 failed, 12 passed'")


GROUNDLESS = [
    (say("add type hints please", action="new_requirement"), "must be one of the points"),
    (say("what about the docs?"), "must quote a fact"),
    (say("2 failed in your run", quote="2 failed"), "doesn't stand under"),
    (say("nice weather today", quote="1 failed, 12 passed"), "doesn't speak of what it quotes"),
    (say("your rules say points", quote="You are the user, never the agent"), "doesn't stand under"),
    (say("is that a point", quote="later"), "doesn't stand under"),
    (say("what about it?", "nothing"), "'nothing' may not be said now"),
    (say("half the team is on windows", "later"), "'later' may not be said now"),
]


@pytest.mark.parametrize(("answer", "reason"), GROUNDLESS)
def test_without_a_ground_it_is_asked_again_and_then_an_error(answer: dict[str, Any], reason: str) -> None:
    user = free(script(LATER), answer, SILENCE)
    assert decide(user, **FACT).end is EndReason.USER_LEFT
    assert user.last_call is not None
    assert reason in user.last_call.refused[0].problem
    with pytest.raises(SimulatorError, match="no usable answer in 3 tries"):
        decide(free(script(LATER), answer, answer, answer), **FACT)


CAUGHT = [
    ("role_inversion", say("I've updated the parser, shall I go on?", "a"), {}),
    ("reasoning_leak", say("<think>they forgot</think> why a cache", "a"), {}),
    ("meta", say("now the anchor about the cache: the next anchor", "a"), {}),
    ("leak", say("why a cache, call _collect_groups instead", "a"), {}),
    ("leak", say("why a cache? longest-of-none fails too", "a"), {}),
    ("leak", say("rows that belong to the same group are kept together", "a"), {}),
    ("early_reveal", say("why a cache? and half the team is on windows", "a"), {}),
    ("early_reveal", say("why a cache? semicolons should split too", "a"), {}),
    ("repetition", say("split() keeps the blanks around words, I want clean words only", "a"), {}),
    ("language", say("warum brauchen wir hier eigentlich einen Cache, das war doch schnell", "a"), {}),
    ("invented_continue", say("please continue", "a"), {}),
    ("language", say("なぜキャッシュが必要なのですか", "a"), {}),
]


@pytest.mark.parametrize(("guard", "answer", "values"), CAUGHT)
def test_guards_ask_again_and_then_end_the_session(guard: str, answer: dict[str, Any], values: dict[str, Any]) -> None:
    spec = script(A, B, LATER)
    user = free(spec, answer, say("why is there a cache?", "a"))
    decision = decide(user, **values)
    assert decision.message == "why is there a cache?"
    assert decision.guards[0].startswith(f"{guard}: ")
    assert requests(user)[1].notes
    with pytest.raises(SimulatorError, match="no usable answer"):
        decide(free(spec, answer, answer, answer), **values)


def test_leaving_an_agent_that_asks_is_asked_again() -> None:
    user = free(script(LATER), SILENCE, say("leave it as it is", action="redirect"))
    decision = decide(user, reply="Shall I rename it?", agent_asks=True)
    assert decision.message == "leave it as it is"
    assert decision.guards[0].startswith("early_end: ")


def test_a_model_that_insists_on_leaving_gives_the_personas_reply() -> None:
    decision = decide(free(script(LATER), SILENCE, SILENCE, SILENCE), reply="Shall I?", agent_asks=True)
    assert (decision.message, decision.kind) == (ON_QUESTION, MessageKind.ON_QUESTION)
    assert decision.guards[0].startswith("early_end: ")


def test_messages_that_required_anchors_need_are_not_spent_on_other_things() -> None:
    spec = script(LATER | {"required": True}, messages=1)
    user = free(spec, say("no, leave it", action="redirect"), *[SILENCE] * 2)
    decide(user, reply="Shall I?", agent_asks=True)
    assert user.last_call is not None
    assert "needed for points" in user.last_call.refused[0].problem


def test_nothing_is_said_outside_the_anchors_while_the_agent_works_on() -> None:
    user = free(script(LATER), say("what is that", quote="1 failed, 12 passed"), SILENCE)
    assert decide(user, yielded=False, **FACT).message is None
    assert user.last_call is not None
    assert "The agent works on" in user.last_call.refused[0].problem


def test_names_that_the_repository_shows_are_no_secrets() -> None:
    world = FakeWorld(files={"pkg.py": "def _collect_groups(rows): ..."})
    decision = decide(free(script(A), say("why a cache in _collect_groups?", "a")), 1, world)
    assert decision.guards == []
    world = FakeWorld(diff=DiffText("+    _collect_groups(rows)"))
    assert decide(free(script(A), say("why a cache in _collect_groups?", "a")), 1, world).guards == []
    shown = decide(free(script(A), say("why a cache in _collect_groups?", "a")), reply="See _collect_groups.")
    assert shown.guards == []


def test_what_was_said_outside_the_anchors_is_never_said_again() -> None:
    user = free(
        script(LATER), say("no, leave it alone then", action="redirect"), *[say("No, leave it alone then!")] * 3
    )
    decide(user, reply="Shall I?", agent_asks=True)
    with pytest.raises(SimulatorError, match="said that already"):
        decide(user, 2, reply="Really?", agent_asks=True)
