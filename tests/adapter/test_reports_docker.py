"""Tests that could not do their work leave no reward in Harbor's own result: missing is never zero."""

import shutil
from pathlib import Path

import pytest

from swe_together.report import summarise
from tests.support import harbor as h

pytestmark = pytest.mark.docker

REFERENCE = ("-a", "swe_together.adapter.agents:reference", "--plugin", "swe-together", "--pk", "judge=off")


def changed(folder: Path, file: str, *, before: str = "", after: str = "") -> Path:
    """A copy of the tiny task with a file of its tests extended."""
    task = Path(shutil.copytree(h.tiny_task(), folder / "tiny-task"))
    path = task / "tests" / file
    path.write_text(before + path.read_text() + after)
    return task


def test_tests_that_can_not_start_leave_no_reward(tmp_path: Path) -> None:
    task = changed(tmp_path, "harness.py", before="import a_package_that_could_not_be_fetched\n")
    (trial,) = h.run_job(tmp_path / "jobs", "-a", "oracle", task=task)
    assert (trial.rewards, trial.exception) == (None, "RewardFileNotFoundError")
    summary = summarise([tmp_path / "jobs" / "job"])
    assert (summary.scored, summary.mean, summary.missing) == (0, None, {"verifier_error": 1})


def test_two_reports_that_disagree_are_no_reward(tmp_path: Path) -> None:
    # Everything passed by the one, nothing by the other.
    forged = """echo '{"reward": 0.0, "tests": 0.0, "interactive": 1}' >/logs/verifier/reward.json\n"""
    task = changed(tmp_path, "test.sh", after=forged)
    script = task / "tests" / "test.sh"
    script.write_text(script.read_text().replace("exec ", ""))
    (trial,) = h.run_job(tmp_path / "jobs", *REFERENCE, task=task)
    assert trial.details["tests"] == 1.0
    assert (trial.rewards, trial.exception) == (None, "VerifierOutputParseError")
    assert summarise([tmp_path / "jobs" / "job"]).missing == {"verifier_error": 1}
