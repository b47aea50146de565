"""Several trials in one place: attempts that were planned, trials beyond them, copies, and trials never begun."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Literal

from swe_together.report._columns import UNPLANNED
from swe_together.report._files import label
from swe_together.report._jobs import JobFolder, Planned
from swe_together.report._measured import Row
from swe_together.report._outcome import number

Kept = Literal["first", "scored"]
"""Which trials count where there are more than were planned: the first begun, or the first begun with a reward."""


def number_attempts(rows: Sequence[Row], jobs: Sequence[JobFolder], kept: Kept) -> list[Row]:
    """Number the attempts, mark what stands there once too often, and add what was planned and never begun.

    Args:
        rows: All trials that were read, with the names that begin with ``_``.
        jobs: The jobs that they were read from.
        kept: Which ones count.
    """
    _mark_copies(rows)
    by_job: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_job[row["_job"]].append(row)
    missing: list[Row] = []
    # A job may be there twice, or trial by trial: what it planned is planned once.
    for identity, job in _one_of_each(jobs).items():
        mine = [row for row in by_job[identity] if row["status"] != "duplicate"]
        plan = dict(job.planned)
        attempts = number(job.config.get("n_attempts"))
        places = _places(mine, plan)
        for key, here in places.items():
            allowed = plan[key].count if key in plan else int(attempts) if attempts else len(here)
            _number(here, allowed, kept)
        foreign = bool(mine) and all(row["status"] == "foreign" for row in mine)
        for key, planned in plan.items():
            absent = planned.count - len(places.get(key, []))
            missing += [_absent(planned, job, foreign, len(places.get(key, [])) + n + 1) for n in range(absent)]
    return [*rows, *missing]


def _mark_copies(rows: Sequence[Row]) -> None:
    """The same trial under two names, or named twice: the first one counts."""
    first: dict[str, Row] = {}
    for row in rows:
        mark = row.get("_id") or row["path"]
        if mark in first:
            _mark(row, f"the same trial as {first[mark]['trial']} in {first[mark]['job']}")
        else:
            first[mark] = row


def _places(rows: Sequence[Row], plan: Mapping[str, Planned]) -> dict[str, list[Row]]:
    """Trials by the planned ones that they are; arguments don't matter where none was planned with theirs.

    A trial that can't say what it is takes a place that is left for the task in its folder's name.
    """
    found: dict[str, list[Row]] = defaultdict(list)
    for row in sorted(rows, key=_is_nameless):
        key = row.get("_plan")
        if _is_nameless(row):
            key = _place_left(row, plan, found)
            if key is None:
                continue
            row |= {name: value for name, value in plan[key].facts.items() if value is not None and name not in row}
        elif key is not None and key not in plan:
            alike = [other for other in plan if other.partition(":")[0] == key.partition(":")[0]]
            key = next((other for other in alike if len(found[other]) < plan[other].count), (alike or [key])[0])
        if key is not None:
            found[key].append(row)
    return {key: here for key, here in found.items() if here}


def _is_nameless(row: Row) -> bool:
    return row.get("_spec") is None


def _place_left(row: Row, plan: Mapping[str, Planned], taken: Mapping[str, list[Row]]) -> str | None:
    task = str(row.get("trial") or "").rpartition("__")[0]
    for key, planned in plan.items():
        name = str(planned.facts.get("task") or "")
        # Harbor cuts long names of tasks in those of folders.
        if task and name.startswith(task) and len(taken.get(key, ())) < planned.count:
            return key
    return None


def _number(rows: list[Row], allowed: int, kept: Kept) -> None:
    def order(row: Row) -> tuple[bool, bool, bool, str, str]:
        begun, worse = row.get("started_at"), kept == "scored" and row["status"] != "ok"
        # Without a result that can be read, Harbor played another one in its place when the job was gone on with.
        return row.get("_id") is None, worse, begun is None, begun or "", row["trial"] or ""

    for number_, row in enumerate(sorted(rows, key=order), start=1):
        row["attempt"] = number_
        if number_ > allowed:
            _mark(row, f"attempt {number_}, and {allowed} {'was' if allowed == 1 else 'were'} planned")


def _mark(row: Row, cause: str) -> None:
    if row["status"] not in UNPLANNED:
        row["cause"] = f"{cause}; by itself: {row['status']}"
        row["status"] = "duplicate"
        row.pop("reward", None)


def _absent(planned: Planned, job: JobFolder, foreign: bool, attempt: int) -> Row:
    facts = {name: value for name, value in planned.facts.items() if value is not None}
    place = {"job": label(job.path.resolve().name), "_job": job.identity, "attempt": attempt}
    return {**facts, **place, "status": "foreign" if foreign else "not_started"}


def _one_of_each(jobs: Sequence[JobFolder]) -> dict[str, JobFolder]:
    found: dict[str, JobFolder] = {}
    for job in jobs:
        if job.identity not in found or not found[job.identity].planned:
            found[job.identity] = job
    return found
