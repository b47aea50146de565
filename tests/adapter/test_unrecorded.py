"""A session that the disk takes no record of, and a job whose own result is lost: nothing passes for a result."""

import json
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from harbor.models.task.task import Task
from harbor.models.trial.paths import TrialPaths
from harbor.models.verifier.result import VerifierResult
from harbor.verifier.verifier import RewardFileNotFoundError, Verifier

from swe_together.adapter import recorder as recorder_module
from swe_together.adapter.recorder import SessionRecorder
from swe_together.adapter.session import Outcome
from swe_together.adapter.settings import Settings
from swe_together.adapter.verifier import TogetherVerifier
from swe_together.report import read_trials
from swe_together.schema import EndReason
from tests.bench.concurrency import make_load_task
from tests.support import harbor as h
from tests.support.agents import NoteAgent

PLUGIN = ("-e", "tests.support.local_environment:InProcessEnvironment", "--plugin", "swe-together")
UNGRADED = (*PLUGIN, "--disable-verification")


class UnrecordableAgent(NoteAgent):
    """Something else stands where the session's records would go."""

    async def setup(self, environment: Any) -> None:
        (self.logs_dir.parent / "user-agent").write_text("in the way")


class ForgottenAgent(NoteAgent):
    """In its second turn something else comes to stand in the place of the session's record."""

    async def run(self, instruction: str, environment: Any, context: Any) -> None:
        await super().run(instruction, environment, context)
        if self._turn == 2:
            record = self.logs_dir.parent / "user-agent" / "session.json"
            record.unlink()
            record.mkdir()


@pytest.mark.parametrize("agent", ["UnrecordableAgent", "ForgottenAgent"])
def test_a_session_without_a_record_is_a_fault_of_the_environment(agent: str, tmp_path: Path) -> None:
    task = make_load_task(tmp_path, 2)
    (trial,) = h.run_job(tmp_path, *UNGRADED, "-a", f"tests.adapter.test_unrecorded:{agent}", task=task)
    assert trial.exception is None, "an unknown one would be retried, graded and counted"
    told = trial.result["agent_result"]["metadata"]["swe_together"]
    assert told["end"] == "environment_error"
    assert "user-agent" in told["error"]
    marker = trial.folder / "artifacts" / "var" / "lib" / "swe-together" / "session.json"
    assert json.loads(marker.read_text())["valid"] is False, "so no verifier grades it"
    (row,) = read_trials([tmp_path / "job"])
    assert (row.status, row.reward) == ("corrupt", None)


@pytest.mark.parametrize(("agent", "graded"), [("swe_together.adapter.agents:codex", False), ("oracle", True)])
async def test_tests_that_saw_no_session_give_a_reward_only_where_none_was_due(
    agent: str, graded: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = TrialPaths(tmp_path)
    paths.mkdir()
    paths.config_path.write_text(json.dumps({"agent": {"name": agent}}))
    rewards = {"reward": 0.5, "tests": 0.5, "interactive": 0}

    async def verify(self: Verifier) -> VerifierResult:
        report = {"format": 1, "status": "ok", "tests": 0.5, "interactive": 0, "cases": []}
        (paths.verifier_dir / "reward-details.json").write_text(json.dumps(report))
        return VerifierResult(rewards=rewards)

    monkeypatch.setattr(Verifier, "verify", verify)
    nowhere: Any = SimpleNamespace()
    verifier = TogetherVerifier(
        task=Task(h.tiny_task()), trial_paths=paths, environment=nowhere, together={"judge": "off"}
    )
    if graded:
        assert (await verifier.verify()).rewards == rewards
    else:
        with pytest.raises(RewardFileNotFoundError, match="no session was held"):
            await verifier.verify()


def test_a_job_whose_own_result_is_lost_is_gone_on_with(tmp_path: Path) -> None:
    task, job = make_load_task(tmp_path, 2), tmp_path / "job"
    agent = "tests.support.agents:NoteAgent"
    finished, other = h.run_job(tmp_path, *UNGRADED, "-a", agent, "-k", "2", task=task)
    before = (finished.folder / "result.json").read_bytes()
    (other.folder / "result.json").unlink()
    (job / "result.json").unlink()
    h.harbor("job", "resume", "-p", job, "--plugin", "swe-together")
    assert len(h.trials(job)) == 2
    assert (finished.folder / "result.json").read_bytes() == before


def test_how_long_a_session_took_does_not_follow_the_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = {"task": "t", "task_digest": "d", "agent": "a", "policy": "scripted", "continuation": "native"}
    recorder = SessionRecorder(tmp_path, facts, Settings())
    recorder.begin()
    earlier = datetime.now(UTC) - timedelta(hours=25)
    monkeypatch.setattr(recorder_module, "datetime", SimpleNamespace(now=lambda zone: earlier))
    time.sleep(0.05)
    record = recorder.finish(Outcome(EndReason.USER_LEFT))
    assert 0.05 <= record.seconds < 60
    assert record.finished < record.started
