"""``rubric.draft.json``: a rubric on its way, as a model wrote it and a person edits it."""

from enum import StrEnum
from typing import Literal

from pydantic import Field, StrictBool

from swe_together.schema._base import Slug, Strict, Text
from swe_together.schema._judgement import CheckOutcome, Ledger, Sha256
from swe_together.schema._judging import Goal


class DraftGoal(Goal):
    """A goal and where it comes from; both stay behind when the rubric is frozen."""

    why: Text = Field(description="What in the session asks for it.")
    turns: list[int] = Field(min_length=1, description="Messages that it comes from, 0 for the first.")


class Attack(StrEnum):
    """What can be wrong with a draft."""

    OVERLAP = "overlap"
    UNDECIDABLE = "undecidable"
    WEIGHT = "weight"
    NAMES = "names"
    CHANNEL = "channel"
    VACUOUS = "vacuous"
    MISSING = "missing"
    UNASKED = "unasked"


class Finding(Strict):
    """Something that the critic found. One that must be dealt with is removed or answered before freezing."""

    goal: Slug | None = Field(default=None, description="None where it is about the draft as a whole.")
    kind: Attack
    problem: Text
    advice: Text
    must: StrictBool
    answer: str | None = Field(default=None, description="What the person who freezes the rubric says to it.")


class Source(Strict):
    """Something that the author was shown."""

    name: Text
    sha256: Sha256


class DraftRubric(Strict):
    """``rubric.draft.json``. Candidate output is never a source."""

    format: Literal[1] = 1
    author: Text = Field(description="The model that wrote it, or the person.")
    critic: Text | None = Field(default=None, description="The model that attacked it; None where nobody did.")
    date: str = Field(pattern=r"^\d{4}-\d{2}-\d{2}$")
    sources: list[Source] = Field(min_length=1)
    goals: list[DraftGoal] = Field(min_length=1)
    findings: list[Finding] = Field(default_factory=list)
    checks: list[CheckOutcome] = Field(
        default_factory=list, description="What the goals' commands said of the reference when it was drafted."
    )
    prompts: list[Sha256] = Field(default_factory=list, description="Of author and critic.")
    ledger: Ledger = Ledger()
