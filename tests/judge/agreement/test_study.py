"""The study of readers against the goals' commands: its table says what its verdicts say."""

import csv
import json
from pathlib import Path

import pytest

from swe_together.cli import main

DOCS = Path(__file__).parents[3] / "docs"


def test_the_numbers_of_the_study(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agreement", str(DOCS / "judge-study.csv"), "--reference", "readers", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    text = (DOCS / "judge-study.md").read_text(encoding="utf-8")
    (pair,) = found["pairs"]
    errors = found["errors"]["checks"]
    text = " ".join(text.split())
    agreed = round(pair["raw"] * pair["units"])
    assert f"| agreement | {agreed} of {pair['units']} ({pair['raw']:.3f}) |" in text
    assert f"| Cohen's kappa | {pair['kappa']:.3f} |" in text
    assert f"of {errors['not_met']} goals that the readers found not met ({errors['false_pass']:.3f})" in text
    assert f"of {errors['met']} ({errors['false_fail']:.3f})" in text
    assert all(f"`{one['goal']}`" in text for one in found["disagreements"])


def test_every_verdict_of_a_reader_has_a_reason() -> None:
    with (DOCS / "judge-study.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["rater"] == "readers"]
    assert len(rows) >= 40
    assert all(row["reason"].strip() for row in rows)
