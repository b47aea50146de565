"""Metrics of the user's behaviour in a session: tags of the messages, User Correction, Intent Coverage."""

from typing import Literal

from pydantic import Field

from swe_together.schema._base import Slug, Strict
from swe_together.schema._judgement import Ledger, Sha256
from swe_together.schema._results import RefusedAnswer
from swe_together.schema._simulator import Tag


class ModelQuestion(Strict):
    """What a model was asked once, and what came of it."""

    model: str
    temperature: float | None = None
    prompt_sha256: Sha256
    answer: str
    refused: list[RefusedAnswer] = Field(default_factory=list)
    faults: list[str] = Field(default_factory=list)
    ledger: Ledger


class TaggedMessage(Strict):
    """A follow-up and its tags. ``tags`` is None where it has none yet: it needs a model."""

    turn: int = Field(ge=2)
    tags: list[Tag] | None
    source: Literal["authored", "model", "none"]
    reason: str = ""


class MessageTags(Strict):
    """All follow-ups of a session. ``user_correction`` is None where one of them has no tags."""

    format: Literal[1] = 1
    messages: list[TaggedMessage]
    corrections: int | None
    nudges: int | None
    user_correction: float | None
    question: ModelQuestion | None = None


class IntentMatch(Strict):
    """An intent of the task and how surely the session has served it."""

    intent: Slug
    confidence: float = Field(ge=0, le=1)
    by: Literal["message", "agent", "none"] = Field(description="agent: did it unasked, so that nobody had to say it.")
    turns: list[int] = Field(default_factory=list)


class MessageMatch(Strict):
    """A follow-up and the intents that it expresses."""

    turn: int = Field(ge=2)
    intents: list[Slug]
    scope: Literal["intent", "answer", "extra", "off_task", "repetitive"] = Field(
        description="intent: matched. answer: the authored answer to a question of the agent."
    )
    source: Literal["authored", "model"]


class IntentCoverage(Strict):
    """How far a session followed the one its task comes from. None is undefined or unknown, ``why`` says which."""

    format: Literal[1] = 1
    intents: list[IntentMatch]
    messages: list[MessageMatch]
    recall: float | None = Field(ge=0, le=1)
    precision: float | None = Field(ge=0, le=1)
    overall: float | None = Field(ge=0, le=1)
    why: str = ""
    question: ModelQuestion | None = None


class Behaviour(Strict):
    """``verifier/behaviour.json``: the user's messages in a trial. What is None is unknown, ``errors`` says why."""

    format: Literal[1] = 1
    tagger: str | None = Field(default=None, description="Model that tagged free messages; None: authored tags alone.")
    tags: MessageTags | None = None
    coverage: IntentCoverage | None = None
    errors: list[str] = Field(default_factory=list)
    failed: list[ModelQuestion] = Field(
        default_factory=list, description="Questions that came to nothing: what they cost is spent."
    )
