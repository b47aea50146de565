"""What a report says of a task: code base, language, category, sealed or not, and the dataset it was taken from.

A session records them when it begins, so that results stand on their own.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from swe_together._task_files import metadata_of, read_toml
from swe_together.errors import TaskError
from swe_together.schema import ArchiveSource, GitSource, TaskMetadata
from swe_together.tasks import is_released_task, load_task

PUBLIC = "public"
"""Harbor's name of the network mode that closes nothing; it is the default."""


@dataclass(frozen=True)
class TaskFacts:
    """Facts of a task that don't change from trial to trial."""

    repository: str
    language: str
    category: str
    sealed: bool

    @classmethod
    def of(cls, metadata: TaskMetadata, config: Mapping[str, Any]) -> "TaskFacts":
        """Of a task's own table and its task.toml as a whole."""
        parts = [config.get("agent"), config.get("environment")]
        modes = [part["network_mode"] for part in parts if isinstance(part, Mapping) and "network_mode" in part]
        mode = modes[0] if modes else PUBLIC
        return cls(_repository(metadata), metadata.language, metadata.category, mode != PUBLIC)

    def as_dict(self) -> dict[str, Any]:
        """The same by name."""
        return asdict(self)


def read_task_facts(task: Path, name: str) -> TaskFacts | None:
    """Facts of the task in a directory; None where there is no sound task of that name.

    Args:
        task: The directory.
        name: What ``[task] name`` must be, in full or its last part.
    """
    file = task / "task.toml"
    try:
        if not file.is_file():
            return None
        config = read_toml(file)
        if is_released_task(task):
            return TaskFacts.of(load_task(task).metadata, config) if name.rpartition("/")[2] == task.name else None
        metadata = metadata_of(file, config)
    except (OSError, RecursionError, TaskError, ValueError):
        return None
    found = str(config["task"]["name"])
    return TaskFacts.of(metadata, config) if name in (found, found.rpartition("/")[2]) else None


def dataset_of(trial: Mapping[str, Any], job: Mapping[str, Any] | None, *, registry: bool) -> dict[str, str | None]:
    """Name and version of the dataset that a trial's task was taken from; None where they aren't said.

    Args:
        trial: The trial's ``config.json``.
        job: The job's ``config.json``.
        registry: Whether to look up the version in the registry file that the job names; only while the job runs,
            since the file may have changed later.
    """
    task, told = trial.get("task"), (job or {}).get("datasets")
    name = task.get("source") if isinstance(task, Mapping) else None
    if not isinstance(name, str):
        return {"dataset": None, "dataset_version": None}
    entries = [entry for entry in told if isinstance(entry, Mapping)] if isinstance(told, list) else []
    named = [entry for entry in entries if entry.get("name") == name]
    versions = {str(entry.get("version") or entry.get("ref") or "") for entry in named}
    if versions == {""} and registry:
        versions = {version for entry in named for version in _registered(entry.get("registry_path"), name)}
    return {"dataset": name, "dataset_version": (versions.pop() or None) if len(versions) == 1 else None}


def _repository(metadata: TaskMetadata) -> str:
    source = metadata.source
    if isinstance(source, GitSource):
        return source.git.removeprefix("https://").removesuffix(".git").rstrip("/")
    if isinstance(source, ArchiveSource):
        return f"local:{source.repository}"
    return f"{source.registry}:{source.package}"


def _registered(path: object, name: str) -> list[str]:
    """Versions of a dataset in a registry file."""
    try:
        entries = json.loads(Path(str(path)).read_text(encoding="utf-8"))
        return [str(entry["version"]) for entry in entries if entry.get("name") == name and entry.get("version")]
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return []
