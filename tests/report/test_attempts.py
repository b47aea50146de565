"""Trials that Harbor had begun before: how often, what that cost, and the score without them."""

import json
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from swe_together.report import leaderboard, read_table
from swe_together.schema import AttemptLine
from tests.support.jobs import Spec, write_job

PASSED, FAILED = Spec(reward=1.0), Spec(task="swe-together/two", reward=0.0)


def attempts(job: Path, *told: tuple[str, str, float | None]) -> None:
    """Lines of the first trial of a task: ``(task, event, cost)``; the last attempt is the one that was kept."""
    kept = {path.parent.name: json.loads(path.read_text())["id"] for path in job.glob("*/result.json")}
    lines = []
    for task, events, cost in told:
        (trial,) = (name for name in kept if name.startswith(f"{task}__"))
        attempt = kept[trial] if "kept" in events else f"{trial}-{len(lines)}"
        for event in [one for one in ("begun", "ended") if one in events]:
            line = AttemptLine(
                trial=trial, attempt=attempt, event=event, at="2026-03-01T12:00:00+00:00",
                cost_usd=cost if event == "ended" else None,
            )  # fmt: skip
            lines.append(line.model_dump_json(exclude_none=True))
    (job / "attempts.jsonl").write_text("\n".join([*lines, '{"cut off']))


def found(job: Path) -> dict[str, tuple[object, object]]:
    frame = read_table([job], cache_at=None).frame
    none = frame.astype(object).where(frame.notna(), None)
    return {row["task"].rpartition("/")[2]: (row["retries"], row["retries_usd"]) for _, row in none.iterrows()}


def test_what_was_tried_before_is_counted_with_what_it_cost(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [PASSED, FAILED])
    attempts(
        job, ("one", "begun ended", 0.5), ("one", "begun ended", 0.25), ("one", "begun ended kept", 1.0),
        ("two", "begun ended kept", 1.0),
    )  # fmt: skip
    assert found(job) == {"one": (2, 0.75), "two": (0, 0.0)}


def test_an_attempt_that_was_killed_or_did_not_say_has_cost_nobody_knows_what(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [PASSED, FAILED])
    attempts(
        job, ("one", "begun", None), ("one", "begun ended kept", 1.0), ("two", "begun ended", None),
        ("two", "begun ended kept", 1.0),
    )  # fmt: skip
    assert found(job) == {"one": (1, None), "two": (1, None)}
    (entry,) = leaderboard(read_table([job])).entries
    assert (entry.spent_usd, entry.spent_unknown) == (1.0, 2), "two trials at 0.5, and two attempts that don't say it"


@pytest.mark.parametrize("written", [None, "", "nonsense\n\x00"])
def test_where_the_job_does_not_say_it_is_unknown_and_not_zero(tmp_path: Path, written: str | None) -> None:
    job = write_job(tmp_path / "job", [PASSED])
    if written is not None:
        (job / "attempts.jsonl").write_text(written)
    assert found(job) == {"one": (None, None)}
    (entry,) = leaderboard(read_table([job])).entries
    assert entry.figures["pass_at_1_once"].value is None


def test_a_job_that_was_gone_on_with_without_the_plugin_does_not_know(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [PASSED])
    attempts(job, ("one", "begun ended", 0.5))
    assert found(job) == {"one": (None, None)}


def test_a_file_that_can_not_be_read_is_named(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [PASSED])
    (job / "attempts.jsonl").symlink_to("/dev/zero")
    assert "attempts.jsonl" in str(read_table([job]).jobs[0].problems)
    assert found(job) == {"one": (None, None)}


def test_a_trial_that_is_named_alone_knows_it_too(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [PASSED])
    attempts(job, ("one", "begun ended", 0.5), ("one", "begun ended kept", 1.0))
    assert found(next(job.glob("one__*"))) == {"one": (1, 0.5)}


def test_the_score_without_what_was_run_again(tmp_path: Path) -> None:
    """One of two tasks passed, and only after it had been run again."""
    job = write_job(tmp_path / "job", [PASSED, FAILED])
    attempts(job, ("one", "begun ended", 0.5), ("one", "begun ended kept", 1.0), ("two", "begun ended kept", 1.0))
    (entry,) = leaderboard(read_table([job])).entries
    assert entry.figures["pass_at_1"].value == 0.5
    assert (entry.figures["pass_at_1_once"].value, entry.figures["pass_at_1_once"].n) == (0.0, 1)
    assert "1 of 2 trials were run again after an error; pass@1 without them is 0.0%" in entry.flags
    assert entry.spent_usd == 1.5, "two trials at 0.5 each, and the attempt before"


def test_attempts_that_were_cut_off_are_noted_with_what_they_cost(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [PASSED])
    attempts(job, ("one", "begun ended kept", 1.0))
    gone = AttemptLine(trial="one__gone", attempt="x", event="begun", at="2026-03-01T12:00:00+00:00")
    ended = gone.model_copy(update={"event": "ended", "cost_usd": 0.25})
    for lines, said in (([gone], "is not known"), ([gone, ended], "was $0.25, beside")):
        text = (job / "attempts.jsonl").read_text().splitlines()[:2]
        (job / "attempts.jsonl").write_text("\n".join([*text, *(line.model_dump_json() for line in lines)]))
        (note,) = (note for note in leaderboard(read_table([job])).notes if "cut off" in note)
        assert f"{job}: 1 attempts were cut off" in note and said in note
    assert found(job) == {"one": (0, 0.0)}


def test_without_the_cache_or_with_it_the_same(tmp_path: Path) -> None:
    """Attempts are the job's: a row that was read before still learns of them."""
    job = write_job(tmp_path / "job", [replace(PASSED)])
    cache = tmp_path / "cache"
    assert pd.isna(read_table([job], cache_at=cache).frame["retries"][0])
    attempts(job, ("one", "begun ended", 0.5), ("one", "begun ended kept", 1.0))
    assert read_table([job], cache_at=cache).frame["retries"][0] == 1
