"""Writes rollouts as Codex does, of our own invention."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

PATCH = """*** Begin Patch
*** Update File: src/whistle.py
@@
-LIMIT = 80
+LIMIT = 99
*** End Patch
"""


class CodexWriter:
    """Records in order, a second apart."""

    def __init__(self, session: str = "0c0d", **meta: Any) -> None:
        self.records: list[dict[str, Any]] = []
        self._at = datetime(2026, 3, 1, 9, tzinfo=UTC)
        git = {"commit_hash": "c0ffee", "branch": "main", "repository_url": "https://example.org/kettle.git"}
        header = {"id": session, "cwd": "/home/ada/kettle", "cli_version": "0.99.0", "source": "cli", "git": git}
        self.record("session_meta", **{**header, **meta})
        self.record("turn_context", model="gpt-x", cwd="/home/ada/kettle")

    def record(self, kind: str, /, **payload: Any) -> dict[str, Any]:
        self._at += timedelta(seconds=1)
        made = {"timestamp": self._at.isoformat().replace("+00:00", "Z"), "type": kind, "payload": payload}
        self.records.append(made)
        return made

    def event(self, type: str, **fields: Any) -> None:
        self.record("event_msg", type=type, **fields)

    def item(self, type: str, **fields: Any) -> None:
        self.record("response_item", type=type, **fields)

    def got(self, text: str) -> None:
        """What the model got in the person's place."""
        self.item("message", role="user", content=[{"type": "input_text", "text": text}])

    def turn(self, text: str) -> None:
        """A message that begins a turn."""
        self.event("task_started", turn_id="t")
        self.user(text)

    def user(self, text: str, **fields: Any) -> None:
        self.got(text)
        self.event("user_message", message=text, images=[], **fields)

    def says(self, text: str) -> None:
        self.event("agent_message", message=text)
        self.item("message", role="assistant", content=[{"type": "output_text", "text": text}])

    def ends(self) -> None:
        self.event("task_complete", turn_id="t")

    def calls(self, name: str, id: str, **arguments: Any) -> None:
        self.item("function_call", name=name, call_id=id, arguments=json.dumps(arguments))

    def patches(self, id: str, patch: str = PATCH) -> None:
        self.item("custom_tool_call", name="apply_patch", call_id=id, input=patch)

    def result(self, id: str, output: Any, custom: bool = False) -> None:
        self.item("custom_tool_call_output" if custom else "function_call_output", call_id=id, output=output)

    def ran(self, id: str, output: str, code: int = 0) -> None:
        self.result(id, f"Exit code: {code}\nWall time: 0.1 seconds\nOutput:\n{output}")

    def tokens(self, input: int, output: int, cached: int = 0, reasoning: int = 0) -> None:
        total = {
            "input_tokens": input,
            "cached_input_tokens": cached,
            "output_tokens": output,
            "reasoning_output_tokens": reasoning,
        }
        self.event("token_count", info={"total_token_usage": total, "last_token_usage": total})

    def write(self, path: Path) -> Path:
        path.write_text("".join(json.dumps(record) + "\n" for record in self.records), "utf-8")
        return path
