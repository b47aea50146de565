"""``swe-together demo``: whole sessions in real containers, played by the reference agent, shown as conversations."""

import argparse
import os
import shlex
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from swe_together.errors import MisuseError, TogetherError

if TYPE_CHECKING:
    from rich.console import Console

    from swe_together.report import TrialRow

HELP = "run two tasks with the reference agent and show what happened"
AGENT = "swe_together.adapter.agents:reference"
TASKS = ("icalendar-busy-times", "qs-dropped-params")
"""One in Python, one in JavaScript; both images are small."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("tasks", nargs="*", metavar="TASK", help=f"names of tasks ({' and '.join(TASKS)})")
    parser.add_argument("--registry", type=Path, default=Path("registry.json"), help="registry file (registry.json)")
    parser.add_argument("--jobs-dir", type=Path, default=Path("jobs"), help="where Harbor puts the results (jobs)")


def run(options: argparse.Namespace) -> int:
    """Run Harbor, then print each session; exit 1 unless every reference session earned 1."""
    from rich.console import Console

    from swe_together.report import read_trials

    _must_exist(options.registry)
    names = options.tasks or list(TASKS)
    job = f"demo-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    command = harbor_line(options.registry, AGENT, names, options.jobs_dir, job)
    console = Console()
    console.print("The reference agent plays each task's own solution stage by stage: no model is asked.")
    console.print(f"$ {shlex.join(command)}", style="bold", soft_wrap=True)
    environment = {"HARBOR_TELEMETRY": "0", "LITELLM_LOCAL_MODEL_COST_MAP": "True", **os.environ}
    code = subprocess.run([_harbor(), *command[1:]], env=environment, check=False).returncode
    rows = read_trials([options.jobs_dir / job]) if (options.jobs_dir / job).is_dir() else []
    for row in rows:
        show(console, row)
    if code != 0 or len(rows) != len(names):
        raise TogetherError(f"harbor ended with {code} and {len(rows)} of {len(names)} trials.", "swe-together doctor")
    return 0 if all(row.reward == 1.0 for row in rows) else 1


def harbor_line(registry: Path, agent: str, names: list[str], jobs_dir: Path, job: str) -> list[str]:
    """The documented ``harbor run`` line."""
    line = ["harbor", "run", "--dataset", "swe-together", "--registry-path", str(registry), "-a", agent]
    for name in names:
        line += ["--include-task-name", name]
    return [*line, "--plugin", "swe-together", "--jobs-dir", str(jobs_dir), "--job-name", job, "--yes"]


def show(console: "Console", row: "TrialRow") -> None:
    """Print one session: turns, messages with their anchors, cases, reward, and where to look."""
    console.rule(f"[bold]{row.task}[/bold] · {row.agent}")
    for turn in row.session.turns if row.session else []:
        origin = f"{turn.kind.value}: {', '.join(turn.anchors)}" if turn.kind else "instruction"
        console.print(f"[bold cyan]user[/] [dim]turn {turn.turn}, {origin}[/]")
        console.print(turn.message.strip(), markup=False, highlight=False)
        console.print(f"[dim]  agent worked {turn.seconds:.1f} s[/]")
    if row.session:
        console.print(
            f"end: {row.session.end.value} after {len(row.session.turns)} turns, {row.session.messages} messages"
        )
        for settled in row.session.settled:
            console.print(f"[dim]  anchor {settled.anchor}: {settled.how} ({settled.reason})[/]")
    cases = row.report.cases if row.report else []
    console.print(f"cases: {sum(case.passed for case in cases)} of {len(cases)} passed")
    console.print(f"reward: {'none, because ' + row.status if row.reward is None else f'{row.reward:.3f}'} {row.cause}")
    console.print(f"look at: {row.path}", soft_wrap=True)


def _must_exist(registry: Path) -> None:
    if not registry.is_file():
        raise MisuseError(f"{registry}: there is no such registry file.", "Run this in a clone of swe-together.")


def _harbor() -> str:
    beside = Path(sys.executable).parent / "harbor"
    if not beside.is_file():
        raise TogetherError(f"harbor is not installed beside {sys.executable}.", "Run: make setup")
    return str(beside)
