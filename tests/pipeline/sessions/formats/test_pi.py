"""Pi's session files: the way through the tree, who said what, and what was done."""

import json
from pathlib import Path

import pytest

from swe_together.pipeline.sessions import Call, Interrupt, Notice, Outcome, Reply, Session, Tokens, read_sessions
from tests.pipeline.sessions.pi_log import PiWriter, call


def read(log: PiWriter, folder: Path) -> Session:
    [session] = read_sessions(log.write(folder / "0314.jsonl"))
    return session


def said(session: Session) -> list[tuple[str, str]]:
    return [(human.channel, human.text) for human in session.humans()]


def outcomes(session: Session) -> list[Outcome]:
    return [event for event in session.events if isinstance(event, Outcome)]


def notices(session: Session) -> list[tuple[str, str]]:
    return [(event.kind, event.text) for event in session.events if isinstance(event, Notice)]


@pytest.mark.parametrize("version", [None, 2, 3])
def test_a_whole_session(tmp_path: Path, version: int | None) -> None:
    log = PiWriter(version=version)
    log.entry("model_change", provider="example", modelId="claude-x")
    log.user("/mode")
    log.user("the kettle whistles too early")
    log.says("I'll look.", call("t1", "read", path="src/whistle.py"), stop="toolUse")
    log.result("t1", "read", "LIMIT = 80\n")
    log.says("", call("t2", "edit", path="src/whistle.py", oldText="80", newText="99"), stop="toolUse")
    log.result("t2", "edit", "Successfully replaced text in src/whistle.py.", details={"diff": "-80\n+99"})
    log.says("", call("t3", "bash", command="pytest -q"), call("t4", "write", path="a.py", content="A = 1\n"))
    log.result("t3", "bash", "1 failed\n\n\nCommand exited with code 1", error=True)
    log.result("t4", "write", "Successfully wrote 6 bytes to a.py")
    session = read(log, tmp_path)
    assert said(session) == [("typed", "/mode"), ("typed", "the kettle whistles too early")]
    assert [event.text for event in session.events if isinstance(event, Reply)] == ["I'll look."]
    calls = [event for event in session.events if isinstance(event, Call)]
    assert [(one.action, one.path, one.command) for one in calls] == [
        ("read", "src/whistle.py", None),
        ("edit", "src/whistle.py", None),
        ("run", None, "pytest -q"),
        ("write", "a.py", None),
    ]
    assert [(one.status, one.exit_code, one.after) for one in outcomes(session)] == [
        ("ok", None, None),
        ("ok", None, None),
        ("failed", 1, None),
        ("ok", None, "A = 1\n"),
    ]
    origin = session.origin
    assert (origin.session_id, origin.cwd, origin.models) == ("0314", "/home/ada/kettle", ("claude-x",))
    assert session.tokens == Tokens(input=369, cached=300, output=21)
    assert session.started is not None and session.started.isoformat() == "2026-03-01T09:00:02+00:00"


def test_other_branches_are_abandoned_attempts_but_their_tokens_were_spent(tmp_path: Path) -> None:
    log = PiWriter()
    first = log.user("one")
    log.says("Yes.")
    log.user("two, which was a mistake")
    log.says("", call("t1", "bash", command="rm -r src"))
    log.result("t1", "bash", "")
    log.leaf = first
    log.entry("branch_summary", fromId="x", summary="They tried two.")
    log.user("two, better")
    log.says("Fine.")
    session = read(log, tmp_path)
    assert said(session) == [("typed", "one"), ("typed", "two, better")]
    assert not [event for event in session.events if isinstance(event, Call | Outcome)]
    assert notices(session) == [("other", "messages taken back: 1"), ("summary", "They tried two.")]
    assert session.tokens.output == 21


def test_a_broken_line_cuts_nothing_off(tmp_path: Path) -> None:
    log = PiWriter()
    for number in range(4):
        log.user(f"message {number}")
        log.says("Yes.")
    path = log.write(tmp_path / "0314.jsonl")
    lines = path.read_text().splitlines()
    lines[2], lines[5], lines[6] = '{"type":"mess', "", "no json"
    path.write_text("\n".join(lines))
    [session] = read_sessions(path)
    assert said(session) == [("typed", f"message {number}") for number in (0, 1, 3)]
    assert [problem.record for problem in session.problems] == [3, 7]


def test_the_order_of_the_lines_does_not_matter_where_the_tree_gives_it(tmp_path: Path) -> None:
    log = PiWriter()
    for number in range(3):
        log.user(f"message {number}")
        log.says("Yes.")
    log.records[1:] = reversed(log.records[1:])
    assert said(read(log, tmp_path)) == [("typed", f"message {number}") for number in range(3)]


