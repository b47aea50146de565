"""Whole jobs of unmodified Harbor in real containers: sessions, what is missing, regrade, resume."""

import asyncio
import json
import os
import signal
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest
from harbor.models.trajectories import Trajectory

from swe_together.cli import main
from swe_together.report import summarise
from tests.support import harbor as h

pytestmark = pytest.mark.docker

REFERENCE = "swe_together.adapter.agents:reference"
SHELL = "tests.support.agents:ShellAgent"
PLUGIN = ("--plugin", "swe-together")


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole session of the reference agent; returns the job's folder."""
    jobs = tmp_path_factory.mktemp("jobs")
    h.run_job(jobs, "-a", REFERENCE, *PLUGIN, name="session")
    return jobs / "session"


def test_a_whole_session(session: Path) -> None:
    (trial,) = h.trials(session)
    assert trial.exception is None
    assert trial.rewards == {"reward": 1.0, "tests": 1.0, "interactive": 1, "judge": 1.0}
    assert trial.result["agent_info"]["name"] == "swe-together-reference"
    record = trial.session
    assert record["end"] == "anchors_exhausted"
    assert [turn["anchors"] for turn in record["turns"]] == [[], ["semicolons"], ["longest"]]
    assert [turn["continuation"] for turn in record["turns"]] == ["first", "native", "native"]
    assert all(case["passed"] for case in trial.details["cases"])
    assert len(trial.decisions) == 3
    assert h.containers(session) == []


def test_user_turns_stand_in_the_trajectory(session: Path) -> None:
    (trial,) = h.trials(session)
    parsed = Trajectory.model_validate(trial.trajectory)
    assert [step.message for step in parsed.steps if step.source == "user"] == trial.messages
    marks = [(step.extra or {})["swe_together"]["kind"] for step in parsed.steps if step.source == "user"]
    assert marks == ["instruction", "anchor", "anchor"]


def test_the_agents_repository_is_left_alone(session: Path) -> None:
    (trial,) = h.trials(session)
    state = trial.folder / "artifacts" / "var" / "lib" / "swe-together" / "state.tar"
    listed = subprocess.run(["tar", "-tf", state], capture_output=True, text=True, check=True).stdout.splitlines()
    assert "workspace/.git/HEAD" in listed
    assert not [line for line in listed if "swe-together" in line and line != "swe-together.list"]


@pytest.mark.parametrize(("agent", "reward"), [("oracle", 1.0), ("nop", 0.0)])
def test_stock_oracle_and_nop_without_plugin(agent: str, reward: float, tmp_path: Path) -> None:
    (trial,) = h.run_job(tmp_path, "-a", agent)
    assert trial.rewards == {"reward": reward, "tests": reward, "interactive": 0}


@pytest.mark.parametrize("verifier", [(), ("--verifier", "swe_together.adapter.verifier:TogetherVerifier")])
def test_regrade_gives_the_same_reward(session: Path, verifier: tuple[str, ...], tmp_path: Path) -> None:
    h.harbor(
        "job",
        "regrade",
        session,
        "-p",
        h.tiny_task(),
        "--jobs-dir",
        tmp_path,
        "--job-name",
        "again",
        *verifier,
        "--yes",
    )
    (before,), (after,) = h.trials(session), h.trials(tmp_path / "again")
    assert after.rewards is not None
    assert before.rewards is not None
    # Without our verifier nobody judges the goals; the tests say the same.
    same = before.rewards if verifier else {name: before.rewards[name] for name in ("reward", "tests", "interactive")}
    assert after.rewards == same
    assert after.trajectory == before.trajectory


