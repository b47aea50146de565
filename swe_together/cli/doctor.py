"""``swe-together doctor``."""

import argparse
import json
from dataclasses import asdict

HELP = "say what this machine lacks and how to get it"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(options: argparse.Namespace) -> int:
    """Print what was found: 0 when nothing is missing, 1 otherwise."""
    from rich.console import Console
    from rich.table import Table

    from swe_together.doctor import Machine, examine

    findings = examine(Machine())
    missing = [finding for finding in findings if not finding.ok]
    if options.json:
        print(json.dumps({"ok": not missing, "findings": [asdict(finding) for finding in findings]}, indent=1))
        return 1 if missing else 0
    table = Table("", "state", "found")
    for finding in findings:
        table.add_row(finding.name, "[green]ok" if finding.ok else "[red]missing", finding.found)
    console = Console()
    console.print(table)
    for finding in missing:
        # Wrapped text can't be copied; markup would eat the brackets of a command.
        console.print(f"{finding.name}: {finding.remedy}", soft_wrap=True, markup=False, highlight=False)
    if not missing:
        console.print("Nothing is missing.")
    return 1 if missing else 0
