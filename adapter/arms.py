"""Which controls a task can be played as: where a task says so, the others are refused, and never run for nothing."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from swe_together._task_files import metadata_of, read_toml
from swe_together.adapter.settings import RESERVED, parse_settings
from swe_together.errors import MisuseError
from swe_together.schema import TaskMetadata
from swe_together.tasks import is_together_task


def require_arm(task: str, metadata: TaskMetadata, arm: str) -> None:
    """Refuse an arm that asks nothing of the agent, or not what the task is about.

    Args:
        task: Name of the task, for the message.
        metadata: Of the task.
        arm: As in the settings of a run.

    Raises:
        MisuseError: The task names its arms, and this is none of them.
    """
    if arm not in metadata.arms:
        raise MisuseError(
            f"task {task} can't be played with arm={arm}: its task.toml allows {', '.join(metadata.arms)}.",
            "Choose one of these, or leave the task out.",
        )


def require_arms(trials: Iterable[Any]) -> None:
    """Refuse a job before it begins whose arm doesn't fit a task; tasks that aren't on this machine yet are passed.

    Args:
        trials: Harbor's configurations of the trials, each with ``task`` and ``agent``.

    Raises:
        MisuseError: As :func:`require_arm`.
        TaskError: ``task.toml`` is broken.
    """
    seen: set[tuple[Path, str]] = set()
    for trial in trials:
        arm = parse_settings(trial.agent.kwargs.get(RESERVED)).arm
        if arm == "interactive":
            continue
        path = trial.task.get_local_path()
        if (path, arm) in seen or not is_together_task(path):
            continue
        seen.add((path, arm))
        config = read_toml(path / "task.toml")
        require_arm(path.name, metadata_of(path / "task.toml", config), arm)
