"""What trials of memorycode tasks left behind, read from job folders. Imports no Harbor."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from swe_together.memorycode._arms import REQUEST, Arm
from swe_together.report import read_trials
from swe_together.schema import SessionRecord, Strict

SCRIPT_POLICIES: Final = ("scripted", "anchored", "llm", "replay", "silent")
"""Simulated users that say what the script says, and note which part of it."""
OUTCOME: Final = Path("verifier/memorycode.json")


class Pair(Strict):
    """A rule, judged on the answer to one request."""

    request: str
    rule: str
    variant: str
    met: bool
    objects: int
    reason: str
    stale: str | None


class RuleOutcome(Strict):
    """How a rule in force fared. ``since``: sessions held after the one in which it was last told."""

    rule: str
    variants: list[str]
    since: int
    home: str
    met: bool
    reason: str
    stale: str | None
    pairs: list[Pair]

    @property
    def updated(self) -> bool:
        """Whether it was told anew at least once."""
        return len(self.variants) > 1


class RequestOutcome(Strict):
    """What the code for one request fails to do; empty where it does everything."""

    id: str
    problems: list[str]


class DistractorOutcome(Strict):
    """Whether an irrelevant instruction left a mark in the code."""

    topic: str
    marks: list[str]
    obeyed: bool


class Outcome(Strict):
    """``verifier/memorycode.json``: everything that the tests of one trial found."""

    format: int
    dialogue: str
    arm: Arm
    size: int
    seed: int
    pool: str
    rules: list[RuleOutcome]
    requests: list[RequestOutcome]
    distractors: list[DistractorOutcome]
    notes_bytes: int | None

    @property
    def cluster(self) -> tuple[int, str, str]:
        """The dialogue: outcomes of the same one are not independent."""
        return self.seed, self.pool, self.dialogue


@dataclass(frozen=True)
class Played:
    """A trial with its outcome."""

    agent: str
    outcome: Outcome


@dataclass(frozen=True)
class Outcomes:
    """All trials of the jobs.

    Attributes:
        played: Those with an outcome.
        missing: The others that belong here, by cause; none of them is counted as zero.
        others: Trials of other tasks.
    """

    played: Sequence[Played]
    missing: Counter[str] = field(default_factory=Counter)
    others: int = 0


def read_outcomes(jobs: Sequence[Path]) -> Outcomes:
    """Read job folders."""
    played: list[Played] = []
    missing: Counter[str] = Counter()
    others = 0
    for row in read_trials(jobs):
        if "memorycode-" not in row.task:
            others += 1
            continue
        if row.reward is None:
            missing[row.status] += 1
            continue
        try:
            outcome = Outcome.model_validate(json.loads((row.path / OUTCOME).read_text(encoding="utf-8")))
        except (OSError, UnicodeDecodeError, json.JSONDecodeError, ValidationError):
            missing["outcome_unreadable"] += 1
            continue
        if not _asked(outcome.arm, row.session):
            missing["never_asked"] += 1
            continue
        outcome = _as_delivered(outcome, row.session)
        played.append(Played(_agent(row.agent, outcome.arm, row.session), outcome))
    return Outcomes(played, missing, others)


def _asked(arm: Arm, session: SessionRecord | None) -> bool:
    """Whether the agent ever heard the request, which comes last where each session is a message."""
    if session is None or arm not in (Arm.SESSIONS, Arm.MEMORY) or session.arm == "full-spec":
        return True
    if session.policy not in SCRIPT_POLICIES:
        return True  # a person says it in their own words
    return any(REQUEST in turn.anchors for turn in session.turns)


def _as_delivered(outcome: Outcome, session: SessionRecord | None) -> Outcome:
    """The control ``full-spec`` tells the rules as a list, whatever the task's own arm: it counts as ``chain``."""
    if session is None or session.arm != "full-spec" or outcome.arm is Arm.ISOLATED:
        return outcome
    return outcome.model_copy(update={"arm": Arm.CHAIN, "distractors": []})


def _agent(name: str, arm: Arm, session: SessionRecord | None) -> str:
    """The agent's name; with how messages reached it where that isn't what the arm is about."""
    usual = {Arm.SESSIONS: ("native", "restated"), Arm.MEMORY: ("fresh",)}
    if session is None or session.continuation in usual.get(arm, (session.continuation,)):
        return name
    return f"{name}, continuation {session.continuation}"
