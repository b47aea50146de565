"""Finding jobs and their trials below the folders that somebody names, and what each job had planned."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from swe_together.errors import MisuseError
from swe_together.report._attempts import NONE_REMOVED, Attempts, Removed, read_attempts, removed
from swe_together.report._files import UnreadableError, folders_in, label, read_object
from swe_together.report._outcome import mapping, number
from swe_together.report._reading import agent_name, agent_settings, plan_key, planned_arm
from swe_together.report._records import CONFIG, RESULT

LOCK: Final = "lock.json"
_PLANNED_MAX: Final = 1_000_000


@dataclass(frozen=True)
class Planned:
    """Trials of one agent at one task that a job planned: how many, and what is known of them before they begin."""

    count: int
    facts: Mapping[str, Any]


@dataclass(frozen=True)
class JobFolder:
    """A job's folder.

    Attributes:
        path: The folder.
        identity: The same for a copy of the job, or for trials of it that are named one by one.
        config: Harbor's ``config.json`` of the job; empty where there is none.
        trials: Folders that are, or once were to be, trials.
        links: Those of them that are symbolic links, which nothing follows.
        planned: By :func:`plan_key`; empty where the job doesn't say.
        total: Trials planned in all; None where the job doesn't say.
        ignored: Folders that are no trials.
        problems: Records of the job that can't be read.
        retried: Trials that Harbor ran again after an error; what they replaced is gone.
        attempts: Every attempt at its trials, as far as the plugin wrote them down.
        whole: Whether these are all trials of the job, and not one that was named alone.
    """

    path: Path
    identity: str
    config: Mapping[str, Any] = field(default_factory=dict)
    trials: Sequence[Path] = ()
    links: frozenset[Path] = frozenset()
    planned: Mapping[str, Planned] = field(default_factory=dict)
    total: int | None = None
    ignored: Sequence[str] = ()
    problems: Sequence[str] = ()
    retried: int = 0
    attempts: Attempts = field(default_factory=dict)
    whole: bool = True

    @property
    def removed(self) -> Removed:
        """Attempts that left no trial behind."""
        return removed(self.attempts, {trial.name for trial in self.trials}) if self.whole else NONE_REMOVED


def find_jobs(paths: Sequence[Path]) -> list[JobFolder]:
    """Jobs at or below the given folders: each may be a job, a trial, or a folder of jobs or trials.

    Raises:
        MisuseError: There is no such folder, or it holds neither job nor trial.
    """
    found: list[JobFolder] = []
    for path in paths:
        if not path.is_dir():
            raise MisuseError(f"{path}: there is no such job folder.", "Give a folder below jobs/.")
        jobs = _jobs_at(path)
        if not jobs:
            raise MisuseError(f"{path}: neither a job nor a trial of Harbor is there.", "Give a folder below jobs/.")
        found += jobs
    return found


def _jobs_at(path: Path) -> list[JobFolder]:
    config = _read(path, CONFIG, [])
    if "trial_name" in config:
        above = path.parent
        identity = _identity(above, _read(above, RESULT, []))
        attempts = _attempts(above, [])
        return [JobFolder(above, identity, _read(above, CONFIG, []), [path], attempts=attempts, whole=False)]
    if config or (path / CONFIG).exists() or (path / LOCK).exists():
        return [_job(path)]
    below = [(folder, _read(folder, CONFIG, [])) for folder, link in folders_in(path) if not link]
    jobs = [_job(folder) for folder, told in below if "job_name" in told]
    trials = [folder for folder, told in below if "trial_name" in told]
    return [*jobs, *([JobFolder(path, _identity(path, {}), {}, trials)] if trials else [])]


def _job(path: Path) -> JobFolder:
    """Every folder that looks like a trial is one: what can't be read is counted, not passed over."""
    problems: list[str] = []
    config = _read(path, CONFIG, problems)
    lock, result = _read(path, LOCK, problems), _read(path, RESULT, problems)
    trials, ignored, links = [], [], set()
    for folder, link in folders_in(path):
        looks = "__" in folder.name or (not link and any((folder / name).exists() for name in (CONFIG, RESULT)))
        if looks:
            trials.append(folder)
            links |= {folder} if link else set()
        else:
            ignored.append(label(folder.name) or "?")
    planned = _planned(lock)
    total = sum(plan.count for plan in planned.values()) or None
    if total is None:
        told = number(result.get("n_total_trials"))
        total = int(told) if told is not None and 0 < told < _PLANNED_MAX else None
    retried = int(number(mapping(result, "stats").get("n_retries")) or 0)
    identity, attempts = _identity(path, result), _attempts(path, problems)
    return JobFolder(
        path, identity, config, trials, frozenset(links), planned, total, ignored, problems, retried, attempts
    )


def _identity(path: Path, result: Mapping[str, Any]) -> str:
    return label(result.get("id")) or str(path.resolve())


def _planned(lock: Mapping[str, Any]) -> dict[str, Planned]:
    """The lock names every trial of the job, attempts of one trial each for itself."""
    told = lock.get("trials")
    trials = [trial for trial in told if isinstance(trial, Mapping)] if isinstance(told, list) else []
    counts: Counter[str] = Counter()
    facts: dict[str, dict[str, Any]] = {}
    for trial in trials:
        task, agent = mapping(trial, "task"), mapping(trial, "agent")
        key = plan_key(trial)
        counts[key] += 1
        facts[key] = {
            "task": label(task.get("name")),
            "dataset": label(task.get("source")),
            "agent_settings": agent_settings(trial),
            "arm": planned_arm(trial),
            "model": label(agent.get("model_name")),
            "_spec": agent_name(trial),
            "_task_path": label(task.get("path")),
        }
    return {key: Planned(count, facts[key]) for key, count in counts.items()}


def _attempts(folder: Path, problems: list[str]) -> Attempts:
    try:
        return read_attempts(folder)
    except UnreadableError as problem:
        problems.append(str(problem))
        return {}


def _read(folder: Path, name: str, problems: list[str]) -> dict[str, Any]:
    try:
        return read_object(folder, name) or {}
    except UnreadableError as problem:
        problems.append(str(problem))
        return {}
