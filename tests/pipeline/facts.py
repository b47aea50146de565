"""A made-up task with all the facts of a sound check, to be spoiled one at a time."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from swe_together.pipeline.check.model import DeclaredCase, GoalCheckResult, StateResult
from swe_together.pipeline.check.subject import Proof, Subject
from swe_together.schema import Case, CaseKind, Check, Goal, Tier
from swe_together.schema._judging import Evidence

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


def results(**changes: StateResult) -> dict[str, StateResult]:
    every = [i for i, _, _ in CASES]
    met = [GoalCheckResult(goal=g, code=0) for g in ("a", "b", "c", "g")]
    unmet = [GoalCheckResult(goal=g, code=1) for g in ("a", "b", "c")] + met[3:]
    found = [
        state("nothing", every, goal_checks=unmet),
        state("reference-1", goal_checks=met),
        state("reference-2"),
        state("reference-3"),
        state("stage-0", ["b1", "b2", "c1", "c2"]),
        state("stage-1", ["c2"]),
        state("stage-3"),
        state("wrong-a", ["a1", "a2"]),
        state("wrong-b", ["b1", "b2"]),
        state("wrong-g", ["old"]),
        state("alt-x"),
        state("cheat-x", every),
        state("cheat-y", [*every, "old"]),
    ]
    known = {result.name: result for result in found}
    return known | {name.replace("_", "-"): value for name, value in changes.items()}
