"""Trials that somebody else wrote, broken or with bad intent: a clear count, no crash, nothing followed or obeyed."""

import json
import math
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from swe_together.report import leaderboard, read_table, read_trials
from swe_together.report._files import RECORD_BYTES
from swe_together.report._write import report_json, trials_csv, write_parquet
from tests.support.jobs import Spec, dump, write_job

SCRIPT = '<script>alert(1)</script>\x1b[31m\u202e"=cmd|calc"'
DEEP = "[" * 1_000_000


def change(path: Path, **values: Any) -> None:
    dump(path, {**json.loads(path.read_text()), **values})


def nested(path: Path, *names: str, value: Any) -> None:
    document = json.loads(path.read_text())
    inside = document
    for name in names[:-1]:
        inside = inside[name]
    inside[names[-1]] = value
    path.write_text(json.dumps(document))


def link(path: Path, target: Path) -> None:
    path.unlink()
    path.symlink_to(target)


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def huge(path: Path) -> None:
    with path.open("ab") as file:
        file.truncate(RECORD_BYTES + 1)


def behind(path: Path, target: Path) -> None:
    path.rename(target)
    path.symlink_to(target)


Break = Callable[[Path, Path], object]
CORRUPT: dict[str, tuple[Break, str]] = {
    "result half-written": (lambda t, o: (t / "result.json").write_text('{"half'), "result.json is no JSON"),
    "result no object": (lambda t, o: (t / "result.json").write_text("[1]"), "result.json is no JSON object"),
    "result of zeros": (lambda t, o: (t / "result.json").write_bytes(b"\0" * 99), "result.json is no JSON"),
    "result a million deep": (lambda t, o: (t / "result.json").write_text(DEEP), "recursion limit"),
    "result a link": (lambda t, o: link(t / "result.json", o), "symbolic link"),
    "result a pipe": (lambda t, o: pipe(t / "result.json"), "no regular file"),
    "result too large": (lambda t, o: huge(t / "result.json"), "bytes; 64,000,000 are allowed"),
    "session half-written": (lambda t, o: (t / "user-agent/session.json").write_text('{"ta'), "session.json"),
    "session of something else": (lambda t, o: (t / "user-agent/session.json").write_text("{}"), "Field required"),
    "session a million deep": (lambda t, o: (t / "user-agent/session.json").write_text(DEEP), "session.json"),
    "session behind a link": (lambda t, o: behind(t / "user-agent", o.parent / "moved"), "symbolic link"),
    "details not true": (
        lambda t, o: nested(t / "verifier/reward-details.json", "tests", value=7), "less than or equal to 1",
    ),
    "config half-written": (lambda t, o: (t / "config.json").write_text('{"half'), "config.json is no JSON"),
    "config gone": (lambda t, o: (change(t / "result.json", config=7), (t / "config.json").unlink()), "config.json is"),
    "reward NaN": (lambda t, o: _reward(t, float("nan")), "the reward nan is no number from 0 to 1"),
    "reward infinite": (lambda t, o: _reward(t, float("inf")), "the reward inf"),
    "reward of 2": (lambda t, o: _reward(t, 2), "the reward 2 is no number"),
    "reward a truth": (lambda t, o: _reward(t, True), "the reward True"),
    "reward a text": (lambda t, o: _reward(t, "1.0"), "the reward 1.0 is no number"),
    "reward with 4,000 digits": (lambda t, o: _reward(t, 10**4000), "is no number from 0 to 1"),
}  # fmt: skip


def _reward(trial: Path, value: object) -> None:
    nested(trial / "result.json", "verifier_result", "rewards", "reward", value=value)


