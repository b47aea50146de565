"""A task directory from a recorded session: what rules can derive, with a mark wherever a person has to look."""

from swe_together.pipeline.build._anchors import DraftAnchor, anchors_of, fold_repetitions, intents_of
from swe_together.pipeline.build._labels import Label, label_of
from swe_together.pipeline.build._language import is_test, is_test_support, language_of
from swe_together.pipeline.build._license import OPEN, UNKNOWN, license_of
from swe_together.pipeline.build._make import RULES, DraftingError, make_plan, plain_prose
from swe_together.pipeline.build._plan import Cases, Plan, Prose
from swe_together.pipeline.build._recipe import ARCHIVE, Recipe, recipe_for, write_archive
from swe_together.pipeline.build._rubric import rubric_of
from swe_together.pipeline.build._write import NO_CASES, rewrite_goals, write_task

__all__ = [
    "ARCHIVE",
    "NO_CASES",
    "OPEN",
    "RULES",
    "UNKNOWN",
    "Cases",
    "DraftAnchor",
    "DraftingError",
    "Label",
    "Plan",
    "Prose",
    "Recipe",
    "anchors_of",
    "fold_repetitions",
    "intents_of",
    "is_test",
    "is_test_support",
    "label_of",
    "language_of",
    "license_of",
    "make_plan",
    "plain_prose",
    "recipe_for",
    "rewrite_goals",
    "rubric_of",
    "write_archive",
    "write_task",
]
