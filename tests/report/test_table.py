"""The table of trials: every column from the trial's own records, what was planned, what stands there twice."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from swe_together.errors import MisuseError
from swe_together.report import COLUMNS, STATUSES, read_table, read_trials
from swe_together.schema import EndReason, Usage
from tests.support.jobs import Spec, dump, write_job, write_trial

ONE = Spec(judge=0.9, judge_model="anthropic/claude-opus-4-6", basis="judge", messages=(["correction"], ["nudge"]))


def only(job: Path, **options: Any) -> dict[str, Any]:
    frame = read_table([job], **options).frame
    assert len(frame) == 1
    return {str(name): None if pd.isna(frame[name][0]) else frame[name].tolist()[0] for name in frame}


def test_a_row_has_every_column_in_its_type(tmp_path: Path) -> None:
    frame = read_table([write_job(tmp_path / "job", [ONE])]).frame
    assert [(str(name), str(dtype)) for name, dtype in frame.dtypes.items()] == [(c.name, c.dtype) for c in COLUMNS]


def test_every_value_comes_from_the_trials_records(tmp_path: Path) -> None:
    row = only(write_job(tmp_path / "job", [ONE]))
    trial = next((tmp_path / "job").glob("one__*"))
    assert row == {
        "path": str(trial), "job": "job", "trial": trial.name, "task": "swe-together/one",
        "dataset": "swe-together", "dataset_version": "0.1", "task_digest": "d" * 64, "repository": "pypi:one",
        "language": "python", "category": "bugfix", "agent": "codex", "agent_version": "1.0", "agent_settings": "",
        "model": "openai/gpt-5.2", "arm": "interactive", "policy": "scripted", "user_model": None,
        "simulator": "0.1.0", "basis": "judge", "judge": "model", "judge_model": "anthropic/claude-opus-4-6",
        "judge_settings": row["judge_settings"], "rubric_digest": "a" * 64, "sealed": False, "continuation": "native",
        "own_family_judge": False, "status": "ok", "cause": None, "problems": None, "end": "anchors_exhausted",
        "attempt": 1, "retries": None, "retries_usd": None,
        "reward": 0.9, "harbor_reward": 0.9, "tests": 1.0, "judge_score": 0.9, "decided_share": 0.9,
        "turns": 3, "messages": 2, "opportunities": 3, "corrections": 1, "nudges": 1, "user_correction": 1.2,
        "coverage_recall": 0.8, "coverage_precision": 1.0, "coverage_overall": pytest.approx(0.86),
        "input_tokens": 1000, "cached_tokens": 100, "output_tokens": 200, "reasoning_tokens": 50, "cost_usd": 0.5,
        "user_cost_usd": 0.0, "judge_cost_usd": 0.25, "agent_seconds": 60.0, "user_seconds": 2.0,
        "other_seconds": 38.0, "wall_seconds": 100.0, "started_at": pd.Timestamp("2026-03-01T12:00:00Z"),
    }  # fmt: skip


def test_what_is_missing_is_missing_and_never_zero(tmp_path: Path) -> None:
    bare = replace(ONE, usage=Usage(), coverage=None, repository=None, judge=None, judge_model=None, basis="tests")
    row = only(write_job(tmp_path / "job", [bare]))
    missing = (
        "input_tokens",
        "output_tokens",
        "cost_usd",
        "coverage_recall",
        "repository",
        "judge_score",
        "judge_model",
    )
    assert {name: row[name] for name in missing} == dict.fromkeys(missing)
    assert row["judge"] == "tests"


def test_a_fault_of_ours_leaves_no_reward_and_says_why(tmp_path: Path) -> None:
    row = only(write_job(tmp_path / "job", [replace(ONE, end=EndReason.SIMULATOR_ERROR)]))
    assert (row["status"], row["cause"], row["reward"]) == ("simulator_error", "the model is gone", None)
    assert row["turns"] == 3, "what was measured until then is there all the same"


def test_a_judge_that_failed_leaves_no_reward_where_its_score_is_the_reward(tmp_path: Path) -> None:
    row = only(write_job(tmp_path / "job", [replace(ONE, judge=None)]))
    assert (row["status"], row["cause"], row["reward"]) == ("judge_error", "the provider is gone", None)


def test_the_old_reader_and_the_new_one_agree(tmp_path: Path) -> None:
    specs = [ONE, replace(ONE, end=EndReason.ENVIRONMENT_ERROR), replace(ONE, judge=None), Spec(agent="oracle")]
    job = write_job(tmp_path / "job", specs)
    frame = read_table([job]).frame
    new = dict(zip(frame["trial"], frame["status"], strict=True))
    assert new == {row.path.name: row.status for row in read_trials([job])}


def test_the_last_turn_of_an_agent_that_failed_gave_the_user_no_opportunity(tmp_path: Path) -> None:
    assert only(write_job(tmp_path / "job", [replace(ONE, end=EndReason.AGENT_ERROR)]))["opportunities"] == 2


def test_a_control_without_a_user_has_no_opportunities(tmp_path: Path) -> None:
    spec = replace(ONE, arm="full-spec", policy="silent", messages=())
    assert only(write_job(tmp_path / "job", [spec]))["opportunities"] == 0


@pytest.mark.parametrize(
    ("model", "judge", "own"),
    [
        ("anthropic/claude-opus-4-8", "anthropic/claude-opus-4-6", True),
        ("bedrock/anthropic.claude-opus-4-8", "vertex_ai/claude-opus-4-6", True),
        ("openai/gpt-5.2", "anthropic/claude-opus-4-6", False),
        (None, "anthropic/claude-opus-4-6", None),
        ("openai/gpt-5.2", None, False),
    ],
)
def test_a_judge_of_the_agents_own_family_is_told(
    tmp_path: Path, model: str | None, judge: str | None, own: bool | None
) -> None:
    spec = replace(ONE, model=model, judge_model=judge)
    assert only(write_job(tmp_path / "job", [spec]))["own_family_judge"] is own


def test_old_results_learn_of_their_task_from_its_folder(tmp_path: Path) -> None:
    old = replace(
        ONE, task="swe-together/qs-dropped-params", repository=None, language=None, category=None, sealed=None,
        rubric=None,
    )  # fmt: skip
    job = write_job(tmp_path / "job", [old])
    trial = next(job.glob("qs-*"))
    dump(trial / "verifier" / "judgement.json", {"digests": {"rubric": "b" * 64}})
    assert only(job)["repository"] is None, "the folder that was run isn't there"
    row = only(job, tasks=Path(__file__).parents[2] / "tasks")
    facts = [row[name] for name in ("repository", "language", "category", "sealed")]
    assert facts == ["npm:qs", "javascript", "feature", False]
    assert row["rubric_digest"] == "b" * 64


def test_a_planned_trial_that_never_began_has_a_row(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [ONE], planned=[ONE, ONE, replace(ONE, task="swe-together/two")])
    table = read_table([job])
    assert table.planned == 3
    assert table.statuses == {"not_started": 2, "ok": 1}
    assert table.jobs[0].planned == 3
    missing = table.frame[table.frame["status"] == "not_started"]
    assert sorted(zip(missing["task"], missing["agent"], missing["arm"], missing["attempt"], strict=True)) == [
        ("swe-together/one", "codex", "interactive", 2),
        ("two", "codex", "interactive", 1),
    ]


def test_a_trial_beyond_the_planned_ones_is_a_duplicate_the_first_begun_counts(tmp_path: Path) -> None:
    late, early = replace(ONE, judge=0.9, minute=5), replace(ONE, judge=0.1, minute=1)
    table = read_table([write_job(tmp_path / "job", [late, early], planned=[ONE])])
    assert table.planned == 1
    rows = {row["harbor_reward"]: row for _, row in table.frame.iterrows()}
    assert rows[0.1]["status"] == "ok"
    assert rows[0.9]["status"] == "duplicate"
    assert pd.isna(rows[0.9]["reward"])
    assert rows[0.9]["cause"] == "attempt 2, and 1 was planned; by itself: ok"


def test_the_first_with_a_reward_counts_where_that_was_declared(tmp_path: Path) -> None:
    failed = replace(ONE, end=EndReason.SIMULATOR_ERROR, minute=1)
    job = write_job(tmp_path / "job", [replace(ONE, minute=5), failed], planned=[ONE])
    assert read_table([job]).statuses == {"duplicate": 1, "simulator_error": 1}
    assert read_table([job], kept="scored").statuses == {"ok": 1, "duplicate": 1}


def test_replicates_that_were_planned_are_no_duplicates_nor_are_those_of_another_job(tmp_path: Path) -> None:
    one = write_job(tmp_path / "one", [ONE, ONE])
    two = write_job(tmp_path / "two", [ONE])
    table = read_table([one, two])
    assert table.statuses == {"ok": 3}
    assert sorted(table.frame["attempt"]) == [1, 1, 2]


def test_a_trial_that_is_named_or_copied_twice_counts_once(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [ONE])
    shutil.copytree(job, tmp_path / "copy")
    assert read_table([job, job]).statuses == {"ok": 1, "duplicate": 1}
    table = read_table([job, tmp_path / "copy"])
    assert table.statuses == {"ok": 1, "duplicate": 1}
    assert table.frame["cause"].iloc[1].endswith("in job; by itself: ok")


def test_a_job_that_was_gone_on_with_under_other_arguments_is_matched_by_task_agent_and_model(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [replace(ONE, kwargs={"effort": "high"})], planned=[ONE])
    assert read_table([job]).statuses == {"ok": 1}


def test_arguments_that_may_be_secrets_are_struck_out(tmp_path: Path) -> None:
    told = replace(ONE, kwargs={"api_key": "sk-12345678", "effort": "high"})
    row = only(write_job(tmp_path / "job", [told]))
    assert row["agent_settings"] == '{"api_key": "…", "effort": "high"}'


def test_trials_without_the_interactive_layer_are_no_sessions(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [ONE])
    trial = next(job.glob("one__*"))
    shutil.rmtree(trial / "user-agent")
    row = only(job)
    assert (row["status"], row["reward"], row["harbor_reward"]) == ("not_interactive", None, 0.9)


def test_a_trial_of_a_task_that_is_not_ours_is_foreign(tmp_path: Path) -> None:
    """As plain Harbor leaves it: its reward is kept beside, and counts nowhere."""
    spec = Spec(task="other/task", agent="claude-code", dataset="other")
    job = write_job(tmp_path / "job", [spec, replace(spec, task="other/more")], planned=[spec] * 4)
    for trial in job.glob("*__*"):
        shutil.rmtree(trial / "user-agent")
        shutil.rmtree(trial / "verifier")
        for name in ("config.json", "result.json"):
            file = trial / name
            text = (
                file.read_text().replace("swe_together.adapter.agents:", "").replace('"reward": 1.0', '"reward": 3.0')
            )
            file.write_text(text)
    table = read_table([job])
    assert set(table.frame["status"]) == {"foreign"}
    assert table.planned == 0
    assert table.frame["harbor_reward"].dropna().tolist() == [3.0, 3.0]


def test_a_folder_of_jobs_a_job_and_a_trial_can_be_named(tmp_path: Path) -> None:
    one = write_job(tmp_path / "jobs" / "one", [ONE])
    write_job(tmp_path / "jobs" / "two", [replace(ONE, task="swe-together/two")])
    assert len(read_table([tmp_path / "jobs"]).frame) == 2
    assert len(read_table([one]).frame) == 1
    assert len(read_table([next(one.glob("one__*"))]).frame) == 1


def test_a_folder_without_trials_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(MisuseError, match="neither a job nor a trial"):
        read_table([tmp_path])
    with pytest.raises(MisuseError, match="no such job folder"):
        read_table([tmp_path / "nowhere"])


def test_folders_that_are_no_trials_are_counted(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [ONE])
    (job / "notes").mkdir()
    dump(job / "analysis" / "config.json", {"something": "else"})
    table = read_table([job])
    assert len(table.frame) == 1
    assert sorted(table.jobs[0].ignored) == ["analysis", "notes"]


def test_an_unfinished_trial_has_the_name_of_its_agent_from_the_others(tmp_path: Path) -> None:
    reference = Spec(agent="swe-together-reference", model=None)
    job = write_job(tmp_path / "job", [reference], planned=[reference] * 2)
    done = next(job.glob("one__*"))
    config = json.loads((done / "config.json").read_text())
    config["agent"]["name"] = "swe_together.adapter.agents:reference"
    dump(done / "config.json", config)
    dump(job / "lock.json", {"trials": [{"task": config["task"], "agent": config["agent"]}] * 2})
    dump(job / "one__begun" / "config.json", {**config, "trial_name": "one__begun"})
    frame = read_table([job]).frame
    begun = frame[frame["trial"] == "one__begun"].iloc[0]
    assert (begun["status"], begun["agent"], begun["task"]) == (
        "unfinished", "swe-together-reference", "swe-together/one",
    )  # fmt: skip


def test_every_status_is_explained() -> None:
    assert {"ok", "duplicate", "foreign", "not_started", "corrupt"} <= STATUSES.keys()


def test_progress_is_told_for_every_trial(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [ONE, ONE])
    write_trial(job, ONE)
    told: list[tuple[int, int]] = []
    read_table([job], progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_result_that_lost_its_configuration_still_has_harbors_copy_of_it(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [ONE])
    (next(job.glob("one__*")) / "config.json").unlink()
    assert read_table([job]).statuses == {"ok": 1}


def test_an_agent_that_did_nothing_counts_with_its_zero(tmp_path: Path) -> None:
    """Whatever the agent left is graded; only faults of our own parts leave a trial without a reward."""
    idle = replace(ONE, reward=0.0, judge=0.0, messages=(), usage=Usage())
    row = only(write_job(tmp_path / "job", [idle]))
    assert (row["status"], row["reward"]) == ("ok", 0.0)


def test_what_the_judge_cost_is_unknown_where_a_part_of_it_is(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [ONE])
    ledger = next(job.glob("one__*")) / "verifier" / "ledger.json"
    told = json.loads(ledger.read_text())
    told["tagger"]["usage"]["cost_usd"] = None
    dump(ledger, told)
    assert only(job)["judge_cost_usd"] is None
