"""A made-up task with all the facts of a sound check, to be spoiled one at a time."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from swe_together.judge import score
from swe_together.pipeline.check.model import DeclaredCase, StateResult
from swe_together.pipeline.check.subject import Proof, Subject
from swe_together.schema import (
    Basis,
    Case,
    CaseKind,
    Check,
    CheckOutcome,
    CheckRun,
    Digests,
    Evidence,
    Goal,
    GoalJudgement,
    Judgement,
    Ledger,
    Tier,
)

CASES = [("a1", "f2p", 0), ("a2", "f2p", 0), ("b1", "f2p", 1), ("b2", "f2p", 1), ("c1", "f2p", 3), ("c2", "f2p", 3)]
OLD = [("old", "p2p", 0)]
WEIGHTS = {"a": 0.4, "b": 0.3, "c": 0.3}
GOALS = {"a": ["a1", "a2"], "b": ["b1", "b2"], "c": ["c1", "c2"]}


def goal(name: str, cases: list[str], weight: float | None = None, check: bool = True) -> Goal:
    return Goal(
        id=name,
        text=name,
        weight=weight,
        gate=weight is None,
        tier=Tier.CORE,
        evidence=Evidence.TESTS,
        check=Check(run="true") if check else None,
        cases=cases,
    )


def declared(cases: Iterable[tuple[str, str, int]] = (*CASES, *OLD)) -> list[DeclaredCase]:
    return [DeclaredCase(id=i, kind=CaseKind(k), turn=t, weight=1) for i, k, t in cases]


def subject(**changes: Any) -> Subject:
    folder = Path("/made-up/solution")
    facts: dict[str, Any] = {
        "path": folder.parent,
        "id": "made-up",
        "trees": ["/workspace"],
        "goals": [
            goal("a", GOALS["a"], 0.4),
            goal("b", GOALS["b"], 0.3),
            goal("c", GOALS["c"], 0.3),
            goal("g", ["old"]),
        ],
        "asks": {0, 1, 3},
        "turns": {0, 1, 2, 3},
        "stages": {turn: folder / f"turn-{turn}.patch" for turn in (0, 1, 3)},
        "wrong": [Proof(f"wrong-{name}", folder / f"wrong-{name}.patch", name) for name in ("a", "b", "g")],
        "alt": [Proof("alt-x", folder / "alt-x.patch")],
        "cheat": [Proof("cheat-x", folder / "cheat-x.sh"), Proof("cheat-y", folder / "cheat-y.patch")],
        "declared": declared(),
    }
    return Subject(**{**facts, **changes})


def state(name: str, failed: Iterable[str] = (), reward: float | None = None, **changes: Any) -> StateResult:
    gone = set(failed)
    cases = [
        Case(id=i, kind=CaseKind(k), turn=t, passed=i not in gone, seconds=0.1, message="spoilt" if i in gone else "")
        for i, k, t in (*CASES, *OLD)
    ]
    asked = [case for case in cases if case.kind is CaseKind.F2P]
    earned = 0.0 if "old" in gone else sum(case.passed for case in asked) / len(asked)
    facts: dict[str, Any] = {"name": name, "reward": earned if reward is None else reward, "cases": cases}
    return StateResult(**{**facts, **changes})


def judgement(*unmet: str, undecided: Iterable[str] = ()) -> Judgement:
    """What the checks judge says where these goals are not met; each of them has printed why."""
    open_ = set(undecided)
    goals = [
        GoalJudgement(
            goal=goal.id,
            tier=goal.tier,
            weight=goal.weight,
            gate=goal.gate,
            met=None if goal.id in open_ else goal.id not in unmet,
            basis=Basis.UNDECIDED if goal.id in open_ else Basis.CHECK,
            reason="its command ended with 1" if goal.id in unmet else "its command ended with 0",
        )
        for goal in subject().goals
    ]
    ran = [
        CheckOutcome(goal=g.goal, met=bool(g.met), exit=int(not g.met), reason=g.reason, output=said, seconds=0.1)
        for g in goals
        if g.met is not None
        for said in ("" if g.met else f"looking\nwanted {g.goal}, found nothing\n",)
    ]
    scored = score(goals)
    nothing = "0" * 64
    return Judgement(
        task="made-up",
        judge="checks",
        checks="trust",
        seed=0,
        score=scored.value,
        decided_share=scored.decided_share,
        failed_gates=list(scored.failed_gates),
        undecided_gates=list(scored.undecided_gates),
        disagreements=[],
        goals=goals,
        check_run=CheckRun(key=nothing, outcomes=ran, seconds=0.4),
        digests=Digests(rubric=nothing, state="made up", cases=nothing, dialogue=nothing, settings=nothing),
        ledger=Ledger(),
    )


def results(**changes: StateResult) -> dict[str, StateResult]:
    every = [i for i, _, _ in CASES]
    found = [
        state("nothing", every, judgement=judgement("a", "b", "c")),
        state("reference-1", judgement=judgement()),
        state("reference-2"),
        state("reference-3"),
        state("leaves-at-once", [*every, "old"], judgement=judgement("a", "b", "c", "g")),
        state("stage-0", ["b1", "b2", "c1", "c2"]),
        state("stage-1", ["c2"]),
        state("stage-3"),
        state("wrong-a", ["a1", "a2"], judgement=judgement("a")),
        state("wrong-b", ["b1", "b2"], judgement=judgement("b")),
        state("wrong-g", ["old"], judgement=judgement("g")),
        state("alt-x", judgement=judgement()),
        state("cheat-x", every, judgement=judgement("a", "b", "c")),
        state("cheat-y", [*every, "old"], judgement=judgement("a", "b", "c", "g")),
    ]
    known = {result.name: result for result in found}
    return known | {name.replace("_", "-"): value for name, value in changes.items()}