@pytest.mark.parametrize("name", CORRUPT)
def test_a_record_that_can_not_be_read_makes_the_trial_corrupt_and_is_named(tmp_path: Path, name: str) -> None:
    broken, said = CORRUPT[name]
    job = write_job(tmp_path / "job", [Spec(), Spec(task="swe-together/two")])
    outside = tmp_path / "outside.json"
    outside.write_text('{"task_name": "swe-together/secret", "verifier_result": {"rewards": {"reward": 1.0}}}')
    broken(next(job.glob("one__*")), outside)
    table = read_table([job])
    assert table.statuses == {"ok": 1, "corrupt": 1}
    row = table.frame[table.frame["status"] == "corrupt"].iloc[0]
    assert said in row["cause"]
    assert pd.isna(row["reward"])
    assert "secret" not in str(row.to_dict())
    assert pd.isna(row["harbor_reward"]) or math.isfinite(row["harbor_reward"])
    assert len(leaderboard(table).entries) == 1, "the agent is known all the same, and what it lacks is counted"
    if "config" not in name:
        assert sorted(row.status for row in read_trials([job])) == ["corrupt", "ok"]


PARTIAL: dict[str, tuple[Break, str, str]] = {
    "behaviour half-written": (
        lambda t, o: (t / "verifier/behaviour.json").write_text("{"), "behaviour.json", "user_correction"),
    "behaviour a link": (lambda t, o: link(t / "verifier/behaviour.json", o), "symbolic link", "user_correction"),
    "ledger a pipe": (lambda t, o: pipe(t / "verifier/ledger.json"), "ledger.json is no regular", "judge_cost_usd"),
    "tokens without end": (
        lambda t, o: nested(t / "user-agent/session.json", "usage", "output_tokens", value=10**30),
        "output_tokens can't be 1000", "output_tokens",
    ),
    "tokens below zero": (
        lambda t, o: nested(t / "user-agent/session.json", "usage", "input_tokens", value=-5),
        "input_tokens can't be -5", "input_tokens",
    ),
    "seconds NaN": (
        lambda t, o: nested(t / "user-agent/session.json", "agent_seconds", value=float("nan")),
        "agent_seconds can't be nan", "agent_seconds",
    ),
    "money without end": (
        lambda t, o: nested(t / "user-agent/session.json", "usage", "cost_usd", value=1e308),
        "cost_usd can't be 1e+308", "cost_usd",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PARTIAL)
def test_what_the_reward_does_not_rest_on_is_missing_and_named(tmp_path: Path, name: str) -> None:
    broken, said, column = PARTIAL[name]
    job = write_job(tmp_path / "job", [Spec(judge_model="x/y", judge=1.0)])
    broken(next(job.glob("one__*")), tmp_path / "outside.json")
    table = read_table([job])
    row = table.frame.iloc[0]
    assert row["status"] == "ok"
    assert said in row["problems"]
    assert pd.isna(row[column])
    board = leaderboard(table)
    assert board.problems == 1
    json.loads(report_json(table, board))


def test_a_trials_folder_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [Spec()])
    elsewhere = write_job(tmp_path / "elsewhere", [Spec(reward=0.0)])
    (job / "two__link").symlink_to(next(elsewhere.glob("one__*")))
    (job / "up__link").symlink_to(tmp_path)
    (job / "round__link").symlink_to(job)
    table = read_table([job])
    assert table.statuses == {"corrupt": 3, "ok": 1}
    assert set(table.frame[table.frame["status"] == "corrupt"]["cause"]) == {"a symbolic link"}


