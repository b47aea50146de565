"""``swe-together study``: can people tell the simulated user from the real one?"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from swe_together.errors import MisuseError

if TYPE_CHECKING:
    from swe_together.report.study import Prepared

HELP = "ask people which user is the real one, and report what they said"
DEFAULT_TASKS = Path("tasks")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    make = actions.add_parser("prepare", help="make a study: shuffled, blinded pairs of sessions")
    for name, who in (("real", "a person"), ("simulated", "a simulated user")):
        make.add_argument(
            f"--{name}", nargs="+", action="extend", default=[], metavar="SESSION",
            help=f"sessions with {who}: job or trial folders, or TASK=FILE for a trajectory alone",
        )  # fmt: skip
    make.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="a new folder")
    make.add_argument("--seed", type=int, default=0, metavar="N", help="of all shuffling (0)")
    make.add_argument(
        "--margin", type=float, default=0.1, metavar="SHARE",
        help="how far from one half the pass rate may lie and count as equivalent (0.1)",
    )  # fmt: skip
    make.add_argument(
        "--label", action="append", default=[], choices=("messages", "goals"),
        help="of the simulated sessions, have these labelled too; may be given twice",
    )  # fmt: skip
    make.add_argument(
        "--tasks", type=Path, default=DEFAULT_TASKS, metavar="DIR", help="folder with the tasks' goals (tasks)"
    )

    serve = actions.add_parser("serve", help="show it to annotators, on this machine alone")
    serve.add_argument("folder", type=Path, metavar="DIR", help="what prepare wrote")
    serve.add_argument("--port", type=int, default=8765, metavar="N", help="0 takes a free one (8765)")

    report = actions.add_parser("report", help="pass rate, equivalence, agreement")
    report.add_argument("folder", type=Path, metavar="DIR", help="what prepare wrote")
    report.add_argument("--json", action="store_true", help="print JSON")
    report.add_argument(
        "--ratings", type=Path, metavar="FILE", help="write the goals' labels as swe-together agreement reads them"
    )


def run(options: argparse.Namespace) -> int:
    """Run one of the actions."""
    return {"prepare": _prepare, "serve": _serve, "report": _report}[options.action](options)


def _prepare(options: argparse.Namespace) -> int:
    from swe_together.report.study import prepare

    goals = _goals(options.tasks) if "goals" in options.label else None
    prepared = prepare(
        options.real, options.simulated, options.output, seed=options.seed, margin=options.margin,
        labels=options.label, goals=goals,
    )  # fmt: skip
    _say(prepared, options.output)
    return 0


def _say(prepared: "Prepared", folder: Path) -> None:
    counts = prepared.counts
    print(f"{folder}: {counts['pair']} pairs, {counts['messages']} sessions to tag, {counts['goals']} to judge")
    for line in prepared.left_out:
        print(f"left out: {line}")
    for line in prepared.warnings:
        print(f"warning: {line}")
    print(f"Next: swe-together study serve {folder}")


def _goals(folder: Path) -> dict[str, dict[str, str]]:
    """Texts of goals by task. A task that can't be loaded has none, and that is said where its trials are."""
    from swe_together.errors import TaskError
    from swe_together.tasks import is_together_task, load_task

    if not folder.is_dir():
        raise MisuseError(f"{folder}: there is no such folder of tasks.", "Give it with --tasks.")
    found = {}
    for path in [folder] if (folder / "task.toml").is_file() else sorted(folder.iterdir()):
        if is_together_task(path):
            try:
                task = load_task(path)
            except TaskError as error:
                print(f"warning: {error}")
                continue
            found[task.name] = {goal.id: goal.text for goal in task.rubric.goals}
    return found


def _serve(options: argparse.Namespace) -> int:
    import signal

    from swe_together.report.study import OpenStudy, StudyServer

    def interrupted(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    study = OpenStudy(options.folder)
    with StudyServer(study, options.port) as server:
        signal.signal(signal.SIGTERM, interrupted)
        try:
            print(f"{len(study.study.items)} items, {study.entered} answers so far. Open {server.url}", flush=True)
            if study.unreadable:
                print(f"warning: {study.unreadable} lines of answers.jsonl can't be read", flush=True)
            tunnel = f"ssh -L 8765:127.0.0.1:{server.server_address[1]} HOST"
            print(f"Annotators elsewhere: {tunnel}. Stop with Ctrl-C.", flush=True)
            server.serve_forever()
        except KeyboardInterrupt:
            print(f"\nstopped; {study.entered} answers in {options.folder / 'answers.jsonl'}")
    return 0


def _report(options: argparse.Namespace) -> int:
    import json
    from dataclasses import asdict

    from rich.console import Console

    from swe_together.files import write_atomically
    from swe_together.report.study import goal_ratings, study_report, study_tables

    found = study_report(options.folder)
    if options.ratings is not None:
        write_atomically(options.ratings, json.dumps(goal_ratings(options.folder), indent=1, ensure_ascii=False) + "\n")
    if options.json:
        print(json.dumps(asdict(found), indent=1, ensure_ascii=False))
    else:
        Console(soft_wrap=True, highlight=False).print(study_tables(found))
    return 0
