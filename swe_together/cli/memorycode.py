"""``swe-together memorycode``."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from swe_together.errors import MisuseError

if TYPE_CHECKING:
    from swe_together.memorycode.generate import Writer

HELP = "generate dialogues of many sessions, and report what agents still followed"
ARMS = ("isolated", "chain", "sessions", "history", "memory")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    generate = actions.add_parser("generate", help="write dialogues, and tasks from them", description=_GENERATE)
    generate.add_argument("--seed", type=int, required=True, metavar="N")
    generate.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="a new or empty folder")
    generate.add_argument(
        "--sessions", type=_numbers, metavar="N,…", help="sizes; the twelve published ones if left out"
    )
    generate.add_argument("--per-size", type=int, default=30, metavar="N", help="dialogues of each size (30)")
    generate.add_argument(
        "--arms", type=_arms, default=[], metavar="ARM,…", help=f"write tasks: {', '.join(ARMS)}, or all"
    )
    generate.add_argument("--pool", default="all", metavar="POOL", help="rules: all (default), published or new")
    generate.add_argument(
        "--isolated", default="1", metavar="N", help="rules of a dialogue with a task each, or all (1)"
    )
    generate.add_argument(
        "--longest-prompt", type=int, metavar="BYTES", help="history tasks above are left out (120000; 0: none is)"
    )
    generate.add_argument("--prose-model", metavar="MODEL", help="a model writes the sessions (LiteLLM's name)")
    generate.add_argument("--prose-cache", type=Path, metavar="DIR", help="what it wrote; needed with --prose-model")
    generate.add_argument("--prose-api-key-env", default="SWE_TOGETHER_PROSE_API_KEY", metavar="NAME")
    generate.add_argument("--prose-base-url", metavar="URL", help="where the model is served")

    stats = actions.add_parser("stats", help="dialogues' figures beside the published law")
    stats.add_argument("folder", type=Path, metavar="DIR", help="what generate wrote")
    stats.add_argument("--json", action="store_true", help="print JSON")

    report = actions.add_parser("report", help="what agents still followed, from job folders")
    report.add_argument("jobs", nargs="+", type=Path, metavar="JOB", help="a job or trial folder of Harbor")
    report.add_argument("--json", type=Path, metavar="FILE", help="write every figure")
    report.add_argument("--svg", type=Path, metavar="FILE", help="write the plot")

    ready = actions.add_parser("ready", help="write the tasks of the dataset memorycode@1.0 anew")
    ready.add_argument("-o", "--output", type=Path, default=Path("memorycode/ready"), metavar="DIR")


def run(options: argparse.Namespace) -> int:
    """Run one of the actions; ``stats`` gives 1 where a figure is further than three standard errors from the law."""
    return {"generate": _generate, "stats": _stats, "report": _report, "ready": _ready}[options.action](options)


_GENERATE = (
    "Write DIR/dialogues and, for the arms that are named, DIR/tasks. The same seed gives the same bytes. "
    "Run the tasks with: harbor run -p DIR/tasks --plugin swe-together -a AGENT."
)


def _generate(options: argparse.Namespace) -> int:
    from swe_together.memorycode._laws import SIZES
    from swe_together.memorycode.build import build
    from swe_together.memorycode.generate import Recipe
    from swe_together.memorycode.tasks import LONGEST_PROMPT

    isolated = None if options.isolated == "all" else _whole(options.isolated, "--isolated")
    recipe = Recipe(options.seed, options.sessions or SIZES, options.per_size, options.pool, isolated)
    longest = LONGEST_PROMPT if options.longest_prompt is None else options.longest_prompt
    manifest = build(options.output, recipe, options.arms, longest, _prose(options))
    print(f"{manifest.dialogues} dialogues and {manifest.tasks} tasks in {options.output}, sha256 {manifest.sha256}")
    for name, why in manifest.left_out.items():
        print(f"left out: {name}: {why}")
    return 0


def _prose(options: argparse.Namespace) -> "Writer | None":
    if options.prose_model is None:
        if options.prose_cache is not None or options.prose_base_url is not None:
            raise MisuseError("--prose-cache and --prose-base-url need --prose-model.", "Name the model.")
        return None
    if options.prose_cache is None:
        raise MisuseError("--prose-model needs --prose-cache.", "Name a folder for what the model writes.")
    from swe_together.memorycode.model_prose import ModelWriter
    from swe_together.providers import ProviderSettings

    settings = ProviderSettings(
        options.prose_model, 0.9, options.prose_api_key_env, options.prose_base_url, structure="text"
    )
    return ModelWriter(settings, options.prose_cache)


def _stats(options: argparse.Namespace) -> int:
    import json
    from dataclasses import asdict

    from swe_together.memorycode._statistics import figures_table, sized_figures
    from swe_together.memorycode.files import read_dialogues

    rows = sized_figures(read_dialogues(options.folder))
    if options.json:
        print(json.dumps([asdict(row) for row in rows], indent=1))
    else:
        from rich.console import Console

        Console(width=220).print(figures_table(rows))
    return 1 if any(figure.far for row in rows for figure in row.figures.values()) else 0


def _report(options: argparse.Namespace) -> int:
    import json

    from rich.console import Console

    from swe_together.files import write_atomically
    from swe_together.memorycode._outcomes import read_outcomes
    from swe_together.memorycode._report import make_report
    from swe_together.memorycode._report_view import report_json, report_svg, report_tables

    for job in options.jobs:
        if not job.is_dir():
            raise MisuseError(f"{job}: there is no such job folder.", "Give a folder below jobs/.")
    report = make_report(read_outcomes(options.jobs))
    if not report.arms:
        raise MisuseError("no trial of a memorycode task has a result here.", "Run tasks of `memorycode generate`.")
    Console(width=220).print(report_tables(report))
    if options.json:
        write_atomically(options.json, json.dumps(report_json(report), indent=1) + "\n")
    if options.svg:
        write_atomically(options.svg, report_svg(report))
    return 0


def _ready(options: argparse.Namespace) -> int:
    from swe_together.memorycode.build import write_ready

    print(f"{len(write_ready(options.output))} tasks in {options.output}")
    return 0


def _numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of numbers; write 1,5,10") from None


def _arms(text: str) -> list[str]:
    named = list(ARMS) if text == "all" else text.split(",")
    unknown = [name for name in named if name not in ARMS]
    if unknown:
        raise argparse.ArgumentTypeError(f"there is no arm {unknown[0]!r}; arms: {', '.join(ARMS)}, or all")
    return list(dict.fromkeys(named))


def _whole(text: str, option: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise MisuseError(f"{option} {text!r} is no number.", "Give a number, or all.") from None
