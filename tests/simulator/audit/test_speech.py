"""The guards on recorded messages: with the task all of them, without it those that can still tell."""

import pytest

from swe_together.schema import AuditKind, DecisionRecord
from swe_together.simulator.guards import GUARDS
from tests.simulator.audit.sessions import audited, changed, findings, kinds, scripted, task_of, trial_of
from tests.simulator.cases import ON_QUESTION, script
from tests.simulator.model.users import BACKGROUND

SCRIPT = script(
    {"id": "cache-reason", "message": "why do we need a cache here"},
    {"id": "longest", "message": "now add longest_of(words), ties go to the first one", "after": ["cache-reason"]},
)
TASK = task_of(SCRIPT)
TRUE = scripted(SCRIPT)
SPOKEN = {
    "reasoning_leak": "<think>ask about it</think> why do we need a cache here",
    "role_inversion": "I've implemented the cache, let me know if you need anything else",
    "meta": "that is my next anchor: why a cache here",
    "leak": "why not _collect_groups(rows) in place of the cache",
    "early_reveal": "why do we need a cache here, longest_of(words) has none",
    "repetition": "split() keeps the blanks around words, I want clean words only",
    "invented_continue": "ok, go on please",
    "language": "warum brauchen wir hier einen Cache, das ist doch nicht nötig",
}
WITHOUT_TASK = set(SPOKEN) - {"leak", "early_reveal", "language"}


def spoken(guard: str) -> list[DecisionRecord]:
    """A session of the policy llm whose first message is one that a guard must catch."""
    made = changed(TRUE, 1, message=SPOKEN[guard])
    return [record.model_copy(update={"policy": "llm"}) for record in made]


def test_every_guard_is_audited() -> None:
    assert set(SPOKEN) == set(GUARDS) <= {kind.value for kind in AuditKind}


@pytest.mark.parametrize("guard", sorted(SPOKEN))
def test_with_the_task(guard: str) -> None:
    found = [one for one in findings(trial_of(spoken(guard), TASK)) if one.kind == guard]
    assert [(one.turn, one.severity, one.about) for one in found] == [(1, "severe", "user")]
    assert found[0].quote == SPOKEN[guard]


@pytest.mark.parametrize("guard", sorted(SPOKEN))
def test_without_the_task(guard: str) -> None:
    audit = audited(trial_of(spoken(guard), None))
    assert audit.task_at_hand == "absent"
    assert (guard in {one.kind for one in audit.findings}) is (guard in WITHOUT_TASK)
    assert {"leak", "early_reveal", "language", "order", "length"} <= set(audit.unchecked), "said, never passed over"


def test_authored_words_pass_without_the_task_too() -> None:
    odd = script({"id": "a", "message": "according to the rubric I wrote, this turn 3 is wrong"})
    assert kinds(trial_of(scripted(odd), None)) == []


def test_a_leak_that_the_final_state_holds_is_left_to_a_reader() -> None:
    made = spoken("leak")
    asked: list[tuple[str, ...]] = []

    def final(paths: object) -> str:
        asked.append(tuple(paths))  # type: ignore[arg-type]
        return "def _collect_groups(rows): ..."

    (found,) = findings(trial_of(made, TASK, final_text=final))
    assert (found.kind, found.severity) == ("leak", "minor")
    assert "whether it did then isn't recorded" in found.detail
    assert asked == [BACKGROUND.secrets.paths]
    (found,) = findings(trial_of(made, TASK, final_text=lambda paths: "something else"))
    assert (found.kind, found.severity) == ("leak", "severe")


def test_what_was_shown_or_told_before_is_no_leak() -> None:
    made = spoken("leak")
    shown = made[0].observation.model_copy(update={"reply": "I moved it into _collect_groups(rows)."})
    assert kinds(trial_of([made[0].model_copy(update={"observation": shown}), *made[1:]], TASK)) == []
    twice = changed(made, 2, message="so _collect_groups(rows) it is, and longest_of(words), ties go to the first one")
    assert kinds(trial_of(twice, TASK)) == [("leak", 1, "severe")], "told once, it is out"


def test_the_reply_to_questions_may_be_given_again_but_not_twice_in_a_row() -> None:
    between = script({"id": "a", "condition": {"turn": {"min": 2}}})
    made = scripted(between, turns=3, agent_asks=True)
    assert [one.decision and one.decision.message for one in made] == [ON_QUESTION, "words of a", ON_QUESTION]
    assert kinds(trial_of(made, task_of(between))) == []
    assert kinds(trial_of(made, None)) == []
    assert made[0].decision is not None
    reply = made[0].decision.model_dump(include={"message", "kind", "anchors", "settled"})
    twice = changed(made, 2, **reply)
    assert ("repetition", 2, "severe") in kinds(trial_of(twice, task_of(between)))
    assert ("repetition", 2, "severe") in kinds(trial_of(twice, None))


def test_leaving_an_agent_that_asks_is_seen_without_the_task() -> None:
    made = scripted(script(), turns=1, agent_asks=True)
    assert made[0].decision is not None
    left = {"message": None, "kind": None, "end": "user_left"}
    assert kinds(trial_of(changed(made, 1, **left), None)) == [("premature_end", 1, "severe")]
    let_go = changed(made, 1, **left, guards=["max_on_question"])
    assert kinds(trial_of(let_go, None)) == [("premature_end", 1, "minor")]
    budget = changed(made, 1, message=None, kind=None, end="time_budget")
    assert kinds(trial_of(budget, None)) == []
