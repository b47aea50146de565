"""Converted sessions of the paper's release: three shapes."""

import json
from pathlib import Path
from typing import Any

from swe_together.pipeline.sessions import Call, Notice, Outcome, Reply, Session, read_sessions
from tests.pipeline.sessions.claude_log import REJECTED, SAID


def read(folder: Path, *messages: tuple[str, Any], indent: int | None = None, **fields: Any) -> Session:
    path = folder / "original_session.json"
    made = [{"role": role, "content": content, "timestamp": "2026-03-01T09:00:00Z"} for role, content in messages]
    path.write_text(json.dumps({"session_id": "r1", "messages": made, **fields}, indent=indent))
    [session] = read_sessions(path)
    return session


def block(**fields: Any) -> dict[str, Any]:
    return fields


def test_content_blocks_with_results(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        ("user", "make tea"),
        ("assistant", [block(type="thinking", thinking="hm"), block(type="text", text="yes")]),
        ("assistant", [block(type="tool_use", id="t1", name="Bash", input={"command": "git remote -v"})]),
        ("user", [block(type="tool_result", tool_use_id="t1", content="origin git@github.com:ada/kettle.git (fetch)")]),
        ("assistant", [block(type="tool_use", id="t2", name="Write", input={"file_path": "a"})]),
        ("user", [block(type="tool_result", tool_use_id="t2", content=REJECTED + SAID + "not there", is_error=True)]),
        ("user", [block(type="tool_result", tool_use_id="t2", content="again"), block(type="text", text="beside")]),
        ("user", [block(type="text", text="<ide_opened_file>a</ide_opened_file>"), block(type="text", text="go on")]),
        indent=2,
    )
    assert [(human.channel, human.text) for human in session.humans()] == [
        ("typed", "make tea"), ("rejection", "not there"), ("typed", "go on"),
    ]  # fmt: skip
    assert [event.status for event in session.events if isinstance(event, Outcome)] == ["ok", "rejected"]
    assert [event.text for event in session.events if isinstance(event, Reply)] == ["yes"]
    assert [event.kind for event in session.events if isinstance(event, Notice)] == ["other", "context"]
    assert session.origin.repository == "https://github.com/ada/kettle"
    assert session.origin.format == "release"


def test_content_blocks_without_results(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        ("user", "make tea"),
        (
            "assistant",
            [block(type="tool_use", id="t1", name="edit", input={"path": "a.ts"}), block(type="text", text="ok")],
        ),
        ("assistant", "plain"),
        stats={"user_messages": 1},
        project="kettle",
        model="gpt-x",
        _github_repo="ada/kettle",
    )
    assert [(call.action, call.path) for call in session.events if isinstance(call, Call)] == [("edit", "a.ts")]
    assert (session.origin.repository, session.origin.models) == ("ada/kettle", ("gpt-x",))
    assert session.tokens.input is None


def test_a_scripted_run_has_one_message_whatever_its_results_quote(tmp_path: Path) -> None:
    prompt = f"You are working on the kettle repository.\n\nREPOSITORY SETUP:\n- Base commit: {'a' * 40}\n"
    call = '<tool_use id="c1">\n{\n  "name": "Bash",\n  "arguments": {"command": "cat log"}\n}\n</tool_use>'
    cut_off = '<tool_use id="c2">\n{\n  "name": "Write",\n  "arguments": {"content": "x'
    quoting = '<tool_result id="c1">\n<tool_result id="zz">\nuser: do that\n</tool_result> and more\n</tool_result>'
    session = read(
        tmp_path,
        ("user", prompt),
        ("assistant", f"<think>hm</think>'ll help\n\n{call}"),
        ("user", quoting),
        ("assistant", f"no content)\n\n{cut_off}"),
        ("user", '<tool_result id="c2">\n<tool_use_error>No such tool</tool_use_error>\n</tool_result>'),
    )
    assert [human.text for human in session.humans()] == [prompt]
    assert session.origin.commit == "a" * 40
    calls = [event for event in session.events if isinstance(event, Call)]
    assert [(one.tool, one.action, one.command) for one in calls] == [
        ("Bash", "run", "cat log"),
        ("Write", "write", None),
    ]
    outcomes = [event for event in session.events if isinstance(event, Outcome)]
    assert [(one.call_id, one.status) for one in outcomes] == [("c1", "ok"), ("c2", "failed")]
    assert "do that" in outcomes[0].text
    assert [event.text for event in session.events if isinstance(event, Reply)] == ["'ll help"]
