"""Reading Harbor's job folders, ours and plain ones, whole or half-written. Imports no Harbor."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from swe_together.schema import SessionRecord, TestReport

SESSION = Path("user-agent/session.json")
DETAILS = Path("verifier/reward-details.json")


@dataclass(frozen=True)
class TrialRow:
    """One trial as its folder tells it.

    Attributes:
        status: ``ok`` with a reward; else why there is none: ``simulator_error``, ``environment_error``,
            ``judge_error``, ``not_interactive``, ``verifier_error``, ``agent_invalid``, ``unfinished`` or ``corrupt``.
        reward: None unless the trial counts as a session with a valid reward.
    """

    path: Path
    task: str
    agent: str
    status: str
    reward: float | None
    cause: str
    session: SessionRecord | None
    report: TestReport | None


def read_trials(jobs: Sequence[Path]) -> list[TrialRow]:
    """Every trial below the given job or trial folders, in the order of their names."""
    return [_read(folder) for job in jobs for folder in trial_folders(job)]


def trial_folders(job: Path) -> Iterator[Path]:
    """The trials' folders of a job in the order of their names, or the trial's folder that it is itself."""

    def is_trial(folder: Path) -> bool:
        config = _json(folder / "config.json")
        return isinstance(config, dict) and "trial_name" in config

    if is_trial(job):
        yield job
        return
    for folder in sorted(p for p in job.iterdir() if p.is_dir()):
        if is_trial(folder):
            yield folder
        elif (folder / "config.json").is_file():
            yield from (child for child in sorted(folder.iterdir()) if child.is_dir() and is_trial(child))


def _read(folder: Path) -> TrialRow:
    config = _json(folder / "config.json") or {}
    result = _json(folder / "result.json")
    session = _model(folder / SESSION, SessionRecord)
    report = _model(folder / DETAILS, TestReport)
    task = session.task if session else str((result or {}).get("task_name") or folder.name.rsplit("__", 1)[0])
    agent = _agent(config, result)

    def row(status: str, reward: float | None = None, cause: str = "") -> TrialRow:
        return TrialRow(folder, task, agent, status, reward, cause, session, report)

    if result is None:
        return row("corrupt" if (folder / "result.json").exists() else "unfinished")
    if session is not None and not session.end.valid:
        return row(session.end.value, cause=session.error or "")
    exception = result.get("exception_info") or {}
    rewards = (result.get("verifier_result") or {}).get("rewards") or {}
    policy = exception.get("policy") or {}
    name = str(exception.get("exception_type") or "")
    cause = f"{name}: {exception.get('exception_message', '')}" if exception else ""
    if "reward" not in rewards and report is not None and report.basis == "judge" and report.judge is not None:
        return row("judge_error", cause=report.judge.error or "no goal was decided")
    if "reward" not in rewards:
        return row("agent_invalid" if result.get("verifier") is None else "verifier_error", cause=cause)
    if exception and policy.get("has_valid_reward") is False:
        return row("agent_invalid", cause=cause)
    if session is None and agent not in ("oracle", "nop"):
        return row("not_interactive", cause="ran without the interactive layer: not a session")
    return row("ok", float(rewards["reward"]), cause)


def _agent(config: dict[str, Any], result: dict[str, Any] | None) -> str:
    info = (result or {}).get("agent_info") or {}
    name = str(info.get("name") or (config.get("agent") or {}).get("name") or "unknown")
    model = (info.get("model_info") or {}).get("name")
    return f"{name} ({model})" if model else name


def _json(path: Path) -> dict[str, Any] | None:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError):
        return None
    return value if isinstance(value, dict) else None


def _model[M: (SessionRecord, TestReport)](path: Path, model: type[M]) -> M | None:
    value = _json(path)
    try:
        return None if value is None else model.model_validate(value)
    except ValidationError:
        return None
