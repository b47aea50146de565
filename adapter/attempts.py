"""Writes ``attempts.jsonl`` in the job's folder: every attempt at a trial, what came of it, and what it cost.

Harbor removes the folder of an attempt that it runs again, and of one that it finds half done when a job is gone on
with. What those came to and cost stands here.
"""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from swe_together.ledger import trial_ledger
from swe_together.report import TrialRow
from swe_together.schema import AttemptLine

ATTEMPTS_FILE: Final = "attempts.jsonl"


class AttemptLog:
    """Appends a line as each attempt begins and ends. A line that can't be written ends no job.

    Args:
        job_dir: The job's folder.
    """

    def __init__(self, job_dir: Path) -> None:
        self._file = job_dir / ATTEMPTS_FILE
        self._failed = False

    def begun(self, trial: str, attempt: str) -> None:
        """An attempt begins."""
        self._write(AttemptLine(trial=trial, attempt=attempt, event="begun", at=_now()))

    def ended(self, trial: str, attempt: str, row: TrialRow) -> None:
        """An attempt has ended, and its folder is still there."""
        self._write(
            AttemptLine(
                trial=trial,
                attempt=attempt,
                event="ended",
                at=_now(),
                status=row.status,
                cause=row.cause or None,
                reward=row.reward,
                cost_usd=cost_of(row.path),
            )
        )

    def _write(self, line: AttemptLine) -> None:
        try:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(line.model_dump_json(exclude_none=True) + "\n")
        except OSError as error:
            if not self._failed:
                print(f"swe-together: {self._file} can't be written: {error.strerror}", file=sys.stderr)
            self._failed = True


def cost_of(trial_dir: Path) -> float | None:
    """What a trial has cost in all, in dollars; None where one of its parts doesn't say."""
    ledger = trial_ledger(trial_dir)
    costs = [part.usage.cost_usd for part in (ledger.agent, ledger.user, ledger.judge, ledger.tagger)]
    return None if None in costs else sum(cost or 0.0 for cost in costs)


def _now() -> str:
    return datetime.now(UTC).isoformat()