def test_paths_in_a_configuration_lead_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the facts of a sound task of the same name are ever taken from outside."""
    trap = tmp_path / "etc" / "task.toml"
    trap.parent.mkdir()
    trap.write_text('[task]\nname = "swe-together/other"\n[metadata.swe_together]\nlanguage = "secret"\n')
    job = write_job(tmp_path / "job", [Spec(repository=None, sealed=None, language=None)])
    trial = next(job.glob("one__*"))
    for path in ("../../../../etc", str(trap.parent), "/dev", "/proc/self", "\0", "a" * 5000):
        nested(trial / "config.json", "task", "path", value=path)
        row = read_table([job]).frame.iloc[0]
        assert row["status"] == "ok"
        assert pd.isna(row["language"])


def test_text_of_others_is_one_bounded_line_without_control_signs(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [Spec(agent=SCRIPT, model="x" * 100_000, task=f"swe-together/{SCRIPT}"[:60])])
    row = read_table([job]).frame.iloc[0]
    assert row["agent"] == '<script>alert(1)</script>"=cmd|calc"'
    assert len(row["model"]) <= 300
    assert not any(ord(sign) < 32 for column in ("agent", "task", "model") for sign in row[column])


def test_no_cell_of_a_csv_is_a_formula_and_all_formats_take_it(tmp_path: Path) -> None:
    spec = Spec(agent="=HYPERLINK(1)", model="@sum", messages=[["request"]], language="-1+2")
    table = read_table([write_job(tmp_path / "job", [spec])])
    text = trials_csv(table)
    assert "'=HYPERLINK(1)" in text
    assert "'@sum" in text
    write_parquet(table, tmp_path / "trials.parquet")
    assert pd.read_parquet(tmp_path / "trials.parquet")["agent"].tolist() == ["=HYPERLINK(1)"]
    json.loads(report_json(table, leaderboard(table)))


def test_lone_surrogates_and_other_bytes_reach_every_format(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [Spec()])
    trial = next(job.glob("one__*"))
    (trial / "result.json").write_text((trial / "result.json").read_text().replace('"1.0"', r'"\ud800"'))
    (job / os.fsdecode(b"one__\xff\xfe")).mkdir()
    table = read_table([job])
    assert table.statuses == {"corrupt": 2}
    trials_csv(table).encode()
    report_json(table, leaderboard(table)).encode()
    write_parquet(table, tmp_path / "trials.parquet")


def test_an_enormous_trajectory_is_never_opened(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [Spec()])
    trajectory = next(job.glob("one__*")) / "agent" / "trajectory.json"
    with trajectory.open("wb") as file:
        file.truncate(50_000_000)
    trajectory.chmod(0)
    opened: list[str] = []
    real = os.open

    def spy(path: Any, *arguments: Any, **named: Any) -> int:
        opened.append(Path(os.fspath(path)).name)
        return real(path, *arguments, **named)

    begun = time.monotonic()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "open", spy)
        assert read_table([job]).statuses == {"ok": 1}
    assert time.monotonic() - begun < 5
    assert opened
    assert not {"agent", "trajectory.json"} & set(opened)


def test_a_job_whose_own_records_are_broken_is_read_and_says_so(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [Spec()])
    (job / "lock.json").write_text(DEEP)
    (job / "result.json").write_text('{"n_total_trials": 1e99}')
    (job / "config.json").write_text("nonsense")
    table = read_table([job])
    assert table.statuses == {"ok": 1}
    assert table.jobs[0].planned is None
    assert [problem.partition(" ")[0] for problem in table.jobs[0].problems] == ["config.json", "lock.json"]


def test_a_lock_of_nonsense_plans_nothing_strange(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [Spec()])
    dump(job / "lock.json", {"trials": [None, 5, {"task": 3, "agent": "x"}, {"task": {"path": ["a"]}}]})
    dump(job / "config.json", {"job_name": "job", "n_attempts": "many", "datasets": 7, "agents": None})
    statuses = read_table([job]).statuses
    assert statuses["ok"] == 1
    assert set(statuses) == {"ok", "not_started"}


def test_times_without_end_are_unknown(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [Spec()])
    trial = next(job.glob("one__*"))
    for begun in ("9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00", "yesterday", 5, None):
        change(trial / "result.json", started_at=begun)
        nested(trial / "user-agent" / "session.json", "started", value="never")
        row = read_table([job]).frame.iloc[0]
        assert row["status"] == "ok"
        assert pd.isna(row["started_at"])
        assert pd.isna(row["wall_seconds"])


def test_many_folders_of_noise_do_not_matter(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [replace(Spec(), minute=n) for n in range(3)])
    for number in range(200):
        (job / f"noise-{number}").mkdir()
        (job / f"file-{number}.txt").write_text("x")
    table = read_table([job])
    assert table.statuses == {"ok": 3}
    assert len(table.jobs[0].ignored) == 200
