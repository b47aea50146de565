"""Writes logs as Claude Code does, of our own invention."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

REJECTED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). "
)
SAID = "To tell you how to proceed, the user said:\n"
STOP = "STOP what you are doing and wait for the user to tell you how to proceed."


class ClaudeLogWriter:
    """Records in order, a second apart, each with the keys that every record of a log has."""

    def __init__(self, session: str = "5e55", branch: str = "main") -> None:
        self.records: list[dict[str, Any]] = []
        self._session = session
        self._branch = branch
        self._at = datetime(2026, 3, 1, 9, tzinfo=UTC)

    def record(self, type: str, **fields: Any) -> dict[str, Any]:
        """Add a record of any kind."""
        self._at += timedelta(seconds=1)
        number = len(self.records) + 1
        made = {
            "parentUuid": None,
            "isSidechain": False,
            "cwd": "/home/ada/kettle",
            "sessionId": self._session,
            "version": "2.1.40",
            "gitBranch": self._branch,
            "type": type,
            "uuid": f"{self._session}-{number}",
            "timestamp": self._at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            **fields,
        }
        self.records.append(made)
        return made

    def bare(self, type: str, **fields: Any) -> dict[str, Any]:
        """Add a record that is no part of the conversation's graph."""
        made = {"type": type, "sessionId": self._session, "timestamp": self._at.isoformat(), **fields}
        self.records.append(made)
        return made

    def user(self, content: Any, **fields: Any) -> dict[str, Any]:
        return self.record("user", message={"role": "user", "content": content}, **fields)

    def says(self, text: str, id: str = "msg_1", output: int = 7, **fields: Any) -> dict[str, Any]:
        return self.assistant([{"type": "text", "text": text}], id, output, **fields)

    def assistant(self, content: list[Any], id: str = "msg_1", output: int = 7, **fields: Any) -> dict[str, Any]:
        usage = {
            "input_tokens": 3,
            "cache_creation_input_tokens": 20,
            "cache_read_input_tokens": 100,
            "output_tokens": output,
        }
        message = {"id": id, "role": "assistant", "model": "claude-x", "content": content, "usage": usage}
        return self.record("assistant", message=message, **fields)

    def calls(self, tool: str, id: str, message: str = "msg_1", **arguments: Any) -> dict[str, Any]:
        return self.assistant([{"type": "tool_use", "id": id, "name": tool, "input": arguments}], message)

    def result(
        self, id: str, text: str, result: Any = None, error: bool = False, beside: str = "", **fields: Any
    ) -> Any:
        block = {"type": "tool_result", "tool_use_id": id, "content": text, **({"is_error": True} if error else {})}
        content = [block, *([{"type": "text", "text": beside}] if beside else [])]
        return self.user(content, toolUseResult=result, sourceToolAssistantUUID="a", **fields)

    def queue(self, operation: str, content: str | None = None) -> dict[str, Any]:
        self._at += timedelta(seconds=1)
        return self.bare(
            "queue-operation", operation=operation, **({"content": content} if content is not None else {})
        )

    def lines(self) -> list[bytes]:
        """One a record, in the program's spelling, without a space."""
        return [
            json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" for record in self.records
        ]

    def write(self, path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(self.lines()))
        return path


def small_session(session: str = "5e55") -> ClaudeLogWriter:
    """A session that every rule lets in: three messages, an edit, a test run."""
    log = ClaudeLogWriter(session)
    log.user("the kettle whistles too early, have a look at src/whistle.py")
    log.says("I'll look.")
    log.calls("Read", "t1", file_path="/home/ada/kettle/src/whistle.py")
    log.result("t1", "     1→LIMIT = 80\n", {"type": "text", "file": {"filePath": "/home/ada/kettle/src/whistle.py"}})
    log.calls("Edit", "t2", "msg_2", file_path="/home/ada/kettle/src/whistle.py", old_string="80", new_string="96")
    log.result("t2", "The file has been updated.", {"originalFile": "LIMIT = 80\n", "userModified": False})
    log.says("Set to 96.", "msg_3")
    log.user("why 96? water boils at 100")
    log.says("Because of the altitude.", "msg_4")
    log.user("we're at sea level. make it 99 and run the tests")
    log.calls("Bash", "t3", "msg_5", command="pytest -q")
    log.result("t3", "2 passed", {"stdout": "2 passed", "stderr": "", "interrupted": False})
    log.says("Done, both pass.", "msg_6")
    return log
