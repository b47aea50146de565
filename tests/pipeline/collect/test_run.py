"""Whole collections: what comes out, what is read again, and what a kill leaves."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from swe_together.cli import main
from swe_together.errors import MisuseError, SessionFileError
from swe_together.pipeline.collect import Candidate, Rules, read_candidates
from swe_together.pipeline.collect import _read as reading
from swe_together.pipeline.collect._journal import Journal
from swe_together.pipeline.collect._run import Collection, Funnel, journal_path, left_over, rejected_path
from tests.pipeline.sessions.claude_log import ClaudeLogWriter, small_session


def eligible(session: str) -> ClaudeLogWriter:
    log = small_session(session)
    log.records[0]["message"]["content"] += f" ({session})"
    return log


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Three candidates, one of a single turn, a file of another kind and an empty one."""
    folder = tmp_path / "logs"
    for name in ("one", "two", "three"):
        eligible(name).write(folder / f"{name}.jsonl")
    short = ClaudeLogWriter("short")
    short.user("only this")
    short.write(folder / "short.jsonl")
    (folder / "package.json").write_text('{"name": "x"}')
    ClaudeLogWriter("empty").bare("summary", summary="s", leafUuid="x")
    empty = ClaudeLogWriter("empty")
    empty.bare("summary", summary="s", leafUuid="x")
    empty.write(folder / "empty.jsonl")
    return folder


def collect(folder: Path, output: Path, jobs: int = 1, **rules: Any) -> Funnel:
    return Collection([folder], output, Rules(**rules)).run(jobs, lambda files, size: None)


def ids(path: Path) -> list[str]:
    return [candidate.facts.session_id for candidate in read_candidates(path)]


def test_candidates_rejected_and_the_funnel(logs: Path, tmp_path: Path) -> None:
    output = tmp_path / "c.jsonl"
    funnel = collect(logs, output)
    assert (funnel.files, funnel.foreign, funnel.empty, funnel.broken) == (6, 1, 1, [])
    assert (funnel.sessions, funnel.eligible, dict(funnel.first)) == (4, 3, {"single-turn": 1})
    assert list(left_over(funnel)) == [("single-turn", 1, 1, 3), ("no-edits", 0, 1, 3)]
    assert ids(output) == ["one", "three", "two"]
    [rejected] = read_candidates(rejected_path(output))
    assert [reason.rule for reason in rejected.reasons] == ["single-turn", "no-edits"]
    [one, *_] = read_candidates(output)
    assert len(list(one.session().humans())) == 3


def test_no_word_of_a_session_is_written(logs: Path, tmp_path: Path) -> None:
    output = tmp_path / "c.jsonl"
    collect(logs, output)
    for path in (output, rejected_path(output), journal_path(output)):
        text = path.read_text()
        assert "kettle whistles" not in text and "only this" not in text and "sea level" not in text


