"""Sealed tasks: a job whose environment can't close the agent's network ends before it begins, with one sentence."""

import asyncio
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from harbor.environments.factory import EnvironmentFactory
from harbor.models.task.config import NetworkPolicy
from harbor.models.task.task import Task
from harbor.models.trial.paths import TrialPaths
from harbor.utils.import_path import import_symbol

from swe_together._task_files import read_toml
from swe_together.errors import MisuseError
from swe_together.task_facts import PUBLIC
from swe_together.tasks import is_together_task


async def require_seals(trials: Iterable[Any]) -> None:
    """Make sure that the environment can close the network for the agent's turns, where a task wants that.

    Harbor itself would stop at the first such trial, with all others of the job. Tasks that aren't on this machine yet
    are passed.

    Args:
        trials: Harbor's configurations of the trials, each with ``task`` and ``environment``.

    Raises:
        MisuseError: It can't.
        TaskError: ``task.toml`` is broken.
    """
    seen: set[Path] = set()
    for trial in trials:
        path = trial.task.get_local_path()
        if path in seen or not is_together_task(path):
            continue
        seen.add(path)
        agent = read_toml(path / "task.toml").get("agent") or {}
        if agent.get("network_mode", PUBLIC) == PUBLIC:
            continue
        kind, can = await asyncio.to_thread(_can_seal, path, trial.environment, agent)
        if not can:
            raise MisuseError(
                f"{path.name} is sealed, and the environment {kind} can't close the network of the agent's turns here.",
                "docs/environments.md says what it needs; or run the tasks that aren't sealed.",
            )


def _can_seal(path: Path, config: Any, agent: Mapping[str, Any]) -> tuple[str, bool]:
    """Name of the environment, and whether its network can be open first and as the task wants it in the turns."""
    task = Task(path)
    kind = import_symbol(config.import_path).type() if config.import_path else config.type
    wanted = NetworkPolicy(network_mode=agent["network_mode"], allowed_hosts=agent.get("allowed_hosts") or [])
    with TemporaryDirectory(prefix="swe-together-seal-") as folder:
        try:
            environment = EnvironmentFactory.create_environment_from_config(
                config,
                environment_dir=task.paths.environment_dir,
                environment_name=task.short_name,
                session_id="seal__env",
                trial_paths=TrialPaths(Path(folder)),
                task_env_config=task.config.environment,
                network_policy=NetworkPolicy(),
                phase_network_policies=[wanted],
            )
            environment.validate_network_policy_support(wanted)
            can = bool(environment.capabilities.dynamic_network_policy)
        except ValueError:
            can = False
    return str(getattr(kind, "value", kind)), can
