"""opencode's sessions, in each of the places where it keeps them."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from swe_together.errors import SessionFileError
from swe_together.pipeline.sessions import (
    Call,
    Interrupt,
    Notice,
    Outcome,
    Reply,
    Session,
    Source,
    Tokens,
    read_sessions,
)
from tests.pipeline.sessions.opencode_store import OpencodeWriter, failed, text, tool, write_database

Writer = Callable[[OpencodeWriter, Path], Path]

PLACES: dict[str, Writer] = {
    "export": lambda log, folder: log.export(folder / "export.json"),
    "database": lambda log, folder: write_database(folder / "opencode.db", log),
    "tree": lambda log, folder: log.tree(folder / "storage"),
}
REFUSED = "The user rejected permission to use this specific tool call"
TEMPLATE = "# Make Tea\n\nBoil water.\n\n## Example Usage\n\n```\n/make-tea @leaves.md\n```"

PASTED = f"{TEMPLATE}\n\n🫖 @leaves.md"


def read(log: OpencodeWriter, folder: Path) -> Session:
    [session] = read_sessions(log.export(folder / "export.json"))
    return session


def said(session: Session) -> list[tuple[str, str]]:
    return [(human.channel, human.text) for human in session.humans()]


def outcomes(session: Session) -> list[Outcome]:
    return [event for event in session.events if isinstance(event, Outcome)]


def notices(session: Session) -> list[tuple[str, str]]:
    return [(event.kind, event.text) for event in session.events if isinstance(event, Notice)]


@pytest.mark.parametrize("place", PLACES)
def test_a_whole_session(tmp_path: Path, place: str) -> None:
    log = OpencodeWriter()
    log.user("the kettle whistles too early")
    log.agent(
        text("I'll look."),
        {"type": "reasoning", "text": "hm"},
        tool("read", "c1", "1: LIMIT = 80", filePath="/home/ada/kettle/src/whistle.py"),
        tool("edit", "c2", "Edit applied.", {"filediff": {"file": "w", "before": "A", "after": "B"}}, filePath="/w.py"),
    )
    log.user("run the tests")
    log.agent(tool("bash", "c3", "1 failed", {"exit": 1}, command="pytest -q"), text("One fails."))
    [session] = read_sessions(PLACES[place](log, tmp_path))
    assert said(session) == [("typed", "the kettle whistles too early"), ("typed", "run the tests")]
    assert [event.text for event in session.events if isinstance(event, Reply)] == ["I'll look.", "One fails."]
    calls = [event for event in session.events if isinstance(event, Call)]
    assert [(call.call_id, call.action, call.path, call.command) for call in calls] == [
        ("c1", "read", "/home/ada/kettle/src/whistle.py", None),
        ("c2", "edit", "/w.py", None),
        ("c3", "run", None, "pytest -q"),
    ]
    assert [(one.status, one.exit_code, one.before, one.after) for one in outcomes(session)] == [
        ("ok", None, None, None),
        ("ok", None, "A", "B"),
        ("failed", 1, None, None),
    ]
    origin = session.origin
    assert (origin.session_id, origin.parent, origin.version) == ("ses_0c", None, "1.2.0")
    assert (origin.cwd, origin.models) == ("/home/ada/kettle", ("gpt-x",))
    assert session.tokens == Tokens(input=246, cached=200, output=14, reasoning=4)
    assert session.started is not None and session.started.isoformat() == "2026-03-01T09:00:00+00:00"
    assert session.problems == ()


def test_a_database_gives_each_session_with_its_own_problems(tmp_path: Path) -> None:
    one, two = OpencodeWriter("ses_01"), OpencodeWriter("ses_02", parentID="ses_01")
    one.user("one")
    two.user("look into it")
    path = write_database(tmp_path / "opencode.db", one, two, OpencodeWriter("ses_03"))
    with sqlite3.connect(path) as database:
        database.execute("INSERT INTO message VALUES ('msg_019', 'ses_01', 1, 'no json')")
    first, second = read_sessions(path)
    assert (said(first), said(second)) == ([("typed", "one")], [])
    assert ([len(session.problems) for session in (first, second)]) == [1, 0]
    assert second.origin.parent == "ses_01"
    assert notices(second) == [("synthetic", "look into it")]


def test_a_database_that_is_no_file_is_read_from_its_bytes(tmp_path: Path) -> None:
    log = OpencodeWriter()
    log.user("one")
    path = write_database(tmp_path / "opencode.db", log)
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA journal_mode = WAL")
    database.close()
    [session] = read_sessions(Source(tmp_path, "opencode.db", lambda: path.open("rb")))
    assert said(session) == [("typed", "one")]


@pytest.mark.parametrize("size", [100, 5000])
def test_a_damaged_database_is_an_error_that_says_so(tmp_path: Path, size: int) -> None:
    log = OpencodeWriter()
    log.user("one" * 2000)
    path = write_database(tmp_path / "opencode.db", log)
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(SessionFileError, match=r"opencode\.db"):
        list(read_sessions(path))


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE session (id text)")
    with pytest.raises(SessionFileError, match="without opencode's tables"):
        list(read_sessions(path))


def test_a_session_file_without_its_messages_is_refused(tmp_path: Path) -> None:
    log = OpencodeWriter()
    path = tmp_path / "ses_0c.json"
    path.write_text(json.dumps(log.info))
    with pytest.raises(SessionFileError, match="messages are missing"):
        list(read_sessions(path))


def test_a_broken_file_in_the_tree_is_reported_and_skipped(tmp_path: Path) -> None:
    log = OpencodeWriter()
    log.user("one")
    log.user("two", text("and a half"))
    path = log.tree(tmp_path / "storage")
    (tmp_path / "storage" / "message" / "ses_0c" / "msg_0c001.json").write_text('{"id": "msg_')
    (tmp_path / "storage" / "part" / "msg_0c002" / "prt_0c00202.json").write_text("")
    [session] = read_sessions(path)
    assert said(session) == [("typed", "two")]
    assert len(session.problems) == 2


def test_synthetic_and_ignored_texts_are_a_programs(tmp_path: Path) -> None:
    log = OpencodeWriter()
    log.user(
        "look at @whistle.py",
        text("Called the Read tool with the following input: {}", synthetic=True),
        text("LIMIT = 80", synthetic=True),
        text("not for you", ignored=True),
    )
    session = read(log, tmp_path)
    assert said(session) == [("typed", "look at @whistle.py")]
    assert [kind for kind, _ in notices(session)] == ["synthetic"] * 3


def test_a_message_that_was_typed_while_the_agent_worked(tmp_path: Path) -> None:
    log = OpencodeWriter()
    log.user("one")
    log.agent(text("Working."), time={"created": 1, "completed": 1_772_355_600_000 + 60_000})
    log.user("faster")
    log.agent(text("Done."))
    log.user("thanks")
    assert said(read(log, tmp_path)) == [("typed", "one"), ("queued", "faster"), ("typed", "thanks")]


def test_answers_and_the_reason_of_a_refusal_are_the_persons_words(tmp_path: Path) -> None:
    log = OpencodeWriter()
    log.user("one")
    log.agent(
        tool("question", "c1", "User has answered", {"answers": [["99"], ["slowly", "99"]]}, questions=[]),
        failed("bash", "c2", f"{REFUSED} with the following feedback: not on a Sunday", command="boil"),
        failed("bash", "c3", f"{REFUSED}.", command="boil"),
        failed("question", "c4", "The user dismissed this question", questions=[]),
        failed("edit", "c5", "oldString not found", filePath="a.py"),
        failed("bash", "c6", "Tool execution aborted", command="boil"),
    )
    session = read(log, tmp_path)
    assert said(session)[1:] == [("answer", "99\nslowly\n99"), ("rejection", "not on a Sunday")]
    assert [one.status for one in outcomes(session)] == ["ok", "rejected", "rejected", "rejected", "failed", "aborted"]


def test_a_call_that_never_ended_has_no_outcome(tmp_path: Path) -> None:
    log = OpencodeWriter()
    part = tool("bash", "c1", "", command="sleep")
    part["state"]["status"] = "running"
    log.agent(part, error={"name": "MessageAbortedError", "data": {}})
    session = read(log, tmp_path)
    assert [type(event) for event in session.events] == [Call, Interrupt]


def test_a_command_that_the_person_ran_is_no_call_of_the_agent(tmp_path: Path) -> None:
    log = OpencodeWriter()
    log.message("user", [text("The following tool was executed by the user", synthetic=True)])
    log.agent(tool("bash", "c1", "src", {"exit": 0}, command="ls"))
    log.user("one")
    log.agent(tool("bash", "c2", "src", {"exit": 0}, command="ls"))
    session = read(log, tmp_path)
    assert notices(session) == [("shell", "$ ls\nsrc")]
    assert [event.call_id for event in session.events if isinstance(event, Call)] == ["c2"]
    assert session.tokens.output == 7


def file_part(value: str, start: int) -> dict[str, object]:
    source = {"type": "file", "path": value, "text": {"value": value, "start": start, "end": start + len(value)}}
    return {"type": "file", "mime": "text/plain", "filename": value, "url": f"file:///{value}", "source": source}


@pytest.mark.parametrize(
    ("shown", "part", "command", "typed"),
    [
        # The mention stands where it was typed.
        ("look at @leaves.md please", file_part("@leaves.md", 8), None, "look at @leaves.md please"),
        ("☕🫖 look at @leaves.md", file_part("@leaves.md", 12), None, "☕🫖 look at @leaves.md"),
        # "/make-tea " before it was typed, and the body of the command stands there.
        (f"{TEMPLATE}\n\n@leaves.md and no sugar", file_part("@leaves.md", 10), "/make-tea", "@leaves.md and no sugar"),
        (f"{TEMPLATE}\n\nof @leaves.md", file_part("@leaves.md", 13), "/make-tea", "of @leaves.md"),
        ("Boil water, as /make-tea does.\n\n@leaves.md", file_part("@leaves.md", 10), "/make-tea", "@leaves.md"),
        # A pasted text that looks like a body, with the mention where it was typed, in UTF-16 units.
        (
            f"{TEMPLATE}\n\n🫖 @leaves.md",
            file_part("@leaves.md", len(TEMPLATE) + 5),
            None,
            f"{TEMPLATE}\n\n🫖 @leaves.md",
        ),
        # A body whose title is its name.
        (f"{TEMPLATE}\n\nno sugar", None, "/make-tea", "no sugar"),
        (TEMPLATE, None, None, None),
        # A pasted text moves the mention away, and a title alone proves nothing.
        ("pasted\n\ntext, see @leaves.md", file_part("@leaves.md", 24), None, "pasted\n\ntext, see @leaves.md"),
        ("# Make Tea\n\nlike this", None, None, "# Make Tea\n\nlike this"),
    ],
)
def test_the_body_of_a_slash_command_is_not_what_was_typed(
    tmp_path: Path, shown: str, part: dict[str, object] | None, command: str | None, typed: str | None
) -> None:
    log = OpencodeWriter()
    log.user(shown, *([part] if part else []))
    session = read(log, tmp_path)
    assert [(human.command, human.text) for human in session.humans()] == ([(command, typed)] if typed else [])
    assert notices(session) == ([("expansion", shown)] if typed != shown else [])


def test_a_subtask_that_a_command_started(tmp_path: Path) -> None:
    log = OpencodeWriter()
    log.message("user", [{"type": "subtask", "prompt": "review all", "agent": "reviewer", "command": "review"}])
    assert notices(read(log, tmp_path)) == [("expansion", "review all")]


def test_a_summary_and_the_message_that_is_sent_again_after_it(tmp_path: Path) -> None:
    log = OpencodeWriter()
    log.user("go on")
    log.agent(text("Yes."))
    log.user("go on")
    log.message("user", [{"type": "compaction", "auto": True}])
    log.agent(text("We boiled water."), summary=True, mode="compaction")
    log.user("go on")
    log.user("go on")
    session = read(log, tmp_path)
    assert said(session) == [("typed", "go on")] * 3
    assert notices(session) == [("summary", "We boiled water."), ("synthetic", "go on")]


def test_what_was_taken_back_is_left_out(tmp_path: Path) -> None:
    for part, kept in ((None, ["one"]), ("prt_0c00302", ["one", "two"])):
        log = OpencodeWriter(revert={"messageID": "msg_0c003", **({"partID": part} if part else {})})
        log.user("one")
        log.agent(text("Yes."))
        log.user("two", text("and more"))
        log.agent(tool("bash", "c1", "gone", command="rm"))
        session = read(log, tmp_path)
        assert [text for _, text in said(session)] == kept
        assert notices(session) == [("other", "taken back from here on")]
        assert not outcomes(session)


def test_files_before_and_after_a_turn_go_to_its_first_and_last_change(tmp_path: Path) -> None:
    log = OpencodeWriter()
    diffs = [{"file": "src/whistle.py", "before": "A", "after": "D"}, {"file": "new.py", "before": "", "after": "N"}]
    path = "/home/ada/kettle/src/whistle.py"
    log.user("one", summary={"diffs": diffs})
    log.agent(
        failed("edit", "c0", "oldString not found", filePath=path),
        tool("edit", "c1", "ok", filePath=path),
        tool("edit", "c2", "ok", {"filediff": {"file": path, "before": "B", "after": "C"}}, filePath=path),
        tool("edit", "c3", "ok", filePath=path),
        tool("write", "c4", "ok", filePath="/home/ada/kettle/new.py", content="N"),
        tool("edit", "c5", "ok", filePath="/home/ada/kettle/old-src/whistle.py"),
    )
    log.user("two")
    log.agent(tool("edit", "c6", "ok", filePath=path))
    found = {one.call_id: (one.before, one.after) for one in outcomes(read(log, tmp_path))}
    assert found == {
        "c0": (None, None),
        "c1": ("A", None),
        "c2": ("B", "C"),
        "c3": (None, "D"),
        "c4": (None, "N"),
        "c5": (None, None),
        "c6": (None, None),
    }


def test_contents_that_a_call_recorded_stay(tmp_path: Path) -> None:
    log = OpencodeWriter()
    log.user("one", summary={"diffs": [{"file": "a.py", "before": "A", "after": "D"}]})
    log.agent(tool("edit", "c1", "ok", {"filediff": {"before": "B", "after": "C"}}, filePath="/k/a.py"))
    assert [(one.before, one.after) for one in outcomes(read(log, tmp_path))] == [("B", "C")]


def test_a_patch_names_its_first_file_and_one_file_its_contents(tmp_path: Path) -> None:
    patch = "*** Begin Patch\n*** Delete File: a.py\n*** Update File: b.py\n@@\n-x\n+y\n*** End Patch"
    log = OpencodeWriter()
    deleted = {"filePath": "a.py", "type": "delete", "before": "A", "after": ""}
    log.agent(tool("apply_patch", "c1", "ok", {"files": [deleted]}, patchText=patch))
    log.agent(tool("apply_patch", "c2", "ok", {"files": [deleted, {"before": "x", "after": "y"}]}, patchText=patch))
    session = read(log, tmp_path)
    [first, _] = [event for event in session.events if isinstance(event, Call)]
    assert (first.action, first.path) == ("patch", "a.py")
    assert [(one.before, one.after) for one in outcomes(session)] == [("A", None), (None, None)]


def test_tokens_are_counted_once_a_step_however_the_version_counts_them(tmp_path: Path) -> None:
    log = OpencodeWriter()
    cache = {"read": 100, "write": 0}
    step = {"type": "step-finish", "tokens": {"input": 5, "output": 4, "reasoning": 3, "cache": cache, "total": 109}}
    apart = {"type": "step-finish", "tokens": {"input": 5, "output": 4, "reasoning": 3, "cache": cache, "total": 112}}
    log.agent(step, apart)
    log.agent(text("never ended"), time={"created": 1}, tokens={"input": 0, "output": 0, "reasoning": 0})
    assert read(log, tmp_path).tokens == Tokens(input=210, cached=200, output=11, reasoning=6)


def test_ids_that_were_redacted_do_not_make_messages_one(tmp_path: Path) -> None:
    log = OpencodeWriter()
    for words in ("one", "two"):
        log.user(words)
        log.agent(tool("bash", "REDACTED", words, command="ls"), tool("bash", "REDACTED", words, command="pwd"))
    for message in log.messages:
        message["info"]["id"] = "REDACTED"
        for part in message["parts"]:
            part["id"] = "REDACTED"
    session = read(log, tmp_path)
    assert said(session) == [("typed", "one"), ("typed", "two")]
    assert len(outcomes(session)) == 4


def test_a_message_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    log = OpencodeWriter()
    log.user("one")
    log.agent(tool("bash", "c1", "src", command="ls"))
    log.messages = [message for message in log.messages for _ in range(2)]
    session = read(log, tmp_path)
    assert [type(event).__name__ for event in session.events] == ["Human", "Call", "Outcome"]
    assert session.tokens.output == 7


@pytest.mark.parametrize("place", PLACES)
def test_half_an_emoji_as_javascript_writes_it_costs_no_session(tmp_path: Path, place: str) -> None:
    log = OpencodeWriter()
    log.user("tea \ud83c please")
    [session] = read_sessions(PLACES[place](log, tmp_path))
    assert said(session) == [("typed", "tea \ufffd please")]


def test_impossible_shapes_are_reported(tmp_path: Path) -> None:
    log = OpencodeWriter()
    log.user("one")
    log.messages += [7, {"parts": []}, {"info": {"id": "msg_x", "role": "assistant"}, "parts": [3, {"type": "tool"}]}]  # type: ignore[list-item]
    session = read(log, tmp_path)
    assert said(session) == [("typed", "one")]
    assert [problem.record for problem in session.problems] == [2, 3, 4, 4]