def test_several_processes_find_the_same(logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(40):
        eligible(f"more{number}").write(logs / "more" / f"{number}.jsonl")
    monkeypatch.setattr(reading, "_BATCH_FILES", 3)
    collect(logs, tmp_path / "a.jsonl", jobs=1)
    collect(logs, tmp_path / "b.jsonl", jobs=3)
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert len(ids(tmp_path / "a.jsonl")) == 43


def test_what_is_known_is_not_read_again_until_it_changes(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "c.jsonl"
    first = collect(logs, output)
    before = output.read_bytes()
    read: list[str] = []
    original = reading.read_file

    def spied(place: Any) -> Any:
        read.append(place.path.name)
        return original(place)

    monkeypatch.setattr(reading, "read_file", spied)
    again = collect(logs, output)
    assert (read, again.reread, first.reread) == ([], 0, 6)
    assert output.read_bytes() == before
    assert collect(logs, output, min_messages=1, min_edits=0).eligible == 4
    assert read == []  # other rules need no reading
    eligible("four").write(logs / "two.jsonl")
    eligible("five").write(logs / "five.jsonl")
    (logs / "one.jsonl").unlink()
    assert collect(logs, output).reread == 2
    assert sorted(read) == ["five.jsonl", "two.jsonl"]
    assert ids(output) == ["five", "three", "four"]


def test_a_file_that_changes_without_changing_its_size_is_read_again(logs: Path, tmp_path: Path) -> None:
    output = tmp_path / "c.jsonl"
    collect(logs, output)
    path = logs / "one.jsonl"
    status = path.stat()
    path.write_bytes(path.read_bytes().replace(b'"one"', b'"0ne"'))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    assert collect(logs, output).reread == 1
    assert "0ne" in ids(output)


def test_of_logs_of_one_session_the_longest_is_kept(tmp_path: Path) -> None:
    folder, output = tmp_path / "logs", tmp_path / "c.jsonl"
    whole = eligible("same")
    whole.write(folder / "b.jsonl")
    del whole.records[-2:]
    whole.write(folder / "a.jsonl")
    resumed = eligible("same")
    for record in resumed.records:
        record["sessionId"] = "resumed-under-another-id"
    del resumed.records[-1:]
    resumed.write(folder / "c.jsonl")
    collect(folder, output)
    [kept] = read_candidates(output)
    assert kept.place.path.name == "b.jsonl"
    rejected = list(read_candidates(rejected_path(output)))
    assert [(one.place.path.name, one.reasons[0].rule) for one in rejected] == [
        ("a.jsonl", "duplicate"), ("c.jsonl", "duplicate"),
    ]  # fmt: skip
    assert rejected[0].reasons[0].detail == f"of {folder / 'b.jsonl'}"


def test_of_equally_long_logs_the_first_by_its_place_is_kept_whichever_was_read_first(tmp_path: Path) -> None:
    folder, output = tmp_path / "logs", tmp_path / "c.jsonl"
    eligible("same").write(folder / "b.jsonl")
    collect(folder, output)
    eligible("same").write(folder / "a.jsonl")
    assert collect(folder, output).reread == 1
    assert [one.place.path.name for one in read_candidates(output)] == ["a.jsonl"]
    assert [one.place.path.name for one in read_candidates(rejected_path(output))] == ["b.jsonl"]


def test_a_broken_file_stops_nothing_and_is_named(logs: Path, tmp_path: Path) -> None:
    output = tmp_path / "c.jsonl"
    from swe_together.pipeline.sessions import write_sessions

    write_sessions(logs / "z.jsonl", [])
    (logs / "z.jsonl").write_text('{"format":"swe-together","version":9,"origin":{},"tokens":{},"problems":[]}\n')
    funnel = collect(logs, output)
    assert funnel.eligible == 3
    [(name, error)] = funnel.broken
    assert name == str(logs / "z.jsonl")
    assert "version 9" in error


def test_a_named_file_of_another_kind_is_broken_and_a_found_one_is_not(logs: Path, tmp_path: Path) -> None:
    named = logs / "package.json"
    funnel = Collection([named, logs], tmp_path / "c.jsonl", Rules()).run(1, lambda files, size: None)
    assert [name for name, _ in funnel.broken] == [str(named)]
    funnel = Collection([named], tmp_path / "d.jsonl", Rules()).run(1, lambda files, size: None)
    assert [name for name, _ in funnel.broken] == [str(named)]


def test_what_a_collection_writes_is_no_session(logs: Path) -> None:
    output = logs / "c.jsonl"
    assert collect(logs, output).files == collect(logs, output).files == 6


def test_two_collections_of_one_output_exclude_each_other(logs: Path, tmp_path: Path) -> None:
    output = tmp_path / "c.jsonl"
    with Journal(journal_path(output)), pytest.raises(MisuseError, match="another collect is writing it"):
        collect(logs, output)


@pytest.mark.parametrize("tear", [lambda data: data[:-20], lambda data: data + b'{"version":1,"pla'])
def test_a_torn_journal_loses_its_last_file_only(logs: Path, tmp_path: Path, tear: Callable[[bytes], bytes]) -> None:
    output = tmp_path / "c.jsonl"
    collect(logs, output)
    before = output.read_bytes()
    journal = journal_path(output)
    journal.write_bytes(tear(journal.read_bytes()))
    assert collect(logs, output).reread <= 1
    assert output.read_bytes() == before
    assert collect(logs, output).reread == 0


def test_a_candidate_whose_file_has_changed_is_a_typed_error(logs: Path, tmp_path: Path) -> None:
    output = tmp_path / "c.jsonl"
    collect(logs, output)
    first: Candidate = next(read_candidates(output))
    eligible("other").write(first.place.path)
    with pytest.raises(SessionFileError, match="holds no session 'one' any more"):
        first.session()


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)])
def test_a_stopped_run_is_continued(tmp_path: Path, sent: signal.Signals, code: int) -> None:
    """Killed as hard as can be, or interrupted, while it reads; its processes end with it."""
    folder, output = tmp_path / "logs", tmp_path / "c.jsonl"
    for number in range(120):
        log = eligible(f"s{number:03}")
        log.records += [log.records[1]] * 400
        log.write(folder / f"{number:03}.jsonl")
    command = [sys.executable, "-m", "swe_together", "collect", str(folder), "-o", str(output), "-j", "2"]
    said = tmp_path / "said"
    with (
        said.open("wb") as stream,
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stream) as process,
    ):
        journal = journal_path(output)
        deadline = time.monotonic() + 60
        while not (journal.exists() and journal.stat().st_size) and time.monotonic() < deadline:
            time.sleep(0.005)
        children = [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]
        process.send_signal(sent)
        assert process.wait() == code, said.read_text()
    assert children
    assert not output.exists()
    known = len(journal.read_bytes().splitlines())
    assert 0 < known < 120
    funnel = collect(folder, output, jobs=2)
    assert 120 - known <= funnel.reread <= 120 - known + 1
    assert len(ids(output)) == 120
    deadline = time.monotonic() + 20
    while any(_alive(pid) for pid in children) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(_alive(pid) for pid in children)