def test_entries_that_go_round_in_a_circle_end(tmp_path: Path) -> None:
    log = PiWriter()
    log.user("one")
    log.user("two")
    log.user("three")
    log.records[1]["parentId"] = log.records[2]["id"]
    assert said(read(log, tmp_path)) == [("typed", "one"), ("typed", "two"), ("typed", "three")]


def test_what_was_typed_before_the_message_above_was_done_had_to_wait(tmp_path: Path) -> None:
    log = PiWriter()
    log.user("one")
    log.says("", call("t1", "bash", command="sleep 9"), stop="toolUse")
    typed = log.records[-1]["message"]["timestamp"]
    log.result("t1", "bash", "")
    log.user("and another thing", timestamp=typed)
    log.says("Yes.")
    log.user("thanks")
    assert said(read(log, tmp_path)) == [("typed", "one"), ("queued", "and another thing"), ("typed", "thanks")]


def test_a_skill_that_the_person_called_is_no_typed_text(tmp_path: Path) -> None:
    block = '<skill name="brew" location="/home/ada/.pi/brew.md">\nReferences are relative to it.\n\nHeat.\n</skill>'
    log = PiWriter()
    log.user(f"{block}\n\nnot above 99")
    log.user(block)
    session = read(log, tmp_path)
    [human] = session.humans()
    assert (human.channel, human.command, human.text) == ("command", "/skill:brew", "not above 99")
    assert [kind for kind, _ in notices(session)] == ["expansion", "expansion"]


def test_texts_of_programs_and_the_persons_own_commands(tmp_path: Path) -> None:
    log = PiWriter()
    log.message("bashExecution", None, command="ls", output="src", exitCode=0)
    log.entry("compaction", summary="We raised the limit.", firstKeptEntryId="x", tokensBefore=9)
    log.entry("custom_message", customType="todo", content="1 open", display=True)
    log.message("hookMessage", "from a hook")
    log.entry("custom", customType="todo", data={})
    log.entry("label", targetId="x", label="here")
    session = read(log, tmp_path)
    assert said(session) == []
    assert notices(session) == [
        ("shell", "$ ls\nsrc"),
        ("summary", "We raised the limit."),
        ("other", "1 open"),
        ("other", "from a hook"),
    ]


@pytest.mark.parametrize("text", ["Working…\n\n\nCommand aborted", "Operation aborted"])
def test_a_stop(tmp_path: Path, text: str) -> None:
    log = PiWriter()
    log.user("one")
    log.says("", call("t1", "bash", command="sleep 9"), stop="toolUse")
    log.result("t1", "bash", text, error=True)
    log.message("assistant", [], model="claude-x", stopReason="aborted", errorMessage="Request was aborted")
    session = read(log, tmp_path)
    assert [one.status for one in outcomes(session)] == ["aborted"]
    assert [type(event) for event in session.events][-1] is Interrupt


def test_images_are_counted_and_do_not_stand_for_words(tmp_path: Path) -> None:
    image = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
    log = PiWriter()
    log.message("user", [{"type": "text", "text": "look"}, image])
    log.message("user", [image])
    session = read(log, tmp_path)
    assert [(human.text, human.images) for human in session.humans()] == [("look", 1)]
    assert notices(session) == [("other", "[image]")]


def test_a_record_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    for version in (None, 3):
        log = PiWriter(version=version)
        log.user("one")
        log.says("Yes.", call("t1", "bash", command="ls"))
        log.result("t1", "bash", "src")
        once = read(log, tmp_path)
        log.records = [record for record in log.records for _ in range(2)]
        twice = read(log, tmp_path)
        assert [type(event) for event in twice.events] == [type(event) for event in once.events]
        assert twice.tokens == once.tokens


def test_impossible_shapes_are_reported(tmp_path: Path) -> None:
    log = PiWriter()
    log.user("one")
    log.entry("message", message="text")
    log.message("assistant", [{"type": "toolCall", "name": "bash"}])
    log.message("toolResult", "out", toolName="bash")
    path = log.write(tmp_path / "0314.jsonl")
    path.write_text(path.read_text() + json.dumps({"type": "later_kind", "parentId": log.leaf, "id": "z"}) + "\n")
    [session] = read_sessions(path)
    assert said(session) == [("typed", "one")]
    assert [problem.record for problem in session.problems] == [3, 4, 5]
