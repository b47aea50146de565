"""``swe-together report``: the leaderboard of any number of jobs."""

import argparse
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from swe_together import defaults
from swe_together.errors import MisuseError

if TYPE_CHECKING:
    from swe_together.report import Leaderboard, TrialTable
    from swe_together.report._table import Progress

HELP = "a leaderboard with intervals, differences and attrition, from any number of jobs"
FORMATS = ("table", "json", "csv", "parquet", "html")
NEEDS_OUTPUT = ("parquet", "html")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("jobs", nargs="+", type=Path, metavar="JOB", help="a job or trial folder of Harbor, or of jobs")
    parser.add_argument("--by", action="append", default=[], metavar="COLUMN,…", help="also by language, task, arm, …")
    parser.add_argument(
        "--compare", nargs=2, action="append", default=[], metavar=("A", "B"), help="two entries, by a part of the name"
    )
    parser.add_argument("--format", choices=FORMATS, default="table", help="table (default); csv and parquet: trials")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="where to write it; a folder for html")
    parser.add_argument(
        "--mix", action="append", default=[], metavar="KIND,…", help="allow other versions in one table: judge, task, …"
    )
    parser.add_argument(
        "--kept", choices=("first", "scored"), default="first",
        help="which trial counts where more were run than planned: the first, or the first with a reward",
    )  # fmt: skip
    parser.add_argument("--tasks", type=Path, metavar="DIR", help="folder of tasks, for what old results don't say")
    parser.add_argument(
        "--threshold", type=float, default=defaults.PASS_THRESHOLD, metavar="X", help="a trial passes from here (0.85)"
    )
    parser.add_argument("--level", type=float, default=0.95, metavar="X", help="of the intervals (0.95)")
    parser.add_argument("--no-cache", action="store_true", help="read every trial anew, and keep nothing")


def run(options: argparse.Namespace) -> int:
    """Read, work out, print or write. 0 whatever it says; 1 where something can't be put side by side."""
    from swe_together.report import leaderboard, read_table

    _check(options)
    with show_progress("reading trials") as told:
        table = read_table(
            options.jobs,
            kept=options.kept,
            tasks=options.tasks,
            cache_at=None if options.no_cache else "default",
            progress=told,
        )
    board = leaderboard(
        table,
        by=_split(options.by),
        pairs=[(one, other) for one, other in options.compare],
        mix=_split(options.mix),
        threshold=options.threshold,
        level=options.level,
    )
    _write(options, table, board)
    return 0


def _check(options: argparse.Namespace) -> None:
    if options.format in NEEDS_OUTPUT and options.output is None:
        raise MisuseError(f"--format {options.format} needs -o.", "Name the file; for html a new folder.")
    if not 0 < options.threshold <= 1:
        raise MisuseError(f"--threshold {options.threshold:g} is no score.", "Give a number above 0, at most 1.")
    if not 0 < options.level < 1:
        raise MisuseError(f"--level {options.level:g} is no share.", "Give a number between 0 and 1, such as 0.95.")
    if options.tasks is not None and not options.tasks.is_dir():
        raise MisuseError(f"{options.tasks}: there is no such folder of tasks.", "Give the folder with --tasks.")


def _write(options: argparse.Namespace, table: "TrialTable", board: "Leaderboard") -> None:
    from rich.console import Console

    from swe_together.files import write_atomically
    from swe_together.report._show import leaderboard_tables
    from swe_together.report._write import report_json, trials_csv, write_parquet

    if options.format == "html":
        from swe_together.report.page import write_page

        with show_progress("writing sessions") as told:
            written = write_page(table, board, options.output, tasks=options.tasks, progress=told)
        for name, why in written.failed.items():
            print(f"swe-together report: {name}: no session in the page: {why}", file=sys.stderr)
    elif options.format == "parquet":
        write_parquet(table, options.output)
    else:
        if options.format == "table":
            buffer = io.StringIO()
            # Names of others are no markup.
            file = buffer if options.output is not None else None
            Console(file=file, markup=False, highlight=False).print(leaderboard_tables(board))
            text = buffer.getvalue()
        else:
            text = report_json(table, board) + "\n" if options.format == "json" else trials_csv(table)
        if options.output is not None:
            write_atomically(options.output, text)
        else:
            print(text, end="")
    if options.output is not None:
        Console(stderr=True).print(f"{len(table.frame)} trials: {options.output}", highlight=False)


@contextmanager
def show_progress(what: str) -> "Iterator[Progress]":
    """A bar on standard error, where somebody looks."""
    from rich.console import Console
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    with Bar(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _split(values: list[str]) -> list[str]:
    return [name for value in values for name in value.split(",") if name]
