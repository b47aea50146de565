"""The table of trials: rows of every job put together, with duplicates and trials that were never begun."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from swe_together.report._attempts import NONE_REMOVED, Removed, earlier
from swe_together.report._cache import RowCache, cache_folder
from swe_together.report._columns import COLUMNS, UNPLANNED
from swe_together.report._files import fingerprint, label
from swe_together.report._jobs import JobFolder, find_jobs
from swe_together.report._measured import Row
from swe_together.report._reading import RECORDS, read_row
from swe_together.report._retries import Kept, number_attempts
from swe_together.task_facts import TaskFacts, dataset_of, read_task_facts

if TYPE_CHECKING:
    import pandas as pd

Progress = Callable[[int, int], None]
"""Called with the number of trials read, and that of all."""


@dataclass(frozen=True)
class JobCount:
    """A job that was read.

    Attributes:
        path: Its folder as it was named.
        planned: Trials it had planned; None where it doesn't say.
        trials: Trials whose folders are there.
        ignored: Folders in it that are no trials.
        problems: Records of the job itself that can't be read.
        retried: Trials that Harbor ran again after an error; what they replaced is gone.
        removed: Attempts that were cut off, and removed when the job was gone on with.
    """

    path: str
    planned: int | None
    trials: int
    ignored: Sequence[str]
    problems: Sequence[str]
    retried: int = 0
    removed: Removed = NONE_REMOVED


@dataclass(frozen=True)
class TrialTable:
    """Trials of any number of jobs.

    Attributes:
        frame: A row a trial, with the columns of :data:`swe_together.report.COLUMNS`; nullable types, missing is
            missing. Trials that were planned and never begun have rows too.
        jobs: What was read.
        kept: Which of several trials in one place counts.
    """

    frame: "pd.DataFrame"
    jobs: Sequence[JobCount]
    kept: Kept = "first"

    @property
    def statuses(self) -> dict[str, int]:
        """How many trials there are of each status, the most frequent first."""
        return dict(Counter(self.frame["status"]).most_common())

    @property
    def planned(self) -> int:
        """The denominator of attrition: every trial but duplicates and foreign ones."""
        return int((~self.frame["status"].isin(UNPLANNED)).sum())


def read_table(
    jobs: Sequence[Path],
    *,
    kept: Kept = "first",
    tasks: Path | None = None,
    cache_at: Path | Literal["default"] | None = "default",
    progress: Progress | None = None,
) -> TrialTable:
    """Read job folders.

    Args:
        jobs: Folders of jobs, of trials, or of several of them.
        kept: Which trial counts where more are there than the job planned for an agent at a task: the ``first`` that
            began, or the first that was ``scored``. The others are duplicates.
        tasks: A folder of tasks, for what old results don't say of theirs.
        cache_at: Folder of rows that were read before; None reads everything anew and keeps nothing.
        progress: Told after each trial.

    Raises:
        MisuseError: A folder isn't there, or holds no trial.
    """
    found = find_jobs(jobs)
    folder = cache_folder() if cache_at == "default" else cache_at
    total, done = sum(len(job.trials) for job in found), 0
    rows: list[Row] = []
    counts: list[JobCount] = []
    for job in found:
        known = RowCache(folder, job.path)
        mine: list[Row] = []
        ignored = list(job.ignored)
        for trial in job.trials:
            row = _read(trial, job, known)
            if row is None:
                ignored.append(label(trial.name) or "?")
            else:
                mine.append(row)
            done += 1
            if progress is not None:
                progress(done, total)
        known.save(whole=job.whole)
        counts.append(JobCount(str(job.path), job.total, len(mine), ignored, job.problems, job.retried, job.removed))
        rows += [_placed(row, job) for row in mine]
    rows = number_attempts(rows, found, kept)
    _name(rows)
    _add_facts(rows, tasks)
    return TrialTable(frame_of(rows), counts, kept)


def frame_of(rows: Sequence[Mapping[str, Any]]) -> "pd.DataFrame":
    """Rows as a frame with every column in its type."""
    import pandas as pd

    data = {}
    for column in COLUMNS:
        values = [row.get(column.name) for row in rows]
        if column.dtype.startswith("datetime"):
            moments = pd.to_datetime(pd.Series(values, dtype="string"), utc=True, format="ISO8601")
            data[column.name] = moments.astype(column.dtype)
        else:
            data[column.name] = pd.Series(values, dtype=column.dtype)
    return pd.DataFrame(data)


def _read(trial: Path, job: JobFolder, known: RowCache) -> Row | None:
    """The row of what looks like a trial; None for what is none after all."""
    path = str(trial).encode("utf-8", "replace").decode()
    if trial in job.links:
        return {"path": path, "trial": label(trial.name), "status": "corrupt", "cause": "a symbolic link"}
    marks = fingerprint(trial, RECORDS)
    row = known.get(trial.name, marks)
    if row is None:
        row = read_row(trial)
        known.put(trial.name, marks, row)
    if not row["_is_trial"]:
        if "__" not in trial.name:
            return None
        row |= {"status": "corrupt", "cause": "config.json is missing, or no trial's"}
        row.pop("reward", None)
    return row | {"path": path}


def _placed(row: Row, job: JobFolder) -> Row:
    """The row with what only its job knows."""
    told = dataset_of({"task": {"source": row.get("_source")}}, job.config, registry=False)
    known = {name: value for name, value in told.items() if value is not None}
    before = earlier(job.attempts.get(str(row.get("trial")), ()), row.get("_id"))
    return {"job": label(job.path.resolve().name), "_job": job.identity, **known, **before, **row}


def _name(rows: list[Row]) -> None:
    """Names that a trial's own records don't say yet: as the others of its job have them."""
    agents = {(row["_job"], row["_spec"]): row["agent"] for row in rows if "agent" in row and "_spec" in row}
    tasks = {
        row["_task_path"]: row["task"] for row in rows if row.get("_task_path") and "path" in row and "task" in row
    }
    for row in rows:
        spec, path = row.get("_spec"), row.get("_task_path")
        if "agent" not in row and spec is not None:
            row["agent"] = agents.get((row["_job"], spec), spec)
        if path in tasks and ("task" not in row or "path" not in row):
            row["task"] = tasks[path]
        if "task" not in row:
            row["task"] = str(row.get("trial", "?")).rpartition("__")[0] or "?"


def _add_facts(rows: list[Row], tasks: Path | None) -> None:
    """Code base, language and category of tasks whose sessions don't say it, from the directory that was run."""

    @cache
    def facts(path: str, name: str) -> TaskFacts | None:
        base = path.rstrip("/").rpartition("/")[2]
        places = [Path(path), *([tasks / base, tasks] if tasks is not None else [])]
        return next((found for place in places if (found := read_task_facts(place, name)) is not None), None)

    for row in rows:
        if "repository" in row and "sealed" in row:
            continue
        found = facts(str(row.get("_task_path") or row["task"]), str(row["task"]))
        if found is not None:
            for name, value in found.as_dict().items():
                row.setdefault(name, value)
