"""``rubric.json`` and ``intents.json``: what a session is judged by."""

import hashlib
import json
from collections.abc import Sequence
from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from swe_together import defaults
from swe_together.schema._base import Slug, Strict, Text


class Tier(StrEnum):
    """Importance of a goal to the user."""

    CORE = "core"
    SECONDARY = "secondary"
    POLISH = "polish"


class Evidence(StrEnum):
    """The channel that decides a goal."""

    STATE = "state"
    TESTS = "tests"
    CONVERSATION = "conversation"


class Check(Strict):
    """A command in the fresh container that decides the goal: met when it exits 0."""

    run: Text
    timeout_sec: float = Field(default=60, gt=0, le=600)


class Goal(Strict):
    """One goal. A gate has no weight: failed, it zeroes the score."""

    id: Slug
    text: Text
    weight: float | None = Field(default=None, gt=0, le=1)
    tier: Tier
    evidence: Evidence
    gate: bool = False
    check: Check | None = None
    cases: list[str] = Field(default_factory=list, description="Ids of the test cases that speak for this goal.")

    @model_validator(mode="after")
    def _weight_or_gate(self) -> Self:
        if self.gate and self.weight is not None:
            raise ValueError("a gate has no weight")
        if not self.gate and self.weight is None:
            raise ValueError("a goal that is no gate needs a weight")
        return self


class Provenance(Strict):
    """Who or what made the rubric, and from what. Candidate output is never a source."""

    author: Text
    sources: list[Text] = Field(min_length=1)
    frozen: str = Field(pattern=r"^\d{4}-\d{2}-\d{2}$")
    digest: str | None = Field(
        default=None, pattern=r"^[0-9a-f]{64}$", description="SHA-256 of the goals as they were frozen."
    )


def goals_digest(goals: Sequence[Goal]) -> str:
    """SHA-256 of goals. Fields that have their default don't count, so that it outlives new ones."""
    plain = [goal.model_dump(mode="json", exclude_defaults=True) for goal in goals]
    return hashlib.sha256(json.dumps(plain, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


class Rubric(Strict):
    """Weighted goals, frozen before any candidate was seen."""

    canary: str | None = None
    format: int = defaults.FORMAT_VERSION
    provenance: Provenance
    goals: list[Goal] = Field(min_length=1)

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        ids = [goal.id for goal in self.goals]
        doubled = sorted({i for i in ids if ids.count(i) > 1})
        if doubled:
            raise ValueError(f"goal ids must be unique: {', '.join(doubled)}")
        total = sum(goal.weight or 0 for goal in self.goals)
        if abs(total - 1) > 1e-6:
            raise ValueError(f"weights of the goals that aren't gates must sum to 1, they sum to {total:g}")
        if self.provenance.digest not in (None, goals_digest(self.goals)):
            raise ValueError("the goals were changed after they were frozen; freeze them again: swe-together rubric")
        return self


class IntentKind(StrEnum):
    """Kinds of atomic intents."""

    REQUEST = "request"
    QUESTION = "question"
    CORRECTION = "correction"
    CONTEXT = "context"
    WORKFLOW = "workflow"
    VERIFICATION = "verification"
    NUDGE = "nudge"


class Intent(Strict):
    """One thing that the user of the session wanted. Turn 0 is left out: it is sent to everyone."""

    id: Slug
    source_turn: int = Field(ge=1)
    kind: IntentKind
    text: Text


class Intents(Strict):
    """``intents.json``."""

    canary: str | None = None
    format: int = defaults.FORMAT_VERSION
    intents: list[Intent] = Field(default_factory=list)
