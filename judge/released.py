"""Rubrics and intents of the paper's release in our own form: guards become gates, the other weights sum to 1 again."""

import re
from typing import Final

from swe_together.errors import TaskError
from swe_together.judge.recorded import GOALS_FILE, RecordedGoal, RecordedTask
from swe_together.schema import Evidence, Goal, Intent, Intents, Provenance, Rubric, Tier

AUTHOR: Final = "The authors of the paper's release"
RELEASED: Final = "2026-06-27"
"""Date of the release; when each rubric was frozen isn't said anywhere."""
_TIERS: Final = {"core": Tier.CORE, "important": Tier.SECONDARY, "secondary": Tier.SECONDARY, "polish": Tier.POLISH}


def rubric_of(task: RecordedTask) -> Rubric:
    """The rubric.

    A guard (``anti_gaming``, ``anti_effort``) becomes a gate, whatever it weighed: that is what it was meant to be. A
    goal of weight 0 that is no guard is left out, since it decided nothing. ``important`` counts as secondary.

    Raises:
        TaskError: No goal with a weight is left.
    """
    scored = [goal for goal in task.goals if not goal.guard and goal.weight > 0]
    total = sum(goal.weight for goal in scored)
    if not scored:
        raise TaskError(f"{task.name}/{GOALS_FILE}", "completeness_goals", None, "no goal has a weight", "Add weights.")
    goals = [
        Goal(
            id=slug_of(goal.id),
            text=goal.goal,
            weight=None if goal.guard else goal.weight / total,
            tier=Tier.CORE if goal.guard else _TIERS.get(goal.tier, Tier.SECONDARY),
            evidence=Evidence.CONVERSATION if goal.about_words else Evidence.STATE,
            gate=goal.guard,
        )
        for goal in task.goals
        if goal.guard or goal.weight > 0
    ]
    return Rubric(provenance=Provenance(author=AUTHOR, sources=[GOALS_FILE], frozen=RELEASED), goals=goals)


def left_out(task: RecordedTask) -> list[RecordedGoal]:
    """Goals that :func:`rubric_of` leaves out."""
    return [goal for goal in task.goals if not goal.guard and goal.weight == 0]


def intents_of(task: RecordedTask) -> Intents:
    """The intents, numbered as they were."""
    return Intents(
        intents=[
            Intent(id=f"intent-{one.intent_id}", source_turn=one.source_turn, kind=one.intent_kind, text=one.text)
            for one in task.intents
        ]
    )


def slug_of(name: str) -> str:
    """An id in our form: lower case, digits, single hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:64].strip("-") or "goal"
