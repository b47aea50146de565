"""What a trial leaves behind: test cases and rewards, the observation, decisions and the session record."""

from enum import StrEnum
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from swe_together.schema._base import Strict
from swe_together.schema._simulator import Action, Tag


class CaseKind(StrEnum):
    """Fail-to-pass cases ask for the new behaviour, pass-to-pass cases guard the old."""

    F2P = "f2p"
    P2P = "p2p"


class Case(Strict):
    """One case of the tests. ``turn`` is the user message that asks for it, 0 for the instruction."""

    id: str
    kind: CaseKind
    turn: int = Field(ge=0)
    weight: float = Field(default=1.0, gt=0)
    passed: bool
    seconds: float = Field(ge=0)
    message: str = ""


class JudgeSummary(Strict):
    """The judge's part of a trial's reward details; the whole stands in ``verifier/judgement.json``."""

    status: Literal["ok", "undecided", "error"] = Field(description="undecided: no goal was decided, so no score.")
    score: float | None = Field(default=None, ge=0, le=1)
    decided_share: float | None = Field(default=None, ge=0, le=1, description="Weight of the decided goals.")
    failed_gates: list[str] = Field(default_factory=list)
    undecided_gates: list[str] = Field(default_factory=list)
    met: dict[str, bool | None] = Field(default_factory=dict, description="By goal; None where nothing decided it.")
    error: str | None = None
    rubric: str | None = Field(default=None, description="SHA-256 of the goals; None in results of before.")
    settings: dict[str, Any] = Field(default_factory=dict, description="What was in force.")


class TestReport(Strict):
    """``verifier/reward-details.json``: the task's tests write it, our verifier adds ``basis`` and ``judge``.

    ``basis`` says which of the two scores is the reward; it is the same for all trials of a run.
    """

    __test__ = False  # not a pytest class

    format: Literal[1] = 1
    status: Literal["ok", "error"]
    error: str | None = None
    interactive: int = Field(ge=0, le=1)
    tests: float | None = Field(default=None, ge=0, le=1)
    cases: list[Case] = Field(default_factory=list)
    basis: Literal["tests", "judge"] = "tests"
    judge: JudgeSummary | None = Field(default=None, description="None where no judge took part.")


class EndReason(StrEnum):
    """Why a session ended. The last three are faults: their trials have no reward, except after an agent error."""

    ANCHORS_EXHAUSTED = "anchors_exhausted"
    USER_LEFT = "user_left"
    MESSAGE_BUDGET = "message_budget"
    TIME_BUDGET = "time_budget"
    AGENT_ERROR = "agent_error"
    SIMULATOR_ERROR = "simulator_error"
    ENVIRONMENT_ERROR = "environment_error"

    @property
    def valid(self) -> bool:
        """Whether what the agent left may be graded."""
        return self not in (EndReason.SIMULATOR_ERROR, EndReason.ENVIRONMENT_ERROR)


class Command(Strict):
    """A command that the agent ran; ``exit`` is None where the agent's log doesn't say."""

    command: str
    output: str = ""
    exit: int | None = None


class Change(Strict):
    """One path of a delta. Line counts are None for binary files."""

    path: str
    status: Literal["added", "modified", "deleted", "type_changed"]
    added: int | None = None
    removed: int | None = None


class Observation(Strict):
    """What the user can see of one completed agent turn: of bounded size, the same shape for every agent."""

    turn: int = Field(ge=1)
    reply: str
    reply_chars: int = Field(ge=0)
    commands: list[Command] = Field(default_factory=list)
    commands_total: int = Field(default=0, ge=0)
    changes: list[Change] = Field(default_factory=list)
    changes_total: int = Field(default=0, ge=0)
    diff: str = ""
    diff_chars: int = Field(default=0, ge=0)
    agent_asks: bool = False
    timed_out: bool = False
    turn_sec: float = Field(ge=0)
    elapsed_sec: float = Field(ge=0)


class MessageKind(StrEnum):
    """Where a message comes from."""

    ANCHOR = "anchor"
    INSIST = "insist"
    ON_QUESTION = "on_question"
    FREE = "free"


class Settlement(Strict):
    """How an anchor left the list of pending ones."""

    anchor: str
    how: Literal["said", "satisfied", "expired", "dismissed"]
    reason: str


class Fact(Strict):
    """The value of one predicate, recorded with the decision that used it."""

    anchor: str
    field: Literal["condition", "satisfied", "expires", "variant"]
    predicate: dict[str, Any]
    value: bool
    detail: str = ""


class Decision(Strict):
    """What the user does after a turn: say something, or leave.

    ``end`` is set exactly when the user says nothing to an agent that has yielded: silence is leaving then.
    """

    action: Action | None = Field(description="None where nobody said which: what a person says is not sorted.")
    message: str | None = None
    kind: MessageKind | None = None
    anchors: list[str] = Field(default_factory=list)
    tags: list[Tag] = Field(default_factory=list)
    end: EndReason | None = None
    reason: str
    settled: list[Settlement] = Field(default_factory=list)
    facts: list[Fact] = Field(default_factory=list)
    guards: list[str] = Field(default_factory=list, description="Guards that fired, overrides included.")


