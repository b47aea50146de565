"""A rubric knows no candidate: whatever a candidate left is refused, under its own name or another."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from swe_together.errors import MisuseError
from swe_together.judge.drafting import refuse_candidates
from tests.judge.drafting.cases import ROOT, TINY

TRAJECTORY = {"schema_version": "ATIF-v1.6", "agent": {"name": "x"}, "steps": []}
RECORDS: dict[str, Any] = {
    "a trajectory": TRAJECTORY,
    "a session": {"task_digest": "0", "agent": "x", "turns": [], "end": "user_left", "task": "t"},
    "a decision": {"policy": "llm", "observation": {}, "turn": 1},
    "a judgement": {"goals": [], "digests": {}, "decided_share": 1},
    "a result": {"trial_name": "t__1", "task_name": "t", "verifier_result": None},
    "rewards": {"status": "ok", "interactive": 1, "cases": []},
}


@pytest.mark.parametrize("path", [*sorted((ROOT / "tasks").glob("*/task.toml")), TINY.path / "task.toml"])
def test_our_own_tasks_hold_none(path: Path) -> None:
    refuse_candidates(path.parent)


def test_a_note_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# What they said\n")
    (tmp_path / "own.json").write_text('{"turns": [1, 2]}')
    refuse_candidates(tmp_path / "notes.md")
    refuse_candidates(tmp_path)


@pytest.mark.parametrize("name", ["state.tar", "trajectory.json", "decisions.jsonl", "reward.json", "judgement.json"])
def test_files_that_a_trial_leaves(tmp_path: Path, name: str) -> None:
    file = tmp_path / "solution" / "old" / name
    file.parent.mkdir(parents=True)
    file.write_text("anything")
    for path in (tmp_path, file):
        with pytest.raises(MisuseError, match=name):
            refuse_candidates(path)


@pytest.mark.parametrize("what", RECORDS)
def test_records_under_another_name(tmp_path: Path, what: str) -> None:
    (tmp_path / "notes.txt").write_text(json.dumps(RECORDS[what], indent=1) + "\n{}\n")
    with pytest.raises(MisuseError, match=r"notes\.txt holds"):
        refuse_candidates(tmp_path / "notes.txt")


@pytest.mark.parametrize("config", [{"trial_name": "t__1"}, {"job_name": "j", "jobs_dir": "jobs"}])
@pytest.mark.parametrize("inside", ["", "agent/answer.md", "artifacts/workspace/main.py"])
def test_folders_of_jobs_and_trials_and_all_in_them(tmp_path: Path, config: dict[str, str], inside: str) -> None:
    (tmp_path / "config.json").write_text(json.dumps(config))
    path = tmp_path / inside
    if inside:
        path.parent.mkdir(parents=True)
        path.write_text("print(1)\n")
    with pytest.raises(MisuseError, match="a job's or a trial's folder"):
        refuse_candidates(path)


def test_a_link_into_a_trial(tmp_path: Path) -> None:
    trial = tmp_path / "trial"
    trial.mkdir()
    (trial / "config.json").write_text('{"trial_name": "t__1"}')
    (trial / "answer.md").write_text("done")
    (tmp_path / "notes.md").symlink_to(trial / "answer.md")
    with pytest.raises(MisuseError, match="trial's folder"):
        refuse_candidates(tmp_path / "notes.md")


def test_a_task_that_holds_a_trial(tmp_path: Path) -> None:
    shutil.copytree(TINY.path, tmp_path / "task")
    refuse_candidates(tmp_path / "task")
    trial = tmp_path / "task" / "solution" / "best"
    trial.mkdir()
    (trial / "config.json").write_text('{"trial_name": "t__1"}')
    with pytest.raises(MisuseError, match="holds a trial"):
        refuse_candidates(tmp_path / "task")
