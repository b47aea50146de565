import os
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from swe_together.errors import TogetherError
from swe_together.live_trials import LiveTrials, live_trials, parse_process_list


def fake_process(proc: Path, pid: int, *open_files: str, command: str = "python", ticks: int = 500) -> Path:
    folder = proc / str(pid)
    (folder / "fd").mkdir(parents=True)
    for number, target in enumerate(open_files):
        (folder / "fd" / str(number)).symlink_to(target)
    (folder / "cmdline").write_bytes(command.replace(" ", "\0").encode())
    (folder / "stat").write_text(f"{pid} (a (b) c) S {' '.join(['0'] * 18)} {ticks} 0 0")
    return folder


@pytest.fixture
def proc(tmp_path: Path) -> Path:
    """A small /proc."""
    folder = tmp_path / "proc"
    fake_process(folder, 1)
    (folder / "self").symlink_to("1")
    (folder / "stat").write_text("cpu 1 2\nbtime 1000000\n")
    return folder


def test_open_logs_name_the_running_trials(proc: Path) -> None:
    fake_process(proc, 20, "/dev/null", "/jobs/a/job.log", "/jobs/a/t1__abcdefg/trial.log")
    fake_process(proc, 21, "/jobs/b/t2__abcdefg/trial.log (deleted)", "pipe:[7]", "/jobs/b/t3/my-trial.log")
    assert live_trials(proc) == LiveTrials(frozenset({"t1__abcdefg", "t2__abcdefg"}))


def test_real_process_that_holds_a_log(tmp_path: Path) -> None:
    trial = tmp_path / f"held__{secrets.token_hex(4)}"
    trial.mkdir()
    with (trial / "trial.log").open("w"):
        assert trial.name in live_trials().trials
    assert trial.name not in live_trials().trials


def test_hidden_process_counts_by_its_age_if_it_is_harbor(proc: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_process(proc, 30, command="/venv/bin/python /venv/bin/harbor run -d x", ticks=700)
    fake_process(proc, 31, command="python -m swe_together demo", ticks=900)
    fake_process(proc, 32, command="harbormaster", ticks=1)
    monkeypatch.setattr(os, "sysconf", lambda name: 100)
    original = Path.iterdir

    def iterdir(self: Path) -> Iterator[Path]:
        if self.name == "fd" and self.parent.name in ("30", "31", "32"):
            raise PermissionError
        return original(self)

    monkeypatch.setattr(Path, "iterdir", iterdir)
    assert live_trials(proc) == LiveTrials(frozenset(), datetime.fromtimestamp(1000007, UTC))


def test_hidden_processes_are_an_error(proc: Path) -> None:
    (proc / "1").rename(proc / "one")
    (proc / "self").unlink()
    (proc / "self").symlink_to("one")
    with pytest.raises(TogetherError, match="Run this as root"):
        live_trials(proc)


def test_list_of_processes_where_there_is_no_proc() -> None:
    text = """\
   10 Mon Nov 30 02:18:48 2026     /opt/venv/bin/python /opt/venv/bin/harbor run -d swe-together
   11 Mon Nov 30 01:18:48 2026     vim notes.txt
   12 Mon Nov 30 01:20:00 2026     swe-together clean
   13 Mon Nov  2 03:00:00 2026     bash
"""
    assert parse_process_list(text, own=12).unseen_since == datetime(2026, 11, 30, 2, 18, 48).astimezone()
    assert parse_process_list("", own=1) == LiveTrials(frozenset())
