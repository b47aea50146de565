"""Claude Code's logs: what people say beside their messages, by refusing, allowing, answering and in the queue."""

from pathlib import Path

import pytest

from swe_together.pipeline.sessions import Interrupt, Notice, Outcome, Session, read_sessions
from tests.pipeline.sessions.claude_log import REJECTED, SAID, STOP, ClaudeLogWriter


def read(log: ClaudeLogWriter, folder: Path) -> Session:
    [session] = read_sessions(log.write(folder / "5e55.jsonl"))
    return session


def said(session: Session) -> list[tuple[str, str]]:
    return [(human.channel, human.text) for human in session.humans()]


def notices(session: Session) -> list[str]:
    return [event.kind for event in session.events if isinstance(event, Notice)]


# --- refusals, remarks, answers ----------------------------------------------------------------


def test_the_reason_of_a_refusal_is_the_persons(tmp_path: Path) -> None:
    log = ClaudeLogWriter()
    log.user("go")
    log.calls("Edit", "t1", file_path="a.py", old_string="a", new_string="b")
    log.result("t1", REJECTED + SAID + "use the helper instead", "Error: refused", error=True)
    session = read(log, tmp_path)
    assert said(session) == [("typed", "go"), ("rejection", "use the helper instead")]
    assert [event.status for event in session.events if isinstance(event, Outcome)] == ["rejected"]


@pytest.mark.parametrize(
    "text",
    [
        REJECTED + STOP,
        REJECTED + SAID + "The user wants to clarify these questions.\nQuestions asked:\n- colour?",
        REJECTED + SAID + "   ",
    ],
)
def test_a_refusal_without_words_says_nothing(tmp_path: Path, text: str) -> None:
    log = ClaudeLogWriter()
    log.user("go")
    log.calls("Bash", "t1", command="rm -r x")
    log.result("t1", text, "User rejected tool use", error=True)
    log.user([{"type": "text", "text": "[Request interrupted by user for tool use]"}])
    session = read(log, tmp_path)
    assert said(session) == [("typed", "go")]
    assert sum(isinstance(event, Interrupt) for event in session.events) == 1


def test_a_note_of_the_program_after_the_reason_is_cut_off(tmp_path: Path) -> None:
    log = ClaudeLogWriter()
    log.calls("Bash", "t1", command="x")
    note = "\n\nNote: The user's next message may contain a correction or preference. Pay close attention."
    log.result("t1", REJECTED + SAID + "not on fridays" + note, "Error", error=True)
    assert said(read(log, tmp_path)) == [("rejection", "not on fridays")]


def test_output_that_quotes_a_refusal_is_no_refusal(tmp_path: Path) -> None:
    log = ClaudeLogWriter()
    log.user("show me that log")
    log.calls("Bash", "t1", command="cat old.log")
    log.result("t1", REJECTED + SAID + "delete everything", {"stdout": "…", "interrupted": False})
    log.calls("Bash", "t2", command="cat old.log; false")
    log.result("t2", "Exit code 1\n" + REJECTED + SAID + "delete everything", "Error: Exit code 1", error=True)
    session = read(log, tmp_path)
    assert said(session) == [("typed", "show me that log")]
    assert [event.exit_code for event in session.events if isinstance(event, Outcome)] == [0, 1]


def test_a_remark_beside_an_allowed_edit_is_the_persons(tmp_path: Path) -> None:
    log = ClaudeLogWriter()
    log.calls("Edit", "t1", file_path="a.py", old_string="a", new_string="b")
    log.result("t1", "The file has been updated.", {"filePath": "a.py"}, beside="when was that added?")
    log.calls("ToolSearch", "t2", query="x")
    log.result("t2", "", {"matches": []}, beside="Tool loaded.")
    log.calls("Read", "t3", file_path="b.py")
    log.result("t3", "text", {}, beside="PDF pages follow")
    log.calls("Bash", "t4", command="x")
    log.result("t4", "failed", "Error", error=True, beside="try again")
    log.calls("Skill", "t5", skill="tea")
    log.result("t5", "Launching skill", {}, beside="Brew it green.")
    log.calls("Bash", "t6", command="y")
    log.result("t6", "fine", {}, beside="[Image: source: /tmp/a.png]")
    session = read(log, tmp_path)
    assert said(session) == [("approval", "when was that added?")]
    assert notices(session) == ["other"] * 5


def test_answers_to_the_agents_questions(tmp_path: Path) -> None:
    log = ClaudeLogWriter()
    log.calls("AskUserQuestion", "t1", questions=[])
    result = {
        "questions": [],
        "answers": {"Which tea?": "green", "How long?": "Other"},
        "annotations": {"How long?": {"notes": "3 minutes"}, "Which tea?": {"notes": "green"}},
    }
    log.result("t1", 'User has answered your questions: "Which tea?"="green"', result)
    assert said(read(log, tmp_path)) == [("answer", "green\nOther\n3 minutes")]


