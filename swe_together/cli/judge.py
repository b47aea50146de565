"""``swe-together judge``: judge finished trials again, by other settings, from what they left."""

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from swe_together.errors import MisuseError, TaskError, TogetherError

if TYPE_CHECKING:
    from swe_together.adapter.judge_settings import JudgingSettings
    from swe_together.adapter.judging import TrialJudging
    from swe_together.adapter.rejudge import Rejudged
    from swe_together.report import TrialRow

HELP = "judge finished trials again, with another model, more votes or other settings"
_OPTIONS = {
    "model": (
        "judge_model",
        str,
        "MODEL",
        "LiteLLM's name of the model; without one the goals' commands decide",
    ),
    "temperature": ("judge_temperature", float, "T", "the model's temperature (0)"),
    "base-url": ("judge_base_url", str, "URL", "where the model is served, if not by its provider"),
    "api-key-env": ("judge_api_key_env", str, "NAME", "host variable with the key (SWE_TOGETHER_JUDGE_API_KEY)"),
    "votes": ("judge_votes", int, "M", "odd number of independent judgements; most votes win (1)"),
    "seed": ("judge_seed", int, "N", "order in which the goals are shown (0)"),
    "checks": ("judge_checks", str, "HOW", "trust, confirm or ignore the goals' own commands (trust)"),
    "seconds": ("judge_sec", float, "SEC", "time of one vote"),
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("jobs", nargs="+", type=Path, metavar="JOB", help="job or trial folders")
    parser.add_argument("--tasks", type=Path, default=Path("tasks"), metavar="DIR", help="where the tasks lie (tasks)")
    for name, (_, kind, metavar, text) in _OPTIONS.items():
        parser.add_argument(f"--{name}", type=kind, metavar=metavar, help=text)
    parser.add_argument("-n", "--concurrent", type=int, default=2, metavar="N", help="trials at once (2)")


def run(options: argparse.Namespace) -> int:
    """Judge; exit 1 if a trial could not be judged. Run again, it goes on where it stood."""
    from rich.console import Console

    from swe_together.adapter.judge_settings import parse_judging
    from swe_together.report import read_trials

    for job in options.jobs:
        if not job.is_dir():
            raise MisuseError(f"{job} is no folder.", "Give a job folder of Harbor, or a trial's.")
    if options.concurrent < 1:
        raise MisuseError(f"--concurrent {options.concurrent}: at least one trial must be judged at a time.")
    told = {setting: getattr(options, name.replace("-", "_")) for name, (setting, *_) in _OPTIONS.items()}
    settings = parse_judging({name: value for name, value in told.items() if value is not None})
    settings.require_keys()
    rows = read_trials(options.jobs)
    if not rows:
        raise MisuseError(f"{options.jobs[0]} holds no trial.", "Give a job folder of Harbor, or a trial's.")
    outcomes = asyncio.run(_judge(rows, options.tasks, settings, options.concurrent))
    Console(soft_wrap=True).print(_table(rows, outcomes))
    return 0 if all(not isinstance(outcome, str) for outcome in outcomes) else 1


async def _judge(
    rows: "list[TrialRow]", tasks: Path, settings: "JudgingSettings", concurrent: int
) -> "list[Rejudged | str]":
    """Each trial's judgement, or why there is none."""
    from rich.progress import Progress

    from swe_together.adapter.rejudge import rejudge

    slots = asyncio.Semaphore(concurrent)
    with Progress(transient=True) as progress:
        bar = progress.add_task("judging", total=len(rows))

        async def one(row: "TrialRow") -> "Rejudged | str":
            async with slots:
                try:
                    return await rejudge(_judging(row, tasks, settings))
                except TogetherError as error:
                    return str(error)
                finally:
                    progress.advance(bar)

        return await asyncio.gather(*(one(row) for row in rows))


def _judging(row: "TrialRow", tasks: Path, settings: "JudgingSettings") -> "TrialJudging":
    """What a trial is judged from.

    Raises:
        TogetherError: It can't be judged.
    """
    from swe_together.adapter.judging import TrialJudging

    if row.session is not None and not row.session.end.valid:
        raise TogetherError(f"the session ended with {row.session.end.value}: there is nothing to judge.")
    if row.report is None or row.report.status != "ok":
        raise TogetherError("its tests left no report.", "Grade it first: harbor job regrade.")
    task = tasks / row.task.rpartition("/")[2]
    judging = TrialJudging.of(task, row.path, row.report.cases, settings)
    if row.session is not None and judging.task.digest != row.session.task_digest:
        raise TaskError(
            task, "", judging.task.digest, f"the trial ran another version of it ({row.session.task_digest})",
            "Check out that version, or run the trial again.",
        )  # fmt: skip
    return judging


def _table(rows: "list[TrialRow]", outcomes: "list[Rejudged | str]") -> "object":
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    made = sum(not isinstance(outcome, str) and outcome.fresh for outcome in outcomes)
    kept = sum(not isinstance(outcome, str) and not outcome.fresh for outcome in outcomes)
    table = Table(
        title=f"judged {made}, already judged {kept}, not judged {len(rows) - made - kept}", title_justify="left"
    )
    for column in ("trial", "tests", "judge", "decided", "failed gates", "flips", "check and model differ"):
        table.add_column(column, overflow="fold")
    missing = []
    for row, outcome in zip(rows, outcomes, strict=True):
        tests = "–" if row.report is None or row.report.tests is None else f"{row.report.tests:.3f}"
        if isinstance(outcome, str):
            table.add_row(row.path.name, tests, "–", "–", "–", "–", "–")
            missing.append(Text(f"not judged: {row.path.name}: {outcome}"))
            continue
        found = outcome.judgement
        flips = [goal.flip_rate for goal in found.goals if goal.flip_rate is not None]
        table.add_row(
            row.path.name,
            tests,
            "–" if found.score is None else f"{found.score:.3f}",
            f"{found.decided_share:.2f}",
            ", ".join(found.failed_gates) or "none",
            f"{sum(flips) / len(flips):.2f}" if flips else "–",
            ", ".join(found.disagreements) or "none",
        )
    return Group(table, *missing)
