"""Which controls a task can be played as: where a task says so, the others are refused, and never run for nothing."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from swe_together._task_files import metadata_of, read_toml
from swe_together.adapter.released import require_released
from swe_together.adapter.settings import RESERVED, Settings, parse_settings
from swe_together.errors import MisuseError
from swe_together.schema import TaskMetadata
from swe_together.tasks import TaskBundle, is_released_task, is_together_task


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


def require_playable(task: TaskBundle, settings: Settings) -> None:
    """Refuse what a task can't be played as.

    Raises:
        MisuseError: The arm, or the policy of a task of the paper's release.
    """
    if is_released_task(task.path):
        require_released(task.name, settings)
    else:
        require_arm(task.name, task.metadata, settings.arm)


def require_arms(trials: Iterable[Any]) -> None:
    """Refuse a job before it begins whose arm or policy doesn't fit a task; tasks that aren't here yet are passed.

    Args:
        trials: Harbor's configurations of the trials, each with ``task`` and ``agent``.

    Raises:
        MisuseError: As :func:`require_playable`.
        TaskError: ``task.toml`` is broken.
    """
    seen: set[tuple[Path, str]] = set()
    for trial in trials:
        settings = parse_settings(trial.agent.kwargs.get(RESERVED))
        path, arm = trial.task.get_local_path(), settings.arm
        if is_released_task(path):
            if RESERVED in trial.agent.kwargs:  # stock oracle and nop hold no session
                require_released(path.name, settings)
            continue
        if arm == "interactive":
            continue
        if (path, arm) in seen or not is_together_task(path):
            continue
        seen.add((path, arm))
        config = read_toml(path / "task.toml")
        require_arm(path.name, metadata_of(path / "task.toml", config), arm)
