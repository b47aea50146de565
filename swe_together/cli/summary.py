"""``swe-together summary``: what job folders hold, and what is missing and why."""

import argparse
from pathlib import Path

from swe_together.errors import MisuseError

HELP = "summarise job folders: sessions, rewards, what is missing and why"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("jobs", nargs="+", type=Path, metavar="JOB", help="a job or trial folder of Harbor")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Print the summary; exit 0 whatever it says."""
    import json

    from rich.console import Console

    from swe_together.ledger import trial_ledger
    from swe_together.report import ledger_table, summarise, summary_table

    for job in options.jobs:
        if not job.is_dir():
            raise MisuseError(f"{job}: there is no such job folder.", "Give a folder below jobs/.")
    summary = summarise(options.jobs)
    ledgers = [trial_ledger(row.path) for row in summary.trials]
    if options.json:
        rows = [
            {
                "task": r.task,
                "agent": r.agent,
                "status": r.status,
                "reward": r.reward,
                "cause": r.cause,
                "trial": str(r.path),
                "ledger": ledger.model_dump(mode="json"),
            }
            for r, ledger in zip(summary.trials, ledgers, strict=True)
        ]
        print(
            json.dumps(
                {"scored": summary.scored, "mean": summary.mean, "missing": summary.missing, "trials": rows}, indent=1
            )
        )
    else:
        console = Console()
        console.print(summary_table(summary))
        if ledgers:
            console.print(ledger_table(ledgers))
    return 0
