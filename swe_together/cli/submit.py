"""``swe-together submit``: bundle trials with all that their scores rest on, and validate such a bundle."""

import argparse
from pathlib import Path

from swe_together.errors import MisuseError

HELP = "bundle trials with all that they rest on, or validate a bundle"
DEFAULT_TASKS = Path("tasks")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of both actions."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    make = actions.add_parser("prepare", help="bundle whole jobs; refuses what would be refused later")
    make.add_argument("jobs", nargs="+", type=Path, metavar="JOB", help="a job folder of Harbor, or one of several")
    make.add_argument("-o", "--output", type=Path, required=True, metavar="BUNDLE", help="the .tar.gz to write")
    make.add_argument("--states", action="store_true", help="take the final states too; they are large")
    make.add_argument("--kept", choices=("first", "scored"), default="first", help="as for swe-together report")
    make.add_argument("--mix", action="append", default=[], metavar="KIND,…", help="as for swe-together report")
    check = actions.add_parser("validate", help="work everything out again from a bundle alone")
    check.add_argument("bundle", type=Path, metavar="BUNDLE")
    for action in (make, check):
        action.add_argument("--tasks", type=Path, default=DEFAULT_TASKS, metavar="DIR", help="the tasks (tasks)")


def run(options: argparse.Namespace) -> int:
    """Prepare or validate; 1 where something stands against it."""
    from swe_together.cli.report import show_progress

    tasks = options.tasks if options.tasks.is_dir() else None
    if tasks is None and options.tasks != DEFAULT_TASKS:
        raise MisuseError(f"{options.tasks}: there is no such folder of tasks.", "Give the folder with --tasks.")
    if options.action == "prepare":
        from swe_together.report.submission import prepare

        mix = [name for value in options.mix for name in value.split(",") if name]
        with show_progress("reading trials") as told:
            manifest = prepare(
                options.jobs,
                options.output,
                tasks=tasks,
                states=options.states,
                kept=options.kept,
                mix=mix,
                progress=told,
            )
        print(f"{options.output}: {len(manifest.trials)} trials, {len(manifest.files)} files")
        return 0
    from swe_together.report.submission import RefusedError, validate

    with show_progress("reading trials") as told:
        found = validate(options.bundle, tasks=tasks, progress=told)
    if found.problems:
        raise RefusedError(found.problems)
    passed = {entry.label: entry.figures["pass_at_1"].value for entry in found.board.entries}
    shown = ", ".join(f"{label} {'–' if value is None else f'{value:.1%}'}" for label, value in passed.items())
    print(f"{options.bundle} is good: {found.board.planned} trials; pass@1: {shown}")
    return 0
