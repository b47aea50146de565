"""``simulator.md``: persona, anchors and budget of the simulated user (front matter), and the session analysis."""

from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from swe_together import defaults
from swe_together.schema._base import Slug, Strict, Text
from swe_together.schema._predicates import Predicate


class Action(StrEnum):
    """What a user can do after an agent turn (the paper's five actions)."""

    NO_OP = "no_op"
    QUESTION = "question"
    REDIRECT = "redirect"
    NEW_REQUIREMENT = "new_requirement"
    CHECK_EXTERNAL = "check_external"


class Tag(StrEnum):
    """Labels of a user message; several may apply. Corrective: correction, nudge."""

    CORRECTION = "correction"
    NUDGE = "nudge"
    REQUEST = "request"
    QUESTION = "question"
    VERIFICATION = "verification"
    WORKFLOW = "workflow"
    APPROVAL = "approval"
    CONTEXT = "context"


class Variant(Strict):
    """Other words for the same anchor where ``condition`` holds; the first that does is used."""

    condition: Predicate
    message: Text


class Insist(Strict):
    """What the user says at a later yield if the anchor was said and is still not satisfied."""

    message: Text
    max: int = Field(default=1, ge=1, le=3)


class Anchor(Strict):
    """One follow-up of the session. The vocabulary is documented in ``docs/simulated-user.md``."""

    id: Slug
    source_turn: int = Field(ge=1, description="Index of the follow-up in its session; 0 is the instruction.")
    action: Action
    tags: list[Tag] = Field(default_factory=list)
    intents: list[Slug] = Field(default_factory=list)
    message: Text
    variants: list[Variant] = Field(default_factory=list)
    after: list[Slug] = Field(default_factory=list)
    when: str = ""
    condition: Predicate | None = None
    satisfied: Predicate | None = None
    insist: Insist | None = None
    expires: Predicate | Slug | None = None
    required: bool = False

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        if self.action is Action.NO_OP:
            raise ValueError("action no_op is silence and can't be an anchor; leave the anchor out")
        if self.action is Action.REDIRECT and self.condition is None:
            raise ValueError("a redirect reacts to something: give it a condition")
        if self.insist is not None and self.satisfied is None:
            raise ValueError("insist needs satisfied: without it nobody knows whether the user was ignored")
        return self


class Persona(Strict):
    """Who the user is. ``on_question`` answers a question of the agent that no anchor answers."""

    description: Text
    language: str = Field(default="en", pattern=r"^[a-z]{2}$")
    on_question: Text


class Budget(Strict):
    """Limits of a session. ``None`` for ``messages`` means anchors + insists + 2."""

    messages: int | None = Field(default=None, ge=0)
    session_sec: float = Field(default=defaults.SESSION_TIME_SEC, gt=0)
    turn_sec: float = Field(default=defaults.TURN_TIMEOUT_SEC, gt=0)


class SimulatorScript(Strict):
    """The front matter of ``simulator.md``."""

    persona: Persona
    anchors: list[Anchor]
    budget: Budget = Budget()

    @property
    def message_budget(self) -> int:
        """Messages that the user may send in a session."""
        if self.budget.messages is not None:
            return self.budget.messages
        insists = sum(anchor.insist.max for anchor in self.anchors if anchor.insist)
        return len(self.anchors) + insists + defaults.SPARE_MESSAGES
