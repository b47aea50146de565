"""``swe-together report``: formats, options, exit codes."""

import json
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from swe_together.cli import main
from swe_together.report import COLUMNS, METRICS
from swe_together.schema import EndReason
from tests.support.jobs import Spec, write_job

OTHER = replace(Spec(), agent="claude-code", model="anthropic/claude-opus-4-8", reward=0.0)


@pytest.fixture
def job(tmp_path: Path) -> Path:
    lost = replace(
        OTHER, task="swe-together/two", repository="pypi:two", digest="e" * 64, end=EndReason.SIMULATOR_ERROR
    )
    more = [replace(spec, task="swe-together/two", repository="pypi:two", digest="e" * 64) for spec in (Spec(), OTHER)]
    return write_job(tmp_path / "job", [Spec(), OTHER, *more, lost])


def test_the_table_says_what_it_rests_on(
    job: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "240")
    assert main(["report", str(job), "--by", "language,task", "--compare", "codex", "claude"]) == 0
    printed = capsys.readouterr().out
    for words in (
        "5 trials planned, 4 with a reward",
        "codex (openai/gpt-5.2)",
        "attrition",
        "simulator_error",
        "language: python (2 tasks)",
        "task: swe-together/two (1 task)",
        "compared: codex (openai/gpt-5.2) less claude-code",
        "can't be told apart",
        "claude-code (anthropic/claude-opus-4-8): 1 of 3 planned trials have no reward",
    ):
        assert words in printed


def test_pass_hat_is_printed_with_its_k_and_the_tasks_it_rests_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of three trials of one task passed, all of the other: C(2,3)/C(3,3) and 1."""
    monkeypatch.setenv("COLUMNS", "240")
    two = replace(Spec(), task="swe-together/two", repository="pypi:two", digest="e" * 64)
    trials = [Spec(), Spec(), replace(Spec(), reward=0.0), two, two, two]
    assert main(["report", str(write_job(tmp_path / "replicates", trials))]) == 0
    printed = capsys.readouterr().out
    assert "k=3: 50.0" in printed
    assert "n=2" in printed


def test_json_holds_leaderboard_jobs_and_trials(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(job), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["leaderboard"]["entries"][0]["figures"].keys() == {metric.name for metric in METRICS}
    assert told["jobs"][0]["planned"] == 5
    assert [set(row) for row in told["trials"]] == [{column.name for column in COLUMNS}] * 5
    assert [row["reward"] for row in told["trials"] if row["status"] != "ok"] == [None]


def test_csv_and_parquet_hold_the_trials(job: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(job), "--format", "csv"]) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[0] == ",".join(column.name for column in COLUMNS)
    assert main(["report", str(job), "--format", "csv", "-o", str(tmp_path / "t.csv")]) == 0
    assert (tmp_path / "t.csv").read_text() == printed
    assert main(["report", str(job), "--format", "parquet", "-o", str(tmp_path / "new" / "t.parquet")]) == 0
    read = pd.read_parquet(tmp_path / "new" / "t.parquet")
    assert len(read) == 5
    assert pd.isna(read["reward"]).sum() == 1


def test_a_table_can_be_written_too(job: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(job), "-o", str(tmp_path / "report.txt")]) == 0
    assert "leaderboard" in (tmp_path / "report.txt").read_text()
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--format", "parquet"], 2, "--format parquet needs -o"),
        (["--format", "html"], 2, "--format html needs -o"),
        (["--by", "moon"], 2, "--by moon: there is no such grouping"),
        (["--mix", "moon"], 2, "--mix moon: there is no such kind"),
        (["--compare", "codex", "aider"], 2, "--compare aider: no entry is called so"),
        (["--threshold", "0"], 2, "--threshold 0 is no score"),
        (["--threshold", "nan"], 2, "--threshold nan is no score"),
        (["--level", "1"], 2, "--level 1 is no share"),
        (["--tasks", "/nonexistent"], 2, "no such folder of tasks"),
        (["/nonexistent"], 2, "no such job folder"),
    ],
)
def test_misuse_is_named(
    job: Path, capsys: pytest.CaptureFixture[str], options: list[str], code: int, said: str
) -> None:
    assert main(["report", str(job), *options]) == code
    printed = capsys.readouterr().err
    assert said in printed
    assert "Traceback" not in printed


def test_a_mixture_is_1_and_with_leave_0(job: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = write_job(tmp_path / "other", [replace(Spec(), dataset_version="0.2")])
    assert main(["report", str(job), str(other)]) == 1
    assert "--mix dataset" in capsys.readouterr().err
    assert main(["report", str(job), str(other), "--mix", "dataset"]) == 0
    assert "mixed on request: dataset" in capsys.readouterr().out


def test_what_a_result_says_can_not_write_to_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "240")
    spec = replace(Spec(), agent="\x1b]0;owned\x07[red]evil[/red]", model=None)
    assert main(["report", str(write_job(tmp_path / "job", [spec]))]) == 0
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "│ [red]evil[/red] " in printed
