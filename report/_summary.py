"""The short summary of a job: what was measured, and what is missing and why."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from swe_together.remedies import with_remedy
from swe_together.report._trials import TrialRow, read_trials

CAUSE_CHARS = 300


@dataclass(frozen=True)
class Summary:
    """A job in numbers. ``mean`` is over the trials that have a reward, ``missing`` counts the others by cause."""

    trials: Sequence[TrialRow]
    scored: int
    mean: float | None
    missing: dict[str, int]


def summarise(jobs: Sequence[Path]) -> Summary:
    """Read job folders and sum them up. Missing is never zero."""
    rows = read_trials(jobs)
    rewards = [row.reward for row in rows if row.reward is not None]
    missing = Counter(row.status for row in rows if row.reward is None)
    return Summary(rows, len(rewards), sum(rewards) / len(rewards) if rewards else None, dict(sorted(missing.items())))


def summary_table(summary: Summary) -> RenderableType:
    """A table for the terminal, and below it a line for each missing result."""
    mean = "no reward" if summary.mean is None else f"mean reward {summary.mean:.3f} over {summary.scored}"
    lost = ", ".join(f"{count} {cause}" for cause, count in summary.missing.items()) or "none"
    table = Table(title=f"swe-together: {len(summary.trials)} trials, {mean}; missing: {lost}", title_justify="left")
    table.add_column("task", overflow="fold", ratio=2)
    table.add_column("agent", overflow="fold", ratio=2)
    for column in ("turns", "messages", "cases", "reward"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("end", overflow="fold", ratio=2)
    for row in summary.trials:
        session, report = row.session, row.report
        cases = f"{sum(c.passed for c in report.cases)}/{len(report.cases)}" if report and report.cases else "–"
        table.add_row(
            row.task,
            row.agent,
            str(len(session.turns)) if session else "–",
            str(session.messages) if session else "–",
            cases,
            "–" if row.reward is None else f"{row.reward:.3f}",
            session.end.value if session else "–",
        )
    lines = [
        Text(with_remedy(f"missing: {row.path.name}: {row.status} {row.cause}"[:CAUSE_CHARS]))
        for row in summary.trials
        if row.reward is None
    ]
    return Group(table, *lines)
