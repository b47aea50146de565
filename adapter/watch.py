"""Follows the trials of a job through Harbor's own hooks: keeps their attempts, says failures, ends a job in vain."""

import asyncio
import signal
import sys
from pathlib import Path
from typing import Any

from harbor.job import Job

from swe_together.adapter.attempts import AttemptLog
from swe_together.adapter.failures import FailureWatch, failure_of
from swe_together.report import TrialRow, read_trials
from swe_together.tasks import is_together_task

_CANCELLED = "CancelledError"


class JobWatch:
    """Hooks of one job; trials of tasks that aren't ours are passed over.

    Args:
        job: Not yet begun. Whoever awaits this plugin's start must be the task that runs the job, as Harbor is.
        stop_after: As in :class:`swe_together.adapter.failures.FailureWatch`.
    """

    def __init__(self, job: Job, stop_after: int) -> None:
        self._log = AttemptLog(job.job_dir)
        self._failures = FailureWatch(stop_after, len(job._remaining_trial_configs))
        self._runner = asyncio.current_task()
        job.on_trial_started(self._begun)
        job.on_trial_ended(self._ended)

    async def _begun(self, event: Any) -> None:
        if _is_ours(event):
            self._log.begun(event.config.trial_name, str(event.result.id))

    async def _ended(self, event: Any) -> None:
        if not _is_ours(event):
            return
        name = event.config.trial_name
        row = await asyncio.to_thread(_read, event.config.trials_dir / name)
        if row is None:
            return
        await asyncio.to_thread(self._log.ended, name, str(event.result.id), row)
        exception = event.result.exception_info
        if exception is not None and exception.exception_type == _CANCELLED:
            return
        before = self._failures.stopped
        for sentence in self._failures.saw(name, failure_of(row)):
            print(f"swe-together: {sentence}", file=sys.stderr, flush=True)
        # Once: a second interrupt would cut off what the first one's trials do to end.
        if self._failures.stopped and not before:
            self._stop()

    def _stop(self) -> None:
        """End the job as Ctrl-C does: every trial is cancelled, and its containers go."""
        if callable(signal.getsignal(signal.SIGINT)):
            signal.raise_signal(signal.SIGINT)
        elif self._runner is not None:
            # In the background of a script a process is deaf to interrupts.
            self._runner.cancel()


def _read(folder: Path) -> TrialRow | None:
    """The trial as it stands; None, and a word about it, where its folder is gone: a hook that fails ends the job."""
    try:
        rows = read_trials([folder])
    except OSError:
        rows = []
    if not rows:
        print(f"swe-together: {folder} can't be read as a trial", file=sys.stderr)
    return rows[0] if rows else None


def _is_ours(event: Any) -> bool:
    return is_together_task(event.config.task.get_local_path())
