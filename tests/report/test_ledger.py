"""The table of what trials cost: unknown is shown, counted, and never added as 0."""

import json
from pathlib import Path

import pytest
from rich.console import Console

from swe_together.cli import main
from swe_together.report import ledger_table
from swe_together.report._ledger import cell
from swe_together.schema import PartLedger, TrialLedger, Usage

NONE = PartLedger(answers=0, failed_requests=0, usage=Usage(input_tokens=0, cached_tokens=0, output_tokens=0,
                                                            cost_usd=0), seconds=0)  # fmt: skip


def of(agent: PartLedger) -> TrialLedger:
    return TrialLedger(agent=agent, user=NONE, judge=NONE, tagger=NONE)


@pytest.mark.parametrize(
    ("values", "shown"),
    [([1200, 34], "1,234"), ([1200, None, None], "1,200 + 2 ?"), ([None], "?"), ([0], "0"), ([0, None], "0 + 1 ?")],
)
def test_a_cell(values: list[int | None], shown: str) -> None:
    assert cell(values, ",d") == shown


def test_a_row_for_each_part_that_there_is() -> None:
    known = PartLedger(models=["openai/gpt"], usage=Usage(input_tokens=10, output_tokens=2, cost_usd=0.5), seconds=4)
    table = ledger_table([of(known), of(PartLedger())])
    console = Console(width=160)
    with console.capture() as printed:
        console.print(table)
    rows = [[part.strip() for part in line.strip("│").split("│")] for line in printed.get().splitlines() if "│" in line]
    assert rows == [
        ["agent", "openai/gpt", "?", "?", "10 + 1 ?", "?", "2 + 1 ?", "0.5000 + 1 ?", "4.0 + 1 ?"],
        *([name, "–", "0", "0", "0", "0", "0", "0.0000", "0.0"] for name in ("user", "judge", "tagger")),
    ]


def test_the_summary_shows_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a__1").mkdir()
    (tmp_path / "a__1" / "config.json").write_text('{"trial_name": "a__1"}')
    assert main(["summary", str(tmp_path)]) == 0
    assert "what 1 trials cost (? unknown)" in capsys.readouterr().out
    assert main(["summary", "--json", str(tmp_path)]) == 0
    (trial,) = json.loads(capsys.readouterr().out)["trials"]
    assert trial["ledger"]["agent"]["usage"]["input_tokens"] is None
    assert trial["ledger"]["judge"]["usage"]["input_tokens"] == 0
