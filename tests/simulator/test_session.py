"""Policies that wish otherwise, budgets, what a user never does, and the record."""

import asyncio
from typing import Any

import pytest

from swe_together.errors import EnvironmentFault, SimulatorError
from swe_together.schema import Decision, EndReason
from swe_together.simulator import AnchorStatus, ProbeOutcome, ScriptedUser, SessionMachine
from swe_together.simulator.fake import FakeWorld
from tests.simulator.cases import NEVER, idle, insisting, left, play, reasons, run, said, script, seen

A, B, C = {"id": "a"}, {"id": "b"}, {"id": "c"}


# --- 5 policies that wish otherwise ---------------------------------------------------------------------


def concluded(*anchors: dict[str, Any], choose: int | None, yielded: bool = True, words: str | None = None) -> Decision:
    async def turn() -> Decision:
        machine = SessionMachine(script(*anchors))
        await machine.settle(FakeWorld(), seen(1))
        options = await machine.eligible(yielded=yielded)
        return machine.conclude(options, None if choose is None else options[choose], yielded=yielded, words=words)

    return asyncio.run(turn())


def test_a_policy_may_choose_any_eligible_anchor_in_its_own_words() -> None:
    decision = concluded(A, B, choose=1, words="b, please")
    assert (decision.message, decision.anchors, decision.guards) == ("b, please", ["b"], [])


def test_a_required_anchor_overrides_the_wish_to_leave() -> None:
    decision = concluded(A, B | {"required": True}, choose=None)
    assert (decision.message, decision.end, decision.guards) == ("words of b", None, ["required: b"])


def test_leaving_is_overridden_while_anything_is_eligible() -> None:
    decision = concluded(A, B, choose=None)
    assert (decision.message, decision.guards) == ("words of a", ["eligible_pending: a"])


def test_silence_is_free_while_the_agent_works_on() -> None:
    decision = concluded(A | {"required": True}, choose=None, yielded=False)
    assert (decision.message, decision.end, decision.guards) == (None, None, [])


def test_an_owed_insist_overrides_the_choice_of_a_new_anchor() -> None:
    async def session() -> Decision:
        machine = SessionMachine(script(insisting(), B))
        for turn in (1, 2):
            await machine.settle(FakeWorld(), seen(turn))
            options = await machine.eligible()
            decision = machine.conclude(options, options[-1] if turn == 2 else options[0], words=None)
        return decision

    decision = asyncio.run(session())
    assert (decision.message, decision.guards) == ("still not", ["insist_first: a"])


def test_a_choice_that_is_not_eligible_or_repeats_or_is_empty_is_an_error() -> None:
    async def session(words: str | None, *, stale: bool = False) -> None:
        machine = SessionMachine(script(A, B))
        await machine.settle(FakeWorld(), seen(1))
        first = await machine.eligible()
        machine.conclude(first, first[0])
        await machine.settle(FakeWorld(), seen(2))
        options = await machine.eligible()
        machine.conclude(options, first[0] if stale else options[0], words=words)

    with pytest.raises(SimulatorError, match="not eligible"):
        asyncio.run(session(None, stale=True))
    with pytest.raises(SimulatorError, match="repeat"):
        asyncio.run(session(" Words  of A "))
    with pytest.raises(SimulatorError, match="said nothing"):
        asyncio.run(session(" "))


# --- 6 budgets ----------------------------------------------------------------------------------------


def test_the_message_budget_ends_the_session_with_its_own_reason() -> None:
    decisions = run(A, B, C, messages=2)
    assert said(decisions) == ["words of a", "words of b"]
    assert decisions[-1].end is EndReason.MESSAGE_BUDGET
    assert left(decisions) == {"a": "said", "b": "said", "c": "dismissed"}


def test_a_spent_budget_is_no_reason_where_nothing_is_left_to_say() -> None:
    assert run(A, messages=1)[-1].end is EndReason.ANCHORS_EXHAUSTED
    assert run(A | {"condition": NEVER}, messages=0)[-1].end is EndReason.USER_LEFT


