"""Writes session files as Pi does, of our own invention."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any


class PiWriter:
    """Entries in order, a second apart, each the child of the one before unless told otherwise."""

    def __init__(self, session: str = "0314", version: int | None = 3, **fields: Any) -> None:
        self._at = datetime(2026, 3, 1, 9, tzinfo=UTC)
        self._tree = version is not None
        self.leaf: str | None = None
        header = {"type": "session", "id": session, "timestamp": self._time(), "cwd": "/home/ada/kettle", **fields}
        self.records: list[dict[str, Any]] = [header if version is None else {**header, "version": version}]

    def entry(self, type: str, **fields: Any) -> str:
        """Add an entry and give its id."""
        key = f"{len(self.records):08x}"
        tree = {"id": key, "parentId": self.leaf} if self._tree else {}
        self._at += timedelta(seconds=1)
        self.records.append({"type": type, **tree, "timestamp": self._time(), **fields})
        self.leaf = key
        return key

    def message(self, role: str, content: Any, **fields: Any) -> str:
        typed = int((self._at + timedelta(seconds=1)).timestamp() * 1000)
        return self.entry("message", message={"role": role, "content": content, "timestamp": typed, **fields})

    def user(self, text: str, **fields: Any) -> str:
        return self.message("user", [{"type": "text", "text": text}], **fields)

    def says(self, text: str, *calls: dict[str, Any], stop: str = "stop", **fields: Any) -> str:
        usage = {"input": 3, "output": 7, "cacheRead": 100, "cacheWrite": 20, "totalTokens": 130}
        content = [{"type": "text", "text": text}, *calls]
        return self.message("assistant", content, model="claude-x", usage=usage, stopReason=stop, **fields)

    def result(self, id: str, tool: str, text: str, error: bool = False, **fields: Any) -> str:
        content = [{"type": "text", "text": text}]
        return self.message("toolResult", content, toolCallId=id, toolName=tool, isError=error, **fields)

    def write(self, path: Path) -> Path:
        path.write_text("".join(json.dumps(record) + "\n" for record in self.records), "utf-8")
        return path

    def _time(self) -> str:
        return self._at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def call(id: str, name: str, **arguments: Any) -> dict[str, Any]:
    """A tool call in an assistant's content."""
    return {"type": "toolCall", "id": id, "name": name, "arguments": arguments}
