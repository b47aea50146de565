"""A file for each session, loaded by the page when a reader opens it."""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from swe_together.errors import TogetherError
from swe_together.report._files import UnreadableError, read_object, read_record
from swe_together.report._outcome import mapping
from swe_together.report._records import CONFIG
from swe_together.report.page._script import script_json
from swe_together.report.page._session import session_of
from swe_together.schema import Rubric

FOLDER: Final = "sessions"
ALONE: Final = 40
"""Up to so many sessions one process is quicker than several."""
_NAME: Final = re.compile(r"\d{5,}\.js")
_BATCH: Final = 8

Progress = Callable[[int, int], None]
type Job = tuple[int, str]
"""A trial's number in the page, and its folder."""


def write_sessions(
    output: Path, jobs: Sequence[Job], key: str, tasks: Path | None, workers: int | None, progress: Progress | None
) -> dict[int, str]:
    """Write all side files; what was there of an earlier page goes.

    Args:
        output: Folder of the page.
        jobs: What to write.
        key: Tells the page's own files from those of another page.
        tasks: Folder of tasks, for the texts of goals.
        workers: Processes; as many as there are processors if None.
        progress: Called with the number of files written, and that of all.

    Returns:
        Why, by number, for sessions that could not be shown at all.

    Raises:
        TogetherError: A process was killed.
    """
    folder = output / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        if _NAME.fullmatch(old.name):
            old.unlink()
    batches = [jobs[place : place + _BATCH] for place in range(0, len(jobs), _BATCH)]
    failed: dict[int, str] = {}
    done = 0

    def count(batch: Sequence[Job], problems: Mapping[int, str]) -> None:
        nonlocal done
        failed.update(problems)
        done += len(batch)
        if progress is not None:
            progress(done, len(jobs))

    workers = workers or os.cpu_count() or 1
    if workers == 1 or len(jobs) <= ALONE:
        for batch in batches:
            count(batch, _write(folder, batch, key=key, tasks=tasks))
        return failed
    # A fresh process each: a copy of this one would hold locks of threads that it doesn't have.
    write = partial(_write, folder, key=key, tasks=tasks)
    try:
        with ProcessPoolExecutor(min(workers, len(batches)), mp_context=get_context("spawn")) as pool:
            for batch, problems in zip(batches, pool.map(write, batches), strict=True):
                count(batch, problems)
    except BrokenProcessPool:
        raise TogetherError(
            f"A process that wrote sessions was killed, after {done} of {len(jobs)}.",
            "See whether the machine has enough memory, and write the page again.",
        ) from None
    return failed


def side_file(number: int) -> str:
    """The name of a session's file, relative to the page."""
    return f"{FOLDER}/{number:05}.js"


def _write(folder: Path, batch: Sequence[Job], *, key: str, tasks: Path | None) -> dict[int, str]:
    problems = {}
    for number, path in batch:
        trial = Path(path)
        try:
            shown = session_of(trial, _rubric(trial, tasks))
        # One trial, however broken, must not cost the page the others: it is said where it would be shown.
        except Exception as error:  # noqa: BLE001
            problems[number] = f"{type(error).__name__}: {error}"[:300]
            shown = {"notes": [f"this session can't be shown: {problems[number]}"], "turns": []}
        text = f"together.deliver({number},{script_json(key)},{script_json(shown)});\n"
        (folder / Path(side_file(number)).name).write_text(text, encoding="utf-8")
    return problems


def _rubric(trial: Path, tasks: Path | None) -> Rubric | None:
    """The rubric of the task that was run, or of one of its name among ``tasks``."""
    try:
        told = mapping(read_object(trial, CONFIG), "task").get("path")
    except UnreadableError:
        return None
    path = told if isinstance(told, str) else ""
    name = path.rstrip("/").rpartition("/")[2]
    places = [Path(path)] if path else []
    places += [tasks / name, tasks] if tasks is not None and name else []
    return next((found for place in places if (found := _read(place)) is not None), None)


@cache
def _read(task: Path) -> Rubric | None:
    for name in ("rubric.json", "solution/rubric.json"):
        try:
            rubric = read_record(task, name, Rubric)
        except UnreadableError:
            return None
        if rubric is not None:
            return rubric
    return None
