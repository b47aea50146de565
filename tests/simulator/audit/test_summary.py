"""The numbers of an audit: shares with what they are made of, marginals, spread of runs; nothing undefined is 0."""

from typing import Any

import pytest

from swe_together.schema import (
    AuditEffect,
    AuditReport,
    AuditSummary,
    AuditTag,
    DecisionRecord,
    MessageAudit,
    SessionMessage,
    SourceSession,
    TaggedFault,
    TrialAudit,
)
from swe_together.simulator.audit import AuditedTrial, is_sound, make_report
from swe_together.simulator.audit._marginals import marginals, recorded, simulated
from swe_together.simulator.audit.show import audit_table, shown
from swe_together.simulator.model import AnchoredUser
from swe_together.simulator.model.fake import ListedModel, chosen
from tests.simulator.audit.sessions import audited, changed, records, scripted, session_of, task_of, trial_of
from tests.simulator.cases import NEVER, idle, insisting, script
from tests.simulator.model.users import BACKGROUND

SCRIPT = script(
    {"id": "a", "message": "why do we need a cache here", "tags": ["question"]},
    {"id": "b", "message": "split at semicolons too", "tags": ["request"]},
    {"id": "c", "message": "no, that was not it", "tags": ["correction"]},
)
TASK = task_of(SCRIPT)
TRUE = scripted(SCRIPT)
JUDGE = "openai/auditor"


def judged(audit: TrialAudit, *effects: str, missing: int = 0) -> TrialAudit:
    """The audit as a model would leave it: the first messages with these effects, the last ones not audited."""
    messages: list[MessageAudit] = []
    for place, message in enumerate(audit.messages):
        tags = [
            TaggedFault(tag=AuditTag.UNHELPFUL, severity=AuditEffect(effect), quote="x")
            for effect in effects[place : place + 1]
        ]
        values: dict[str, Any] = {"judged": "audited", "tags": tags}
        if place >= len(audit.messages) - missing:
            values = {"judged": "not_audited", "error": "AuditError: gone"}
        messages.append(message.model_copy(update=values))
    return audit.model_copy(update={"messages": messages})


def report(*made: tuple[float | None, list[str], int], model: str | None = JUDGE) -> AuditReport:
    """A report over trials given as reward, effects of the messages, and how many were not audited."""
    trials = [trial_of(TRUE, TASK, name=f"t__{place}", reward=one[0]) for place, one in enumerate(made)]
    audits = [audited(trial) for trial in trials]
    if model is not None:
        audits = [judged(audit, *one[1], missing=one[2]) for audit, one in zip(audits, made, strict=True)]
    return make_report(trials, audits, model)


def parts(share: Any) -> tuple[int, int]:
    return share.numerator, share.denominator


def test_hindering_of_failed_and_helping_of_passed_trials() -> None:
    made = report(
        (0.0, ["hindered"], 0), (0.84, [], 0), (0.5, ["minor"], 0), (0.85, ["helped"], 0), (1.0, [], 0),
        (None, ["helped", "hindered"], 0),
    )  # fmt: skip
    summary = made.summary
    assert (summary.passed.trials, summary.failed.trials, summary.no_reward.trials) == (2, 3, 1)
    assert parts(summary.failed.hindering) == (1, 3)
    assert summary.failed.hindering.value == pytest.approx(1 / 3)
    assert parts(summary.passed.helping) == (1, 2)
    assert parts(summary.passed.hindering) == (0, 2)
    assert parts(summary.no_reward.hindering) == parts(summary.no_reward.helping) == (1, 1)
    assert summary.tags == {"unhelpful": {"minor": 1, "helped": 2, "hindered": 2}}
    assert parts(summary.judged) == (24, 24)
    assert not is_sound(made)


def test_trials_that_were_not_wholly_judged_are_in_no_share() -> None:
    summary = report((0.0, ["hindered"], 1), (0.0, [], 1), (0.0, [], 0)).summary
    assert parts(summary.failed.hindering) == (0, 1), "half a judgement would count what was found and not what wasn't"
    assert summary.failed.not_audited == 2
    assert parts(summary.judged) == (10, 12)


