"""Short ways to write rubrics, dialogues and dossiers."""

from typing import Any

from swe_together.judge import Dossier, JudgeModel, JudgeSettings
from swe_together.schema import Case, Dialogue, DialogueTurn, Rubric

STATE = "a" * 64
PROVENANCE = {"author": "us", "sources": ["session.json"], "frozen": "2026-01-01"}
SPLIT = "python3 -c 'import wordbox'"
GOALS: list[dict[str, Any]] = [
    {"id": "clean-words", "text": "Words come without blanks.", "weight": 0.5, "tier": "core", "evidence": "state",
     "check": {"run": SPLIT, "timeout_sec": 30}},
    {"id": "semicolons", "text": "Words are split at semicolons too.", "weight": 0.3, "tier": "core",
     "evidence": "tests", "cases": ["semicolon-splits", "mixed-splits"]},
    {"id": "answers", "text": "Says which separators are known.", "weight": 0.2, "tier": "polish",
     "evidence": "conversation"},
    {"id": "join-unchanged", "text": "join works as before.", "tier": "core", "evidence": "tests", "gate": True,
     "cases": ["join-as-before"]},
]  # fmt: skip


def rubric(*goals: dict[str, Any]) -> Rubric:
    """A rubric of these goals, of the four above where none are given."""
    return Rubric.model_validate({"provenance": PROVENANCE, "goals": list(goals) or GOALS})


def case(name: str, passed: bool = True, kind: str = "f2p", message: str = "") -> Case:
    """A test case's outcome."""
    return Case.model_validate(
        {"id": name, "kind": kind, "turn": 1, "passed": passed, "seconds": 0.1, "message": message}
    )


CASES = (case("semicolon-splits"), case("mixed-splits", False, message="['a;b'] != ['a', 'b']"),
         case("join-as-before", kind="p2p"))  # fmt: skip


def dialogue(*turns: dict[str, Any], policy: str = "scripted", **values: Any) -> Dialogue:
    """A dialogue whose turns are numbered; by default one follow-up."""
    given = turns or (
        {"message": "split() keeps blanks, please clean", "reply": "Done."},
        {"message": "split at ; too", "kind": "anchor", "anchors": ["semicolons"], "tags": ["request"],
         "reply": "It now knows , and ;"},
    )  # fmt: skip
    numbered = [DialogueTurn.model_validate({"turn": place, **turn}) for place, turn in enumerate(given, start=1)]
    return Dialogue(policy=policy, turns=numbered, **values)


def dossier(*goals: dict[str, Any], **values: Any) -> Dossier:
    """A dossier of the rubric above, its cases and its dialogue."""
    base: dict[str, Any] = {
        "task": "wordbox",
        "rubric": rubric(*goals),
        "state": STATE,
        "cases": CASES,
        "dialogue": dialogue(),
    }
    return Dossier(**(base | values))


def settings(**values: Any) -> JudgeSettings:
    """Settings with a model that is never called by name."""
    return JudgeSettings(model=JudgeModel(model="listed"), **values)
