"""``swe-together clean``."""

import argparse
from pathlib import Path

HELP = "remove containers, networks and images that killed runs left"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("-n", "--dry-run", action="store_true", help="only say what would be removed")
    parser.add_argument("--all", action="store_true", help="also what trials of other Harbor datasets left")
    parser.add_argument(
        "--tasks",
        type=Path,
        default=Path("tasks"),
        metavar="DIR",
        help="folder of our tasks, to recognise images whose containers are gone (default: tasks)",
    )


def run(options: argparse.Namespace) -> int:
    """Clean up: 0 when nothing is left that should go, 1 when Docker refused to remove something."""
    from swe_together.clean import KINDS, clean, connect

    cleaned = clean(connect(), everything=options.all, dry_run=options.dry_run, task_folders=[options.tasks])
    verb = "would remove" if options.dry_run else "removed"
    for thing in cleaned.removed:
        print(f"{verb} {thing.kind} {thing.name}")
    for project, reason in cleaned.kept.items():
        print(f"kept {project}: {reason}")
    for name, reason in cleaned.failed.items():
        print(f"could not remove {name}: {reason}")
    counts = [f"{cleaned.count(kind)} {kind}{'' if cleaned.count(kind) == 1 else 's'}" for kind in KINDS]
    print(f"{verb} {', '.join(counts)}")
    return 1 if cleaned.failed else 0
