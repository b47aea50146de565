"""What people see of a check: tables, the overview, exit codes."""

import json
from pathlib import Path

import pytest
from rich.console import Console

from swe_together.cli import main
from swe_together.pipeline.check.model import ImageScan, TaskCheck, Verdict
from swe_together.pipeline.check.overview import overview
from swe_together.pipeline.check.show import print_check
from tests.pipeline.facts import declared, results


def check(task: str = "made-up", passed: bool = True, seconds: float = 1.0) -> TaskCheck:
    return TaskCheck(
        task=task,
        digest="0",
        sound=passed,
        verdicts=[Verdict(item="builds [odd]", passed=passed, detail="in time")],
        declared=declared(),
        states=list(results().values()),
        image=ImageScan(megabytes=123.4, build_sec=4.4, lines=12345),
        facts={"language": "python", "package": "x 1 (pypi)", "follow_ups": 3, "goals": 4},
        seconds=seconds,
    )


def test_the_overview_is_the_same_each_time() -> None:
    text = overview([check("b", passed=False), check("a")])
    assert text == overview([check("a", seconds=9), check("b", passed=False, seconds=9)])
    row = next(line for line in text.splitlines() if line.startswith("| [a](a)"))
    cells = "python | x 1 (pypi) | 12,345 | 3 | 4 | 7 | 4 | 123 | 0 | 1.00 | 0.00 | 0.33 |  | 0.67 | 0.00 | 1.00 | 0.70"
    assert row == f"| [a](a) | {cells} |"
    assert "| c1 | 3 | · | · | ✓ | ✓ |" in text
    assert "Not sound: builds [odd]." in text


def test_a_table_says_what_failed(capsys: pytest.CaptureFixture[str]) -> None:
    print_check(Console(width=120, no_color=True), check(passed=False))
    out = capsys.readouterr().out
    assert "builds [odd]" in out and "FAIL" in out and "made-up is not sound" in out
    assert "reward" in out and "stage 3" in out


def test_exit_codes(task: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report.json"
    assert main(["check", "--static", str(task), "--json", str(report)]) == 0
    (written,) = json.loads(report.read_text())
    assert written["sound"] and TaskCheck.model_validate(written).static
    assert main(["check", "--static", str(tmp_path / "nowhere")]) == 2
    assert main(["check", "--static"]) == 2
    (tmp_path / "empty").mkdir()
    assert main(["check", "--static", str(tmp_path / "empty")]) == 1
    assert "task.toml" in capsys.readouterr().out
    with pytest.raises(SystemExit) as stop:
        main(["check", "-j", "0", str(task)])
    assert stop.value.code == 2
