"""What ``import``, ``build``, ``screen`` and ``mine`` share: how sessions are cleared, and what is told of it."""

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from swe_together.errors import MisuseError

if TYPE_CHECKING:
    from swe_together.pipeline.clearing import Clearing
    from swe_together.pipeline.privacy import Report

RAW = "kept as it was recorded, secrets and personal data included: keep it on this machine"


def add_clearing_arguments(parser: argparse.ArgumentParser, *, raw: bool) -> None:
    """Declare the arguments; ``--raw`` only where something is written that may be kept as it was recorded."""
    group = parser.add_argument_group("secrets and personal data")
    if raw:
        group.add_argument(
            "--raw", action="store_true", help="write all as it was recorded, for this machine alone; "
            "what a model is sent is redacted all the same"
        )  # fmt: skip
    group.add_argument("--hide", action="append", default=[], metavar="WORD", help="word that goes, found or not")
    group.add_argument("--keep-name", action="append", default=[], metavar="NAME", help="name that stays")
    group.add_argument(
        "--salt", type=Path, metavar="FILE",
        help="secret that keys the placeholders; made where it isn't there (this machine's own)",
    )  # fmt: skip


def clearing_of(options: argparse.Namespace, output: Path) -> "Clearing":
    """How the arguments want sessions cleared.

    Args:
        options: With the arguments.
        output: What is written; no salt may lie in it.

    Raises:
        MisuseError: The salt lies in the output, or can't be read or made.
    """
    from swe_together.pipeline.check.cache import cache_root
    from swe_together.pipeline.clearing import Clearing
    from swe_together.pipeline.privacy import Salt

    # One for all runs: what was asked of a model or imported once reads the same again.
    file = options.salt or cache_root().parent / "salt"
    if file.resolve().is_relative_to(output.resolve()):
        raise MisuseError(f"--salt {file}: a salt beside the data undoes it.", "Keep it elsewhere.")
    clearing = Clearing(Salt.load(file), names=tuple(options.keep_name), hide=tuple(options.hide))
    return clearing.keeping("all") if getattr(options, "raw", False) else clearing


def report_path(output: Path) -> Path:
    """Where the report on an output is written: beside it."""
    name = output.stem if output.suffix == ".jsonl" else output.name
    return output.with_name(f"{name}.redaction.jsonl")


def report_lines(report: "Report", session: str) -> str:
    """A report as JSON lines; it holds nothing of what was replaced."""
    return "".join(f"{json.dumps({'session': session, **row})}\n" for row in report.rows())


def write_report(report: "Report", session: str, output: Path) -> str:
    """Write a report beside an output, and hand back what is told of it."""
    from swe_together.files import write_atomically

    path = report_path(output)
    write_atomically(path, report_lines(report, session))
    return told(report.counts(), report.pictures, path)


def told(counts: Mapping[str, int], pictures: int, path: Path) -> str:
    """What was replaced, in a sentence."""
    from swe_together.pipeline.clearing import kinds_told

    seen = f"; {pictures} pictures or other binary bodies were not looked into" if pictures else ""
    return f"redacted: {kinds_told(counts) or 'nothing was found'}{seen}; report: {path}"
