"""The rules of settling, of what is eligible, of insisting and of leaving, one by one."""

import asyncio
from typing import Any

import pytest

from swe_together.schema import Action, EndReason, MessageKind, Tag
from swe_together.simulator import ScriptedUser
from swe_together.simulator.fake import FakeWorld
from tests.simulator.cases import NEVER, ON_QUESTION, idle, insisting, left, play, reasons, run, said, script, seen

A, B, C = {"id": "a"}, {"id": "b"}, {"id": "c"}
DONE, OPEN = {"done": ""}, dict[str, str]()


def turns(*files: dict[str, str], **values: Any) -> list[tuple[Any, FakeWorld]]:
    return [(seen(turn, **values), FakeWorld(files=there)) for turn, there in enumerate(files, start=1)]


# --- 1 settle ----------------------------------------------------------------------------------------


def test_what_the_agent_did_unasked_is_settled_without_a_word() -> None:
    decisions = run(A | {"satisfied": {"turn": {"min": 1}}}, B)
    assert said(decisions) == ["words of b"]
    assert left(decisions) == {"a": "satisfied", "b": "said"}
    assert reasons(decisions)["a"] == "the agent did it unasked"


def test_what_has_become_pointless_is_settled_without_a_word() -> None:
    decisions = run(A | {"condition": NEVER, "expires": {"turn": {"min": 2}}}, B)
    assert said(decisions) == ["words of b"]
    assert left(decisions) == {"a": "expired", "b": "said"}


def test_satisfied_counts_before_expired() -> None:
    assert left(run(A | {"satisfied": {"turn": {"min": 1}}, "expires": {"turn": {"min": 1}}})) == {"a": "satisfied"}


def test_an_anchor_expires_once_the_one_it_names_is_said() -> None:
    decisions = run(A, B | {"expires": "a"})
    assert said(decisions) == ["words of a"]
    assert left(decisions) == {"a": "said", "b": "expired"}
    assert reasons(decisions)["b"] == "pointless now that 'a' is said"
    assert decisions[-1].end is EndReason.ANCHORS_EXHAUSTED


def test_an_anchor_does_not_expire_when_the_one_it_names_is_merely_satisfied() -> None:
    assert said(run(A | {"satisfied": {"turn": {"min": 1}}}, B | {"expires": "a"})) == ["words of b"]


def test_of_two_that_make_each_other_pointless_one_is_said() -> None:
    decisions = run(A | {"expires": "b"}, B | {"expires": "a"})
    assert said(decisions) == ["words of a"]
    assert left(decisions) == {"a": "said", "b": "expired"}


def test_settling_goes_on_until_nothing_changes() -> None:
    decisions = run(
        A | {"expires": {"settled": "b"}}, B | {"expires": {"settled": "c"}}, C | {"satisfied": {"turn": {"min": 1}}}
    )
    assert left(decisions[:1]) == {"a": "expired", "b": "expired", "c": "satisfied"}
    assert [settlement.anchor for settlement in decisions[0].settled] == ["c", "b", "a"]
    assert decisions[0].end is EndReason.ANCHORS_EXHAUSTED


def test_a_settled_anchor_is_neither_said_nor_looked_at_again() -> None:
    steps = turns(DONE, OPEN, OPEN)
    decisions = play(ScriptedUser(script(A | {"satisfied": {"path_exists": "done"}}, B, C)), steps)
    assert said(decisions) == ["words of b", "words of c"]
    assert not any(fact.anchor == "a" for decision in decisions[1:] for fact in decision.facts)


# --- 2 eligible --------------------------------------------------------------------------------------


def test_eligible_anchors_are_said_in_the_order_of_the_session_one_a_turn() -> None:
    decisions = run(A | {"source_turn": 3}, B | {"source_turn": 1}, C | {"source_turn": 2})
    assert said(decisions) == ["words of b", "words of c", "words of a"]
    assert [decision.anchors for decision in decisions] == [["b"], ["c"], ["a"], []]


