"""Rows from before: the same, quicker, and never those of records that have changed."""

import json
import os
from pathlib import Path

import pandas as pd
import pytest

from swe_together.report import _table, read_table
from swe_together.report._cache import cache_folder
from tests.support.jobs import Spec, dump, write_job, write_trial


@pytest.fixture
def job(tmp_path: Path) -> Path:
    return write_job(tmp_path / "job", [Spec(), Spec(task="swe-together/two", reward=0.0)])


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the trials that were read and not remembered."""
    names: list[str] = []
    real = _table.read_row

    def spy(folder: Path) -> dict[str, object]:
        names.append(folder.name)
        return real(folder)

    monkeypatch.setattr(_table, "read_row", spy)
    return names


def test_the_second_reading_opens_no_record_and_is_the_same(job: Path, reads: list[str]) -> None:
    first = read_table([job])
    assert len(reads) == 2
    second = read_table([job])
    assert len(reads) == 2
    pd.testing.assert_frame_equal(first.frame, second.frame)


@pytest.mark.parametrize("name", ["result.json", "verifier/behaviour.json", "user-agent/session.json"])
def test_a_record_that_changed_or_went_is_read_anew(job: Path, reads: list[str], name: str) -> None:
    read_table([job])
    trial = next(job.glob("one__*"))
    old = (trial / name).stat()
    (trial / name).write_bytes((trial / name).read_bytes() + b" ")
    os.utime(trial / name, ns=(old.st_atime_ns, old.st_mtime_ns))
    read_table([job])
    assert reads[2:] == [trial.name], "another size"
    os.utime(trial / name, ns=(old.st_atime_ns, old.st_mtime_ns + 1))
    read_table([job])
    assert reads[3:] == [trial.name], "another time, to the nanosecond"
    (trial / name).unlink()
    assert read_table([job]).statuses != {"ok": 2} or name == "verifier/behaviour.json"
    assert reads[4:] == [trial.name]


def test_a_new_trial_is_read_and_one_that_is_gone_forgotten(job: Path, reads: list[str]) -> None:
    read_table([job])
    fresh = write_trial(job, Spec(task="swe-together/three"))
    assert len(read_table([job]).frame) == 3
    assert reads[2:] == [fresh.name]


def test_naming_one_trial_forgets_nothing_of_its_job(job: Path, reads: list[str]) -> None:
    read_table([job])
    read_table([next(job.glob("one__*"))])
    read_table([job])
    assert len(reads) == 2


@pytest.mark.parametrize("garbage", ["", "{", "[]", '{"version": 1}', '{"rows": {"x": 5}}', "\0" * 100])
def test_a_cache_of_garbage_or_of_another_reader_counts_for_nothing(job: Path, reads: list[str], garbage: str) -> None:
    read_table([job])
    (file,) = (cache_folder() or Path()).glob("*.json")
    file.write_text(garbage)
    assert read_table([job]).statuses == {"ok": 2}
    assert len(reads) == 4
    kept = json.loads(file.read_text())
    dump(file, {**kept, "version": "another"})
    read_table([job])
    assert len(reads) == 6


def test_without_a_cache_nothing_is_kept(job: Path, reads: list[str]) -> None:
    read_table([job], cache_at=None)
    read_table([job], cache_at=None)
    assert len(reads) == 4
    assert not (cache_folder() or Path()).exists()


def test_a_cache_that_can_not_be_written_is_no_fault(job: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert read_table([job], cache_at=tmp_path / "file" / "below").statuses == {"ok": 2}


def test_the_job_itself_is_left_as_it_was(job: Path) -> None:
    before = sorted((str(path), path.stat().st_mtime_ns) for path in job.rglob("*"))
    read_table([job])
    assert sorted((str(path), path.stat().st_mtime_ns) for path in job.rglob("*")) == before
