"""Judges a workspace by a task's own tests on this machine: the same files, but no container and no other user."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swe_together.memorycode._rules_model import Submission
from swe_together.memorycode.agents import WRITE

JUDGE = """\
import json, subprocess, sys, tempfile, time
from pathlib import Path
tests, workspace, logs = sys.argv[1:]
sys.path.insert(0, tests)
import harness
harness.LOGS = Path(logs)

class LocalRunner(harness.Runner):
    def __init__(self, tree):
        self.tree = tree

    def command(self, argv, *, stdin="", timeout=30.0, env=None, cwd=None, files=None):
        argv = [sys.executable if argv[0] == "/usr/bin/python3" else argv[0], *argv[1:]]
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (files or {}).items():
                Path(folder, name).write_text(text)
            done = subprocess.run(argv, input=stdin, capture_output=True, text=True, cwd=folder, timeout=timeout)
        return harness.Result(done.stdout, done.stderr, done.returncode, 0.0)

    def kill(self):
        pass

harness.Runner = LocalRunner
import os
os.environ["TREE"] = workspace
import cases
played = [harness._play(one, None) for one in harness._CASES]
print(json.dumps({"reward": harness.reward(played), "cases": played}))
"""


@dataclass(frozen=True)
class Judged:
    """What the tests found."""

    reward: float
    cases: dict[str, dict[str, Any]]
    outcome: dict[str, Any]


def new_workspace(folder: Path) -> Path:
    """A repository with one commit, as in the image."""
    folder.mkdir(parents=True)
    (folder / "README.md").write_text("Small pieces of code, each on its own.\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "-c", "user.name=m", "-c", "user.email=m@localhost", "commit", "-q", "-m", "Import")
    return folder


def git(folder: Path, *arguments: str) -> str:
    """Run git there."""
    return subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True).stdout


def deliver(workspace: Path, answers: list[Submission]) -> None:
    """Write and commit answers as the scripted listeners do."""
    data = workspace.parent / "answers.json"
    data.write_text(json.dumps([{"files": dict(one.files), "message": one.commits[-1]} for one in answers]))
    subprocess.run([sys.executable, "-c", WRITE, str(data)], cwd=workspace, check=True, capture_output=True)


def judged(task: Path, workspace: Path) -> Judged:
    """Run the task's tests on a workspace."""
    logs = workspace.parent / "logs"
    done = subprocess.run(
        [sys.executable, "-B", "-c", JUDGE, str(task / "tests"), str(workspace), str(logs)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    outcome = json.loads((logs / "memorycode.json").read_text())
    return Judged(found["reward"], {one["id"]: one for one in found["cases"]}, outcome)
