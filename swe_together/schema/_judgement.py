"""What a judgement leaves behind: verdicts, votes, checks, the score, digests of all that it rests on, its price."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StrictBool

from swe_together.schema._base import Slug, Strict, Text
from swe_together.schema._judging import Tier
from swe_together.schema._results import RefusedAnswer, Usage

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Cited(StrEnum):
    """What a verdict can point at: a line that was read, a command that was run, a test case, a turn."""

    FILE = "file"
    COMMAND = "command"
    CASE = "case"
    TURN = "turn"


class Citation(Strict):
    """A piece of evidence that the judge has seen in this judgement."""

    kind: Cited
    ref: Text


class Verdict(Strict):
    """One goal as one vote saw it, the reason before the verdict."""

    goal: Slug
    evidence: list[Citation] = Field(min_length=1)
    reason: Text
    met: StrictBool


class Ledger(Strict):
    """What a part of a trial cost. ``requests`` counts answers, refused ones included; failed requests are faults."""

    requests: int = Field(default=0, ge=0)
    usage: Usage = Usage()
    seconds: float = Field(default=0.0, ge=0)


class Vote(Strict):
    """One whole investigation. Stored by ``key``, which changes with everything that it rests on."""

    format: Literal[1] = 1
    key: Sha256
    number: int = Field(ge=0)
    order: list[Slug] = Field(description="The goals as they were shown.")
    verdicts: list[Verdict] = Field(description="In the order of the rubric.")
    prompt_sha256: Sha256
    model: str
    temperature: float | None = None
    structure: Literal["tool", "schema", "text"] | None = None
    answers: list[str] = Field(description="Every answer as it came, as JSON.")
    refused: list[RefusedAnswer] = Field(default_factory=list)
    faults: list[str] = Field(default_factory=list)
    dropped: list[str] = Field(default_factory=list)
    ledger: Ledger


class FailedVote(Strict):
    """An investigation that came to no verdicts: why, and what it cost."""

    format: Literal[1] = 1
    key: Sha256
    number: int = Field(ge=0)
    error: str
    prompt_sha256: Sha256
    model: str
    answers: list[str] = Field(default_factory=list)
    refused: list[RefusedAnswer] = Field(default_factory=list)
    faults: list[str] = Field(default_factory=list)
    ledger: Ledger


class CheckOutcome(Strict):
    """What a goal's own command said. ``exit`` is None where it ran out of time."""

    goal: Slug
    met: bool
    exit: int | None
    reason: str
    output: str = ""
    seconds: float = Field(ge=0)


class CheckRun(Strict):
    """All commands of a rubric in one final state. Stored by ``key``."""

    format: Literal[1] = 1
    key: Sha256
    outcomes: list[CheckOutcome]
    seconds: float = Field(ge=0)


class Basis(StrEnum):
    """What decided a goal: the model's votes, its own command, its test cases (gates only), or nothing."""

    MODEL = "model"
    CHECK = "check"
    CASES = "cases"
    UNDECIDED = "undecided"


class GoalJudgement(Strict):
    """A goal as the judgement has it. ``met`` is None where nothing decided it."""

    goal: Slug
    tier: Tier
    weight: float | None
    gate: bool
    met: bool | None
    basis: Basis
    reason: str
    votes: list[bool] = Field(default_factory=list)
    flip_rate: float | None = Field(default=None, ge=0, le=1, description="Share of pairs of votes that differ.")
    check: bool | None = Field(default=None, description="What the command or, for a gate, the cases said.")
    model: bool | None = Field(default=None, description="What most votes said.")

    @property
    def disagreement(self) -> bool:
        """Whether command and model were both asked and differ."""
        return self.check is not None and self.model is not None and self.check is not self.model


class Digests(Strict):
    """SHA-256 of everything that a judgement rests on."""

    rubric: Sha256
    state: Text
    cases: Sha256
    dialogue: Sha256
    settings: Sha256
    prompts: list[Sha256] = Field(default_factory=list, description="Of each vote.")


class Judgement(Strict):
    """The judgement of one final state."""

    format: Literal[1] = 1
    task: str
    judge: Literal["checks", "model"]
    model: str | None = None
    temperature: float | None = None
    checks: Literal["trust", "confirm", "ignore"]
    seed: int
    score: float | None = Field(ge=0, le=1, description="None where nothing was decided.")
    decided_share: float = Field(ge=0, le=1, description="Weight of the decided goals.")
    failed_gates: list[Slug]
    undecided_gates: list[Slug]
    disagreements: list[Slug]
    goals: list[GoalJudgement]
    votes: list[Vote] = Field(default_factory=list)
    check_run: CheckRun | None = None
    digests: Digests
    ledger: Ledger = Field(description="Of the model, cached votes included: what the verdicts cost when they arose.")
    cached_votes: int = Field(default=0, ge=0, description="Votes that were not asked for again.")
