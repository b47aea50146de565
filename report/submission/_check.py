"""Everything that is asked of trials before anybody believes them; for preparing and for validating alike."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from swe_together._task_files import read_toml
from swe_together.errors import TaskError
from swe_together.report._files import UnreadableError, read_object
from swe_together.report._records import CONFIG
from swe_together.report._table import TrialTable
from swe_together.report.submission._evidence import Problem, lacking
from swe_together.report.submission._limits import changed_job, changed_limits
from swe_together.report.submission._recompute import contradictions
from swe_together.simulator import HumanUser
from swe_together.tasks import is_together_task, task_digest

WHOLE: Final = {
    "ungraded": "the trial was not graded: harbor job regrade",
    "unfinished": "the trial has no result: wait, or go on with the job: harbor job resume",
    "not_started": "the trial was planned and never begun: go on with the job: harbor job resume",
    "corrupt": "the trial can't be read",
    "foreign": "the trial is not about one of our tasks: leave its job out",
    "not_interactive": "the trial ran without the interactive layer",
}

Tasks = Callable[[str], tuple[str, Mapping[str, Any]] | None]
"""Digest and ``task.toml`` of a task by its name; None where it isn't at hand."""


def tasks_in(folder: Path | None) -> Tasks:
    """Tasks of a folder, or of its folders; each is read once, when it is first asked for."""

    @cache
    def places() -> dict[str, Path]:
        found: dict[str, Path] = {}
        below = [] if folder is None else [folder, *sorted(path for path in folder.glob("*") if path.is_dir())]
        for path in below:
            if is_together_task(path):
                try:
                    found[str(read_toml(path / "task.toml")["task"]["name"])] = path
                except (TaskError, KeyError, TypeError):
                    continue
        return found

    @cache
    def task(name: str) -> tuple[str, Mapping[str, Any]] | None:
        path = places().get(name)
        return None if path is None else (task_digest(path), read_toml(path / "task.toml"))

    return task


def problems_of(table: TrialTable, jobs: Sequence[Path], tasks: Tasks, *, need_tasks: bool) -> Iterator[Problem]:
    """All that is wrong with the trials of a table.

    Args:
        table: The trials.
        jobs: The folders of their jobs.
        tasks: The tasks, to compare digests and limits with.
        need_tasks: Whether a task that isn't at hand is a problem.
    """
    for job in jobs:
        try:
            for what in changed_job(read_object(job, CONFIG) or {}):
                yield Problem(job.name, what)
        except UnreadableError as problem:
            yield Problem(job.name, str(problem))
    for job_ in table.jobs:
        for text in job_.problems:
            yield Problem(Path(job_.path).name, text)
        if job_.planned is None:
            yield Problem(Path(job_.path).name, "the job doesn't say which trials were planned: lock.json is missing")
    unknown: set[str] = set()
    for row in table.frame.astype(object).where(table.frame.notna(), None).to_dict("records"):
        where = f"{row['job']}/{row['trial'] or row['task']}"
        if row["status"] in WHOLE:
            said = WHOLE[row["status"]]
            yield Problem(where, f"{said}{f' ({row["cause"]})' if row['cause'] else ''}")
            continue
        if row["problems"]:
            yield Problem(where, str(row["problems"]))
        try:
            yield from (Problem(where, what) for what in _trial({str(k): v for k, v in row.items()}, tasks))
        except UnreadableError as problem:
            yield Problem(where, str(problem))
        if need_tasks and tasks(str(row["task"])) is None:
            unknown.add(str(row["task"]))
    for name in sorted(unknown):
        yield Problem(name, "the task isn't at hand, so that nothing can be compared with it: give --tasks DIR")


def _trial(row: Mapping[str, Any], tasks: Tasks) -> Iterator[str]:
    trial = Path(str(row["path"]))
    for name in lacking(trial, str(row["status"]), str(row["agent"]), row["judge"]):
        yield f"evidence is missing: {name}"
    config = read_object(trial, CONFIG) or {}
    task = tasks(str(row["task"]))
    person = row["policy"] == HumanUser.name
    yield from changed_limits(config, None if task is None else task[1], person=person)
    if task is not None and row["task_digest"] not in (None, task[0]):
        yield f"the task was another version: {row['task_digest'][:12]}…, here it is {task[0][:12]}…"
    yield from contradictions(trial)