def test_a_reply_that_the_budget_forbids_ends_the_session_by_budget() -> None:
    decisions = play(ScriptedUser(script(messages=0)), idle(2, agent_asks=True))
    assert [decision.end for decision in decisions] == [EndReason.MESSAGE_BUDGET]


def test_a_spent_budget_lets_an_agent_that_works_on_work_on() -> None:
    decision = play(ScriptedUser(script(A, messages=0)), idle(1), yielded=False)[0]
    assert (decision.message, decision.end, decision.guards) == (None, None, ["message_budget"])


def test_the_default_budget_is_anchors_insists_and_two() -> None:
    assert script(insisting(), B).message_budget == 5


def test_the_time_of_the_session_ends_it_with_its_own_reason() -> None:
    decisions = run(A, B, C, session_sec=30)
    assert said(decisions) == ["words of a", "words of b"]
    assert decisions[-1].end is EndReason.TIME_BUDGET
    assert reasons(decisions)["c"] == "the session's time is up: it was not reached"


def test_time_is_no_reason_where_the_user_would_have_left_anyway() -> None:
    assert run(session_sec=1)[-1].end is EndReason.ANCHORS_EXHAUSTED
    assert run(A | {"condition": NEVER}, session_sec=1)[-1].end is EndReason.USER_LEFT


def test_time_ends_the_session_of_an_agent_that_works_on() -> None:
    assert play(ScriptedUser(script(session_sec=1)), idle(1), yielded=False)[0].end is EndReason.TIME_BUDGET


# --- never ----------------------------------------------------------------------------------------------


def test_words_that_were_sent_count_as_said_and_others_go_on() -> None:
    variant = {"condition": {"turn": {"min": 1}}, "message": "Words of  A"}
    decisions = run(A, B | {"variants": [variant]}, C | {"after": ["b"]})
    assert said(decisions) == ["words of a", "words of c"]
    assert left(decisions) == {"a": "said", "b": "said", "c": "said"}
    assert reasons(decisions)["b"] == "the same words were sent before"
    assert decisions[1].guards == ["already_sent: b"]


def test_words_that_were_sent_settle_what_depends_on_them_in_the_same_turn() -> None:
    first = {"id": "first", "source_turn": 1}
    opener = {"id": "opener", "source_turn": 2, "condition": {"said": "copy"}}
    copy = {"id": "copy", "source_turn": 3, "message": "words of first"}
    rival = {"id": "rival", "source_turn": 4, "expires": "copy"}
    decisions = run(first, opener, copy, rival)
    assert said(decisions) == ["words of first", "words of opener"]
    assert left(decisions) == {"first": "said", "opener": "said", "copy": "said", "rival": "expired"}


def test_a_fault_of_the_world_passes_through_and_is_never_silence() -> None:
    condition = {"probe": {"run": "x", "exit": 0}}
    user = ScriptedUser(script(A | {"condition": condition}))
    with pytest.raises(EnvironmentFault):
        asyncio.run(user.decide(seen(1), FakeWorld(failing=["probe"])))


def test_any_other_error_is_the_simulators_with_its_cause() -> None:
    user = ScriptedUser(script(A))
    user.machine._ordered = None  # type: ignore[assignment]
    with pytest.raises(SimulatorError, match=r"scripted.*TypeError") as caught:
        asyncio.run(user.decide(seen(1), FakeWorld()))
    assert isinstance(caught.value.__cause__, TypeError)


def test_a_turn_is_shown_once_and_a_session_that_is_over_stays_over() -> None:
    user = ScriptedUser(script(A))
    play(user, idle(1))
    with pytest.raises(SimulatorError, match="Turn 1 was shown to the user after turn 1"):
        play(user, idle(1))
    play(user, [(seen(2), FakeWorld())])
    with pytest.raises(SimulatorError, match="over already"):
        play(user, [(seen(3), FakeWorld())])


