"""A plugin of Harbor that sets the wall clock of Harbor's own process, for everything that asks Python for the time."""

import os
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import time_machine
from harbor.job import Job
from harbor.models.job.plugin import BaseJobPlugin
from harbor.models.job.result import JobResult

FILE: Final = "SWE_TOGETHER_TEST_CLOCK"
"""Variable with the path of a file; the hours that it holds one day are added to the time. The monotonic clock goes on
as ever, as it does when somebody sets the clock of a machine."""


class JumpingClock(BaseJobPlugin):
    """Waits for the file."""

    async def on_job_start(self, job: Job) -> None:
        """Begin to wait, in a thread of its own."""
        threading.Thread(target=_jump, args=(Path(os.environ[FILE]),), daemon=True).start()

    async def on_job_end(self, job_result: JobResult) -> None:
        """Nothing is left to do."""


def _jump(file: Path) -> None:
    while not file.exists():
        time.sleep(0.05)
    moved = datetime.now(UTC) + timedelta(hours=float(file.read_text(encoding="utf-8")))
    time_machine.travel(moved, tick=True).start()
    file.unlink()
