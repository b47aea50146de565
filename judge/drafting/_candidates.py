"""A rubric is written before and without any candidate: what a candidate left is refused as a source."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from swe_together import defaults
from swe_together.errors import MisuseError

_FILES: Final = {
    defaults.STATE_FILE: "a packed final state",
    "trajectory.json": "an agent's trajectory",
    "decisions.jsonl": "the record of a session",
    "reward-details.json": "a trial's rewards",
    "reward.json": "a trial's rewards",
    "reward.txt": "a trial's rewards",
    "judgement.json": "a judgement",
    "behaviour.json": "a trial's metrics",
}
_FOLDERS: Final = {"user-agent": "the record of a session", "judgements": "judgements"}
_CONTENT: Final[Mapping[str, frozenset[str]]] = {
    "an agent's trajectory": frozenset({"schema_version", "agent", "steps"}),
    "the record of a session": frozenset({"task_digest", "agent", "turns", "end"}),
    "a decision of a session": frozenset({"policy", "observation", "turn"}),
    "a judgement": frozenset({"goals", "digests", "decided_share"}),
    "a trial's result": frozenset({"trial_name", "task_name"}),
    "a trial's rewards": frozenset({"status", "interactive", "cases"}),
}
"""Fields by which a record is known under any name."""


def refuse_candidates(path: Path) -> None:
    """Look at a path, at everything below it and at the folders that it lies in.

    Raises:
        MisuseError: It holds, or belongs to, what a candidate left.
    """
    for folder in (path.resolve(), *path.resolve().parents):
        if folder.is_dir() and _of_harbor(folder):
            raise _refused(path, f"{folder} is a job's or a trial's folder")
    for file in _below(path):
        found = _mark(file)
        if found is not None:
            raise _refused(path, f"{file} holds {found}")


def _refused(path: Path, why: str) -> MisuseError:
    return MisuseError(
        f"{path}: {why}. A rubric is written before any candidate is seen.",
        "Take it out, and draft from the session and the reference alone.",
    )


def _of_harbor(folder: Path) -> bool:
    config = _object(folder / "config.json")
    return bool({"trial_name", "job_name", "trials_dir", "jobs_dir"} & set(config))


def _below(path: Path) -> Iterator[Path]:
    yield path
    if path.is_dir():
        yield from sorted(path.rglob("*"))


def _mark(path: Path) -> str | None:
    if path.is_dir():
        return _FOLDERS.get(path.name) or ("a trial" if _of_harbor(path) else None)
    if path.name in _FILES:
        return _FILES[path.name]
    fields = set(_object(path))
    return next((what for what, known in _CONTENT.items() if known <= fields), None)


def _object(path: Path) -> dict[str, Any]:
    """A JSON object, or the first line's; empty for everything else."""
    try:
        if not path.is_file() or path.stat().st_size > defaults.TASK_FILE_BYTES:
            return {}
        text = path.read_text(encoding="utf-8")
        if not text.lstrip().startswith("{"):
            return {}
        value, _ = json.JSONDecoder().raw_decode(text.lstrip())
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
