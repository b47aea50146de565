"""Material and drafts of the tiny task, in a few words."""

from pathlib import Path
from typing import Any

from swe_together.judge.drafting import Material
from swe_together.judge.fake import Answer
from swe_together.pipeline.rubric import material_of
from swe_together.schema import DraftRubric
from swe_together.tasks import load_unjudged

ROOT = Path(__file__).parents[3]
TINY = load_unjudged(ROOT / "tests" / "fixtures" / "tiny-task")
SPLIT = 'python3 -c \'import wordbox; assert wordbox.split("a;b") == ["a", "b"]\''


def material() -> Material:
    """All that the tiny task gives."""
    return material_of(TINY)


def goal(name: str, **more: Any) -> dict[str, Any]:
    """A goal as an author hands it in."""
    return {
        "id": name, "turns": [0], "why": "they asked", "text": f"{name} works.", "tier": "core", "evidence": "state",
        "gate": False, "weight": 40, "check": None, "cases": [], **more,
    }  # fmt: skip


GOALS = [
    goal("clean-words", evidence="tests", cases=["strips-blanks"], weight=40),
    goal("semicolons", turns=[1], check=SPLIT, weight=40),
    goal("says-so", turns=[2], tier="polish", evidence="conversation", weight=3),
    goal("join-unchanged", evidence="tests", cases=["join-as-before"], gate=True, weight=None),
]
FAULT = {"goal": "semicolons", "kind": "weight", "problem": "too dear", "advice": "less", "must": True}


def handed(*goals: dict[str, Any]) -> Answer:
    """An answer that hands in a draft."""
    return ("submit", {"goals": list(goals) or GOALS})


def found(*faults: dict[str, Any]) -> Answer:
    """An answer that hands in findings."""
    return ("submit", {"findings": list(faults)})


def drafted(**changes: Any) -> DraftRubric:
    """A draft that can be frozen."""
    goals = [
        {**{name: value for name, value in one.items() if value not in (None, [])}, "weight": weight}
        for one, weight in zip(GOALS, (0.48, 0.48, 0.04, None), strict=True)
    ]
    goals[1]["check"] = {"run": SPLIT}
    value = {"author": "listed", "critic": "listed", "date": "2026-02-03", "goals": goals,
             "sources": [{"name": "instruction.md", "sha256": "a" * 64}], **changes}  # fmt: skip
    return DraftRubric.model_validate(value)
