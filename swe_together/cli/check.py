"""``swe-together check``."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from swe_together.errors import MisuseError

if TYPE_CHECKING:
    from swe_together.pipeline.check.model import TaskCheck
    from swe_together.pipeline.check.run import Options

HELP = "prove in real containers that tasks are sound"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("tasks", nargs="*", type=Path, metavar="TASK", help="task directories")
    parser.add_argument("--all", action="store_true", help="every task below tasks/")
    parser.add_argument("--fresh", action="store_true", help="use no result kept from an earlier check")
    parser.add_argument("--static", action="store_true", help="look at files only, without containers")
    parser.add_argument(
        "--spread", action="store_true", help="hold the tasks, as a dataset, against its rules, and stop"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything that was found")
    parser.add_argument("--readme", type=Path, metavar="FILE", help="write the overview of tasks and their matrices")
    parser.add_argument("--update-golden", action="store_true", help="write solution/golden.json from what was said")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave the folders of Harbor's trials there")
    parser.add_argument("-j", "--jobs", type=_positive, metavar="N", help="steps at the same time")


def run(options: argparse.Namespace) -> int:
    """Check the tasks: 0 when all are sound, 1 when one isn't."""
    from swe_together.files import write_atomically
    from swe_together.pipeline.check.overview import overview
    from swe_together.pipeline.check.run import Options, default_jobs

    paths = _paths(options)
    if options.spread:
        return _spread(paths)
    settings = Options(
        jobs=options.jobs or default_jobs(),
        fresh=options.fresh,
        static=options.static,
        update_golden=options.update_golden,
        keep=options.keep.resolve() if options.keep else None,
    )
    checks = check_and_print(paths, settings)
    if options.json:
        write_atomically(options.json, json.dumps([found.model_dump(mode="json") for found in checks], indent=1) + "\n")
    if options.readme:
        write_atomically(options.readme, overview(checks))
    return 0 if all(found.sound for found in checks) else 1


def check_and_print(paths: list[Path], settings: "Options", prefix: str = "") -> list["TaskCheck"]:
    """Check tasks and print what was found.

    Args:
        paths: Their directories.
        settings: How to check.
        prefix: Beginning of paths that is left out of what is printed, where tasks are checked in a copy.

    Raises:
        TogetherError: As ``pipeline.check.run.check`` does.
    """
    from rich.console import Console

    from swe_together.pipeline.check.progress import make_progress
    from swe_together.pipeline.check.run import check
    from swe_together.pipeline.check.show import print_check

    with make_progress(Console(stderr=True)) as progress:
        checks = check(paths, settings, progress)
    if prefix:
        checks = [found.with_paths_from(prefix) for found in checks]
    console = Console(width=None if sys.stdout.isatty() else 140)
    for found in checks:
        print_check(console, found)
    return checks


def _spread(paths: list[Path]) -> int:
    from rich.console import Console
    from rich.table import Table

    from swe_together.pipeline.spread import spread

    rules = spread(paths)
    table = Table("rule", "wanted", "found", "", title=f"Spread of {len(paths)} tasks")
    for rule in rules:
        table.add_row(rule.name, rule.wanted, rule.found, "kept" if rule.kept else "[red]broken[/red]")
    Console(width=None if sys.stdout.isatty() else 140).print(table)
    return 0 if all(rule.kept for rule in rules) else 1


def _paths(options: argparse.Namespace) -> list[Path]:
    paths = list(options.tasks)
    if options.all:
        folder = Path("tasks")
        if not folder.is_dir():
            raise MisuseError("--all looks for tasks/ in the current folder; there is none.", "Go to the repository.")
        paths += sorted(file.parent for file in folder.glob("*/task.toml"))
    if not paths:
        raise MisuseError("no task is named.", "Give task directories, or --all.")
    return list(dict.fromkeys(path.resolve() if path.is_dir() else path for path in paths))


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number
