"""Reading Harbor's job folders, ours and plain ones, whole or half-written. Imports no Harbor."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swe_together.report._files import UnreadableError, read_object
from swe_together.report._outcome import mapping
from swe_together.report._records import CONFIG, UNKNOWN, Records, read_records
from swe_together.schema import SessionRecord, TestReport


@dataclass(frozen=True)
class TrialRow:
    """One trial as its folder tells it.

    Attributes:
        status: ``ok`` with a reward; else why there is none: ``simulator_error``, ``environment_error``,
            ``judge_error``, ``not_interactive``, ``verifier_error``, ``agent_invalid``, ``ungraded``, ``unfinished`` or
            ``corrupt``.
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
    return [_row(read_records(folder)) for job in jobs for folder in trial_folders(job)]


def trial_folders(job: Path) -> Iterator[Path]:
    """The trials' folders of a job in the order of their names, or the trial's folder that it is itself."""
    if is_trial(job):
        yield job
        return
    for folder in sorted(p for p in job.iterdir() if p.is_dir()):
        if is_trial(folder):
            yield folder
        elif (folder / CONFIG).is_file():
            yield from (child for child in sorted(folder.iterdir()) if child.is_dir() and is_trial(child))


def is_trial(folder: Path) -> bool:
    """Whether the folder is a trial's: its configuration names one."""
    try:
        return "trial_name" in (read_object(folder, CONFIG) or {})
    except UnreadableError:
        return False


def _row(records: Records) -> TrialRow:
    session, became = records.session, records.outcome
    named = (records.result or {}).get("task_name")
    task = session.task if session else str(named or records.folder.name.rsplit("__", 1)[0])
    return TrialRow(
        path=records.folder,
        task=task,
        agent=_agent(records.config, records.result),
        status=became.status,
        reward=became.reward,
        cause=became.cause,
        session=session,
        report=records.report,
    )


def _agent(config: dict[str, Any], result: dict[str, Any] | None) -> str:
    info = mapping(result, "agent_info")
    name = str(info.get("name") or mapping(config, "agent").get("name") or UNKNOWN)
    model = mapping(info, "model_info").get("name")
    return f"{name} ({model})" if model else name