def test_an_interrupt_while_the_processes_start_ends_them_all(tmp_path: Path) -> None:
    """Ctrl-C goes to the whole group; between the fork and the process's own first line it once left all waiting."""
    folder = tmp_path / "logs"
    for number in range(20):
        eligible(f"s{number:03}").write(folder / f"{number:03}.jsonl")
    for turn in range(6):
        output = tmp_path / f"{turn}.jsonl"
        command = [sys.executable, "-m", "swe_together", "collect", str(folder), "-o", str(output), "-j", "2"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True) as process:
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
            deadline = time.monotonic() + 60
            while not children.read_text().split() and time.monotonic() < deadline:
                time.sleep(0.0005)
            time.sleep(0.002 * turn)
            os.killpg(process.pid, signal.SIGINT)
            try:
                assert process.wait(timeout=30) in (0, 130)
            finally:
                if process.returncode is None:
                    os.killpg(process.pid, signal.SIGKILL)


def _alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


# --- the command ---------------------------------------------------------------------------------


def test_the_command(logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "c.jsonl"
    assert main(["collect", str(logs), "-o", str(output), "-j", "1"]) == 0
    printed = capsys.readouterr()
    assert "single-turn" in printed.out and "candidates" in printed.out
    assert "1 no session files" in printed.out
    assert len(output.read_text().splitlines()) == 3
    assert main(["collect", str(logs), "-o", str(output), "--min-messages", "9"]) == 1
    assert "few-messages" in capsys.readouterr().out
    assert ids(output) == []
    assert len([json.loads(line) for line in rejected_path(output).read_text().splitlines()]) == 4


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["/nonexistent"], "/nonexistent: no such file or folder"),
        ([".", "--rules", "/nonexistent.yaml"], "/nonexistent.yaml"),
        ([".", "--min-agent-share", "7"], "min_agent_share: 7.0 is not a number from 0 to 1"),
    ],
)
def test_misuse_is_2(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["collect", *arguments, "-o", str(tmp_path / "c.jsonl")]) == 2
    assert said in capsys.readouterr().err
