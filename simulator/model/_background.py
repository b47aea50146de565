"""What a model policy knows of a task beyond the script of its user, and what its guards protect."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from swe_together.simulator.guards import NO_SECRETS, Secrets

if TYPE_CHECKING:
    from swe_together.tasks import TaskBundle

_TEST_FILES = 50
_SOURCES = (
    *(".c", ".cc", ".cjs", ".cpp", ".go", ".java", ".js", ".mjs", ".php", ".pl", ".py", ".rb", ".rs", ".sh", ".ts"),
    ".tsx",
)


@dataclass(frozen=True)
class Background:
    """The session behind a script.

    Attributes:
        instruction: The first user message.
        analysis: The session analysis.
        secrets: What may not reach the agent.
    """

    instruction: str
    analysis: str
    secrets: Secrets = NO_SECRETS

    @classmethod
    def of(cls, task: "TaskBundle") -> "Background":
        """Read it from a task: reference patches, hidden tests and rubric are its secrets.

        So is the analysis, except where there are no anchors: then it is what the user speaks from.
        """
        goals = task.rubric.goals
        analysis = [task.analysis] if task.script.anchors else []
        secrets = Secrets.of(
            patches=task.reference_patches,
            tests=_texts(_sources(task.path / "tests")),
            cases=[case for goal in goals for case in goal.cases],
            prose=[*analysis, *(goal.text for goal in goals)],
        )
        return cls(task.instruction, task.analysis, secrets)


def _sources(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.suffix in _SOURCES and path.is_file()][:_TEST_FILES]


def _texts(paths: Sequence[Path]) -> list[str]:
    return [path.read_text(encoding="utf-8", errors="replace") for path in paths]
