"""Runs unmodified Harbor as a user does, and reads what it left."""

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from swe_together.pipeline.fmt import format_task

ROOT = Path(__file__).parent.parent.parent
HARBOR = Path(sys.executable).parent / "harbor"


@cache
def tiny_task() -> Path:
    """The fixture task with its generated parts written; one copy for the whole test run."""
    folder = Path(tempfile.mkdtemp(prefix="swe-together-tiny-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    task = folder / "tiny-task"
    shutil.copytree(ROOT / "tests" / "fixtures" / "tiny-task", task)
    format_task(task)
    return task


def environment() -> dict[str, str]:
    """Variables of a Harbor that asks nobody outside, and finds the tests' own classes."""
    return {
        **os.environ,
        "HARBOR_TELEMETRY": "0",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        # What stands there already may be another version of Harbor.
        "PYTHONPATH": os.pathsep.join([*filter(None, [os.environ.get("PYTHONPATH")]), str(ROOT)]),
    }


@dataclass(frozen=True)
class Trial:
    """One trial's folder."""

    folder: Path

    @property
    def result(self) -> dict[str, Any]:
        """Harbor's own result."""
        value: dict[str, Any] = json.loads((self.folder / "result.json").read_text())
        return value

    @property
    def rewards(self) -> dict[str, float] | None:
        """Rewards, or None where the verifier left none."""
        verdict = self.result.get("verifier_result")
        return verdict["rewards"] if verdict else None

    @property
    def exception(self) -> str | None:
        """Name of the recorded exception."""
        info = self.result.get("exception_info")
        return info["exception_type"] if info else None

    @property
    def session(self) -> dict[str, Any]:
        """Our record of the session."""
        value: dict[str, Any] = json.loads((self.folder / "user-agent" / "session.json").read_text())
        return value

    @property
    def decisions(self) -> list[dict[str, Any]]:
        """Every decision of the user."""
        lines = (self.folder / "user-agent" / "decisions.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]

    @property
    def trajectory(self) -> dict[str, Any]:
        """The merged trajectory."""
        value: dict[str, Any] = json.loads((self.folder / "agent" / "trajectory.json").read_text())
        return value

    @property
    def details(self) -> dict[str, Any]:
        """The tests' report."""
        value: dict[str, Any] = json.loads((self.folder / "verifier" / "reward-details.json").read_text())
        return value

    @property
    def messages(self) -> list[str]:
        """What the agent was told, turn by turn."""
        return [turn["message"] for turn in self.session["turns"]]


def trials(job: Path) -> list[Trial]:
    """The trials of a job that have a result."""
    return [Trial(path.parent) for path in sorted(job.glob("*/result.json"))]


def harbor(*arguments: str | Path, cwd: Path | None = None, timeout: float = 600) -> subprocess.CompletedProcess[str]:
    """Run ``harbor`` to its end; fails the test where it fails."""
    done = subprocess.run(
        [str(HARBOR), *map(str, arguments)],
        env=environment(),
        cwd=cwd or ROOT,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, f"harbor {arguments} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done


def run_job(jobs: Path, *arguments: str | Path, task: Path | None = None, name: str = "job") -> list[Trial]:
    """``harbor run`` on one task directory; returns the job's trials."""
    harbor("run", "-p", task or tiny_task(), "--jobs-dir", jobs, "--job-name", name, "--yes", "--quiet", *arguments)
    return trials(jobs / name)


def containers(job: Path) -> list[str]:
    """Names of containers that belong to a job's trials, running or not."""
    names = [folder.name.lower() for folder in job.iterdir() if folder.is_dir()]
    listed = subprocess.run(
        ["docker", "ps", "-a", "--format", "{{.Names}}"], capture_output=True, text=True, check=True
    )
    return [line for line in listed.stdout.splitlines() if any(name in line.lower() for name in names)]
