"""DataClaw's exports, of both generations."""

import json
from pathlib import Path
from typing import Any

import pytest

from swe_together.pipeline.sessions import Call, Human, Interrupt, Notice, Outcome, Session, read_sessions
from tests.pipeline.sessions.claude_log import REJECTED, SAID


def export(*messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "session_id": "d1",
        "model": "claude-x",
        "git_branch": "main",
        "start_time": "2026-03-01T09:00:00Z",
        "end_time": "2026-03-01T10:00:00Z",
        "project": "claude:kettle",
        "source": "claude",
        "stats": {"user_messages": 1, "input_tokens": 1200, "output_tokens": 30},
        "messages": list(messages),
        **fields,
    }


def user(text: str | None, **fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": text, "timestamp": "2026-03-01T09:00:00Z", **fields}


def agent(text: str | None = None, *uses: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": text, "timestamp": "2026-03-01T09:01:00Z", "tool_uses": list(uses)}


def read(folder: Path, *exports: dict[str, Any]) -> list[Session]:
    path = folder / "conversations.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in exports))
    return list(read_sessions(path))


def test_a_file_of_several_sessions(tmp_path: Path) -> None:
    first, second = read(
        tmp_path,
        export(user("make tea"), agent("yes")),
        export(user("and coffee"), session_id="d2", project="kettle", source=None, stats={"input_tokens": 0}),
    )
    assert [human.text for human in first.humans()] == ["make tea"]
    origin = first.origin
    assert (origin.format, origin.session_id, origin.project, origin.agent) == ("dataclaw", "d1", "kettle", "claude")
    assert (origin.branch, origin.models) == ("main", ("claude-x",))
    assert (first.tokens.input, first.tokens.output) == (1200, 30)
    assert (second.origin.project, second.origin.agent) == ("kettle", None)
    assert second.tokens.input is None  # zero stands where nothing was recorded


@pytest.mark.parametrize("indent", [None, 1])
def test_a_file_that_is_one_list_of_sessions(tmp_path: Path, indent: int | None) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([export(user("tea")), export(user("coffee"), session_id="d2")], indent=indent))
    assert [[human.text for human in session.humans()] for session in read_sessions(path)] == [["tea"], ["coffee"]]


def test_tools_of_the_newer_generation(tmp_path: Path) -> None:
    failed = {"text": "bad", "exit_code": 2}
    refused = {"text": REJECTED + SAID + "no"}
    raw = {"filePath": "a.py", "originalFile": "old\n", "userModified": True}
    [session] = read(
        tmp_path,
        export(
            user("go"),
            agent(
                "",
                {"tool": "Bash", "input": {"command": "make"}, "output": failed, "status": "error"},
                {"tool": "Edit", "input": {"file_path": "a.py"}, "output": {"raw": raw}, "status": "success"},
                {"tool": "Write", "input": {"file_path": "b.py"}, "output": refused, "status": "error"},
            ),
        ),
    )  # fmt: skip
    calls = [event for event in session.events if isinstance(event, Call)]
    assert [(call.action, call.path, call.command) for call in calls] == [
        ("run", None, "make"), ("edit", "a.py", None), ("write", "b.py", None),
    ]  # fmt: skip
    outcomes = [event for event in session.events if isinstance(event, Outcome)]
    assert [(one.status, one.exit_code, one.before, one.user_modified) for one in outcomes] == [
        ("failed", 2, None, False), ("ok", None, "old\n", True), ("rejected", None, None, False),
    ]  # fmt: skip
    assert [(human.channel, human.text) for human in session.humans()] == [("typed", "go"), ("rejection", "no")]


def test_tools_of_the_older_generation_are_one_text_without_an_outcome(tmp_path: Path) -> None:
    [session] = read(
        tmp_path,
        export(
            user("go"),
            agent("", {"tool": "Edit", "input": "src/a.py"}, {"tool": "Bash", "input": "make test"}),
            agent("", {"tool": "TaskUpdate", "input": "{'taskId': '1'}"}),
        ),
    )
    calls = [event for event in session.events if isinstance(event, Call)]
    assert [(call.action, call.path, call.command) for call in calls] == [
        ("edit", "src/a.py", None), ("run", None, "make test"), ("plan", None, None),
    ]  # fmt: skip
    assert not any(isinstance(event, Outcome) for event in session.events)


def test_a_programs_texts_are_told_by_how_they_begin(tmp_path: Path) -> None:
    [session] = read(
        tmp_path,
        export(
            user("<local-command-caveat>Caveat: x</local-command-caveat>"),
            user("<command-name>/clear</command-name>\n<command-args></command-args>"),
            user("<local-command-stdout></local-command-stdout>"),
            user("what is this"),
            agent("a kettle"),
            user("[Request interrupted by user for tool use]"),
            user("This session is being continued from a previous conversation that ran out of context."),
            user("<task-notification>\n<task-id>b</task-id>"),
            user("<command-name>/brew</command-name>\n<command-args>green</command-args>"),
            user("Ask which tea, then brew it."),
            agent("ok"),
            user("thanks"),
            user(None),
        ),
    )
    assert [(human.channel, human.text) for human in session.humans()] == [
        ("typed", "what is this"), ("command", "green"), ("typed", "thanks"),
    ]  # fmt: skip
    kinds = [event.kind for event in session.events if isinstance(event, Notice)]
    assert kinds == ["local-command", "local-command", "local-command", "summary", "notification", "expansion"]
    assert sum(isinstance(event, Interrupt) for event in session.events) == 1


def test_files_that_mentions_were_replaced_with_are_not_typed(tmp_path: Path) -> None:
    text = "compare @a.py\n--- Content from referenced files ---\nContent from @a.py:\nx = 1\n--- End of content ---"
    [session] = read(tmp_path, export(user(text), agent("done"), source="gemini", project="gemini:kettle"))
    assert [human.text for human in session.humans()] == ["compare @a.py"]


def test_a_subagents_session_has_no_person(tmp_path: Path) -> None:
    [session] = read(tmp_path, export(user("look for the kettle"), agent("found"), session_id="d1:subagents"))
    assert session.origin.parent == "d1"
    assert not any(isinstance(event, Human) for event in session.events)


def test_a_message_of_an_impossible_shape_is_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    broken = export(user("one"), {"role": "assistant", "tool_uses": ["?"]}, {"content": "x"}, user("two"))
    first, second = read(tmp_path, broken, export(user("three"), session_id="d2"))
    assert [human.text for human in first.humans()] == ["one", "two"]
    assert [problem.record for problem in first.problems] == [2, 3]
    assert second.problems == ()


def test_only_the_message_right_after_a_command_is_its_body(tmp_path: Path) -> None:
    [session] = read(
        tmp_path,
        export(
            user("<command-name>/brew</command-name>"),
            user("Ask which tea, then brew it."),
            user("and be quick"),
            agent("ok"),
            user("<command-name>/clear</command-name>"),
            user("something else now"),
            user("<command-name>/brew</command-name>"),
            agent("no body was sent"),
            user("fine"),
        ),
    )
    assert [human.text for human in session.humans()] == ["and be quick", "something else now", "fine"]


def test_the_repository_is_what_git_printed_where_the_export_does_not_name_it(tmp_path: Path) -> None:
    shown = {"tool": "Bash", "input": {"command": "git remote -v"}, "status": "success",
             "output": {"text": "origin\tgit@github.com:ada/kettle.git (fetch)\n"}}  # fmt: skip
    first, second = read(
        tmp_path,
        export(user("go"), agent("", shown)),
        export(user("go"), agent("", shown), session_id="d2", _github_repo="ada/teapot"),
    )
    assert (first.origin.repository, second.origin.repository) == ("https://github.com/ada/kettle", "ada/teapot")
