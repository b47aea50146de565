"""A collection on the screen: its progress, and the funnel."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn
from rich.table import Table

from swe_together.pipeline.collect._rules import RULES
from swe_together.pipeline.collect._run import Funnel, left_over
from swe_together.pipeline.collect._run import Progress as Report

_SHOWN: Final = 10


@contextmanager
def show_progress(console: Console, files: int, size: int) -> Iterator[Report]:
    """A bar over the bytes to read, on a terminal; nothing elsewhere."""
    if not console.is_terminal or not files:
        yield lambda read, more: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[done]}/{task.fields[files]} files"),
    )
    # Redrawn when something was read, not by a thread: the reading processes are forked from this one.
    with Progress(*columns, console=console, auto_refresh=False) as bar:
        task = bar.add_task("reading", total=size, done=0, files=files)
        bar.refresh()
        done = 0

        def report(read: int, more: int) -> None:
            nonlocal done
            done += read
            bar.update(task, advance=more, done=done, refresh=True)

        yield report


def print_funnel(console: Console, funnel: Funnel) -> None:
    """What was found, and how many sessions each rule left."""
    console.print(_files(funnel), markup=False, highlight=False, soft_wrap=True)
    for name, error in funnel.broken[:_SHOWN]:
        text = error if error.startswith(name) else f"{name}: {error}"
        console.print(f"not read: {text}", markup=False, highlight=False, soft_wrap=True)
    if len(funnel.broken) > _SHOWN:
        console.print(f"… and {len(funnel.broken) - _SHOWN} more", highlight=False)
    table = Table(box=None, pad_edge=False)
    table.add_column("rule")
    table.add_column("rejected first", justify="right")
    table.add_column("rejected", justify="right")
    table.add_column("left", justify="right")
    table.add_column("what it says")
    table.add_row("sessions", "", "", str(funnel.sessions), escape(_formats(funnel)))
    for rule, first, every, left in left_over(funnel):
        table.add_row(rule, str(first), str(every), str(left), RULES[rule])
    table.add_row("candidates", "", "", str(funnel.eligible), "", style="bold")
    console.print(table)


def _files(funnel: Funnel) -> str:
    parts = [f"{funnel.files} files, {funnel.reread} read now"]
    parts += [f"{count} {what}" for count, what in (
        (funnel.foreign, "no session files"),
        (len(funnel.broken), "not readable"),
        (funnel.empty, "without a session"),
        (funnel.problems, "unreadable records in sessions"),
    ) if count]  # fmt: skip
    return "; ".join(parts)


def _formats(funnel: Funnel) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(funnel.formats.items()))
