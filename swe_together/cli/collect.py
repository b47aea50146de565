"""``swe-together collect``."""

import argparse
import sys
from pathlib import Path
from typing import Any

from swe_together import defaults

HELP = "find recorded sessions that can become tasks"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files, folders, git repositories")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", default=Path("candidates.jsonl"))
    parser.add_argument("--rules", type=Path, metavar="FILE", help="rules in YAML; options stand over them")
    parser.add_argument("--fresh", action="store_true", help="read everything again")
    parser.add_argument("-j", "--jobs", type=_positive, metavar="N", help="reading processes; default: one a core")
    rules = parser.add_argument_group("rules")
    rules.add_argument(
        "--min-messages", type=int, metavar="N", help=f"of the person; default {defaults.COLLECT_MESSAGES}"
    )
    rules.add_argument("--max-messages", type=int, metavar="N", help="default: no limit")
    rules.add_argument("--min-edits", type=int, metavar="N", help=f"default {defaults.COLLECT_EDITS}")
    rules.add_argument("--min-files", type=int, metavar="N", help="different files edited")
    rules.add_argument(
        "--repository", choices=("any", "known", "named"), help="known: by URL, folder or project; named: by URL"
    )
    rules.add_argument(
        "--min-agent-share",
        type=float,
        metavar="SHARE",
        help=f"of a linked commit's lines, where recorded; default {defaults.COLLECT_AGENT_SHARE:g}",
    )
    rules.add_argument("--subagents", action="store_true", default=None, help="let sessions in that an agent started")


def run(options: argparse.Namespace) -> int:
    """Collect: 0 when there is a candidate and every named file could be read, 1 otherwise."""
    from rich.console import Console

    from swe_together.pipeline.collect._rules import load_rules
    from swe_together.pipeline.collect._run import Collection, default_jobs, rejected_path
    from swe_together.pipeline.collect._show import print_funnel, show_progress

    rules = load_rules(options.rules, _changes(options))
    collection = Collection(options.paths, options.output, rules, options.fresh)
    size = sum(place.size for place in collection.unread)
    with show_progress(Console(stderr=True), len(collection.unread), size) as progress:
        funnel = collection.run(min(options.jobs or default_jobs(), max(1, len(collection.unread))), progress)
    print_funnel(Console(width=None if sys.stdout.isatty() else 140), funnel)
    print(f"candidates: {options.output}; rejected, with reasons: {rejected_path(options.output)}")
    return 0 if funnel.eligible and not funnel.broken else 1


def _changes(options: argparse.Namespace) -> dict[str, Any]:
    names = ("min_messages", "max_messages", "min_edits", "min_files", "repository", "min_agent_share", "subagents")
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number
