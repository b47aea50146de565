"""What was measured in a trial: session, judgement, behaviour of the user, costs. What isn't known is left out."""

import hashlib
import json
from pathlib import Path
from typing import Any, Final

from swe_together.ledger import trial_ledger
from swe_together.report._files import UnreadableError, label, read_bytes, read_object, read_record
from swe_together.report._outcome import mapping, number
from swe_together.schema import Behaviour, EndReason, JudgeSummary, SessionRecord, TestReport, TrialLedger
from swe_together.simulator import MODEL_POLICIES, POLICIES, HumanUser, ReplayUser

BEHAVIOUR: Final = "verifier/behaviour.json"
LEDGER: Final = "verifier/ledger.json"
JUDGEMENT: Final = "verifier/judgement.json"
DECISIONS: Final = "user-agent/decisions.jsonl"

Row = dict[str, Any]
"""Values by column, JSON types alone; a column that isn't there is missing. Names with ``_`` are for the table."""

_MAX_COUNT: Final = 2**53
_NO_JUDGE: Final = ("api_key_env", "base_url")
_NO_MODEL: Final = frozenset((*POLICIES, HumanUser.name, ReplayUser.name))
"""Policies that ask no model. What a class of somebody's own asks, only its decisions tell."""


def session(held: SessionRecord, problems: list[str]) -> Row:
    """The session: what was held, how long it was, what the agent used."""
    usage = held.usage
    spoken_to = held.arm == "interactive" and held.policy != "silent"
    unheard = held.end is EndReason.AGENT_ERROR
    numbers = {
        "input_tokens": usage.input_tokens,
        "cached_tokens": usage.cached_tokens,
        "output_tokens": usage.output_tokens,
        "reasoning_tokens": usage.reasoning_tokens,
        "messages": held.messages,
    }
    amounts = {
        "cost_usd": usage.cost_usd,
        "agent_seconds": held.agent_seconds,
        "user_seconds": held.user_seconds,
    }
    row: Row = {
        "dataset": label(held.dataset),
        "dataset_version": label(held.dataset_version),
        "task_digest": label(held.task_digest),
        "repository": label(held.repository),
        "language": label(held.language),
        "category": label(held.category),
        "sealed": held.sealed,
        "arm": held.arm,
        "policy": label(held.policy),
        "user_model": label(held.settings.get("user_model")) if held.policy in MODEL_POLICIES else None,
        "continuation": held.continuation,
        "end": held.end.value,
        "turns": len(held.turns),
        "opportunities": max(len(held.turns) - unheard, 0) if spoken_to else 0,
        **{name: _count(name, value, problems) for name, value in numbers.items()},
        **{name: _amount(name, value, problems) for name, value in amounts.items()},
    }
    return row | ({"simulator": label(held.version)} if held.version else {})


def costs(folder: Path, held: SessionRecord, report: TestReport | None, problems: list[str]) -> Row:
    """What user, judge and tagger cost. Nobody asked has cost nothing; unknown stays unknown."""
    free = held.policy in _NO_MODEL
    judge = report.judge.settings if report is not None and report.judge is not None else {}
    row: Row = {"user_cost_usd": 0.0} if free else {}
    if report is not None and not judge.get("judge_model") and not judge.get("tagger_model"):
        row["judge_cost_usd"] = 0.0
    try:
        ledger = read_record(folder, LEDGER, TrialLedger)
        if ledger is None and not free and read_bytes(folder, DECISIONS) is not None:
            # No other row opens the decisions: the ledger was written from them.
            ledger = trial_ledger(folder)
            row["user_cost_usd"] = _amount("user_cost_usd", ledger.user.usage.cost_usd, problems)
        elif ledger is not None:
            spent = [part.usage.cost_usd for part in (ledger.judge, ledger.tagger)]
            both = None if None in spent else sum(cost or 0 for cost in spent)
            row["user_cost_usd"] = _amount("user_cost_usd", ledger.user.usage.cost_usd, problems)
            row["judge_cost_usd"] = _amount("judge_cost_usd", both, problems)
    except UnreadableError as problem:
        problems.append(str(problem))
    return row


def judged(report: TestReport, folder: Path, problems: list[str]) -> Row:
    """What tests and judge said, and by which rubric and settings."""
    row: Row = {"tests": _amount("tests", report.tests, problems), "basis": report.basis, "judge": "tests"}
    summary = report.judge
    if summary is None:
        return row
    model = summary.settings.get("judge_model")
    row |= {
        "judge": "model" if model else "checks",
        "judge_model": label(model),
        "judge_settings": _digest(summary),
        "judge_score": _amount("judge_score", summary.score, problems),
        "decided_share": _amount("decided_share", summary.decided_share, problems),
        "rubric_digest": label(summary.rubric),
    }
    if summary.rubric is None and summary.status != "error":
        # Results of before have it in the judgement alone.
        try:
            found = read_object(folder, JUDGEMENT)
            row["rubric_digest"] = label(mapping(found, "digests").get("rubric"))
        except UnreadableError as problem:
            problems.append(str(problem))
    return row


def _digest(summary: JudgeSummary) -> str:
    """Of what decides about verdicts: not the tagger, nor where a model is served or under which key."""
    settings = {
        name: value
        for name, value in summary.settings.items()
        if not name.startswith("tagger_") and not name.endswith(_NO_JUDGE)
    }
    return hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode()).hexdigest()[:12]


def behaviour(folder: Path, problems: list[str]) -> Row:
    """User Correction and Intent Coverage, where somebody has tagged and matched."""
    try:
        found = read_record(folder, BEHAVIOUR, Behaviour)
    except UnreadableError as problem:
        problems.append(str(problem))
        return {}
    row: Row = {}
    if found is not None and found.tags is not None:
        row["corrections"] = _count("corrections", found.tags.corrections, problems)
        row["nudges"] = _count("nudges", found.tags.nudges, problems)
        row["user_correction"] = _amount("user_correction", found.tags.user_correction, problems)
    if found is not None and found.coverage is not None:
        for name in ("recall", "precision", "overall"):
            column = f"coverage_{name}"
            row[column] = _amount(column, getattr(found.coverage, name), problems)
    return row


def _count(name: str, value: int | None, problems: list[str]) -> int | None:
    if value is None or 0 <= value < _MAX_COUNT:
        return value
    problems.append(f"{name} can't be {str(value)[:30]}")
    return None


def _amount(name: str, value: float | None, problems: list[str]) -> float | None:
    if value is None:
        return None
    found = number(value)
    if found is None or not 0 <= found < _MAX_COUNT:
        problems.append(f"{name} can't be {str(value)[:30]}")
        return None
    return found