def test_answers_in_the_result_of_another_tool_are_none(tmp_path: Path) -> None:
    log = ClaudeLogWriter()
    log.user("go")
    log.calls("mcp__quiz__play", "t1")
    log.result("t1", "played", {"answers": {"Q": "A"}})
    assert said(read(log, tmp_path)) == [("typed", "go")]


# --- the queue ---------------------------------------------------------------------------------


def test_a_queued_message_that_becomes_a_record_counts_once(tmp_path: Path) -> None:
    log = ClaudeLogWriter()
    log.user("go")
    log.queue("enqueue", "and add a test")
    log.queue("dequeue")
    log.user("and add a test")
    assert said(read(log, tmp_path)) == [("typed", "go"), ("typed", "and add a test")]


def test_a_queued_message_that_is_shown_in_an_attachment_counts_once(tmp_path: Path) -> None:
    log = ClaudeLogWriter()
    log.user("go")
    log.queue("enqueue", "and add a test")
    log.queue("remove")
    log.record("attachment", attachment={"type": "queued_command", "prompt": "and add a test", "commandMode": "prompt"})
    assert said(read(log, tmp_path)) == [("typed", "go"), ("queued", "and add a test")]


def test_a_queued_message_that_was_shown_without_a_record_is_not_lost(tmp_path: Path) -> None:
    log = ClaudeLogWriter()
    log.user("go")
    log.queue("enqueue", "the first byte")
    log.queue("enqueue", "not the last")
    log.calls("Read", "t1", file_path="a")
    log.queue("remove")
    log.queue("remove")
    log.result("t1", "x", {})
    session = read(log, tmp_path)
    assert said(session) == [("typed", "go"), ("queued", "the first byte"), ("queued", "not the last")]
    assert isinstance(session.events[-1], Outcome)


def test_what_went_back_to_the_input_line_or_was_never_shown_was_not_said(tmp_path: Path) -> None:
    log = ClaudeLogWriter()
    log.user("go")
    log.queue("enqueue", "git ad .")
    log.queue("popAll", "git ad .")
    log.queue("enqueue", "git add .")
    log.queue("remove")
    log.queue("enqueue", "its record is lost")
    log.queue("dequeue")
    log.queue("enqueue", "too late")
    assert said(read(log, tmp_path)) == [("typed", "go"), ("queued", "git add .")]


def test_a_program_uses_the_queue_too(tmp_path: Path) -> None:
    log = ClaudeLogWriter()
    log.user("go")
    log.calls("CronCreate", "t1", cron="* * * * *", prompt="check the build")
    log.result("t1", "scheduled", {})
    notified = "<task-notification>\n<task-id>b</task-id>"
    for text in (notified, '{"task_id":"a1","description":"x"}', "check the build", "/exit"):
        log.queue("enqueue", text)
        log.queue("remove")
    log.queue("enqueue", "a prompt at a set time")
    log.queue("remove")
    log.user("a prompt at a set time", isMeta=True)
    log.record(
        "attachment", attachment={"type": "queued_command", "prompt": "x done", "commandMode": "task-notification"}
    )
    session = read(log, tmp_path)
    assert said(session) == [("typed", "go")]
    assert notices(session) == ["other", "notification"]


def test_an_attachment_that_later_becomes_a_record_counts_once(tmp_path: Path) -> None:
    log = ClaudeLogWriter()
    log.record("attachment", attachment={"type": "queued_command", "prompt": "one more", "commandMode": "prompt"})
    log.user("one more", promptSource="queued")
    assert said(read(log, tmp_path)) == [("typed", "one more")]


def test_the_same_words_said_before_are_another_message(tmp_path: Path) -> None:
    log = ClaudeLogWriter()
    log.user("continue")
    log.record("attachment", attachment={"type": "queued_command", "prompt": "continue", "commandMode": "prompt"})
    assert said(read(log, tmp_path)) == [("typed", "continue"), ("queued", "continue")]


def test_entries_that_no_step_names_are_told_apart_by_what_else_is_recorded(tmp_path: Path) -> None:
    log = ClaudeLogWriter()
    log.user("go")
    log.queue("enqueue", '{"task_id":"a1"}')  # never leaves, in this version
    log.queue("enqueue", "<task-notification>\n<task-id>b</task-id>")
    log.queue("enqueue", "at the end of the turn")
    log.queue("enqueue", "in the middle of it")
    log.queue("remove")
    log.queue("dequeue")
    log.user("at the end of the turn")
    session = read(log, tmp_path)
    assert said(session) == [("typed", "go"), ("queued", "in the middle of it"), ("typed", "at the end of the turn")]
