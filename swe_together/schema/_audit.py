"""The report of ``swe-together audit``: how true the simulated user stayed to its session, message by message."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from swe_together.schema._base import Strict
from swe_together.schema._results import EndReason, MessageKind, ModelCall
from swe_together.schema._simulator import Tag


class AuditKind(StrEnum):
    """What code alone can find. The first group are the guards on messages, under their own names."""

    REASONING_LEAK = "reasoning_leak"
    ROLE_INVERSION = "role_inversion"
    META = "meta"
    LEAK = "leak"
    EARLY_REVEAL = "early_reveal"
    REPETITION = "repetition"
    INVENTED_CONTINUE = "invented_continue"
    LANGUAGE = "language"

    ADAPTATION = "adaptation"
    ORDER = "order"
    INVENTED_OBSERVATION = "invented_observation"
    PREMATURE_END = "premature_end"
    LENGTH = "length"
    DELIVERY = "delivery"
    FABRICATED_USER = "fabricated_user"
    SAME_FAMILY = "same_family"


class AuditFinding(Strict):
    """Something that code found.

    ``severe`` is what a simulated user never does; ``minor`` is for a reader to weigh. ``about`` says whose doing it
    is: the user's, the agent's, or a choice made for the run.
    """

    turn: int | None = Field(description="The agent turn after which the user spoke or left; None: the whole trial.")
    kind: AuditKind
    severity: Literal["severe", "minor"]
    about: Literal["user", "agent", "run"] = "user"
    quote: str = Field(description="What it was found in, shortened.")
    detail: str


class AuditTag(StrEnum):
    """What a model can find wrong with a message, or with leaving."""

    HALLUCINATION = "hallucination"
    REVEALED_INFO_EARLY = "revealed_info_early"
    PREMATURE_TERMINATION = "premature_termination"
    INCONSISTENT = "inconsistent"
    WRONG_SEQUENCE = "wrong_sequence"
    UNHELPFUL = "unhelpful"


class AuditEffect(StrEnum):
    """What a fault did to the agent's chances."""

    MINOR = "minor"
    HELPED = "helped"
    HINDERED = "hindered"


class TaggedFault(Strict):
    """One fault that a model named."""

    tag: AuditTag
    severity: AuditEffect
    quote: str


class MessageAudit(Strict):
    """One thing that the user did: a message, or leaving (``message`` is None then).

    ``not_asked``: no model was to judge. ``not_audited``: one was, and gave no usable judgement; ``error`` says why.
    That is never the same as no fault.
    """

    turn: int
    kind: MessageKind | None
    anchors: list[str]
    message: str | None
    end: EndReason | None
    judged: Literal["audited", "not_audited", "not_asked"] = "not_asked"
    tags: list[TaggedFault] = Field(default_factory=list)
    error: str | None = None
    call: ModelCall | None = None


class TrialAudit(Strict):
    """One trial.

    ``state``: ``no_user`` where nobody was simulated (a control, a person, an agent that ran without us),
    ``unreadable`` where somebody was and the records are broken; ``why`` says more of both.
    """

    trial: str
    path: str
    task: str
    agent: str
    agent_model: str | None
    policy: str | None
    user_models: list[str] = Field(default_factory=list)
    status: str
    reward: float | None
    passed: bool | None = Field(description="Reward at or above the threshold; None without a reward.")
    task_at_hand: Literal["same", "differs", "absent"] = Field(
        description="Whether the task directory was found, and whether its digest is the recorded one."
    )
    state: Literal["read", "no_user", "unreadable"] = "read"
    why: str = ""
    unchecked: dict[AuditKind, str] = Field(default_factory=dict, description="What code could not look for, and why.")
    findings: list[AuditFinding] = Field(default_factory=list)
    messages: list[MessageAudit] = Field(default_factory=list)


class Share(Strict):
    """A share with what it is made of; undefined (None) where the denominator is 0."""

    numerator: int = Field(ge=0)
    denominator: int = Field(ge=0)
    value: float | None


class Quartiles(Strict):
    """Characters of messages; None where there are none."""

    count: int = Field(ge=0)
    q1: float | None
    median: float | None
    q3: float | None


class Marginals(Strict):
    """What a set of follow-up messages looks like from outside."""

    chars: Quartiles
    pushback: Share = Field(description="Tagged correction or nudge; untagged: action redirect.")
    question: Share = Field(description="Tagged question; untagged: action question.")
    tags: dict[Tag, Share]


class OutcomeColumn(Strict):
    """Trials of one outcome. The last two shares are of those in which a model judged all that there was to judge."""

    trials: int
    severe: Share = Field(description="Trials with a severe finding, of all of them.")
    hindering: Share
    helping: Share
    not_audited: int = Field(description="Trials with a message that a model was to judge and didn't.")


class RunSpread(Strict):
    """How much the user differs between runs of one task under one policy."""

    task: str
    policy: str
    runs: int
    agents: int
    sequences: int = Field(description="Different sequences of said anchors; 1 if all runs are alike.")
    distance: float = Field(description="Mean edit distance between two runs, over the longer's length: 0 is alike.")


class AuditSummary(Strict):
    """A job in numbers."""

    trials: int = Field(description="Those that were read; what follows is about them alone.")
    no_user: int
    unreadable: int
    passed: OutcomeColumn
    failed: OutcomeColumn
    no_reward: OutcomeColumn
    simulator_errors: Share = Field(description="Trials that ended as simulator_error.")
    simulator_attributed: Share = Field(
        description="Of failed trials and simulator errors: simulator errors, and failures with a severe finding or"
        " a hindering message."
    )
    same_family: Share = Field(description="Trials whose user and agent are of one family, of those where both known.")
    fabricated_user: Share = Field(description="Trials in which the agent wrote the user's words.")
    findings: dict[AuditKind, int]
    tags: dict[AuditTag, dict[AuditEffect, int]]
    guards: dict[str, int] = Field(description="Guards that fired in the sessions and kept a message back.")
    judged: Share = Field(description="Messages and leavings that a model judged, of those that it was asked about.")
    simulated: Marginals
    recorded: Marginals = Field(description="Of the tasks' own sessions, each counted once a trial.")
    provenance: dict[Literal["authored", "recorded"], int] = Field(description="Of those sessions, by task.")
    spread: list[RunSpread]


class AuditReport(Strict):
    """What ``swe-together audit --json`` writes."""

    format: Literal[1] = 1
    model: str | None
    pass_threshold: float
    length_factor: float
    summary: AuditSummary
    trials: list[TrialAudit]
