"""One trial's session as the page shows it. What can't be read is said beside what can."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from swe_together.judge import digest
from swe_together.report._files import UnreadableError, read_bytes, read_object, read_record
from swe_together.report._measured import BEHAVIOUR, DECISIONS, JUDGEMENT
from swe_together.report._records import read_records
from swe_together.report.conversation import Conversation, Limits, Turn, clip, conversation_of
from swe_together.report.conversation import Step as ShownStep
from swe_together.schema import Behaviour, DecisionRecord, Judgement, Rubric, SessionRecord, TestReport, TurnRecord

TRAJECTORY: Final = "agent/trajectory.json"
LIMITS: Final = Limits(message=20_000, thinking=1_000, arguments=1_200, output=1_200, steps=60)
DIFF_CHARS: Final = 20_000
REASON_CHARS: Final = 2_000
OUTPUT_CHARS: Final = 1_000
CASES_SHOWN: Final = 500

type Json = dict[str, Any]


def session_of(folder: Path, rubric: Rubric | None) -> Json:
    """What the page shows of a trial.

    Args:
        folder: The trial's folder, whatever state it is in.
        rubric: Of the task, for the texts of goals; None where it isn't at hand.

    Returns:
        Plain values: ``notes`` (what can't be shown and why), ``turns``, ``goals``, ``cases``, ``coverage``.
    """
    notes: list[str] = []

    def attempt[T](read: Callable[[], T | None]) -> T | None:
        try:
            return read()
        except UnreadableError as problem:
            notes.append(clip(str(problem), REASON_CHARS))
            return None

    records = read_records(folder)
    if records.broken is not None:
        notes.append(clip(records.broken, REASON_CHARS))
    trajectory = attempt(lambda: read_object(folder, TRAJECTORY))
    decisions = _decisions(folder, notes)
    behaviour = attempt(lambda: read_record(folder, BEHAVIOUR, Behaviour))
    judgement = attempt(lambda: read_record(folder, JUDGEMENT, Judgement))
    if rubric is not None and judgement is not None and digest(rubric) != judgement.digests.rubric:
        notes.append("the task's rubric has changed since the judging: goals are described as they are now")
    conversation = conversation_of(trajectory, LIMITS)
    if not conversation.turns:
        if trajectory is None and not any(TRAJECTORY in note for note in notes):
            notes.append(f"there is no {TRAJECTORY}")
        conversation = _from_records(records.session, decisions)
    recorded = {turn.turn: turn for turn in records.session.turns} if records.session is not None else {}
    tags = {m.turn: m.tags for m in behaviour.tags.messages} if behaviour is not None and behaviour.tags else {}
    return {
        "notes": notes,
        "ended": _ended(records.session),
        "turns": [
            _turn(turn, recorded.get(turn.number), decisions.get(turn.number), tags.get(turn.number))
            for turn in conversation.turns
        ],
        "goals": _goals(judgement, records.report, {goal.id: goal.text for goal in rubric.goals} if rubric else {}),
        "cases": _cases(records.report),
        "coverage": _coverage(behaviour),
    }


def _decisions(folder: Path, notes: list[str]) -> dict[int, DecisionRecord]:
    found: dict[int, DecisionRecord] = {}
    try:
        lines = (read_bytes(folder, DECISIONS) or b"").split(b"\n")
    except UnreadableError as problem:
        notes.append(str(problem))
        return found
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                record = DecisionRecord.model_validate_json(line)
            except ValidationError:
                notes.append(f"{DECISIONS}: line {number} is no decision")
                continue
            found[record.turn] = record
    return found


def _from_records(session: SessionRecord | None, decisions: Mapping[int, DecisionRecord]) -> Conversation:
    """Without a trajectory: the messages, and the agent's last words where a decision saw them."""
    turns = []
    for turn in session.turns if session is not None else []:
        seen = decisions.get(turn.turn)
        said = [ShownStep(clip(seen.observation.reply, LIMITS.message), "", [])] if seen is not None else []
        turns.append(Turn(turn.turn, clip(turn.message, LIMITS.message), said))
    return Conversation(turns, 0)


def _ended(session: SessionRecord | None) -> Json | None:
    if session is None:
        return None
    return {
        "how": session.end.value,
        "error": clip(session.error or "", REASON_CHARS),
        "seconds": session.seconds,
        "settled": [plain(settled) for settled in session.settled],
    }


def _turn(turn: Turn, recorded: TurnRecord | None, decided: DecisionRecord | None, tags: Any) -> Json:
    # Not dataclasses.asdict: it copies every text of every call, which takes as long as all the rest.
    steps = [{**vars(step), "calls": [vars(call) for call in step.calls]} for step in turn.steps]
    shown: Json = {**vars(turn), "steps": steps}
    if recorded is not None:
        shown |= {
            "kind": recorded.kind.value if recorded.kind is not None else None,
            "anchors": recorded.anchors,
            "seconds": recorded.seconds,
            "timed_out": recorded.timed_out,
            "continuation": recorded.continuation,
        }
    known = tags if tags is not None else recorded.tags if recorded is not None else []
    shown["tags"] = [str(tag.value) for tag in known]
    if decided is not None:
        shown["seen"] = _seen(decided)
        shown["decision"] = _decision(decided)
    return shown


def _seen(record: DecisionRecord) -> Json:
    seen = record.observation
    return {
        "changes": [plain(change) for change in seen.changes],
        "changes_total": seen.changes_total,
        "diff": clip(seen.diff, DIFF_CHARS),
        "diff_left_out": max(0, seen.diff_chars - len(seen.diff)),
        "asks": seen.agent_asks,
    }


def _decision(record: DecisionRecord) -> Json:
    decision, call = record.decision, record.call
    return {
        "policy": record.policy,
        "seconds": record.seconds,
        "error": clip(record.error or "", REASON_CHARS),
        "action": decision.action.value if decision is not None and decision.action is not None else None,
        "kind": decision.kind.value if decision is not None and decision.kind is not None else None,
        "end": decision.end.value if decision is not None and decision.end is not None else None,
        "says": decision is not None and decision.message is not None,
        "reason": clip(decision.reason, REASON_CHARS) if decision is not None else "",
        "anchors": decision.anchors if decision is not None else [],
        "guards": decision.guards if decision is not None else [],
        "settled": [plain(settled) for settled in record.known_settled],
        "facts": [
            {"anchor": f.anchor, "field": f.field, "value": f.value, "detail": clip(f.detail, OUTPUT_CHARS),
             "predicate": clip(_short(f.predicate), OUTPUT_CHARS)}
            for f in record.known_facts
        ],
        "call": None if call is None else {
            "model": call.model, "cost": call.cost_usd, "seconds": call.seconds, "retries": call.retries,
            "refused": [clip(f"{r.guard or 'form'}: {r.problem}", REASON_CHARS) for r in call.refused],
        },
    }  # fmt: skip


def _goals(judgement: Judgement | None, report: TestReport | None, texts: Mapping[str, str]) -> list[Json]:
    if judgement is None:
        # The summary is all that stands there where the judgement itself was not kept.
        met = report.judge.met if report is not None and report.judge is not None else {}
        return [{"goal": goal, "text": texts.get(goal, ""), "met": value} for goal, value in met.items()]
    outcomes = {o.goal: o for o in judgement.check_run.outcomes} if judgement.check_run is not None else {}
    votes: dict[str, list[Json]] = {}
    for vote in judgement.votes:
        for verdict in vote.verdicts:
            evidence = [f"{cited.kind.value} {clip(cited.ref, OUTPUT_CHARS)}" for cited in verdict.evidence]
            votes.setdefault(verdict.goal, []).append(
                {"met": verdict.met, "reason": clip(verdict.reason, REASON_CHARS), "evidence": evidence}
            )
    shown = []
    for goal in judgement.goals:
        outcome = outcomes.get(goal.goal)
        shown.append(
            {
                "goal": goal.goal, "text": texts.get(goal.goal, ""), "met": goal.met, "tier": goal.tier.value,
                "weight": goal.weight, "gate": goal.gate, "basis": goal.basis.value,
                "reason": clip(goal.reason, REASON_CHARS), "votes": votes.get(goal.goal, []),
                "check": None if outcome is None else {
                    "exit": outcome.exit, "met": outcome.met, "output": clip(outcome.output, OUTPUT_CHARS),
                },
            }
        )  # fmt: skip
    return shown


def _cases(report: TestReport | None) -> Json:
    cases = report.cases if report is not None else []
    return {
        "total": len(cases),
        "passed": sum(case.passed for case in cases),
        "shown": [
            {"id": clip(case.id, 200), "kind": case.kind.value, "turn": case.turn, "passed": case.passed,
             "message": clip(case.message, OUTPUT_CHARS)}
            for case in sorted(cases, key=lambda case: case.passed)[:CASES_SHOWN]
        ],
    }  # fmt: skip


def _coverage(behaviour: Behaviour | None) -> Json | None:
    if behaviour is None:
        return None
    found = behaviour.coverage
    return {
        "errors": [clip(error, REASON_CHARS) for error in behaviour.errors],
        "why": found.why if found is not None else "",
        "intents": [plain(intent) for intent in found.intents] if found is not None else [],
    }


def plain(model: Any) -> Json:
    """A record's plain values, its texts cut and free of control signs."""
    told: Json = model.model_dump(mode="json")
    return {name: clip(value, REASON_CHARS) if isinstance(value, str) else value for name, value in told.items()}


def _short(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)
