"""Writes sessions as opencode does, of our own invention: as an export, into its database, and into its old tree."""

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

START = 1_772_355_600_000
"""2026-03-01 09:00 UTC, in milliseconds."""


class OpencodeWriter:
    """Messages in order, ten seconds apart; an agent's message takes five."""

    def __init__(self, session: str = "ses_0c", **fields: Any) -> None:
        self.info: dict[str, Any] = {
            "id": session,
            "projectID": "9" * 40,
            "directory": "/home/ada/kettle",
            "title": "The kettle",
            "version": "1.2.0",
            "time": {"created": START, "updated": START},
            **fields,
        }
        self.messages: list[dict[str, Any]] = []
        self._now = START

    def message(self, role: str, parts: list[dict[str, Any]], **info: Any) -> str:
        """Add a message and give its id."""
        self._now += 10_000
        session = self.info["id"]
        key = f"msg_{session[4:]}{len(self.messages) + 1:03}"
        time = {"created": self._now, **({"completed": self._now + 5_000} if role == "assistant" else {})}
        named = [
            {"id": f"prt_{key[4:]}{place:02}", "messageID": key, "sessionID": session, **part}
            for place, part in enumerate(parts, 1)
        ]
        self.messages.append(
            {"info": {"id": key, "sessionID": session, "role": role, "time": time, **info}, "parts": named}
        )
        return key

    def user(self, text: str, *parts: dict[str, Any], **info: Any) -> str:
        return self.message("user", [{"type": "text", "text": text}, *parts], **info)

    def agent(self, *parts: dict[str, Any], **info: Any) -> str:
        tokens = {"input": 3, "output": 7, "reasoning": 2, "cache": {"read": 100, "write": 20}}
        return self.message("assistant", list(parts), **{"modelID": "gpt-x", "tokens": tokens, **info})

    def export(self, path: Path) -> Path:
        path.write_text(json.dumps({"info": self.info, "messages": self.messages}, indent=2), "utf-8")
        return path

    def tree(self, storage: Path) -> Path:
        """Write the files of the tree and give the session's own."""
        session = self.info["id"]
        for message in self.messages:
            key = message["info"]["id"]
            _dump(storage / "message" / session / f"{key}.json", message["info"])
            for part in message["parts"]:
                _dump(storage / "part" / key / f"{part['id']}.json", part)
        return _dump(storage / "session" / self.info["projectID"] / f"{session}.json", self.info)


def text(text: str, **fields: Any) -> dict[str, Any]:
    return {"type": "text", "text": text, **fields}


def tool(name: str, call_id: str, output: str, metadata: Any = None, **input: Any) -> dict[str, Any]:
    """A call that was done."""
    state = {"status": "completed", "input": input, "output": output, "metadata": metadata or {}, "time": _TIME}
    return {"type": "tool", "tool": name, "callID": call_id, "state": state}


def failed(name: str, call_id: str, error: str, **input: Any) -> dict[str, Any]:
    """A call that was not."""
    state = {"status": "error", "input": input, "error": error, "time": _TIME}
    return {"type": "tool", "tool": name, "callID": call_id, "state": state}


def write_database(path: Path, *sessions: OpencodeWriter) -> Path:
    """A database with the columns of opencode's that matter and the shape of its rows."""
    for writer in sessions:
        write_messages(path, writer.info, writer.messages)
    return path


def write_messages(path: Path, info: dict[str, Any], messages: Sequence[Any]) -> None:
    """Add a session to a database. A message that is bytes is a row whose data is no JSON."""
    database = sqlite3.connect(path)
    # No test pulls the plug.
    database.executescript(f"PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; {_TABLES}")
    named = (info["id"], info["projectID"], info.get("parentID"), info["directory"], info["title"], info["version"])
    revert = json.dumps(info["revert"]) if "revert" in info else None
    database.execute("INSERT INTO session VALUES (?,?,?,?,?,?,?,?,?)", (*named, revert, START, START))
    for place, message in enumerate(messages):
        own = message.get("info") if isinstance(message, dict) else None
        if not isinstance(own, dict):
            row = (f"msg_{info['id'][4:]}broken{place}", info["id"], START + place, message)
            database.execute(
                "INSERT INTO message VALUES (?,?,?,?)", row if isinstance(message, bytes) else (*row[:3], "7")
            )
            continue
        key, data = _row(own, "id", "sessionID")
        database.execute("INSERT OR IGNORE INTO message VALUES (?,?,?,?)", (key, info["id"], START + place, data))
        parts = message.get("parts")
        for number, part in enumerate(parts if isinstance(parts, list) else []):
            if isinstance(part, dict):
                part_key, part_data = _row(part, "id", "sessionID", "messageID")
                fields = (part_key or f"prt_{place}.{number}", key, info["id"], START, part_data)
                database.execute("INSERT OR IGNORE INTO part VALUES (?,?,?,?,?)", fields)
    database.commit()
    database.close()


_TABLES = """
CREATE TABLE IF NOT EXISTS `session` (`id` text PRIMARY KEY, `project_id` text, `parent_id` text, `directory` text,
 `title` text, `version` text, `revert` text, `time_created` integer, `time_updated` integer);
CREATE TABLE IF NOT EXISTS `message` (`id` text PRIMARY KEY, `session_id` text, `time_created` integer, `data` text);
CREATE TABLE IF NOT EXISTS `part` (`id` text PRIMARY KEY, `message_id` text, `session_id` text,
 `time_created` integer, `data` text);
"""
_TIME = {"start": START, "end": START + 1000}


def _row(record: dict[str, Any], *keys: str) -> tuple[str, str]:
    return str(record.get("id")), json.dumps({key: value for key, value in record.items() if key not in keys})


def _dump(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")
    return path
