"""What was tried before the trials that a job kept: from ``attempts.jsonl``, which our plugin writes beside them."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from pydantic import ValidationError

from swe_together.report._files import read_bytes
from swe_together.report._measured import Row
from swe_together.schema import AttemptLine

ATTEMPTS: Final = "attempts.jsonl"

Attempts = Mapping[str, Sequence[AttemptLine]]
"""Lines by the trial's name, in the order in which they were written."""


class Removed(NamedTuple):
    """Attempts whose trial is gone: cut off, and removed when the job was gone on with. Dollars, None if unknown."""

    attempts: int
    cost_usd: float | None


NONE_REMOVED: Final = Removed(0, 0.0)


def read_attempts(job: Path) -> Attempts:
    """The attempts of a job; empty where it doesn't say. A line that was cut off by a crash is left out.

    Raises:
        UnreadableError: The file can't be read.
    """
    found: dict[str, list[AttemptLine]] = {}
    for line in (read_bytes(job, ATTEMPTS) or b"").split(b"\n"):
        try:
            told = AttemptLine.model_validate_json(line)
        except ValidationError:
            continue
        found.setdefault(told.trial, []).append(told)
    return found


def earlier(lines: Sequence[AttemptLine], kept: str | None) -> Row:
    """How often a trial was begun before the attempt that was kept, and what that cost.

    Args:
        lines: Of the trial.
        kept: Harbor's id of the attempt that was kept.

    Returns:
        ``retries``, and ``retries_usd`` where all of them say what they cost. Nothing where the attempt that was kept
        isn't among the lines: the job was then gone on with without the plugin, and nobody knows.
    """
    begun = _begun(lines)
    if kept is None or kept not in begun:
        return {}
    before = begun[: begun.index(kept)]
    return {"retries": len(before), "retries_usd": _cost(lines, before)}


def removed(attempts: Attempts, there: Collection[str]) -> Removed:
    """Attempts at trials that aren't there any more; Harbor gives what it runs in their place another name.

    Args:
        attempts: Of the job.
        there: Names of the trials' folders.
    """
    gone = [lines for name, lines in attempts.items() if name not in there]
    costs = [_cost(lines, _begun(lines)) for lines in gone]
    known = None if None in costs else float(sum(cost or 0 for cost in costs))
    return Removed(sum(len(_begun(lines)) for lines in gone), known)


def _begun(lines: Sequence[AttemptLine]) -> list[str]:
    return list(dict.fromkeys(line.attempt for line in lines if line.event == "begun"))


def _cost(lines: Sequence[AttemptLine], attempts: Sequence[str]) -> float | None:
    ended = {line.attempt: line.cost_usd for line in lines if line.event == "ended"}
    costs = [ended.get(attempt) for attempt in attempts]
    return None if None in costs else float(sum(cost or 0 for cost in costs))