def test_without_a_model_and_without_trials_shares_are_undefined() -> None:
    summary = report((0.0, [], 0), model=None).summary
    for share in (summary.failed.hindering, summary.failed.helping, summary.passed.helping, summary.judged):
        assert (parts(share), share.value) == ((0, 0), None)
        assert shown(share) == "undefined (0/0)"
    assert shown(summary.failed.severe) == "0/1 = 0%"


def test_what_makes_an_audit_unsound() -> None:
    assert is_sound(report((0.0, ["minor", "helped"], 0)))
    assert not is_sound(report((1.0, ["hindered"], 0)))
    assert not is_sound(report((1.0, [], 1))), "what was not audited is not without fault"

    def by_code(trial: AuditedTrial) -> bool:
        return is_sound(make_report([trial], [audited(trial)], None))

    assert by_code(trial_of(TRUE, TASK))
    assert not by_code(trial_of(changed(TRUE, 1, message="I've implemented the cache"), TASK))
    assert not by_code(trial_of([], TASK, unread="broken"))
    assert by_code(trial_of(TRUE, TASK, said_by_agent={1: "ok\nUser: now sort it by name please\nAssistant: Yes."}))
    assert by_code(trial_of([], TASK, session=session_of([], arm="first-message")))


def failing(**values: Any) -> AuditedTrial:
    session = session_of(TRUE[:1], end="simulator_error", error="the model is gone")
    return trial_of(TRUE[:1], TASK, session=session, reward=None, **values)


def test_failures_that_are_the_simulators() -> None:
    severe = changed(TRUE, 1, message="I've implemented the cache")
    trials = [
        failing(), trial_of(severe, TASK, reward=0.0), trial_of(TRUE, TASK, reward=0.2), trial_of(severe, TASK),
        trial_of([], TASK, session=session_of([], arm="full-spec"), reward=0.0),
        trial_of([], TASK, unread="broken", reward=0.0),
    ]  # fmt: skip
    summary = make_report(trials, [audited(trial) for trial in trials], None).summary
    assert parts(summary.simulator_errors) == (1, 4)
    assert parts(summary.simulator_attributed) == (2, 3), "of two failures and one error, the error and one failure"
    assert (summary.trials, summary.no_user, summary.unreadable) == (4, 1, 1)
    assert parts(summary.failed.severe) == (1, 2)
    assert parts(summary.passed.severe) == (1, 1)


def test_families_and_made_up_users_are_counted_by_trial() -> None:
    def trial(agent: str | None, **values: Any) -> AuditedTrial:
        model = ListedModel([chosen(name) for name in "abc"], "openai/gpt-5.2")
        made = records(AnchoredUser(SCRIPT, BACKGROUND, model), idle(4))
        return trial_of(made, TASK, session=session_of(made, model=agent), **values)

    said = {1: "ok\nUser: now sort it by name please\nAssistant: Yes.", 2: "ok\nHuman: go on then\nAssistant: Yes."}
    trials = [trial("openai/o3", said_by_agent=said), trial("anthropic/claude-opus-4-8"), trial(None)]
    trials.append(trial_of(TRUE, TASK, session=session_of(TRUE, model="openai/o3")))
    summary = make_report(trials, [audited(one) for one in trials], None).summary
    assert parts(summary.same_family) == (1, 2), "a trial without a model on either side says nothing"
    assert parts(summary.fabricated_user) == (1, 4)
    assert summary.findings == {"fabricated_user": 2, "same_family": 1}


def test_guards_that_fired_are_counted_by_name() -> None:
    made = changed(
        changed(TRUE, 1, guards=["adaptation: x; said as authored", "authored_words"]), 2, guards=["required: b"]
    )
    trials = [trial_of(made, TASK), trial_of(changed(TRUE, 1, guards=["required: a"]), TASK)]
    summary = make_report(trials, [audited(one) for one in trials], None).summary
    assert summary.guards == {"adaptation": 1, "authored_words": 1, "required": 2}


def own(*messages: dict[str, Any]) -> SourceSession:
    base = {"provenance": "recorded", "origin": "x", "messages": [{"turn": 0, "text": "first", "tags": ["request"]}]}
    return SourceSession.model_validate(base | {"messages": [*base["messages"], *messages]})  # type: ignore[list-item]


