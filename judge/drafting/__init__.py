"""Phase 1: a model drafts a task's rubric, another conversation attacks it, a person edits and freezes it.

Imports neither Harbor nor the simulator. ``docs/judge.md`` explains prompts and rules.
"""

from swe_together.judge._loop import Limits
from swe_together.judge.drafting._candidates import refuse_candidates
from swe_together.judge.drafting._draft import AUTHOR, LIMITS, Drafting, draft, draft_model
from swe_together.judge.drafting._freeze import freeze, problems_of, red_checks
from swe_together.judge.drafting._material import KnownCase, Material, SessionTurn

__all__ = [
    "AUTHOR",
    "LIMITS",
    "Drafting",
    "KnownCase",
    "Limits",
    "Material",
    "SessionTurn",
    "draft",
    "draft_model",
    "freeze",
    "problems_of",
    "red_checks",
    "refuse_candidates",
]
