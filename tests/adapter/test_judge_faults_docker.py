"""What goes wrong while whole jobs are judged: every fault at random calls, and a judging that is killed half-way."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import docker
import pytest

from swe_together.clean import clean
from swe_together.report import summarise
from tests.support import harbor as h
from tests.support.fault_server import Fault, FaultServer, Investigator

pytestmark = pytest.mark.docker

REFERENCE = ("-a", "swe_together.adapter.agents:reference", "--plugin", "swe-together")
ANSWER = Investigator({"longest": False}, otherwise=True, path="wordbox.py")
TRIALS, VOTES, ANSWERS_A_VOTE = 6, 3, 3


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWE_TOGETHER_JUDGE_API_KEY", "none")


def test_every_fault_at_random_calls_of_a_job(tmp_path: Path) -> None:
    """Each trial has the right verdicts or the typed error, whichever faults its calls met."""
    rng = random.Random(20261130)
    # A rejected parameter stays rejected and stands in the way of what was planned later, so those two come last.
    faults = sorted(
        rng.sample(list(Fault), len(Fault)), key=lambda fault: fault in (Fault.NO_TEMPERATURE, Fault.NO_TOOLS)
    )
    plan = dict(zip(sorted(rng.sample(range(2, 42), len(Fault))), faults, strict=True))
    with FaultServer(plan, answer=ANSWER) as server:
        told = {
            "judge_model": "openai/judge", "judge_base_url": server.base_url, "judge_votes": VOTES,
            "judge_checks": "ignore",
        }  # fmt: skip
        settings = [part for name, value in told.items() for part in ("--pk", f"{name}={value}")]
        trials = h.run_job(tmp_path, *REFERENCE, *settings, "-k", str(TRIALS), "-n", "2", "--max-retries", "2")
        assert set(server.used) >= set(Fault), "every fault has happened"
    assert len(trials) == TRIALS, "nothing was retried"
    judged = [trial for trial in trials if trial.rewards is not None]
    lost = [trial for trial in trials if trial.rewards is None]
    for trial in judged:
        assert trial.exception is None
        assert trial.rewards == {"reward": 0.7, "tests": 1.0, "interactive": 1, "judge": 0.7}
        found = json.loads((trial.folder / "verifier" / "judgement.json").read_text())
        assert [goal["votes"] for goal in found["goals"] if goal["goal"] == "longest"] == [[False] * VOTES]
    for trial in lost:
        assert trial.exception == "RewardFileNotFoundError"
        assert trial.details["judge"]["status"] == "error"
        assert trial.details["judge"]["error"]
        assert trial.details["tests"] == 1.0, "what the tests said is kept"
    assert judged, "most faults pass"
    assert lost, "a refused key does not"
    summary = summarise([tmp_path / "job"])
    assert (summary.scored, summary.missing) == (len(judged), {"judge_error": len(lost)})
    assert summary.mean == pytest.approx(0.7)
    stats = json.loads((tmp_path / "job" / "result.json").read_text())["stats"]
    assert (stats["n_errored_trials"], stats["n_retries"]) == (len(lost), 0)
    assert h.containers(tmp_path / "job") == []


def test_killed_half_way_it_goes_on_where_it_stood(tmp_path: Path) -> None:
    """The first vote is kept; its container is swept by ``clean``, but not while the judging is alive."""
    (trial,) = h.run_job(tmp_path, *REFERENCE, "--pk", "judge=off")
    with FaultServer({ANSWERS_A_VOTE + 2: Fault.SLOW}, answer=ANSWER) as server:
        command = [
            sys.executable, "-m", "swe_together", "judge", str(trial.folder.parent), "--tasks",
            str(h.tiny_task().parent), "--model", "openai/judge", "--base-url", server.base_url,
            "--votes", str(VOTES), "--checks", "ignore",
        ]  # fmt: skip
        process = subprocess.Popen(command, env=h.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        end = time.monotonic() + 120
        while len(server.bodies) < ANSWERS_A_VOTE + 2:
            assert process.poll() is None, process.communicate()[0]
            assert time.monotonic() < end, "the second vote did not begin"
            time.sleep(0.05)
        (alive,) = h.containers(trial.folder.parent)
        swept = clean(docker.from_env(), trials=[alive.partition("__env")[0]], task_folders=[h.tiny_task().parent])
        assert list(swept.kept.values()) == ["its trial is running"], "a judging that is alive keeps its container"
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        assert h.containers(trial.folder.parent) == [alive]
        assert clean(docker.from_env(), task_folders=[h.tiny_task().parent]).failed == {}
        assert h.containers(trial.folder.parent) == []

        server.restart({})
        done = subprocess.run(command, env=h.environment(), capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "judged 1" in done.stdout
        assert len(server.bodies) == (VOTES - 1) * ANSWERS_A_VOTE, "the first vote was not asked for again"
        again = subprocess.run(command, env=h.environment(), capture_output=True, text=True, timeout=300, check=False)
        assert "already judged 1" in again.stdout
        assert len(server.bodies) == (VOTES - 1) * ANSWERS_A_VOTE
    (kept,) = (trial.folder / "judgements").glob("*.json")
    found = json.loads(kept.read_text())
    assert found["score"] == pytest.approx(0.7)
    assert (len(found["votes"]), found["cached_votes"]) == (VOTES, 1)
    assert h.containers(trial.folder.parent) == []
