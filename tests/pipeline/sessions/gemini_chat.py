"""Writes chats as Gemini CLI does, of our own invention: as one document, and as lines."""

import hashlib
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

FOLDER = "/home/ada/kettle"


class GeminiWriter:
    """Records in order, a second apart."""

    def __init__(self, session: str = "6e31", **fields: Any) -> None:
        self._at = datetime(2026, 3, 1, 9, tzinfo=UTC)
        project = hashlib.sha256(FOLDER.encode()).hexdigest()
        self.meta: dict[str, Any] = {
            "sessionId": session,
            "projectHash": project,
            "startTime": self._time(),
            "lastUpdated": self._time(),
            "kind": "main",
            **fields,
        }
        self.records: list[dict[str, Any]] = []

    def message(self, type: str, content: Any, **fields: Any) -> dict[str, Any]:
        self._at += timedelta(seconds=1)
        key = f"m{len(self.records) + 1}"
        made = {"id": key, "timestamp": self._time(), "type": type, "content": content, **fields}
        self.records.append(made)
        return made

    def user(self, text: str, **fields: Any) -> dict[str, Any]:
        return self.message("user", [{"text": text}], **fields)

    def says(self, text: str, *calls: dict[str, Any], **fields: Any) -> dict[str, Any]:
        tokens = {"input": 123, "output": 7, "cached": 100, "thoughts": 2, "tool": 0, "total": 132}
        more = {"toolCalls": list(calls)} if calls else {}
        return self.message("gemini", text, **{"model": "gemini-x", "tokens": tokens, **more, **fields})

    def record(self, **fields: Any) -> None:
        self.records.append(fields)

    def write(self, path: Path) -> Path:
        lines = [self.meta, *self.records]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        return path

    def write_document(self, path: Path) -> Path:
        path.write_text(json.dumps({**self.meta, "messages": self.records}, indent=2), "utf-8")
        return path

    def _time(self) -> str:
        return self._at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def call(id: str, name: str, output: str, status: str = "success", display: Any = None, **args: Any) -> dict[str, Any]:
    """A tool call with its result."""
    response = {"functionResponse": {"id": id, "name": name, "response": {"output": output}}}
    shown = {} if display is None else {"resultDisplay": display}
    return {"id": id, "name": name, "args": args, "status": status, "result": [response], **shown}
