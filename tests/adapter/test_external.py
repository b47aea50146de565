"""Somebody outside sits a session: reads messages, works in the container, replies."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import harbor as h

pytestmark = pytest.mark.docker

AGENT = "swe_together.adapter.agents:external"


def cli(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "swe_together", "external", *arguments],
        cwd=h.ROOT, input=stdin, capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip


def test_a_session_sat_from_outside(tmp_path: Path) -> None:
    job = str(tmp_path / "job")
    line = ["run", "-p", str(h.tiny_task()), "-a", AGENT, "--plugin", "swe-together", "--jobs-dir", str(tmp_path)]
    process = subprocess.Popen(
        [str(h.HARBOR), *line, "--job-name", "job", "--yes", "--quiet"], env=h.environment(), cwd=h.ROOT,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        first = cli("message", job)
        assert first.returncode == 0, first.stderr
        assert first.stdout.startswith("split() in wordbox")
        who = cli("exec", job, "whoami; pwd; exit 3")
        assert (who.returncode, who.stdout.split()) == (3, ["agent", "/workspace"])
        patch = (h.tiny_task() / "solution" / "turn-0.patch").read_text()
        assert cli("exec", job, "-", stdin=f"git apply - <<'END'\n{patch}\nEND\n").returncode == 0
        assert cli("reply", job, "").returncode == 2
        replied = cli("reply", job, "-", stdin="split() gives clean words now")
        assert replied.stdout == "replied to message 1\n"
        second = cli("message", job)
        assert second.stdout.strip() == "some of my files use semicolons, split there too"
        for _ in range(8):
            cli("reply", job, "I won't")
            if cli("message", job).returncode == 1:
                break
        else:
            raise AssertionError("the session never ended")
        assert process.wait(120) == 0
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    (trial,) = h.trials(tmp_path / "job")
    assert trial.result["agent_info"]["name"] == "swe-together-external"
    assert [turn["kind"] for turn in trial.session["turns"]][:3] == [None, "anchor", "insist"]
    assert trial.rewards is not None
    assert 0 < trial.rewards["tests"] < 1
    assert trial.decisions[0]["observation"]["commands_total"] == 2
    assert h.containers(tmp_path / "job") == []
