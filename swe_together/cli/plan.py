"""``swe-together plan``: what a run can tell, and what it will take."""

import argparse
from pathlib import Path

from swe_together.errors import MisuseError

HELP = "say which difference a run can see, and what it will cost"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("--tasks", type=int, required=True, metavar="N", help="tasks")
    parser.add_argument("-k", type=int, default=4, metavar="N", help="trials of each task by each model (default 4)")
    parser.add_argument("--models", type=int, default=2, metavar="N", help="models to compare (default 2)")
    parser.add_argument(
        "--clusters", metavar="N|N,N,…", help="repositories: how many, or the tasks of each (default: one a task)"
    )
    parser.add_argument("--icc", type=float, metavar="R", help="share of the tasks' variance between repositories")
    parser.add_argument("--correlation", type=float, metavar="R", help="of the tasks' success between two models")
    parser.add_argument("--power", type=float, default=0.8, metavar="P", help="chance of finding it (default 0.8)")
    parser.add_argument("--alpha", type=float, default=0.05, metavar="P", help="of the test (default 0.05)")
    parser.add_argument("--cost-per-trial", type=float, metavar="USD", help="wins over what earlier jobs say")
    parser.add_argument("--minutes-per-trial", type=float, metavar="N", help="wins over what earlier jobs say")
    parser.add_argument("--parallel", type=int, default=1, metavar="N", help="trials at the same time (default 1)")
    parser.add_argument(
        "--from", dest="jobs", nargs="+", type=Path, default=[], metavar="JOB", help="earlier jobs, for cost and spread"
    )
    parser.add_argument("--format", choices=("table", "json"), default="table", help="default: table")


def run(options: argparse.Namespace) -> int:
    """Print the outlook; exit 0 whatever it says."""
    import json
    from dataclasses import asdict

    from rich.console import Console

    from swe_together.report import read_table
    from swe_together.report.plan import Wish, earlier_trials, outlook, outlook_table

    earlier = earlier_trials(read_table(options.jobs)) if options.jobs else None
    try:
        found = outlook(
            Wish(
                tasks=options.tasks,
                replicates=options.k,
                models=options.models,
                clusters=_clusters(options.clusters),
                icc=options.icc,
                correlation=options.correlation,
                alpha=options.alpha,
                power=options.power,
                cost=options.cost_per_trial,
                minutes=options.minutes_per_trial,
                parallel=options.parallel,
            ),
            earlier,
        )
    except ValueError as problem:
        raise MisuseError(f"{problem}.", "See swe-together plan --help.") from None
    if options.format == "json":
        print(json.dumps({**asdict(found), "earlier": None if earlier is None else asdict(earlier)}, indent=1))
    else:
        Console(highlight=False).print(outlook_table(found))
    return 0


def _clusters(given: str | None) -> int | tuple[int, ...] | None:
    if given is None:
        return None
    try:
        sizes = tuple(int(part) for part in given.split(","))
    except ValueError:
        raise MisuseError(
            f"--clusters {given} is no number and no list of numbers.", "Give 25, or 27,23,9 with the tasks of each."
        ) from None
    return sizes if "," in given else sizes[0]
