"""``swe-together plan``: table, JSON and misuse."""

import json
from pathlib import Path
from typing import Any

import pytest

from swe_together.cli import main
from swe_together.schema import Usage
from tests.support.jobs import Spec, write_job


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "140")


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["plan", *arguments, "--format", "json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_the_table_says_unknown_where_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "--tasks", "30", "-k", "4"]) == 0
    shown = capsys.readouterr().out
    lines = {line.split("│")[1].strip(): line.split("│")[2].strip() for line in shown.splitlines() if "│" in line}
    assert lines["difference of two models on the same tasks, 80 % power"] == "22.3"
    assert lines["difference of two models on different tasks, 80 % power"] == "28.5"
    assert lines["pass@1 of one model, 95 % interval"] == "±14.5"
    assert lines["trials"] == "240"
    assert lines["cost, $"] == lines["hours, one after another"] == "unknown"
    assert "note: every task taken to be of a repository of its own" in shown


def test_json_with_everything_given(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "--tasks", "9", "-k", "2", "--models", "3", "--clusters", "4,3,2", "--cost-per-trial", "0.5",
                 "--minutes-per-trial", "10", "--parallel", "3")  # fmt: skip
    assert (found["trials"], found["cost"], found["hours"]) == (54, 27.0, 3.0)
    assert found["wish"]["clusters"] == [4, 3, 2]
    assert found["paired"]["clusters"] == 3
    assert found["strictest"]["value"] > found["paired"]["value"]
    assert found["earlier"] is None
    assert told(capsys, "--tasks", "9", "--clusters", "3")["wish"]["clusters"] == 3


def test_from_earlier_jobs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    jobs = [
        write_job(tmp_path / "one", [Spec(usage=Usage(cost_usd=1.0)), Spec(usage=Usage())]),
        write_job(tmp_path / "two", [Spec(usage=Usage(cost_usd=2.0), wall_seconds=400)]),
    ]
    found = told(capsys, "--tasks", "10", "-k", "1", "--from", *map(str, jobs))
    assert found["earlier"]["costs"]["agent"] == {"mean": 1.5, "known": 2, "unknown": 1}
    assert found["cost"] == pytest.approx(20 * 1.5)
    assert found["hours"] == pytest.approx(20 * (600 / 3) / 3600)
    assert "agent: unknown for 1 of 3 earlier trials" in found["notes"]


def test_a_plan_that_sees_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "--tasks", "1"]) == 0
    shown = capsys.readouterr().out
    assert "none" in shown
    assert "can tell no difference at all" in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--tasks", "0"], "tasks is 0: at least 1 is needed"),
        (["--tasks", "9", "--clusters", "4,4"], "clusters add up to 8: 9 tasks are needed"),
        (["--tasks", "9", "--clusters", "some"], "--clusters some is no number"),
        (["--tasks", "9", "--alpha", "5"], "alpha"),
        (["--tasks", "9", "--from", "/nonexistent"], "/nonexistent: there is no such job folder"),
    ],
)
def test_misuse(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", *arguments]) == 2
    assert said in capsys.readouterr().err
