"""``swe-together play``: be the simulated user of one session."""

import argparse
import importlib
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from swe_together.errors import MisuseError, TogetherError

HELP = "be the simulated user of one session"
AGENT = "swe_together.adapter.agents:reference"
STOP_SEC = 120.0
"""How long Harbor may take to end a session and its containers after an interrupt."""
LOG_LINES = 5


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = (
        "After each turn of the agent you see its reply, what it ran and changed. Type a message, as many lines as you "
        "like, and end it with a line that holds a single dot (or with Ctrl-D on an empty one); /help lists the rest. "
        "The session's clock stands still while you think. Ctrl-C ends the session without a result."
    )
    parser.add_argument("task", type=Path, metavar="TASK", help="the task's directory")
    parser.add_argument("-a", "--agent", default=AGENT, metavar="AGENT", help="Harbor's name of the agent (reference)")
    parser.add_argument("-m", "--model", metavar="MODEL", help="the agent's model")
    parser.add_argument("--ak", action="append", default=[], metavar="NAME=VALUE", help="argument of the agent")
    parser.add_argument("--pk", action="append", default=[], metavar="NAME=VALUE", help="setting of swe-together")
    parser.add_argument("--answers", type=Path, metavar="FILE", help="a YAML or JSON list of messages, said in turn")
    parser.add_argument("--show-points", action="store_true", help="let /anchors show the recorded follow-ups")
    parser.add_argument("--jobs-dir", type=Path, default=Path("jobs"), help="where Harbor puts the results (jobs)")


def run(options: argparse.Namespace) -> int:
    """Play the session, then print what came of it; exit 1 where it has no reward."""
    from rich.console import Console

    from swe_together.cli._play import Harbor, Table, converse
    from swe_together.report import summarise, summary_table
    from swe_together.simulator import read_answers
    from swe_together.tasks import load_task

    task = load_task(options.task)
    answers = read_answers(options.answers) if options.answers is not None else None
    _not_ours(options.pk)
    job: Path = options.jobs_dir / f"play-{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
    if sys.stdin.isatty():
        with suppress(ImportError):  # a Python may have been built without it
            importlib.import_module("readline")  # arrow keys and editing of the line
    console = Console(highlight=False, soft_wrap=True)
    with _harbor(harbor_line(options, job), job.with_suffix(".log")) as process:
        harbor = Harbor(process, job)
        converse(Table(console, task, show_points=options.show_points), harbor, answers)
        with console.status("grading"):
            code = process.wait()
    summary = summarise([job]) if job.is_dir() else None
    if summary is None or not summary.trials:
        raise TogetherError(
            f"harbor ended with {code} and no trial: {_last_lines(job.with_suffix('.log'))}",
            f"Read {job.with_suffix('.log')}; swe-together doctor says what this machine lacks.",
        )
    console.print(summary_table(summary))
    console.print(f"look at: {summary.trials[0].path}")
    return 0 if summary.scored == 1 else 1


def harbor_line(options: argparse.Namespace, job: Path) -> list[str]:
    """The ``harbor run`` line whose user is a person."""
    line = ["run", "-p", str(options.task), "-a", options.agent, "--plugin", "swe-together", "--pk", "user=human"]
    if options.answers is not None:
        line += ["--pk", f"human_answers={options.answers.resolve()}"]
    if options.model is not None:
        line += ["-m", options.model]
    for flag, values in (("--ak", options.ak), ("--pk", options.pk)):
        line += [part for value in values for part in (flag, value)]
    return [*line, "--jobs-dir", str(job.parent), "--job-name", job.name, "--yes", "--quiet"]


@contextmanager
def _harbor(line: list[str], log: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Harbor as a process of its own, away from the terminal; whatever ends us ends it and its containers first."""
    from swe_together.simulator import PLAYED_BY

    log.parent.mkdir(parents=True, exist_ok=True)
    # A kill leaves us no time to end it; this way it finds out by itself that nobody will answer.
    ours = {PLAYED_BY: str(os.getpid())}
    environment = {"HARBOR_TELEMETRY": "0", "LITELLM_LOCAL_MODEL_COST_MAP": "True", **os.environ, **ours}

    def interrupted(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupted) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        with log.open("wb") as output:
            process = subprocess.Popen(
                [_executable(), *line], env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                start_new_session=True,
            )  # fmt: skip
        try:
            yield process
        finally:
            if process.poll() is None:
                with suppress(OSError):  # the terminal itself may be gone
                    print("\nending the session and its containers", file=sys.stderr, flush=True)
                _stop(process, log.with_suffix(""))
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(process: "subprocess.Popen[bytes]", job: Path) -> None:
    try:
        process.send_signal(signal.SIGINT)
        process.wait(STOP_SEC)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    # A start that was under way can leave a container behind even where Harbor ended well.
    from swe_together.clean import clean, connect

    trials = [folder.name for folder in job.glob("*/") if (folder / "config.json").is_file()]
    left = clean(connect(), trials=trials)
    for what, problem in left.failed.items():
        print(f"{what} could not be removed: {problem}. Run: swe-together clean", file=sys.stderr)


def _not_ours(settings: list[str]) -> None:
    for setting in settings:
        name = setting.partition("=")[0]
        if name in ("user", "arm", "human_answers"):
            raise MisuseError(f"--pk {setting}: in play, {name} is not to be chosen.", "Leave it out.")


def _last_lines(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.is_file() else []
    return " / ".join(line.strip() for line in lines[-LOG_LINES:] if line.strip()) or "no word of it"


def _executable() -> str:
    beside = Path(sys.executable).parent / "harbor"
    if not beside.is_file():
        raise TogetherError(f"harbor is not installed beside {sys.executable}.", "Run: make setup")
    return str(beside)