def test_harbor_view_serves_the_dialogue(session: Path) -> None:
    (trial,) = h.trials(session)
    port = 18080 + os.getpid() % 1000
    viewer = subprocess.Popen(
        [str(h.HARBOR), "view", str(session.parent), "--host", "127.0.0.1", "--port", str(port)],
        env=h.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        url = f"http://127.0.0.1:{port}/api/jobs/{session.name}/trials/{trial.folder.name}/trajectory"
        served = json.loads(_get(url))
        assert [step["message"] for step in served["steps"] if step["source"] == "user"] == trial.messages
    finally:
        os.killpg(viewer.pid, signal.SIGTERM)
        viewer.wait(20)


def test_simulator_error_leaves_no_valid_reward(tmp_path: Path) -> None:
    arguments = ("-a", REFERENCE, *PLUGIN, "--pk", "user=tests.support.users:BrokenUser", "--max-retries", "2")
    (trial,) = h.run_job(tmp_path, *arguments)
    assert trial.rewards is None
    assert trial.exception == "RewardFileNotFoundError"
    assert trial.session["end"] == "simulator_error"
    assert len(trial.session["turns"]) == 2
    assert len(list((tmp_path / "job").glob("*/config.json"))) == 1, "nothing was retried"
    summary = summarise([tmp_path / "job"])
    assert (summary.scored, summary.mean, summary.missing) == (0, None, {"simulator_error": 1})
    stats = json.loads((tmp_path / "job" / "result.json").read_text())["stats"]
    assert (stats["n_errored_trials"], stats["n_retries"]) == (1, 0)


def test_simulator_error_leaves_no_reward_to_stock_verifier_either(tmp_path: Path) -> None:
    settings = json.dumps({"user": "tests.support.users:BrokenUser"})
    (trial,) = h.run_job(tmp_path, "-a", REFERENCE, "--ak", f"together={settings}")
    assert trial.result["config"]["verifier"].get("import_path") is None
    assert trial.rewards is None
    assert trial.exception == "RewardFileNotFoundError"


def test_a_session_whose_last_steps_fail_is_an_environment_error(tmp_path: Path) -> None:
    arguments = ("-a", SHELL, "--ak", "refuse_uploads=true", *PLUGIN, "--pk", "arm=first-message")
    (trial,) = h.run_job(tmp_path, *arguments, "--max-retries", "2")
    assert trial.rewards is None
    assert trial.exception == "RewardFileNotFoundError"
    assert trial.session["end"] == "environment_error"
    assert "no space left" in trial.session["error"]
    assert len(list((tmp_path / "job").glob("*/config.json"))) == 1, "nothing was retried"
    marker = trial.folder / "artifacts" / "var" / "lib" / "swe-together" / "session.json"
    assert json.loads(marker.read_text())["valid"] is False
    assert summarise([tmp_path / "job"]).missing == {"environment_error": 1}
    assert h.containers(tmp_path / "job") == []


def test_lost_container_is_an_environment_error(tmp_path: Path) -> None:
    (trial,) = h.run_job(tmp_path, "-a", SHELL, "--ak", "lose_at=2", *PLUGIN, "--max-retries", "2")
    assert trial.rewards is None
    assert trial.session["end"] == "environment_error"
    assert trial.exception == "RewardFileNotFoundError"
    assert summarise([tmp_path / "job"]).missing == {"environment_error": 1}
    assert h.containers(tmp_path / "job") == []


def test_agent_failure_is_harbors_to_judge(tmp_path: Path) -> None:
    (trial,) = h.run_job(tmp_path, "-a", SHELL, "--ak", "fail_at=2", *PLUGIN)
    assert trial.exception == "RuntimeError"
    assert trial.session["end"] == "agent_error"
    assert trial.rewards is not None
    assert trial.rewards["interactive"] == 1


def test_run_without_the_layer_is_marked_and_never_counted(tmp_path: Path) -> None:
    (trial,) = h.run_job(tmp_path, "-a", SHELL)
    assert trial.rewards is not None
    assert trial.rewards["interactive"] == 0
    summary = summarise([tmp_path / "job"])
    assert (summary.scored, summary.missing) == (0, {"not_interactive": 1})


def test_user_pushes_back_when_ignored(tmp_path: Path) -> None:
    (trial,) = h.run_job(tmp_path, "-a", REFERENCE, "--ak", "play=nothing", *PLUGIN)
    assert trial.rewards is not None
    assert trial.rewards["tests"] == 0
    assert [turn["kind"] for turn in trial.session["turns"]] == [None, "anchor", "insist", "anchor", "insist"]
    assert "a;b is still one word" in trial.messages


def test_agent_that_yields_with_a_question_gets_the_personas_answer(tmp_path: Path) -> None:
    (trial,) = h.run_job(tmp_path, "-a", SHELL, "--ak", "turns=echo Shall I go on?", *PLUGIN)
    assert "on_question" in [turn["kind"] for turn in trial.session["turns"]]


BEAST = r"""python3 - <<'PY'
import os, signal, sys, time
def beast():
    os.setsid()
    for s in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(s, lambda *_: os.fork())
    while True:
        with open("/workspace/heartbeat", "a") as f:
            f.write("x")
        if os.fork() == 0:
            os.setsid()
        else:
            time.sleep(0.1)
            os._exit(0)
if os.fork() == 0:
    if os.fork() == 0:
        beast()
    os._exit(0)
PY
echo 'def split(text):' > /workspace/started.py"""


def test_deadline_kills_the_whole_tree_and_what_was_done_is_graded(tmp_path: Path) -> None:
    turns = json.dumps(
        [BEAST, "stat -c %s heartbeat; sleep 1; stat -c %s heartbeat; cat /proc/[0-9]*/comm | grep -c python3"]
    )
    arguments = ("-a", SHELL, "--ak", f"turns={turns}", "--ak", "hang_at=1", *PLUGIN, "--pk", "turn_sec=6")
    (trial,) = h.run_job(tmp_path, *arguments)
    first, second, *_ = trial.session["turns"]
    assert first["timed_out"]
    assert first["killed_processes"] >= 1
    assert not second["timed_out"]
    before, after, python = trial.trajectory["steps"][3]["message"].split()
    assert before == after, "the file no longer grows"
    assert python == "0", "no process is left"
    assert trial.decisions[0]["observation"]["timed_out"]
    assert trial.session["end"] in ("anchors_exhausted", "user_left")
    assert trial.rewards is not None
    state = trial.folder / "artifacts" / "var" / "lib" / "swe-together" / "state.tar"
    assert "workspace/started.py" in subprocess.run(["tar", "-tf", state], capture_output=True, text=True).stdout


def test_session_budget_below_harbors_own_timeout(tmp_path: Path) -> None:
    arguments = ("-a", SHELL, "--ak", "hang_at=2", *PLUGIN, "--pk", "session_sec=8")
    (trial,) = h.run_job(tmp_path, *arguments)
    assert trial.session["end"] == "time_budget"
    assert trial.exception is None
    assert trial.rewards is not None


def test_resume_after_a_kill_in_turn_two(tmp_path: Path) -> None:
    flag = tmp_path / "hang"
    flag.touch()
    line = ["run", "-p", h.tiny_task(), "-a", SHELL, "--ak", "hang_at=2", "--ak", f"hang_while={flag}", *PLUGIN]
    line += ["--jobs-dir", tmp_path, "--job-name", "job"]
    process = subprocess.Popen(
        [str(h.HARBOR), *map(str, line), "--yes", "--quiet"], env=h.environment(), cwd=h.ROOT,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    asyncio.run(_second_turn(tmp_path / "job"))
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    flag.unlink()
    h.harbor("job", "resume", "-p", tmp_path / "job")
    (trial,) = [t for t in h.trials(tmp_path / "job") if t.rewards is not None]
    assert trial.session["end"] in ("anchors_exhausted", "user_left")
    assert main(["clean"]) == 0
    assert h.containers(tmp_path / "job") == []


async def _second_turn(job: Path) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if any('"turn":1' in path.read_text() for path in job.glob("*/user-agent/decisions.jsonl")):
            await asyncio.sleep(2)
            return
        await asyncio.sleep(0.2)
    raise AssertionError("the session never reached its second turn")


def _get(url: str) -> bytes:
    deadline = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                body: bytes = answer.read()
                return body
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.3)
