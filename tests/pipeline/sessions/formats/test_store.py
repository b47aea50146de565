"""Our own form: what is written is read again, equal."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from swe_together.errors import SessionFileError
from swe_together.pipeline.sessions import (
    Call,
    Human,
    Interrupt,
    Notice,
    Origin,
    Outcome,
    Problem,
    Reply,
    Session,
    Tokens,
    read_sessions,
    write_sessions,
)
from tests.pipeline.sessions.claude_log import small_session

AT = datetime(2026, 3, 1, 9, 0, 0, 123000, tzinfo=UTC)
EVERY = Session(
    origin=Origin(
        format="entire",
        file="full.jsonl",
        session_id="5e55",
        cwd="/home/ada/kettle",
        commit="a" * 40,
        agent="Claude Code",
        agent_share=0.75,
        models=("x", "y"),
        commits=("b" * 40,),
        project="kettle",
    ),
    events=(
        Human(record=1, at=AT, text="make “tea”\n\t🍵", channel="queued", images=2, command=None),
        Human(record=2, at=None, text="x", channel="command", command="/brew"),
        Reply(record=3, at=AT, text="yes", model="x"),
        Call(record=4, at=AT, call_id="t1", tool="Edit", action="edit", input={"a": [1, {"b": None}]}, path="a.py"),
        Outcome(record=5, at=AT, call_id="t1", status=None, text="", exit_code=-1, before="", user_modified=True),
        Outcome(record=6, at=AT, call_id="t2", status="ok", text="x", after="z"),
        Interrupt(record=6, at=None),
        Notice(record=7, at=AT, kind="summary", text="s"),
    ),
    tokens=Tokens(input=0, output=5),
    problems=(Problem(record=9, reason="not JSON"),),
)


def test_every_kind_of_event_survives(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    other = replace(EVERY, origin=Origin(format="pi", file="x", session_id="2"), events=(), problems=())
    write_sessions(path, [EVERY, other])
    assert list(read_sessions(path)) == [EVERY, other]


def test_an_imported_session_survives_and_keeps_its_origin(tmp_path: Path) -> None:
    [session] = read_sessions(small_session().write(tmp_path / "5e55.jsonl"))
    write_sessions(tmp_path / "s.jsonl", [session])
    assert list(read_sessions(tmp_path / "s.jsonl")) == [session]
    assert session.origin.format == "claude-code"


def test_a_broken_line_becomes_a_problem_of_its_session(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    write_sessions(path, [EVERY, EVERY])
    lines = path.read_bytes().splitlines(keepends=True)
    lines[1] = b'{"event":"human"\n'
    lines[2] = b'{"event":"shout","text":"x"}\n'
    path.write_bytes(b"".join(lines))
    first, second = read_sessions(path)
    assert [problem.record for problem in first.problems] == [9, 2, 3]
    assert len(first.events) == 6
    assert second == EVERY


def test_another_version_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    write_sessions(path, [replace(EVERY, version=99)])
    with pytest.raises(SessionFileError, match="sessions of version 99; this program reads 1"):
        list(read_sessions(path))