def test_ids_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(SimulatorError, match="same id"):
        SessionMachine(script(A, A))
    with pytest.raises(SimulatorError, match="'nobody'"):
        SessionMachine(script(A | {"after": ["nobody"]}))
    with pytest.raises(SimulatorError, match="'nobody'"):
        SessionMachine(script(A | {"condition": {"any": [{"not": {"said": "nobody"}}]}}))


# --- the record -------------------------------------------------------------------------------------------


def test_every_predicate_looked_at_is_recorded_with_the_decision() -> None:
    condition = {"probe": {"run": "x", "exit": 1}}
    world = FakeWorld(probes={"x": ProbeOutcome(1, "boom", seconds=3.1)})
    anchor = A | {"condition": condition, "satisfied": {"not": condition}, "expires": {"turn": {"min": 5}}}
    decision = play(ScriptedUser(script(anchor)), [(seen(1), world)])[0]
    assert [(fact.field, list(fact.predicate), fact.value) for fact in decision.facts] == [
        ("satisfied", ["probe"], True),
        ("satisfied", ["not"], False),
        ("expires", ["turn"], False),
        ("condition", ["probe"], True),
    ]
    assert world.probed == ["x"]
    assert decision.facts[0].detail == "exit 1: boom"
    assert Decision.model_validate_json(decision.model_dump_json()) == decision


def test_a_session_ended_by_others_dismisses_what_is_pending() -> None:
    user = ScriptedUser(script(A, B))
    play(user, idle(1))
    assert [(s.anchor, s.how, s.reason) for s in user.dismiss("the agent failed")] == [
        ("b", "dismissed", "the agent failed")
    ]
    assert user.dismiss("again") == []
    assert user.machine.statuses == {"a": AnchorStatus.SAID, "b": AnchorStatus.DISMISSED}


def test_the_worked_example_of_the_design() -> None:
    paths = {"probe": {"run": "paths", "exit": 0}}
    anchors: list[dict[str, Any]] = [
        {
            "id": "windows-paths",
            "action": "new_requirement",
            "message": "also has to work for C:\\ paths, half the team is on windows",
            "satisfied": paths,
            "required": True,
            "insist": {"message": "still breaks on C:\\ paths, I just tried"},
        },
        {
            "id": "broke-unicode",
            "action": "redirect",
            "condition": {"probe": {"run": "list é", "exit": 1}},
            "message": "no, now listing a folder with é in it crashes. that worked before",
            "tags": ["correction"],
        },
        {
            "id": "why-cache",
            "condition": {"diff_matches": "lru_cache|_cache"},
            "expires": {"turn": {"min": 4}},
            "message": "why do we need a cache here",
        },
    ]

    def world(paths: int, listing: int, diff: str) -> FakeWorld:
        return FakeWorld(probes={"paths": ProbeOutcome(paths, ""), "list é": ProbeOutcome(listing, "")}, diff=diff)

    lazy = [world(1, 0, ""), world(1, 0, "+@lru_cache"), world(0, 1, "+@lru_cache"), world(0, 0, "+@lru_cache")]
    decisions = play(ScriptedUser(script(*anchors)), [(seen(n), w) for n, w in enumerate(lazy, start=1)])
    assert [decision.anchors for decision in decisions] == [["windows-paths"], ["windows-paths"], ["broke-unicode"], []]
    assert left(decisions) == {"windows-paths": "said", "broke-unicode": "said", "why-cache": "expired"}
    assert decisions[-1].end is EndReason.ANCHORS_EXHAUSTED

    keen = play(ScriptedUser(script(*anchors)), [(seen(1), world(0, 0, ""))])
    assert left(keen) == {"windows-paths": "satisfied", "broke-unicode": "dismissed", "why-cache": "dismissed"}
    assert keen[-1].end is EndReason.USER_LEFT
