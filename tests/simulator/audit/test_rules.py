"""What a simulated user may not do, done in a recording: each is found, at its turn and with its severity."""

from typing import Any

import pytest

from swe_together.schema import AuditKind, Decision, DecisionRecord, EndReason, Fact, MessageKind
from swe_together.simulator.fake import FakeWorld
from swe_together.simulator.model import AnchoredUser, FreeUser
from swe_together.simulator.model.fake import ListedModel, chosen
from tests.simulator.audit.sessions import audited, changed, findings, kinds, records, scripted, task_of, trial_of
from tests.simulator.cases import NEVER, insisting, script, seen
from tests.simulator.model.users import BACKGROUND, SILENCE, say

SCRIPT = script(
    {"id": "cache", "message": "why do we need a cache here", "required": True},
    {"id": "semicolons", "message": "some of my files use semicolons, split there too", "after": ["cache"]},
    {"id": "longest", "message": "and the longest word, please"},
)
TASK = task_of(SCRIPT)
TRUE = scripted(SCRIPT)


def speech(turn: int, anchor: str) -> dict[str, Any]:
    """The decision that said an anchor, to be put elsewhere."""
    (record,) = [one for one in TRUE if one.decision and anchor in one.decision.anchors]
    assert record.decision is not None
    return record.decision.model_dump(exclude={"facts"}) | {"settled": record.decision.settled}


def leaving(end: EndReason = EndReason.USER_LEFT) -> dict[str, Any]:
    return {"message": None, "kind": None, "anchors": [], "settled": [], "end": end}


def with_facts(made: list[DecisionRecord], turn: int, value: bool) -> list[DecisionRecord]:
    """The records with every predicate of a turn turned to one value."""
    (decision,) = [one.decision for one in made if one.turn == turn]
    assert decision is not None
    facts = [Fact.model_validate(fact.model_dump() | {"value": value}) for fact in decision.facts]
    return changed(made, turn, facts=facts)


def test_the_untouched_session_has_no_finding() -> None:
    assert kinds(trial_of(TRUE, TASK)) == []


def test_an_anchor_before_the_one_that_it_comes_after() -> None:
    made = changed(changed(TRUE, 1, **speech(1, "semicolons")), 2, **speech(2, "cache"))
    found = findings(trial_of(made, TASK))
    assert [(one.kind, one.turn, one.severity) for one in found] == [("order", 1, "severe")]
    assert "'semicolons' was said before 'cache'" in found[0].detail
    assert found[0].quote == "some of my files use semicolons, split there too"


def test_scripted_messages_out_of_the_order_of_the_session() -> None:
    made = changed(changed(TRUE, 2, **speech(2, "longest")), 3, **speech(3, "semicolons"))
    (found,) = findings(trial_of(made, TASK))
    assert (found.kind, found.turn) == ("order", 2)
    assert "'semicolons' came first in the order of the session" in found.detail


def test_other_policies_may_choose_among_what_is_eligible() -> None:
    made = changed(changed(TRUE, 2, **speech(2, "longest")), 3, **speech(3, "semicolons"))
    made = [record.model_copy(update={"policy": "anchored"}) for record in made]
    assert kinds(trial_of(made, TASK)) == []


def test_an_anchor_said_twice() -> None:
    made = changed(TRUE, 3, **speech(3, "cache"))
    assert ("order", 3, "severe") in kinds(trial_of(made, TASK))
    assert ("repetition", 3, "severe") in kinds(trial_of(made, TASK))


def test_leaving_while_a_required_anchor_could_be_said() -> None:
    made = changed(TRUE, 1, **leaving())[:1]
    (found,) = findings(trial_of(made, TASK))
    assert (found.kind, found.turn, found.severity) == ("premature_end", 1, "severe")
    assert "'cache' was required and could be said" in found.detail
    assert found.quote == "Done."


def test_leaving_while_another_anchor_could_be_said() -> None:
    made = changed(TRUE, 2, **leaving())[:2]
    (found,) = findings(trial_of(made, TASK))
    assert (found.kind, found.turn) == ("premature_end", 2)
    assert "'semicolons' could still be said" in found.detail


def test_a_budget_is_no_premature_end() -> None:
    assert kinds(trial_of(changed(TRUE, 1, **leaving(EndReason.TIME_BUDGET))[:1], TASK)) == []


