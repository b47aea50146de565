"""The records that a session leaves in its trial, from a few facts: every score rests on what it should."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from swe_together.judge import digest
from swe_together.schema import (
    Action,
    Basis,
    Behaviour,
    Case,
    CaseKind,
    Decision,
    DecisionRecord,
    Digests,
    EndReason,
    GoalJudgement,
    IntentCoverage,
    IntentMatch,
    Judgement,
    JudgeSummary,
    Ledger,
    MessageKind,
    MessageTags,
    Observation,
    PartLedger,
    SessionRecord,
    Tag,
    TaggedMessage,
    TestReport,
    Tier,
    TrialLedger,
    TurnRecord,
    Usage,
)

BEGIN = datetime(2026, 3, 1, 12, tzinfo=UTC)
JUDGE = {"judge": "on", "judge_model": None, "judge_temperature": 0.0, "judge_votes": 1, "judge_checks": "trust"}
SPENT = Usage(input_tokens=1000, cached_tokens=100, output_tokens=200, reasoning_tokens=50, cost_usd=0.5)


@dataclass(frozen=True)
class Spec:
    """One trial. ``None`` for a score leaves it out; ``messages`` are the tags of each follow-up."""

    task: str = "swe-together/one"
    agent: str = "codex"
    model: str | None = "openai/gpt-5.2"
    reward: float | None = 1.0
    judge: float | None = None
    judge_model: str | None = None
    basis: str = "tests"
    arm: str = "interactive"
    policy: str = "scripted"
    repository: str | None = "pypi:one"
    language: str | None = "python"
    category: str | None = "bugfix"
    dataset: str | None = "swe-together"
    dataset_version: str | None = "0.1"
    digest: str = "d" * 64
    rubric: str | None = "a" * 64
    version: str | None = "0.1.0"
    agent_version: str = "1.0"
    sealed: bool | None = False
    continuation: str = "native"
    messages: Sequence[Sequence[str]] = (("request",), ("correction",))
    coverage: tuple[float, float] | None = (0.8, 1.0)
    usage: Usage = SPENT
    agent_seconds: float = 60.0
    wall_seconds: float = 100.0
    end: EndReason = EndReason.ANCHORS_EXHAUSTED
    minute: int = 0
    """When it began, after :data:`BEGIN`."""
    kwargs: Mapping[str, Any] = field(default_factory=dict)

    @property
    def short(self) -> str:
        return self.task.rpartition("/")[2]

    @property
    def begun(self) -> datetime:
        return BEGIN + timedelta(minutes=self.minute)


def said(spec: Spec) -> list[str]:
    """All messages of the user."""
    return ["please do one", *(f"message {number}" for number in range(1, len(spec.messages) + 1))]


def session(spec: Spec) -> SessionRecord:
    """The session's record."""
    texts = said(spec)
    turns = [
        TurnRecord(
            turn=number,
            message=text,
            kind=None if number == 1 else MessageKind.ANCHOR,
            anchors=[] if number == 1 else [f"a-{number}"],
            tags=[] if number == 1 else [Tag(tag) for tag in spec.messages[number - 2]],
            continuation="first" if number == 1 else spec.continuation,
            seconds=spec.agent_seconds / len(texts),
        )
        for number, text in enumerate(texts, start=1)
    ]
    return SessionRecord(
        task=spec.task,
        task_digest=spec.digest,
        dataset=spec.dataset,
        dataset_version=spec.dataset_version,
        repository=spec.repository,
        language=spec.language,
        category=spec.category,
        sealed=spec.sealed,
        version=spec.version,
        agent=spec.agent,
        agent_version=spec.agent_version,
        model=spec.model,
        policy=spec.policy,
        arm=spec.arm,
        continuation=spec.continuation,
        started=spec.begun.isoformat(),
        finished=(spec.begun + timedelta(seconds=spec.wall_seconds)).isoformat(),
        seconds=spec.wall_seconds,
        agent_seconds=spec.agent_seconds,
        user_seconds=2.0,
        end=spec.end,
        error=None if spec.end.valid else "the model is gone",
        turns=turns,
        settled=[],
        messages=len(spec.messages),
        usage=spec.usage,
        settings={"user": spec.policy, "arm": spec.arm},
    )


def _cases(spec: Spec) -> list[Case]:
    """Cases whose weights give the tests' score."""
    passed = spec.reward or 0.0
    parts = [("works", passed, True), ("breaks", 1 - passed, False)]
    return [
        Case(id=name, kind=CaseKind.F2P, turn=0, weight=weight, passed=good, seconds=0.5)
        for name, weight, good in parts
        if weight > 0
    ]


