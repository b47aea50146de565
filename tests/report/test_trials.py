"""Reading job folders: whole, half-written, corrupt, foreign."""

import json
from pathlib import Path
from typing import Any

import pytest
from harbor.models.trial.error_policy import ERROR_POLICIES, policy_for

from swe_together.cli import main
from swe_together.report import read_trials, summarise

SESSION: dict[str, Any] = {
    "task": "swe-together/x", "task_digest": "0", "agent": "codex", "policy": "scripted", "continuation": "native",
    "started": "2026-01-01T00:00:00+00:00", "finished": "2026-01-01T00:01:00+00:00", "seconds": 60,
    "agent_seconds": 50, "user_seconds": 1, "end": "anchors_exhausted", "turns": [], "settled": [], "messages": 0,
}  # fmt: skip


def trial(job: Path, name: str, *, session: dict[str, Any] | None = None, **result: Any) -> Path:
    folder = job / name
    (folder / "user-agent").mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"trial_name": name}))
    if result:
        body = {"task_name": "swe-together/x", "agent_info": {"name": result.pop("agent", "codex")}, **result}
        (folder / "result.json").write_text(json.dumps(body))
    if session is not None:
        (folder / "user-agent" / "session.json").write_text(json.dumps(session))
    return folder


def graded(reward: float) -> dict[str, Any]:
    return {"verifier": {}, "verifier_result": {"rewards": {"reward": reward}}}


def fault(name: str, valid: bool) -> dict[str, Any]:
    return {"exception_type": name, "exception_message": "m", "policy": {"has_valid_reward": valid}}


@pytest.fixture
def job(tmp_path: Path) -> Path:
    trial(tmp_path, "a__1", session=SESSION, **graded(0.5))
    trial(tmp_path, "b__1", session={**SESSION, "end": "simulator_error", "error": "model gone"}, verifier={})
    trial(tmp_path, "c__1", session={**SESSION, "end": "environment_error"}, **graded(1.0))
    trial(tmp_path, "d__1", **graded(1.0))
    trial(tmp_path, "e__1", session=SESSION)
    (trial(tmp_path, "f__1") / "result.json").write_text('{"half')
    trial(tmp_path, "g__1", session=SESSION, exception_info=fault("ApiOverloadedError", False), **graded(0.0))
    trial(tmp_path, "h__1", session=SESSION, exception_info=fault("VerifierTimeoutError", False), verifier={})
    trial(tmp_path, "i__1", session=SESSION, exception_info=fault("AgentTimeoutError", True), **graded(0.25))
    trial(tmp_path, "j__1", agent="oracle", **graded(1.0))
    (tmp_path / "notes").mkdir()
    return tmp_path


def test_every_trial_has_a_status_and_missing_is_never_zero(job: Path) -> None:
    assert {row.path.name: (row.status, row.reward) for row in read_trials([job])} == {
        "a__1": ("ok", 0.5),
        "b__1": ("simulator_error", None),
        "c__1": ("environment_error", None),
        "d__1": ("not_interactive", None),
        "e__1": ("unfinished", None),
        "f__1": ("corrupt", None),
        "g__1": ("agent_invalid", None),
        "h__1": ("verifier_error", None),
        "i__1": ("ok", 0.25),
        "j__1": ("ok", 1.0),
    }


def test_a_job_that_grades_nothing_leaves_sessions_ungraded_and_faults_faults(tmp_path: Path) -> None:
    off = {"config": {"verifier": {"disable": True}}}
    trial(tmp_path, "a__1", session=SESSION, **off)
    trial(tmp_path, "b__1", session={**SESSION, "end": "environment_error"}, **off)
    trial(tmp_path, "c__1", session=SESSION, exception_info=fault("ApiOverloadedError", False), **off)
    trial(tmp_path, "d__1", session=SESSION, config={"verifier": {"disable": False}})
    trial(tmp_path, "e__1", session=SESSION, **off, **graded(0.5))
    assert [(row.status, row.reward) for row in read_trials([tmp_path])] == [
        ("ungraded", None),
        ("environment_error", None),
        ("agent_invalid", None),
        ("agent_invalid", None),
        ("ok", 0.5),
    ]


@pytest.mark.parametrize("name", [*ERROR_POLICIES, "AnythingElseError"])
def test_an_error_costs_a_trial_its_reward_just_where_harbors_policy_says_so(tmp_path: Path, name: str) -> None:
    """An agent that was cut off in its time, or ended badly, is graded on what it left: valid work counts."""
    valid = policy_for(name).has_valid_reward
    trial(tmp_path, "a__1", session=SESSION, exception_info=fault(name, valid), **graded(0.75))
    (row,) = read_trials([tmp_path])
    assert (row.status, row.reward) == (("ok", 0.75) if valid else ("agent_invalid", None))
    assert name in row.cause


def test_the_exception_of_a_step_is_one_of_the_trial(tmp_path: Path) -> None:
    """A task of several steps keeps it there, while the trial's own says nothing."""
    steps = [{"step_name": "one"}, {"step_name": "two", "exception_info": fault("ApiOverloadedError", False)}]
    trial(tmp_path, "a__1", session=SESSION, exception_info=None, step_results=steps, **graded(1.0))
    trial(
        tmp_path,
        "b__1",
        session=SESSION,
        step_results=[{**steps[1], "exception_info": fault("X", True)}],
        **graded(1.0),
    )
    trial(tmp_path, "c__1", session=SESSION, step_results="nonsense", **graded(1.0))
    told = [(row.status, row.reward, row.cause) for row in read_trials([tmp_path])]
    assert told == [("agent_invalid", None, "ApiOverloadedError: m"), ("ok", 1.0, "X: m"), ("ok", 1.0, "")]


def test_summary_counts_what_is_missing(job: Path) -> None:
    summary = summarise([job])
    assert summary.scored == 3
    assert summary.mean == pytest.approx((0.5 + 0.25 + 1.0) / 3)
    assert sum(summary.missing.values()) == 7
    assert summary.missing["simulator_error"] == 1


def test_no_reward_at_all_has_no_mean(tmp_path: Path) -> None:
    trial(tmp_path, "b__1", session={**SESSION, "end": "simulator_error"}, verifier={})
    assert summarise([tmp_path]).mean is None


def test_a_trial_or_a_folder_of_jobs_can_be_named(job: Path) -> None:
    assert len(read_trials([job / "a__1"])) == 1


def test_command_prints_table_and_json(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["summary", str(job)]) == 0
    assert "simulator_error" in capsys.readouterr().out
    assert main(["summary", "--json", str(job)]) == 0
    assert json.loads(capsys.readouterr().out)["scored"] == 3