def test_anchors_of_one_follow_up_keep_the_order_of_the_script() -> None:
    assert said(run(B | {"source_turn": 1}, A | {"source_turn": 1})) == ["words of b", "words of a"]


def test_an_anchor_waits_for_those_it_comes_after() -> None:
    decisions = run(A | {"condition": {"turn": {"min": 3}}}, B | {"after": ["a"]}, C)
    assert said(decisions) == ["words of c"], "the user left before turn 3, since nothing was eligible"
    decisions = play(ScriptedUser(script(A | {"condition": {"turn": {"min": 2}}}, B | {"after": ["a"]}, C)), idle(9))
    assert said(decisions) == ["words of c", "words of a", "words of b"]


@pytest.mark.parametrize("how", ["satisfied", "expires"])
def test_satisfied_and_expired_count_as_settled_for_those_that_wait(how: str) -> None:
    assert said(run(A | {how: {"turn": {"min": 1}}}, B | {"after": ["a"]})) == ["words of b"]


def test_conditions_on_other_anchors_see_them_as_they_are_now() -> None:
    decisions = run(
        A | {"expires": {"turn": {"min": 1}}},
        B | {"condition": {"all": [{"settled": "a"}, {"not": {"said": "a"}}]}},
        C | {"condition": {"said": "b"}},
    )
    assert said(decisions) == ["words of b", "words of c"]


def test_the_first_variant_that_fits_gives_the_words() -> None:
    variants = [
        {"condition": {"path_exists": "gone"}, "message": "one"},
        {"condition": {"path_exists": "done"}, "message": "two"},
        {"condition": {"path_exists": "done"}, "message": "three"},
    ]
    decisions = play(ScriptedUser(script(A | {"variants": variants})), turns(DONE))
    assert said(decisions) == ["two"]
    assert [(fact.field, fact.value) for fact in decisions[0].facts] == [("variant", False), ("variant", True)]
    assert said(play(ScriptedUser(script(A | {"variants": variants})), turns(OPEN))) == ["words of a"]


def test_an_anchor_without_condition_is_eligible_at_once() -> None:
    decision = run(A | {"tags": ["request", "context"], "action": "new_requirement"})[0]
    assert (decision.action, decision.kind) == (Action.NEW_REQUIREMENT, MessageKind.ANCHOR)
    assert decision.tags == [Tag.REQUEST, Tag.CONTEXT]


# --- insist ------------------------------------------------------------------------------------------


def test_an_ignored_user_insists_at_a_later_yield_before_new_anchors() -> None:
    decisions = play(ScriptedUser(script(insisting(), B)), turns(OPEN, OPEN, OPEN))
    assert said(decisions) == ["words of a", "still not", "words of b"]
    assert decisions[1].kind is MessageKind.INSIST
    assert decisions[1].anchors == ["a"]
    assert decisions[1].tags == [Tag.CORRECTION]
    assert decisions[1].action is Action.REDIRECT


def test_nobody_insists_on_what_was_done_after_being_said() -> None:
    decisions = play(ScriptedUser(script(insisting(), B)), turns(OPEN, DONE, OPEN, OPEN))
    assert said(decisions) == ["words of a", "words of b"], "once done it stays done, even if it breaks later"
    assert left(decisions)["a"] == "said"


def test_nobody_insists_on_what_was_done_unasked() -> None:
    assert said(play(ScriptedUser(script(insisting())), turns(DONE, OPEN))) == []


def test_the_insist_is_said_once() -> None:
    decisions = play(ScriptedUser(script(insisting(insist={"message": "still not", "max": 3}))), turns(*[OPEN] * 9))
    assert said(decisions) == ["words of a", "still not"]
    assert decisions[-1].guards == ["already_sent: insist on a"]
    assert decisions[-1].end is EndReason.ANCHORS_EXHAUSTED


def test_an_insist_that_was_said_is_used_up() -> None:
    decisions = play(ScriptedUser(script(insisting(), B)), turns(*[OPEN] * 9))
    assert said(decisions) == ["words of a", "still not", "words of b"]
    assert [decision.guards for decision in decisions] == [[]] * 4