def _goals(spec: Spec) -> list[GoalJudgement]:
    """Goals whose weights give the judge's score; a tenth is undecided."""
    met = spec.judge or 0.0
    parts = [("works", 0.9 * met, True), ("breaks", 0.9 * (1 - met), False), ("talks", 0.1, None)]
    return [
        GoalJudgement(
            goal=name, tier=Tier.CORE, weight=weight, gate=False, met=good, reason="seen",
            basis=Basis.UNDECIDED if good is None else Basis.MODEL if spec.judge_model else Basis.CHECK,
        )
        for name, weight, good in parts
        if weight > 0
    ]  # fmt: skip


def report(spec: Spec) -> TestReport:
    """What the tests said, and the judge in short."""
    summary = None
    if spec.judge is not None or spec.judge_model is not None or spec.basis == "judge":
        summary = JudgeSummary(
            status="ok" if spec.judge is not None else "error",
            score=spec.judge,
            decided_share=None if spec.judge is None else 0.9,
            met={goal.goal: goal.met for goal in _goals(spec)} if spec.judge is not None else {},
            error=None if spec.judge is not None else "the provider is gone",
            rubric=spec.rubric if spec.judge is not None else None,
            settings={**JUDGE, "judge_model": spec.judge_model},
        )
    basis: Literal["tests", "judge"] = "judge" if spec.basis == "judge" else "tests"
    return TestReport(
        status="ok", interactive=1, tests=spec.reward, cases=_cases(spec), basis=basis, judge=summary
    )  # fmt: skip


def judgement(spec: Spec) -> Judgement:
    """The judgement that the report tells of."""
    cases = [case.model_dump(mode="json", exclude={"seconds"}) for case in _cases(spec)]
    return Judgement(
        task=spec.task,
        judge="model" if spec.judge_model else "checks",
        model=spec.judge_model,
        checks="trust",
        seed=0,
        score=spec.judge,
        decided_share=0.9,
        failed_gates=[],
        undecided_gates=[],
        disagreements=[],
        goals=_goals(spec),
        digests=Digests(
            rubric=spec.rubric or "a" * 64, state="5" * 64, cases=digest(cases), dialogue="6" * 64, settings="7" * 64
        ),
        ledger=Ledger(),
    )


def decisions(spec: Spec) -> str:
    """The user's decisions, one a line."""
    texts, lines = said(spec), []
    for number in range(1, len(texts) + 1):
        last = number == len(texts)
        decision = Decision(
            action=Action.NO_OP if last else Action.NEW_REQUIREMENT,
            message=None if last else texts[number],
            end=spec.end if last else None,
            reason="its turn had come",
        )
        seen = Observation(turn=number, reply="done", reply_chars=4, turn_sec=1, elapsed_sec=number)
        record = DecisionRecord(turn=number, policy=spec.policy, observation=seen, decision=decision, seconds=0.1)
        lines.append(record.model_dump_json() + "\n")
    return "".join(lines)


def trajectory(spec: Spec) -> dict[str, Any]:
    """The dialogue as a trajectory with user steps."""
    steps: list[dict[str, Any]] = []
    for number, text in enumerate(said(spec), start=1):
        steps.append({"source": "user", "message": text, "extra": {"swe_together": {"turn": number}}})
        steps.append({"source": "agent", "message": "done"})
    return {"schema_version": "ATIF-v1.6", "agent": {"name": spec.agent}, "steps": steps}


def behaviour(spec: Spec) -> Behaviour:
    """Tags of the messages, and Intent Coverage."""
    messages = [
        TaggedMessage(turn=number, tags=[Tag(tag) for tag in tags], source="authored")
        for number, tags in enumerate(spec.messages, start=2)
    ]
    flat = [tag for tags in spec.messages for tag in tags]
    corrections, nudges = flat.count("correction"), flat.count("nudge")
    coverage = None
    if spec.coverage is not None:
        recall, precision = spec.coverage
        coverage = IntentCoverage(
            intents=[IntentMatch(intent="wants-one", confidence=recall, by="message", turns=[2])],
            messages=[],
            recall=recall,
            precision=precision,
            overall=0.7 * recall + 0.3 * precision,
        )
    tags = MessageTags(
        messages=messages, corrections=corrections, nudges=nudges, user_correction=corrections + 0.2 * nudges
    )
    return Behaviour(tags=tags, coverage=coverage)


def ledger(spec: Spec) -> TrialLedger:
    """What the trial cost."""
    free = PartLedger(answers=0, failed_requests=0, usage=Usage(cost_usd=0.0), seconds=0.0, note="no model was asked")
    judge = free if spec.judge_model is None else PartLedger(usage=Usage(cost_usd=0.25), models=[spec.judge_model])
    return TrialLedger(agent=PartLedger(usage=spec.usage), user=free, judge=judge, tagger=free)
