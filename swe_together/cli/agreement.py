"""``swe-together agreement``: compare judges, votes or people on the same goals."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from swe_together.errors import MisuseError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from swe_together.judge.agreement import Agreement, Ratings

HELP = "compare judges, votes or people on the same goals"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "paths",
        nargs="+",
        type=Path,
        metavar="PATH",
        help="job or trial folders, judgements, or CSV or JSON files with rows of trial, goal, rater, met",
    )
    parser.add_argument("--reference", metavar="NAME", help="the rater that the others are measured against")
    parser.add_argument("--votes", action="store_true", help="of judgements, take each vote, not what most of them say")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Print the numbers; exit 0 whatever they say."""
    import json
    from dataclasses import asdict

    from rich.console import Console

    from swe_together.judge.agreement import agreement, read_ratings

    ratings = read_ratings(_files(options.paths), votes=options.votes)
    if len(ratings.raters) < 2:
        raise MisuseError(
            f"There is nobody to compare: raters are {', '.join(ratings.raters) or 'none'}.",
            "Judge the trials again with another model (swe-together judge), or add a file of a person's verdicts.",
        )
    found = agreement(ratings, options.reference)
    if options.json:
        value = asdict(found) | {
            "disagreements": [{**unit._asdict(), "verdicts": ratings.verdicts[unit]} for unit in found.disagreements]
        }
        print(json.dumps(value, indent=1, ensure_ascii=False))
    else:
        Console(soft_wrap=True, highlight=False).print(_shown(found, ratings, options.reference))
    return 0


def _files(paths: list[Path]) -> list[Path]:
    from swe_together.report import trial_folders

    found: list[Path] = []
    for path in paths:
        if not path.exists():
            raise MisuseError(f"{path}: there is no such file or folder.", "Give a job folder, or a CSV or JSON file.")
        trials = list(trial_folders(path)) if path.is_dir() else [path]
        if not trials:
            raise MisuseError(f"{path} holds no trial.", "Give a job folder of Harbor, or a trial's.")
        found += trials
    return found


def _shown(found: "Agreement", ratings: "Ratings", reference: str | None) -> "RenderableType":
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    parts: list[RenderableType] = [
        Text(f"{len(found.raters)} raters, {found.units} goals; Krippendorff's alpha over all: {_number(found.alpha)}")
    ]
    pairs = Table(title="every two", title_justify="left")
    for column in ("one", "other", "goals of both", "agree", "met", "Cohen's kappa"):
        pairs.add_column(column, overflow="fold", justify="left" if column in ("one", "other") else "right")
    for pair in found.pairs:
        numbers = (_number(pair.raw), _number(pair.prevalence), _number(pair.kappa))
        pairs.add_row(Text(pair.one), Text(pair.other), str(pair.units), *numbers)
    parts.append(pairs)
    if reference is not None:
        errors = Table(title=Text(f"against {reference}"), title_justify="left")
        for column in ("rater", "false pass", "of not met", "false fail", "of met"):
            errors.add_column(column, overflow="fold", justify="left" if column == "rater" else "right")
        for rater, one in found.errors.items():
            rates = (_number(one.false_pass), str(one.not_met), _number(one.false_fail), str(one.met))
            errors.add_row(Text(rater), *rates)
        parts.append(errors)
    if found.disagreements:
        differ = Table(title=f"{len(found.disagreements)} goals on which not all say the same", title_justify="left")
        for column in ("trial", "goal", "met", "not met"):
            differ.add_column(column, overflow="fold")
        for unit in found.disagreements:
            given = ratings.verdicts[unit]
            said = (", ".join(sorted(r for r, met in given.items() if met is wanted)) for wanted in (True, False))
            differ.add_row(*map(Text, (unit.trial, unit.goal, *said)))
        parts.append(differ)
    return Group(*parts)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