def test_leaving_an_agent_that_asks() -> None:
    made = scripted(script(), turns=1, agent_asks=True)
    assert made[0].decision is not None
    assert made[0].decision.kind is MessageKind.ON_QUESTION
    made = changed(made, 1, **leaving(EndReason.ANCHORS_EXHAUSTED))
    (found,) = findings(trial_of(made, task_of(script())))
    assert (found.kind, found.severity) == ("premature_end", "severe")
    assert "awaited an answer" in found.detail


def test_leaving_an_agent_that_asks_for_the_third_time_is_allowed_and_seen() -> None:
    # The same reply in a row is no answer, so that an anchor stands between the two.
    made = scripted(script({"id": "a", "condition": {"turn": {"min": 2}}}), agent_asks=True)
    assert [record.decision.kind for record in made if record.decision] == [
        "on_question",
        "anchor",
        "on_question",
        None,
    ]
    found = kinds(trial_of(made, task_of(script({"id": "a", "condition": {"turn": {"min": 2}}}))))
    assert found == [("premature_end", 4, "minor")]


def test_an_owed_insist_comes_before_new_anchors() -> None:
    made_script = script(insisting(), {"id": "b"})
    made = scripted(made_script)
    assert [record.decision.kind for record in made if record.decision] == ["anchor", "insist", "anchor", None]
    assert kinds(trial_of(made, task_of(made_script))) == []
    told = made[2].decision
    assert told is not None
    early = changed(made, 2, message=told.message, kind=told.kind, anchors=told.anchors, settled=told.settled)[:2]
    (found,) = findings(trial_of(early, task_of(made_script)))
    assert (found.kind, found.turn) == ("order", 2)
    assert "owed an insist on 'a'" in found.detail


def test_insisting_on_what_is_done_is_an_invented_observation() -> None:
    made_script = script(insisting())
    made = with_facts(scripted(made_script), 2, True)
    (found,) = findings(trial_of(made, task_of(made_script)))
    assert (found.kind, found.turn, found.severity) == ("invented_observation", 2, "severe")


def test_an_anchor_whose_condition_does_not_hold_is_an_invented_observation() -> None:
    redirect = {"id": "crash", "action": "redirect", "condition": {"path_exists": "crash.txt"}}
    made = scripted(script(redirect), world=lambda: FakeWorld(files={"crash.txt": ""}))
    task = task_of(script(redirect))
    assert kinds(trial_of(made, task)) == []
    found = findings(trial_of(with_facts(made, 1, False), task))
    assert [(one.kind, one.turn) for one in found] == [("invented_observation", 1)]
    assert "'crash' was said although its condition did not hold" in found[0].detail


def test_it_is_so_for_policies_that_choose_among_several_too() -> None:
    crash = {"id": "crash", "action": "redirect", "condition": {"path_exists": "crash.txt"}}
    both = script({"id": "a"}, crash)
    user = AnchoredUser(both, BACKGROUND, ListedModel([chosen("crash"), chosen("a")]))
    made = records(user, [(seen(turn), FakeWorld(files={"crash.txt": ""})) for turn in (1, 2, 3)])
    assert kinds(trial_of(made, task_of(both))) == []
    assert kinds(trial_of(with_facts(made, 1, False), task_of(both))) == [("invented_observation", 1, "severe")]


def test_an_anchor_that_the_agent_had_settled_unasked() -> None:
    made_script = script({"id": "a", "satisfied": {"path_exists": "done"}}, {"id": "b"})
    made = scripted(made_script, world=lambda: FakeWorld(files={"done": ""}))
    assert made[0].decision is not None
    assert [(one.anchor, one.how) for one in made[0].decision.settled] == [("a", "satisfied"), ("b", "said")]
    made = changed(made, 2, message="words of a", kind="anchor", anchors=["a"], end=None, settled=[])
    (found,) = findings(trial_of(made, task_of(made_script)))
    assert (found.kind, found.turn) == ("order", 2)
    assert "'a' had left the list already: satisfied" in found.detail


def test_what_the_session_alone_decides_needs_no_recorded_value() -> None:
    late = script({"id": "a", "condition": NEVER})
    made = changed(scripted(script({"id": "a"})), 1, facts=[])
    assert ("invented_observation", 1, "severe") in kinds(trial_of(made, task_of(late)))


