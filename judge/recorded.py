"""Reading rubrics and intents in the layout of the paper's own release, and what is wrong with them.

A task's folder holds ``canonical_goals.json`` and ``oracle_intents.json``. Nothing here scores anything: such a rubric
has guards without weight, which a weighted sum ignores, and goals about a conversation that its judge never saw.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from swe_together.errors import MisuseError, TaskError
from swe_together.schema import IntentKind

GOALS_FILE: Final = "canonical_goals.json"
INTENTS_FILE: Final = "oracle_intents.json"
GUARD_TIERS: Final = ("anti_gaming", "anti_effort")
_ABOUT_WORDS = re.compile(
    r"\b(?:in plain language|statement|in (?:a message|an answer)|reports? (?:this|it|that)) to the user\b"
    r"|\bthe agent (?:must |should )?(?:produces?|gives?|provides?|states?) [^.;]{0,80}"
    r"\b(?:judge?ment|explanation|answer|diagnosis)\b",
    re.IGNORECASE,
)
"""What a goal says that asks for words to the user. A guess that a person confirms: the layout has no field for it."""


class _Layout(BaseModel):
    """Fields beyond ours are let pass: the release has about thirty of them, few in every file."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class RecordedGoal(_Layout):
    """One goal as it was released."""

    id: str = Field(min_length=1)
    goal: str = Field(min_length=1)
    tier: str = Field(min_length=1)
    weight: float = Field(ge=0, le=1, strict=True)
    rationale: str | None = None

    @property
    def guard(self) -> bool:
        """Whether it is meant to zero the score."""
        return self.tier in GUARD_TIERS

    @property
    def about_words(self) -> bool:
        """Whether it asks for something that was said, by its wording. Guards are about the work."""
        return not self.guard and _ABOUT_WORDS.search(self.goal) is not None


class RecordedRubric(_Layout):
    """``canonical_goals.json``."""

    task_name: str
    completeness_goals: list[RecordedGoal] = Field(min_length=1)


class RecordedIntent(_Layout):
    """One intent as it was extracted."""

    intent_id: int = Field(ge=0)
    source_turn: int = Field(ge=1)
    intent_kind: IntentKind
    text: str = Field(min_length=1)
    verbatim_excerpt: str = ""


class RecordedIntents(_Layout):
    """``oracle_intents.json``."""

    task: str
    intents: list[RecordedIntent]


@dataclass(frozen=True)
class RecordedTask:
    """One task of the release, as far as it is judged."""

    name: str
    goals: Sequence[RecordedGoal]
    intents: Sequence[RecordedIntent]


@dataclass(frozen=True)
class Findings:
    """What is wrong with a task's rubric and intents, as ids of goals.

    Attributes:
        goals: How many there are.
        intents: How many there are; Intent Coverage is undefined without any.
        idle_guards: Guards of weight 0: failed, they change nothing.
        weighted_guards: Guards with a weight: failed, they cost only that.
        about_words: Goals about the conversation.
        words_weight: The weight of those.
        no_rationale: Goals without one.
        weight: Sum of all weights.
    """

    task: str
    goals: int
    intents: int
    idle_guards: list[str] = field(default_factory=list)
    weighted_guards: list[str] = field(default_factory=list)
    about_words: list[str] = field(default_factory=list)
    words_weight: float = 0.0
    no_rationale: list[str] = field(default_factory=list)
    weight: float = 0.0


def read_recorded(folder: Path) -> list[RecordedTask]:
    """Every task below a folder, by name.

    Raises:
        MisuseError: There is none.
        TaskError: A file is missing or breaks the layout.
    """
    tasks = [read_recorded_task(path.parent) for path in sorted(folder.glob(f"*/{GOALS_FILE}"))]
    if not tasks:
        raise MisuseError(f"{folder} holds no task with {GOALS_FILE}.", "Name the folder that holds the tasks.")
    return tasks


def examine(task: RecordedTask) -> Findings:
    """What is wrong with one task."""
    words = [goal for goal in task.goals if goal.about_words]
    return Findings(
        task=task.name,
        goals=len(task.goals),
        intents=len(task.intents),
        idle_guards=[goal.id for goal in task.goals if goal.guard and goal.weight == 0],
        weighted_guards=[goal.id for goal in task.goals if goal.guard and goal.weight > 0],
        about_words=[goal.id for goal in words],
        words_weight=round(sum(goal.weight for goal in words), 6),
        no_rationale=[goal.id for goal in task.goals if not (goal.rationale or "").strip()],
        weight=round(sum(goal.weight for goal in task.goals), 6),
    )


def read_recorded_task(folder: Path) -> RecordedTask:
    """One task's rubric and intents.

    Raises:
        TaskError: A file is missing or breaks the layout.
    """
    rubric = _read(folder / GOALS_FILE, RecordedRubric)
    intents = _read(folder / INTENTS_FILE, RecordedIntents)
    return RecordedTask(folder.name, rubric.completeness_goals, intents.intents)


def _read[M: BaseModel](path: Path, model: type[M]) -> M:
    try:
        return model.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise TaskError(path, "", None, f"can't be read: {error}", "Take the release's own file.") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise TaskError(path, where, first["input"], first["msg"], "Take the release's own file.") from error
