"""One job of three trials of stock Harbor, run from outside: started, killed, gone on with, looked at."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support import harbor as h

TRIALS = 3
JOB_SEC = 900.0
"""A job that hasn't ended by then hangs."""
VICTIM = "tests.faults.agent:VictimAgent"


@dataclass
class FaultJob:
    """A job in a folder of its own.

    Its task has a name that nothing else on the machine has, and with it every trial, container, network, volume and
    process that belongs to the job.

    Attributes:
        folder: Holds the task, what the agents tell, and all that was printed.
        jobs: Harbor's folder of jobs.
        variables: The environment of ``harbor``.
    """

    folder: Path
    jobs: Path
    variables: Mapping[str, str] = field(default_factory=h.environment)
    task_from: Path | None = None
    name: str = field(default_factory=lambda: f"fault-{secrets.token_hex(4)}")
    process: subprocess.Popen[bytes] | None = None

    def __post_init__(self) -> None:
        """Make the folders, and the task's copy."""
        self.claims.mkdir(parents=True)
        shutil.copytree(self.task_from or h.tiny_task(), self.task)

    @property
    def task(self) -> Path:
        """The task's directory."""
        return self.folder / "tasks" / self.name

    @property
    def claims(self) -> Path:
        """What the agents tell of themselves."""
        return self.folder / "claims"

    @property
    def path(self) -> Path:
        """The job's folder."""
        return self.jobs / "job"

    @property
    def printed(self) -> str:
        """All that Harbor printed."""
        return (self.folder / "harbor.log").read_text(errors="replace")

    @property
    def trials(self) -> list[h.Trial]:
        """Trials that have a whole result."""
        return [trial for trial in h.trials(self.path) if _is_whole(trial)]

    @property
    def begun(self) -> list[str]:
        """Names of the trials whose folders are there."""
        return sorted(folder.name for folder in self.path.glob("*__*") if folder.is_dir())

    def start(
        self,
        *arguments: str | Path,
        agent: str = VICTIM,
        at_once: int = TRIALS,
        told: Mapping[str, Any] | None = None,
    ) -> None:
        """Start ``harbor run``.

        Args:
            arguments: More of them.
            agent: Its name or import path.
            at_once: Trials that run at the same time.
            told: Arguments of the :class:`tests.faults.agent.VictimAgent`.
        """
        line: list[str | Path] = [
            *("run", "-p", self.task, "--jobs-dir", self.jobs, "--job-name", "job", "--yes", "--quiet"),
            *("-k", str(TRIALS), "-n", str(at_once), "-a", agent, "--plugin", "swe-together"),
        ]
        if agent == VICTIM:
            for name, value in {"claims": str(self.claims), **(told or {})}.items():
                line += ["--ak", f"{name}={value if isinstance(value, str) else json.dumps(value)}"]
        self._spawn([*line, *arguments])

    def resume(self, *arguments: str | Path) -> None:
        """Start ``harbor job resume``."""
        self._spawn(["job", "resume", "-p", self.path, *arguments])

    def wait(self, seconds: float = JOB_SEC) -> int:
        """Wait for the end of the job; its exit code.

        Raises:
            AssertionError: It doesn't end.
        """
        assert self.process is not None
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.stop()
            raise AssertionError(f"the job did not end within {seconds:.0f} seconds:\n{self.printed[-4000:]}") from None

    def end(self) -> None:
        """Wait for the end of a job that Harbor itself must come through."""
        code = self.wait()
        assert code == 0, f"harbor ended with {code}:\n{self.printed[-6000:]}"

    def kill(self) -> None:
        """Kill Harbor's own process, and no other: what it had started finds itself without a parent."""
        assert self.process is not None
        assert self.process.poll() is None, f"the job had ended before it was killed:\n{self.printed[-3000:]}"
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """End whatever still runs, after a failed test."""
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def until(self, what: str, holds: Callable[[], bool], seconds: float = 300.0) -> None:
        """Wait for something to be so while the job runs.

        Raises:
            AssertionError: The job ends before that, or it takes too long.
        """
        deadline = time.monotonic() + seconds
        assert self.process is not None
        while not holds():
            assert self.process.poll() is None, f"the job ended before {what}:\n{self.printed[-4000:]}"
            assert time.monotonic() < deadline, f"{what}: not within {seconds:.0f} seconds"
            time.sleep(0.05)

    def session(self, number: int) -> str:
        """Wait for the session that begins as this number; its trial's name."""
        claim = self.claims / str(number)
        self.until(f"session {number} began", lambda: claim.is_file() and bool(claim.read_text()))
        return claim.read_text()

    def in_turn(self, trial: str, turn: int) -> None:
        """Wait until a trial's agent is in a turn."""
        file = self.claims / f"{trial}.turn"
        self.until(f"turn {turn} of {trial}", lambda: file.is_file() and file.read_text() == str(turn))

    def finished(self) -> dict[str, dict[str, str]]:
        """Digests of all files of every trial that is finished."""
        return {trial.folder.name: digests(trial.folder) for trial in self.trials}

    def _spawn(self, line: Sequence[str | Path]) -> None:
        with (self.folder / "harbor.log").open("ab") as log:
            self.process = subprocess.Popen(
                [str(h.HARBOR), *map(str, line)], env=dict(self.variables), cwd=h.ROOT,
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip


def digests(folder: Path) -> dict[str, str]:
    """SHA-256 of every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def _is_whole(trial: h.Trial) -> bool:
    """Whether Harbor has written the whole result: it does so in place."""
    try:
        return bool(trial.result.get("finished_at"))
    except (OSError, json.JSONDecodeError):
        return False