def test_nobody_insists_on_what_has_become_pointless() -> None:
    decisions = play(ScriptedUser(script(insisting(expires="b"), B)), turns(OPEN, DONE, OPEN))
    assert said(decisions) == ["words of a", "words of b"]
    steps = turns(OPEN, OPEN, OPEN)
    assert said(play(ScriptedUser(script(insisting(expires={"turn": {"min": 2}}))), steps)) == ["words of a"]


def test_nobody_insists_while_the_agent_works_on() -> None:
    user = ScriptedUser(script(insisting()))
    decisions = play(user, turns(OPEN, OPEN), yielded=False)
    assert said(decisions) == ["words of a"]
    decision = asyncio.run(user.decide(seen(3), FakeWorld(), yielded=True))
    assert decision.message == "still not"


# --- 3 and 4 speaking, silence, leaving -----------------------------------------------------------------


def test_silence_towards_an_agent_that_waits_is_leaving_and_dismisses_with_reasons() -> None:
    decisions = run(A | {"condition": NEVER}, B | {"after": ["a"]})
    assert len(decisions) == 1
    assert (decisions[0].action, decisions[0].message) == (Action.NO_OP, None)
    assert decisions[0].end is EndReason.USER_LEFT
    assert left(decisions) == {"a": "dismissed", "b": "dismissed"}
    assert reasons(decisions)["a"].endswith("its condition does not hold")
    assert reasons(decisions)["b"].endswith("it waits for a")


def test_a_script_without_anchors_is_exhausted_at_once() -> None:
    assert run()[0].end is EndReason.ANCHORS_EXHAUSTED


def test_silence_towards_an_agent_that_works_on_ends_nothing() -> None:
    user = ScriptedUser(script(A | {"condition": {"turn": {"min": 4}}}))
    decisions = play(user, idle(3), yielded=False)
    assert [(decision.action, decision.end) for decision in decisions] == [(Action.NO_OP, None)] * 3
    assert asyncio.run(user.decide(seen(4), FakeWorld())).message == "words of a"


def test_a_cycle_is_never_said_and_ends_the_session() -> None:
    decisions = run(A | {"after": ["b"]}, B | {"after": ["a"]})
    assert (len(decisions), decisions[0].end) == (1, EndReason.USER_LEFT)


def test_a_question_that_no_anchor_answers_gets_the_personas_reply() -> None:
    decisions = play(ScriptedUser(script(A | {"condition": {"turn": {"min": 2}}})), idle(9, agent_asks=True))
    assert said(decisions) == [ON_QUESTION, "words of a", ON_QUESTION]
    assert decisions[0].kind is MessageKind.ON_QUESTION
    assert decisions[0].tags == [Tag.WORKFLOW]
    assert decisions[0].anchors == []


def test_an_eligible_anchor_is_the_answer() -> None:
    assert said(play(ScriptedUser(script(A)), idle(1, agent_asks=True))) == ["words of a"]


def test_questions_are_answered_twice_at_most() -> None:
    later = [{"id": f"x{n}", "condition": {"turn": {"min": n}}} for n in (2, 4, 6)]
    decisions = play(ScriptedUser(script(*later)), idle(9, agent_asks=True))
    assert said(decisions) == [ON_QUESTION, "words of x2", ON_QUESTION, "words of x4"]
    assert decisions[-1].guards == ["max_on_question"]
    assert decisions[-1].end is EndReason.USER_LEFT


def test_the_reply_to_questions_never_follows_itself() -> None:
    decisions = play(ScriptedUser(script()), idle(9, agent_asks=True))
    assert said(decisions) == [ON_QUESTION]
    assert decisions[-1].guards == ["already_sent: on_question"]


def test_a_question_while_the_agent_works_on_needs_no_reply() -> None:
    assert said(play(ScriptedUser(script()), idle(3, agent_asks=True), yielded=False)) == []


def test_no_message_is_invented_for_an_agent_that_just_stops() -> None:
    assert said(run(A | {"condition": NEVER})) == []
