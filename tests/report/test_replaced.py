"""A trial whose result was cut off, by a full disk or a kill, and the one that was played in its place."""

from pathlib import Path

import pytest

from swe_together.report import read_table
from tests.support.jobs import Spec, write_job, write_trial


@pytest.mark.parametrize("minute", [0, 1, 5])
def test_a_trial_without_a_whole_result_gives_its_place_to_the_one_played_instead(minute: int, tmp_path: Path) -> None:
    planned = [Spec(minute=1), Spec(minute=2), Spec(minute=3)]
    job = write_job(tmp_path / "job", planned)
    cut_off = write_trial(job, Spec(minute=minute), name="one__cutoff7")
    (cut_off / "result.json").write_text("")
    table = read_table([job], cache_at=None)
    assert table.statuses == {"ok": 3, "duplicate": 1}
    assert table.planned == 3
    (cause,) = table.frame["cause"].dropna()
    assert "by itself: corrupt" in cause


def test_it_keeps_its_place_where_no_other_was_played(tmp_path: Path) -> None:
    planned = [Spec(minute=1), Spec(minute=2)]
    job = write_job(tmp_path / "job", planned[:1], planned=planned)
    (write_trial(job, planned[1]) / "result.json").write_text("{")
    assert read_table([job], cache_at=None).statuses == {"ok": 1, "corrupt": 1}
