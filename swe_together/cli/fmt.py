"""``swe-together fmt``."""

import argparse
from pathlib import Path

from swe_together.errors import MisuseError

HELP = "rewrite the generated parts of tasks"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("tasks", nargs="*", type=Path, metavar="TASK", help="task directories")
    parser.add_argument("--all", action="store_true", help="every task below tasks/")
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 when something would change")


def run(options: argparse.Namespace) -> int:
    """Format the tasks: 1 only with ``--check``, when something would change."""
    from swe_together.pipeline.fmt import format_task

    paths = [*options.tasks, *(sorted(f.parent for f in Path("tasks").glob("*/task.toml")) if options.all else [])]
    if not paths:
        raise MisuseError("no task is named.", "Give task directories, or --all.")
    changed = False
    for path in dict.fromkeys(paths):
        for name in format_task(path, options.check):
            changed = True
            print(f"{path / name}: {'would change' if options.check else 'rewritten'}")
    return 1 if changed and options.check else 0
