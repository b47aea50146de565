"""The leaderboard from the table of trials."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from swe_together import defaults
from swe_together.errors import MisuseError
from swe_together.judge import passes
from swe_together.report import _entries as entries_
from swe_together.report._compare import arms_of, band_of, compare, correlation_of, detection_of, find_entry, ranked
from swe_together.report._entries import group_entries, make_entry, planned_rows
from swe_together.report._leaderboard import (
    Entry,
    Group,
    GroupRow,
    Leaderboard,
    TaskCell,
    TaskRow,
)
from swe_together.report._measured import Row
from swe_together.report._metrics import METRICS, Tasks, figure
from swe_together.report._mixing import common, refuse_mixed
from swe_together.report._records import UNKNOWN
from swe_together.report._table import TrialTable
from swe_together.report.stats import RankBand

GROUPINGS: Final = (
    "task", "repository", "language", "category", "arm", "policy", "dataset", "sealed", "continuation", "user_model",
    "judge_model", "agent_version", "job",
)  # fmt: skip
"""What ``--by`` can be."""
SPLITS: Final = ("sealed", "continuation")
HARD: Final = 1 / 3
EASY: Final = 2 / 3
SUBSET_RULE: Final = (
    "hard: the models' mean pass rate is at most 1/3; easy: at least 2/3. Every ranked model weighs the same, "
    "references and baselines are left out, and so are tasks that a model lacks"
)
FACTS: Final = ("repository", "language", "category")


def leaderboard(
    table: TrialTable,
    *,
    by: Sequence[str] = (),
    pairs: Sequence[tuple[str, str]] = (),
    mix: Collection[str] = (),
    threshold: float = defaults.PASS_THRESHOLD,
    level: float = 0.95,
) -> Leaderboard:
    """Work out every number of a report.

    Args:
        table: The trials.
        by: Columns to group by, of :data:`GROUPINGS`.
        pairs: Labels of entries, or parts of them, to compare.
        mix: Kinds of versions that may be mixed.
        threshold: Score from which a trial passes.
        level: Of the intervals.

    Raises:
        MisuseError: An unknown grouping, entry or kind.
        TogetherError: Something is mixed without leave.
    """
    for name in by:
        if name not in GROUPINGS:
            raise MisuseError(f"--by {name}: there is no such grouping.", f"Groupings: {', '.join(GROUPINGS)}.")
    planned = planned_rows(table.frame)
    mixed = refuse_mixed(planned, mix)
    tasks = Tasks.of(planned)
    groups = group_entries(planned, threshold)
    chosen = [(find_entry(groups, one), find_entry(groups, other)) for one, other in pairs]
    band = band_of(groups, tasks, level)
    entries = sorted((_with_rank(make_entry(group, tasks, level), band) for group in groups), key=_order)
    places = {entry.label: place for place, entry in enumerate(entries)}
    groups.sort(key=lambda group: places[group.label])
    rows = _task_rows(planned, groups)
    scored = [row for row in planned if row["status"] == "ok"]
    subset = {row.task: row.subset for row in rows}
    splits = [name for name in SPLITS if name not in by and len({row[name] for row in scored} - {None}) > 1]
    return Leaderboard(
        basis="+".join(sorted({row["basis"] for row in scored} - {None})) or None,
        threshold=threshold,
        level=level,
        planned=len(planned),
        statuses=table.statuses,
        ignored=sum(len(job.ignored) for job in table.jobs),
        problems=int(table.frame["problems"].notna().sum()),
        about=common(planned),
        mixed=mixed,
        kept=table.kept,
        entries=entries,
        band=band,
        arms=arms_of(groups, tasks, level),
        compared=[compare(one, other, tasks, level) for one, other in chosen],
        detection=detection_of(groups, tasks, level),
        correlation=correlation_of(entries, level),
        groups=[group for name in by for group in _grouped(planned, name, groups, tasks, level)],
        splits=[group for name in splits for group in _grouped(scored, name, groups, tasks, level)],
        subsets=[
            _group("subset", name, [row for row in planned if subset[row["task"]] == name], groups, tasks, level)
            for name in ("hard", "easy")
            if name in subset.values()
        ],
        subset_rule=SUBSET_RULE,
        tasks=rows,
        notes=tuple(_notes(table, planned, tasks, entries)),
    )


def _order(entry: Entry) -> tuple[bool, bool, float, str]:
    passed = entry.figures["pass_at_1"].value
    control = entry.arm not in (None, "interactive")
    return entry.kind != "model", control, -1.0 if passed is None else -passed, entry.label


def _with_rank(entry: Entry, band: RankBand | None) -> Entry:
    rank = next((rank for rank in band.ranks if rank.name == entry.label), None) if band is not None else None
    if rank is None:
        return entry
    return replace(entry, best_rank=rank.best, worst_rank=rank.worst, inseparable=rank.inseparable)


def _grouped(rows: Sequence[Row], by: str, groups: Sequence[entries_.Group], tasks: Tasks, level: float) -> list[Group]:
    parts: dict[str, list[Row]] = {}
    for row in rows:
        parts.setdefault(UNKNOWN if row[by] is None else str(row[by]), []).append(row)
    return [_group(by, value, parts[value], groups, tasks, level) for value in sorted(parts)]


def _group(
    by: str, value: str, rows: Sequence[Row], groups: Sequence[entries_.Group], tasks: Tasks, level: float
) -> Group:
    """Headline figures of each entry that has trials there."""
    if by == "repository":
        # Within one repository its tasks are all that differs.
        tasks = Tasks({task: task for task in tasks.clusters}, tasks.unknown)
    here, found = {id(row) for row in rows}, []
    for group in groups:
        part = group.part(lambda row: id(row) in here)
        if part.rows:
            figures = {metric.name: figure(part, metric.name, tasks, level) for metric in METRICS if metric.headline}
            found.append(GroupRow(group.label, len(part.rows), len(part.scored), figures))
    return Group(by, value, len({row["task"] for row in rows}), found)


def _task_rows(planned: Sequence[Row], groups: Sequence[entries_.Group]) -> list[TaskRow]:
    facts: dict[str, dict[str, str | None]] = {}
    for row in planned:
        known = facts.setdefault(row["task"], dict.fromkeys(FACTS))
        known.update({name: row[name] for name in FACTS if known[name] is None})
    counts = {group.label: Counter(row["task"] for row in group.trials.rows) for group in groups}
    models = {group.label for group in ranked(groups)}
    found = []
    for task in sorted(facts):
        cells = [_cell(group, task, counts[group.label][task]) for group in groups if counts[group.label][task]]
        shares = [cell.passed / cell.scored for cell in cells if cell.scored and cell.label in models]
        solved = sum(shares) / len(shares) if shares else None
        subset = _subset(solved) if len(models) > 1 and len(shares) == len(models) else None
        found.append(TaskRow(task=task, **facts[task], solved=solved, subset=subset, cells=cells))
    return found


def _cell(group: entries_.Group, task: str, planned: int) -> TaskCell:
    values = group.trials.by_task("reward").get(task, ())
    passed = sum(passes(value, group.trials.threshold) for value in values)
    return TaskCell(group.label, planned, len(values), passed, sum(values) / len(values) if values else None)


def _subset(solved: float | None) -> str | None:
    if solved is None:
        return None
    return "hard" if solved <= HARD + 1e-9 else "easy" if solved >= EASY - 1e-9 else None


def _notes(table: TrialTable, planned: Sequence[Row], tasks: Tasks, entries: Sequence[Entry]) -> Iterator[str]:
    if tasks.unknown:
        yield (
            f"the repository of {len(tasks.unknown)} of {len(tasks.clusters)} tasks isn't known: each counts as a "
            "cluster of its own, which may make intervals too narrow"
        )
    if len({entry.tasks for entry in entries if entry.kind == "model"}) > 1:
        yield "models have scored trials of different numbers of tasks: compare them in pairs, not by their rows"
    unknown = [job.path for job in table.jobs if job.planned is None]
    if unknown:
        yield f"{len(unknown)} of {len(table.jobs)} jobs don't say how many trials were planned: those found count"
    retried = sum(job.retried for job in table.jobs)
    if retried:
        yield f"Harbor ran {retried} trials again after an error; what they replaced is gone, and counts nowhere"
    for job in table.jobs:
        if job.removed.attempts:
            cost = job.removed.cost_usd
            said = "is not known" if cost is None else f"was ${cost:,.2f}, beside what stands here"
            yield (
                f"{job.path}: {job.removed.attempts} attempts were cut off, and removed when the job was gone on with; "
                f"what they cost {said}"
            )
    if any(row["status"] == "not_interactive" for row in planned):
        yield "trials that ran without the interactive layer are no sessions and have no reward here"