def test_a_missing_value_is_not_checked_rather_than_no_finding() -> None:
    redirect = {"id": "crash", "action": "redirect", "condition": {"path_exists": "crash.txt"}}
    made = scripted(script(redirect), world=lambda: FakeWorld(files={"crash.txt": ""}))
    audit = audited(trial_of(changed(made, 1, facts=[]), task_of(script(redirect))))
    assert audit.findings == []
    assert audit.unchecked[AuditKind.ORDER] == "after turn 1 the record doesn't say what could be said"
    assert "premature_end" in audit.unchecked


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("why do we need a cache here", []),
        ("ok. why do we need a cache here?", []),
        ("why do we not need a cache here", ["adaptation"]),
        ("why is there a global", ["adaptation"]),
    ],
)
def test_words_that_stray_from_the_authored_ones(words: str, expected: list[str]) -> None:
    made = changed(TRUE, 1, message=words)
    assert [kind for kind, *_ in kinds(trial_of(made, TASK))] == expected


def test_free_words_may_stray() -> None:
    made = [record.model_copy(update={"policy": "llm"}) for record in changed(TRUE, 1, message="why cache at all?")]
    assert kinds(trial_of(made, TASK)) == []


LONG = "why do we need a cache here " + "when every row is read only once and the file is small " * 4


@pytest.mark.parametrize(
    ("message", "own", "found"),
    [
        (LONG, "why do we need a cache here", True),
        (LONG, LONG, False),
        ("why?", "why do we need a cache here", False),
    ],
)
def test_length_against_the_authored_words_and_the_recorded_message(message: str, own: str, found: bool) -> None:
    made = [record.model_copy(update={"policy": "llm"}) for record in changed(TRUE, 1, message=message)]
    task = task_of(SCRIPT, messages=[{"turn": 1, "text": own}])
    assert [one.kind for one in findings(trial_of(made, task))] == (["length"] if found else [])


def test_length_against_a_recorded_message_of_which_only_the_size_is_known() -> None:
    made = [record.model_copy(update={"policy": "llm"}) for record in changed(TRUE, 1, message=LONG)]
    for chars, expected in ((len(LONG), []), (27, ["length"])):
        task = task_of(SCRIPT, messages=[{"turn": 1, "chars": chars}])
        assert [one.kind for one in findings(trial_of(made, task))] == expected
    (finding,) = findings(trial_of(made, task))
    assert finding.severity == "minor"
    assert f"{len(LONG)} characters against 27 in the authored words and 27 in the session's message" in finding.detail


def free(answer: dict[str, Any], **seeing: Any) -> list[DecisionRecord]:
    user = FreeUser(script(), BACKGROUND, ListedModel([answer, SILENCE], "openai/listed"))
    return records(user, [(seen(1, **seeing), FakeWorld()), (seen(2), FakeWorld())])


def test_a_fact_that_was_pointed_at_must_have_been_seen() -> None:
    answer = say("the totals row says 12, that can't be right", action="redirect", quote="totals row: 12")
    made = free(answer, reply="I printed the totals row: 12 as you can see.")
    assert made[0].decision is not None
    assert made[0].decision.kind is MessageKind.FREE
    assert kinds(trial_of(made, task_of(script()))) == []
    elsewhere = made[0].observation.model_copy(update={"reply": "All done."})
    made[0] = made[0].model_copy(update={"observation": elsewhere})
    (found,) = findings(trial_of(made, task_of(script())))
    assert (found.kind, found.turn, found.severity) == ("invented_observation", 1, "severe")


def test_an_answer_to_an_agent_that_asked_nothing() -> None:
    made = free(say("whatever you think is best here"), reply="Which one?", agent_asks=True)
    assert kinds(trial_of(made, task_of(script()))) == []
    silent = made[0].observation.model_copy(update={"agent_asks": False})
    made[0] = made[0].model_copy(update={"observation": silent})
    assert kinds(trial_of(made, task_of(script()))) == [("invented_observation", 1, "severe")]


def test_a_decision_that_failed_is_no_message() -> None:
    failed = DecisionRecord(turn=2, policy="scripted", observation=seen(2), error="the model is gone", seconds=1)
    made = [TRUE[0], failed]
    assert kinds(trial_of(made, TASK)) == []


def test_decision_without_an_anchor_of_the_script_is_judged_without_the_task() -> None:
    made = changed(TRUE, 1, anchors=["nobody"])
    audit = audited(trial_of(made, TASK))
    assert "the records don't fit the task at hand" in audit.unchecked[AuditKind.ORDER]
    assert isinstance(made[0].decision, Decision)
