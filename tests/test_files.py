"""Results are written whole or not at all, and so that others than whoever ran the job can read them."""

import os
from pathlib import Path

import pytest

from swe_together.files import write_atomically


def test_whoever_looks_after_the_results_can_read_them(tmp_path: Path) -> None:
    """A temporary file has mode 0600, and a rename keeps that."""
    before = os.umask(0o077)
    try:
        write_atomically(tmp_path / "new" / "result.json", "{}")
    finally:
        os.umask(before)
    file = tmp_path / "new" / "result.json"
    assert file.stat().st_mode & 0o777 == 0o644
    assert (file.stat().st_uid, file.stat().st_gid) == (os.getuid(), file.parent.stat().st_gid)


def test_what_can_not_be_written_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "result.json"
    write_atomically(file, "old")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(file, "new")
    assert [path.name for path in tmp_path.iterdir()] == ["result.json"]
    assert file.read_text() == "old"
