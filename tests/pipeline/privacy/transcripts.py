"""Small transcripts of every format, each with one text wherever that format keeps text."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

NOW = "2026-03-02T10:00:00.000Z"


def _lines(path: Path, records: list[Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def claude_code(folder: Path, text: str) -> Path:
    base = {
        "cwd": "/srv/tool",
        "sessionId": "2577a596-e227-47e1-bea8-752f792cbc24",
        "timestamp": NOW,
        "version": "2.1",
    }
    return _lines(
        folder / "2577a596-e227-47e1-bea8-752f792cbc24.jsonl",
        [
            {"type": "user", **base, "message": {"role": "user", "content": text}},
            {
                "type": "assistant",
                **base,
                "message": {
                    "id": "msg_01",
                    "role": "assistant",
                    "content": [
                        {"type": "text", "text": f"As you said:\n{text}"},
                        {"type": "tool_use", "id": "toolu_01", "name": "Bash", "input": {"command": f"echo '{text}'"}},
                    ],
                },
            },
            {
                "type": "user",
                **base,
                "message": {
                    "role": "user",
                    "content": [{"type": "tool_result", "tool_use_id": "toolu_01", "content": text}],
                },
                "toolUseResult": {"stdout": text, "stderr": "", "originalFile": text},
            },
            {
                "type": "attachment",
                **base,
                "attachment": {"type": "queued_command", "prompt": text, "commandMode": "prompt"},
            },
            {"type": "queue-operation", "operation": "enqueue", "content": text, "timestamp": NOW},
        ],
    )


def codex(folder: Path, text: str) -> Path:
    def item(kind: str, payload: dict[str, Any]) -> dict[str, Any]:
        return {"timestamp": NOW, "type": kind, "payload": payload}

    patch = (
        "*** Begin Patch\n*** Add File: a.txt\n"
        + "\n".join(f"+{line}" for line in text.split("\n"))
        + "\n*** End Patch"
    )
    return _lines(
        folder / "rollout-2026-03-02T10-00-00-019a2b3c-4d5e-7f60-8192-a3b4c5d6e7f8.jsonl",
        [
            item("session_meta", {"id": "019a", "cwd": "/srv/tool", "base_instructions": {"text": text}}),
            item("event_msg", {"type": "user_message", "message": text}),
            item("response_item", {"type": "function_call", "arguments": json.dumps({"cmd": ["bash", "-lc", text]})}),
            item("response_item", {"type": "function_call_output", "output": json.dumps({"output": text})}),
            item("response_item", {"type": "custom_tool_call", "name": "apply_patch", "input": patch}),
            item("event_msg", {"type": "agent_message", "message": text}),
        ],
    )


def pi(folder: Path, text: str) -> Path:
    def entry(ident: str, parent: str | None, message: dict[str, Any]) -> dict[str, Any]:
        return {"type": "message", "id": ident, "parentId": parent, "timestamp": NOW, "message": message}

    return _lines(
        folder / "2026-03-02T10-00-00_session.jsonl",
        [
            {"type": "session", "version": 3, "id": "s1", "timestamp": NOW, "cwd": "/srv/tool"},
            entry("a1", None, {"role": "user", "content": [{"type": "text", "text": text}]}),
            entry("a2", "a1", {"role": "assistant", "content": [{"type": "toolCall", "arguments": {"command": text}}]}),
            entry("a3", "a2", {"role": "toolResult", "toolCallId": "c", "content": [{"type": "text", "text": text}]}),
            entry("a4", "a3", {"role": "bashExecution", "command": text, "output": text}),
            {"type": "compaction", "id": "a5", "parentId": "a4", "timestamp": NOW, "summary": text},
        ],
    )


def _opencode(text: str) -> dict[str, Any]:
    return {
        "info": {"id": "ses_1", "directory": "/srv/tool", "title": text},
        "messages": [
            {"info": {"id": "msg_1", "role": "user"}, "parts": [{"id": "p1", "type": "text", "text": text}]},
            {
                "info": {"id": "msg_2", "role": "assistant"},
                "parts": [
                    {
                        "id": "p2",
                        "type": "tool",
                        "state": {"status": "completed", "input": {"command": text}, "output": text},
                    },
                    {"id": "p3", "type": "text", "text": text},
                ],
            },
        ],
    }


def opencode_export(folder: Path, text: str) -> Path:
    path = folder / "export.json"
    path.write_text(json.dumps(_opencode(text), indent=2), encoding="utf-8")
    return path


def opencode_database(folder: Path, text: str) -> Path:
    path = folder / "opencode.db"
    whole = _opencode(text)
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT, title TEXT, time_created INTEGER)")
        database.execute("CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, data TEXT)")
        database.execute("CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, data TEXT)")
        database.execute("CREATE INDEX part_message ON part (message_id)")
        database.execute("INSERT INTO session VALUES ('ses_1', '/work/tool', ?, 1)", (text,))
        for message in whole["messages"]:
            ident = message["info"]["id"]
            database.execute("INSERT INTO message VALUES (?, 'ses_1', ?)", (ident, json.dumps(message["info"])))
            for part in message["parts"]:
                database.execute("INSERT INTO part VALUES (?, ?, ?)", (part["id"], ident, json.dumps(part)))
        # A deleted row stays in the free pages of the file: the copy must not have it either.
        database.execute("INSERT INTO part VALUES ('gone', 'msg_1', ?)", (json.dumps({"text": text * 50}),))
        database.execute("DELETE FROM part WHERE id = 'gone'")
    database.close()
    return path


def _gemini(text: str) -> list[dict[str, Any]]:
    return [
        {"id": "m1", "timestamp": NOW, "type": "user", "content": [{"text": text}]},
        {
            "id": "m2",
            "timestamp": NOW,
            "type": "gemini",
            "content": text,
            "toolCalls": [
                {"args": {"command": text}, "result": [{"functionResponse": {"output": text}}], "resultDisplay": text}
            ],
            "thoughts": [{"subject": "s", "description": text}],
        },
    ]


def gemini_json(folder: Path, text: str) -> Path:
    path = folder / "session-2026-03-02.json"
    record = {"sessionId": "g1", "projectHash": "ab" * 32, "startTime": NOW, "messages": _gemini(text), "summary": text}
    path.write_text(json.dumps(record, indent=2), encoding="utf-8")
    return path


def gemini_lines(folder: Path, text: str) -> Path:
    head = {"sessionId": "g1", "projectHash": "ab" * 32, "startTime": NOW, "kind": "main"}
    return _lines(folder / "session-2026-03-02.jsonl", [head, *_gemini(text), {"$set": {"summary": text}}])


def dataclaw(folder: Path, text: str) -> Path:
    tool = {"tool": "Bash", "input": {"command": text}, "output": {"text": text}, "status": "success"}
    messages = [
        {"role": "user", "content": text},
        {"role": "assistant", "content": text, "thinking": text, "tool_uses": [tool]},
    ]
    return _lines(folder / "conversations.jsonl", [{"session_id": "d1", "project": "tool", "messages": messages}])


def entire(folder: Path, text: str) -> Path:
    return claude_code(folder, text).rename(folder / "full.jsonl")


def entire_prompt(folder: Path, text: str) -> Path:
    path = folder / "prompt.txt"
    path.write_text(f"first\n\n---\n\n{text}\n", encoding="utf-8")
    return path


def release(folder: Path, text: str) -> Path:
    path = folder / "oracle_session.json"
    blocks = [
        {"type": "text", "text": text},
        {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": text}},
    ]
    path.write_text(
        json.dumps(
            {
                "session_id": "r1",
                "messages": [{"role": "user", "content": text}, {"role": "assistant", "content": blocks}],
            }
        ),
        encoding="utf-8",
    )
    return path


def atif(folder: Path, text: str) -> Path:
    path = folder / "trajectory.json"
    agent = {
        "step_id": 2,
        "source": "agent",
        "message": text,
        "tool_calls": [{"tool_call_id": "c", "function_name": "bash", "arguments": {"command": text}}],
        "observation": {"results": [{"source_call_id": "c", "content": text}]},
    }
    record = {
        "schema_version": "ATIF-v1.6",
        "session_id": "a1",
        "agent": {"name": "x", "version": "1"},
        "steps": [{"step_id": 1, "source": "user", "message": text}, agent],
    }
    path.write_text(json.dumps(record, indent=2), encoding="utf-8")
    return path


FORMATS: dict[str, Callable[[Path, str], Path]] = {
    "claude-code": claude_code,
    "codex": codex,
    "pi": pi,
    "opencode": opencode_export,
    "opencode-database": opencode_database,
    "gemini-cli": gemini_json,
    "gemini-cli-lines": gemini_lines,
    "dataclaw": dataclaw,
    "entire": entire,
    "entire-prompt": entire_prompt,
    "release": release,
    "atif": atif,
}
