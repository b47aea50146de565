"""``swe-together audit``: how true the simulated user stayed to its session, in every trial of a job."""

import argparse
import asyncio
import os
import tarfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from swe_together import defaults
from swe_together.errors import MisuseError, TaskError

if TYPE_CHECKING:
    from swe_together.report import TrialRow
    from swe_together.schema import TrialAudit
    from swe_together.simulator.audit import AuditedTask, AuditedTrial
    from swe_together.simulator.model import ModelSettings

HELP = "audit the simulated user of job folders, message by message"
DEFAULT_TASKS = Path("tasks")
KEY_ENV = "SWE_TOGETHER_AUDIT_API_KEY"
TRIALS_AT_ONCE = 4
_STATE = Path("artifacts") / defaults.STATE_DIR.lstrip("/") / defaults.STATE_FILE


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("jobs", nargs="+", type=Path, metavar="JOB", help="a job or trial folder of Harbor")
    parser.add_argument(
        "--tasks", type=Path, default=DEFAULT_TASKS, metavar="DIR", help="folder of the tasks, or one task (tasks)"
    )
    parser.add_argument("--model", metavar="NAME", help="a model that judges every message, by LiteLLM's name")
    parser.add_argument("--base-url", metavar="URL", help="where that model is served, if not by its provider")
    parser.add_argument(
        "--api-key-env", default=KEY_ENV, metavar="NAME", help=f"host variable with its key ({KEY_ENV})"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything that was found")


def run(options: argparse.Namespace) -> int:
    """Audit: 0 when the user stayed true, 1 when it didn't or not all could be audited."""
    from rich.console import Console

    from swe_together.files import write_atomically
    from swe_together.simulator.audit import is_sound, make_report
    from swe_together.simulator.audit.show import audit_table

    settings = _settings(options)
    trials = read_audited(options.jobs, options.tasks)
    audits = asyncio.run(_audit(trials, settings))
    report = make_report(trials, audits, settings.model if settings else None)
    Console().print(audit_table(report))
    if options.json:
        write_atomically(options.json, report.model_dump_json(indent=1) + "\n")
    return 0 if is_sound(report) else 1


def read_audited(jobs: Sequence[Path], tasks: Path) -> "list[AuditedTrial]":
    """Every trial below the folders, with its task where that is at hand.

    Raises:
        MisuseError: A folder isn't there, or they hold no trial with a session.
    """
    from swe_together.report import read_trials

    for job in jobs:
        if not job.is_dir():
            raise MisuseError(f"{job}: there is no such job folder.", "Give a folder below jobs/.")
    rows = {row.path.resolve(): row for row in read_trials(jobs)}
    if not any(row.session is not None for row in rows.values()):
        raise MisuseError(
            f"{', '.join(map(str, jobs))}: no trial there has a recorded session.",
            "Give a job that ran with --plugin swe-together.",
        )
    bundles = _bundles(tasks, {row.task for row in rows.values()})
    return [_trial(row, bundles.get(row.task)) for row in rows.values()]


async def _audit(trials: "Sequence[AuditedTrial]", settings: "ModelSettings | None") -> "list[TrialAudit]":
    from swe_together.simulator.audit import AUDITOR, audit_trial, judge_messages
    from swe_together.simulator.model import LiteLLMModel

    places = asyncio.Semaphore(TRIALS_AT_ONCE)

    async def one(trial: "AuditedTrial") -> "TrialAudit":
        async with places:
            audit = await audit_trial(trial)
            # A model of its own for each: what one conversation learns of the provider is no other's business.
            model = LiteLLMModel(settings, role=AUDITOR) if settings is not None else None
            return audit if model is None else await judge_messages(trial, audit, model)

    return list(await asyncio.gather(*(one(trial) for trial in trials)))


def _settings(options: argparse.Namespace) -> "ModelSettings | None":
    if options.model is None:
        if options.base_url is not None or options.api_key_env != KEY_ENV:
            raise MisuseError("--base-url and --api-key-env are about a model; none is named.", "Add --model NAME.")
        return None
    from swe_together.simulator.model import ModelSettings

    name = options.api_key_env
    if name and not name.isidentifier():
        # Whoever gives the key itself must not find it in a log.
        raise MisuseError("--api-key-env takes the name of a host variable.", f"For example {KEY_ENV}.")
    if name and not os.environ.get(name) and options.base_url is None:
        raise MisuseError(
            f"The host variable {name} with the key of {options.model!r} is not set.",
            "Set it, or name another one: --api-key-env NAME; empty for the provider's own credentials.",
        )
    return ModelSettings(options.model, api_key_env=name, base_url=options.base_url)


def _bundles(folder: Path, wanted: set[str]) -> "dict[str, AuditedTask]":
    """The tasks by name. A broken one is none: it is said, and its trials are audited without it."""
    import sys

    from swe_together.simulator.audit import AuditedTask
    from swe_together.tasks import is_together_task, load_task

    if not folder.is_dir():
        if folder == DEFAULT_TASKS:
            return {}
        raise MisuseError(f"{folder}: there is no such folder of tasks.", "Give the folder with --tasks.")
    found: dict[str, AuditedTask] = {}
    paths = [folder] if is_together_task(folder) else sorted(path for path in folder.iterdir() if path.is_dir())
    for path in paths:
        if not is_together_task(path):
            continue
        try:
            task = load_task(path)
        except TaskError as error:
            print(f"swe-together audit: {error}", file=sys.stderr)
            continue
        if task.name in wanted:
            found[task.name] = AuditedTask.of(task)
    return found


def _trial(row: "TrialRow", bundle: "AuditedTask | None") -> "AuditedTrial":
    from swe_together.simulator import read_decisions
    from swe_together.simulator.audit import AuditedTrial

    trial = AuditedTrial(
        name=row.path.name,
        path=row.path,
        task=row.task,
        agent=row.agent,
        status=row.status,
        reward=row.reward,
        session=row.session,
        bundle=bundle,
        said_by_agent=_said_by_agent(row.path / "agent" / "trajectory.json"),
        final_text=_final_text(row.path / _STATE),
    )
    decisions = row.path / "user-agent" / "decisions.jsonl"
    if row.session is None and not decisions.is_file():
        return trial
    try:
        return replace(trial, decisions=read_decisions(decisions))
    except MisuseError as error:
        return replace(trial, unread=error.message)


def _said_by_agent(path: Path) -> dict[int, str]:
    """What the agent said in each turn of a merged trajectory, its reasoning left out; empty where there is none."""
    from swe_together.adapter.trajectory import load_trajectory, strip_reasoning

    said: dict[int, list[str]] = {}
    turn = 0
    for step in (load_trajectory(path) or {"steps": []})["steps"]:
        extra = step.get("extra")
        mark = extra.get("swe_together") if isinstance(extra, dict) else None
        if step.get("source") == "user" and isinstance(mark, dict) and isinstance(mark.get("turn"), int):
            turn = mark["turn"]
        elif step.get("source") == "agent" and isinstance(step.get("message"), str) and turn:
            said.setdefault(turn, []).append(strip_reasoning(step["message"]))
    return {number: "\n\n".join(texts) for number, texts in said.items()}


def _final_text(path: Path) -> Callable[[Sequence[str]], str]:
    """Reads files out of the packed final state when somebody asks; what can't be read is unknown, hence empty."""

    def read(paths: Sequence[str]) -> str:
        texts: list[str] = []
        endings = tuple(f"/{wanted}" for wanted in paths)
        try:
            with tarfile.open(path) as state:
                for member in state:
                    if member.isfile() and member.name.endswith(endings):
                        file = state.extractfile(member)
                        texts.append(file.read(defaults.FILE_BYTES).decode("utf-8", "replace") if file else "")
        except (OSError, tarfile.TarError):
            return ""
        return "\n".join(texts)

    return read
