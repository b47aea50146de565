"""Replies of agents that leave no trajectory."""

import json
import os
from pathlib import Path

from swe_together.adapter.agent_facts import ReplyLog
from swe_together.adapter.replies import TAIL_BYTES, logged_reply

HISTORY = ReplyLog("history.md", after=r"(?m)^#### .*$", drop=r"^> ")
STREAM = ReplyLog("a.jsonl", where={"type": "message", "message.role": "assistant"}, text=("message", "content"))


def test_the_newest_text_log_ends_with_the_reply(tmp_path: Path) -> None:
    for age, name in enumerate(("new.txt", "old.txt")):
        (tmp_path / name).write_text(f"words of {name}")
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    assert logged_reply(tmp_path, None, "hello") == "words of new.txt"


def test_a_file_of_what_was_sent_is_no_reply(tmp_path: Path) -> None:
    (tmp_path / "instruction.txt").write_text("do it" * 2000 + "\n")
    assert logged_reply(tmp_path, None, "do it" * 2000) == ""


def test_a_long_log_is_read_from_its_end(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xff" * 9000 + b"done")
    found = logged_reply(tmp_path, None, "hello")
    assert found.endswith("done")
    assert len(found) == TAIL_BYTES


def test_a_reply_behind_its_mark_without_notices(tmp_path: Path) -> None:
    (tmp_path / "history.md").write_text("#### first\n\nold\n\n#### second\n#### line\n\nnew\nwords\n\n> Tokens: 3k\n")
    assert logged_reply(tmp_path, HISTORY, "x") == "new\nwords"
    (tmp_path / "history.md").write_text("no mark at all")
    assert logged_reply(tmp_path, HISTORY, "x") == ""


def test_the_last_line_of_json_that_is_a_reply(tmp_path: Path) -> None:
    rows: list[object] = [
        {"type": "message", "message": {"role": "assistant", "content": "early"}},
        {
            "type": "message",
            "message": {"role": "assistant", "content": [{"type": "text", "text": "<think>x</think>late"}]},
        },
        {"type": "message", "message": {"role": "assistant", "content": ""}},
        {"type": "message", "message": {"role": "user", "content": "me"}},
        {"type": "message", "message": "odd"},
        7,
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows) + "{broken")
    assert logged_reply(tmp_path, STREAM, "x") == "late"


def test_the_last_of_a_list(tmp_path: Path) -> None:
    known = ReplyLog("a.jsonl", text=("messages", "-1", "content"))
    (tmp_path / "a.jsonl").write_text(json.dumps({"messages": [{"content": "one"}, {"content": "two"}]}) + "\n")
    assert logged_reply(tmp_path, known, "x") == "two"


def test_no_file_is_no_reply(tmp_path: Path) -> None:
    assert logged_reply(tmp_path, STREAM, "x") == ""
    assert logged_reply(tmp_path, HISTORY, "x") == ""
    assert logged_reply(tmp_path, None, "x") == ""