class OfferedOption(Strict):
    """Something that the user could have said: an anchor or an insist, and the authored words."""

    anchor: str
    kind: MessageKind
    message: str


class RefusedAnswer(Strict):
    """An answer of a model that could not be used, and why. ``guard`` is None where it had no valid form."""

    raw: str
    problem: str
    guard: str | None = None


class ModelCall(Strict):
    """A model's decision and its price, all of the turn's requests together. Unknown is None, never 0."""

    model: str
    prompt_sha256: str
    prompt_chars: int | None = None
    temperature: float | None = None
    structure: Literal["tool", "schema", "text"] | None = Field(
        default=None, description="How the answer was given its form; None for a chooser that is no model."
    )
    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    seconds: float
    retries: int = Field(default=0, description="Requests beyond the first: after faults and after refused answers.")
    raw: str = Field(default="", description="The last answer, as JSON.")
    faults: list[str] = Field(default_factory=list, description="Errors of the provider on the way.")
    dropped: list[str] = Field(default_factory=list, description="Parameters that the provider rejected.")
    refused: list[RefusedAnswer] = Field(default_factory=list)
    options: list[OfferedOption] = Field(default_factory=list, description="What could be said in this turn.")
    session_sec: float | None = Field(default=None, description="The session's budget, as the prompt names it.")


class DecisionRecord(Strict):
    """One line of ``user-agent/decisions.jsonl``: a decision, or why the user came to none. Exactly one is set."""

    format: Literal[1] = 1
    turn: int
    policy: str
    observation: Observation
    decision: Decision | None = None
    error: str | None = Field(default=None, description="Why there is no decision.")
    settled: list[Settlement] = Field(
        default_factory=list, description="Without a decision: anchors that had left the list until then."
    )
    facts: list[Fact] = Field(default_factory=list, description="Without a decision: predicates evaluated until then.")
    seconds: float
    call: ModelCall | None = None

    @model_validator(mode="after")
    def _decided_or_failed(self) -> Self:
        if (self.decision is None) == (self.error is None):
            raise ValueError("holds a decision or an error, exactly one of them")
        if self.decision is not None and (self.settled or self.facts):
            raise ValueError("a decision holds its own settled and facts")
        return self

    @property
    def known_settled(self) -> list[Settlement]:
        """Anchors that left the list in this turn, whether or not it came to a decision."""
        return self.settled if self.decision is None else self.decision.settled

    @property
    def known_facts(self) -> list[Fact]:
        """Values of predicates in this turn, whether or not it came to a decision."""
        return self.facts if self.decision is None else self.decision.facts


class PersonsTurn(Strict):
    """``user-agent/human/turn-N.json``: what a person who plays the user sees of a turn, whose answer is awaited then.

    ``end`` is set where nothing may be said any more.
    """

    format: Literal[1] = 1
    turn: int
    observation: Observation
    messages_left: int
    end: EndReason | None = None


class Usage(Strict):
    """Tokens and money. Unknown is None, never 0."""

    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cost_usd: float | None = None


class TurnRecord(Strict):
    """One agent turn as it went."""

    turn: int
    message: str
    kind: MessageKind | None = Field(description="None for the instruction.")
    anchors: list[str] = Field(default_factory=list)
    tags: list[Tag] = Field(default_factory=list)
    continuation: Literal["first", "native", "restated", "fresh"]
    seconds: float
    timed_out: bool = False
    killed_processes: int = 0
    usage: Usage = Usage()


class SessionRecord(Strict):
    """``user-agent/session.json``: one session, whole. The report and the demo read this."""

    format: Literal[1] = 1
    task: str
    task_digest: str
    dataset: str | None = Field(default=None, description="As the job names it; None for a task on its own.")
    dataset_version: str | None = Field(default=None, description="None where neither job nor registry say it.")
    repository: str | None = Field(default=None, description="Code base of the task, such as pypi:icalendar.")
    language: str | None = None
    category: str | None = None
    sealed: bool | None = Field(default=None, description="Whether the agent's network was closed but for some hosts.")
    version: str | None = Field(default=None, description="Of the package, and so of what played the user.")
    agent: str
    agent_version: str | None = None
    model: str | None = None
    policy: str
    arm: Literal["interactive", "full-spec", "first-message"] = "interactive"
    continuation: Literal["native", "restated", "fresh"]
    started: str
    finished: str
    seconds: float
    agent_seconds: float
    user_seconds: float
    end: EndReason
    error: str | None = None
    turns: list[TurnRecord]
    settled: list[Settlement]
    messages: int
    usage: Usage = Usage()
    settings: dict[str, Any] = Field(default_factory=dict)
    session_limit_sec: float | None = Field(default=None, description="What was in force; None in results of before.")
    turn_limit_sec: float | None = None


class Marker(Strict):
    """``session.json`` in the container's state folder: tells the tests how the session went. Holds nothing else."""

    format: Literal[1] = 1
    interactive: Literal[1] = 1
    end: EndReason
    valid: bool