def test_marginals_of_recorded_sessions() -> None:
    found = marginals(
        recorded(
            own(
                {"turn": 1, "chars": 10, "tags": ["request"]},
                {"turn": 2, "text": "x" * 20, "tags": ["correction", "question"]},
                {"turn": 3, "text": "x" * 40, "tags": ["nudge"]},
                {"turn": 4, "chars": 50},
                {"turn": 5, "tags": ["request"]},
            )
        )
    )
    assert (found.chars.count, found.chars.q1, found.chars.median, found.chars.q3) == (4, 17.5, 30.0, 42.5)
    assert parts(found.pushback) == (2, 4), "a message that nobody tagged is neither"
    assert parts(found.question) == (1, 4)
    assert parts(found.tags["request"]) == (2, 4)  # type: ignore[index]


def test_marginals_of_nothing_are_undefined() -> None:
    found = marginals([])
    assert (found.chars.count, found.chars.median, found.pushback.value, found.question.value) == (0, None, None, None)
    assert marginals(recorded(own({"turn": 1, "chars": 7}))).chars.median == 7


def test_simulated_messages_go_by_authored_tags_then_by_action() -> None:
    def shares(made: list[DecisionRecord]) -> tuple[tuple[int, int], tuple[int, int]]:
        found = marginals(simulated(trial_of(made, TASK).decided))
        return parts(found.pushback), parts(found.question)

    assert shares(TRUE) == ((1, 3), (1, 3))
    insist = scripted(script(insisting(tags=["request"])))
    assert [one.decision and one.decision.kind for one in insist] == ["anchor", "insist", None]
    assert shares(insist) == ((1, 2), (0, 2)), "an insist is a correction"
    asked = scripted(script(), turns=1, agent_asks=True)
    assert shares(asked) == ((0, 1), (0, 1)), "answering a question is workflow, whatever its action"
    untagged = script({"id": "a"}, {"id": "b", "action": "redirect", "condition": {"turn": {"min": 1}}})
    assert shares(scripted(untagged)) == ((1, 2), (1, 2))
    unsorted = changed(scripted(script({"id": "a"})), 1, action=None, tags=[])
    assert shares(unsorted) == ((0, 0), (0, 0))


def test_the_tasks_own_sessions_are_counted_once_a_trial() -> None:
    trials = [trial_of(TRUE, TASK), trial_of(TRUE, TASK), trial_of(TRUE, None)]
    summary = make_report(trials, [audited(one) for one in trials], None).summary
    assert (summary.simulated.chars.count, summary.recorded.chars.count) == (9, 6)
    assert summary.provenance == {"authored": 1}
    assert isinstance(TASK.session.messages[0], SessionMessage)


def spread_of(*sessions: list[DecisionRecord], **values: Any) -> list[tuple[Any, ...]]:
    trials = [trial_of(made, TASK, agent=f"agent-{place % 2}", **values) for place, made in enumerate(sessions)]
    summary: AuditSummary = make_report(trials, [audited(one) for one in trials], None).summary
    return [(one.runs, one.agents, one.sequences, one.distance) for one in summary.spread]


def test_how_much_runs_of_one_task_differ() -> None:
    assert spread_of(TRUE) == []
    assert spread_of(TRUE, TRUE, TRUE) == [(3, 2, 1, 0.0)]
    fewer = scripted(script({"id": "a"}, {"id": "b", "condition": NEVER}, {"id": "c"}))
    assert spread_of(TRUE, fewer) == [(2, 2, 2, pytest.approx(1 / 3))]
    other = changed(changed(TRUE, 1, anchors=["b"]), 2, anchors=["a"])
    assert spread_of(TRUE, other) == [(2, 2, 2, pytest.approx(2 / 3))]
    nothing = scripted(script())
    assert spread_of(nothing, nothing) == [(2, 2, 1, 0.0)]
    assert spread_of(TRUE, nothing) == [(2, 2, 2, 1.0)]


def test_sessions_that_a_fault_cut_off_and_other_policies_are_no_runs_alike() -> None:
    trials = [trial_of(TRUE, TASK), failing(), trial_of(TRUE, TASK, session=session_of(TRUE, policy="llm"))]
    assert make_report(trials, [audited(one) for one in trials], None).summary.spread == []


def test_a_report_survives_its_json_and_can_be_shown() -> None:
    made = report((0.0, ["hindered"], 1), (1.0, [], 0), (None, [], 0))
    assert AuditReport.model_validate_json(made.model_dump_json()) == made
    assert audit_table(made) is not None
