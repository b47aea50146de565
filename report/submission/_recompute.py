"""Scores worked out again from what they rest on: cases, verdicts, tags, the dialogue."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from swe_together import defaults
from swe_together.judge import digest, score
from swe_together.report._files import UnreadableError, read_bytes, read_object, read_record
from swe_together.report._outcome import mapping, number
from swe_together.report._records import DETAILS, RESULT, SESSION
from swe_together.schema import (
    Behaviour,
    Case,
    CaseKind,
    DecisionRecord,
    Judgement,
    SessionRecord,
    Tag,
    TestReport,
)

CLOSE: Final = 1e-9


def contradictions(trial: Path) -> Iterator[str]:
    """Whatever two records of a trial say differently, and every score that isn't what it rests on.

    Raises:
        UnreadableError: A record is there and can't be read.
    """
    result = read_object(trial, RESULT) or {}
    report = read_record(trial, DETAILS, TestReport)
    session = read_record(trial, SESSION, SessionRecord)
    rewards = mapping(result, "verifier_result", "rewards")
    judgement = read_record(trial, "verifier/judgement.json", Judgement)
    if report is not None:
        yield from _tests(report, rewards)
        yield from _judge(report, judgement, rewards)
    behaviour = read_record(trial, "verifier/behaviour.json", Behaviour)
    if behaviour is not None:
        yield from _behaviour(behaviour)
    if session is not None:
        yield from _dialogue(trial, session)
        yield from _agent(session, result)


def _tests(report: TestReport, rewards: Any) -> Iterator[str]:
    if report.tests is not None and report.cases and not _same(report.tests, of_cases(report.cases)):
        yield f"{DETAILS}: tests is {report.tests}; its cases give {of_cases(report.cases)}"
    if "tests" in rewards and not _same(number(rewards["tests"]), report.tests):
        yield f"{RESULT}: tests is {rewards['tests']}; {DETAILS} says {report.tests}"
    basis = report.tests if report.basis == "tests" else report.judge.score if report.judge is not None else None
    if "reward" in rewards and not _same(number(rewards["reward"]), basis):
        yield f"{RESULT}: the reward is {rewards['reward']}; the score of the {report.basis} is {basis}"


def of_cases(cases: Sequence[Case]) -> float | None:
    """The tests' score by the rule of every task: share of the asked weight, 0 if a guarded case broke."""
    asked = [case for case in cases if case.kind is CaseKind.F2P]
    if any(case.kind is CaseKind.P2P and not case.passed for case in cases):
        return 0.0
    return sum(case.weight for case in asked if case.passed) / sum(case.weight for case in asked) if asked else None


def _judge(report: TestReport, judgement: Judgement | None, rewards: Any) -> Iterator[str]:
    summary, name = report.judge, "verifier/judgement.json"
    if judgement is None or summary is None:
        return
    again = score(judgement.goals)
    if not _same(again.value, judgement.score):
        yield f"{name}: the score is {judgement.score}; its goals give {again.value}"
    if not _same(again.decided_share, judgement.decided_share):
        yield f"{name}: the decided share is {judgement.decided_share}; its goals give {again.decided_share}"
    if not (_same(judgement.score, summary.score) and _same(judgement.decided_share, summary.decided_share)):
        yield f"{DETAILS}: the judge's score is {summary.score} of {summary.decided_share}; {name} says otherwise"
    if "judge" in rewards and not _same(number(rewards["judge"]), judgement.score):
        yield f"{RESULT}: judge is {rewards['judge']}; {name} says {judgement.score}"
    if summary.met != {goal.goal: goal.met for goal in judgement.goals}:
        yield f"{DETAILS} and {name} have different verdicts"
    if summary.rubric not in (None, judgement.digests.rubric):
        yield f"{DETAILS} and {name} name different rubrics"
    if judgement.model != summary.settings.get("judge_model"):
        yield f"{DETAILS} and {name} name different models as the judge"
    told = [case.model_dump(mode="json", exclude={"seconds"}) for case in report.cases]
    if judgement.digests.cases != digest(told):
        yield f"{name} rests on other cases than those of {DETAILS}"


def _behaviour(behaviour: Behaviour) -> Iterator[str]:
    name, tags, coverage = "verifier/behaviour.json", behaviour.tags, behaviour.coverage
    if tags is not None and tags.user_correction is not None:
        known = [message.tags or [] for message in tags.messages]
        counts = [sum(tag in one for one in known) for tag in (Tag.CORRECTION, Tag.NUDGE)]
        again = counts[0] + defaults.NUDGE_WEIGHT * counts[1]
        if [tags.corrections, tags.nudges] != counts or not _same(tags.user_correction, again):
            yield f"{name}: User Correction is {tags.user_correction}; its tags give {again:g}"
    if coverage is not None and coverage.overall is not None:
        recall, precision = coverage.recall or 0.0, coverage.precision or 0.0
        again = defaults.RECALL_WEIGHT * recall + (1 - defaults.RECALL_WEIGHT) * precision
        if abs(coverage.overall - again) > 1e-6:
            yield f"{name}: Intent Coverage is {coverage.overall}; its parts give {again:g}"


def _dialogue(trial: Path, session: SessionRecord) -> Iterator[str]:
    """Session, decisions and trajectory must tell of the same messages."""
    said = [turn.message for turn in session.turns]
    if session.messages != sum(turn.kind is not None for turn in session.turns):
        yield f"{SESSION}: messages is {session.messages}; its turns hold another number"
    decided = [record.decision.message for record in _decisions(trial) if record.decision is not None]
    if [message for message in decided if message is not None][: len(said) - 1] != said[1:]:
        yield f"user-agent/decisions.jsonl and {SESSION} tell of different messages"
    trajectory = read_object(trial, "agent/trajectory.json")
    if trajectory is not None and session.end.valid:
        shown: dict[int, Any] = {}
        for step in trajectory.get("steps") or []:
            turn = mapping(step, "extra", "swe_together").get("turn") if isinstance(step, dict) else None
            if isinstance(turn, int) and step.get("source") == "user":
                shown.setdefault(turn, step.get("message"))
        if [shown.get(turn.turn) for turn in session.turns] != said:
            yield f"agent/trajectory.json and {SESSION} tell of different messages"


def _agent(session: SessionRecord, result: Any) -> Iterator[str]:
    info = mapping(result, "agent_info")
    if info.get("name") not in (None, session.agent):
        yield f"{RESULT} names the agent {str(info.get('name'))[:60]!r}, {SESSION} {session.agent!r}"
    if result.get("task_name") not in (None, session.task):
        yield f"{RESULT} names the task {str(result.get('task_name'))[:80]!r}, {SESSION} {session.task!r}"


def _decisions(trial: Path) -> list[DecisionRecord]:
    text = read_bytes(trial, "user-agent/decisions.jsonl") or b""
    try:
        return [DecisionRecord.model_validate_json(line) for line in text.splitlines() if line.strip()]
    except ValueError as error:
        first = str(error).splitlines()[0]
        raise UnreadableError(f"user-agent/decisions.jsonl holds a line that is no decision: {first}") from None


def _same(one: float | None, other: float | None) -> bool:
    return one is other if one is None or other is None else abs(one - other) <= CLOSE
