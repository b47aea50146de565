"""Reads a recorded request as it is on the wire, not through the model server's own eyes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tests.support.model_server import Call, Turn


@dataclass(frozen=True, slots=True)
class ToolItem:
    """A tool call, or its result, that is an item of its own.

    `call_id` is the protocol's; where it has none, the tool's name and the place among the items of its kind.
    """

    kind: Literal["call", "result"]
    call_id: str
    text: str


def _anthropic(body: Any) -> Iterator[ToolItem]:
    for message in body["messages"]:
        for block in message["content"] if isinstance(message["content"], list) else ():
            if block["type"] == "tool_use" and message["role"] == "assistant":
                yield ToolItem("call", block["id"], json.dumps(block["input"]))
            elif block["type"] == "tool_result" and message["role"] == "user":
                yield ToolItem("result", block["tool_use_id"], json.dumps(block["content"]))


def _responses(body: Any) -> Iterator[ToolItem]:
    for item in body["input"]:
        if item.get("type") == "function_call":
            yield ToolItem("call", item["call_id"], item["arguments"])
        elif item.get("type") == "function_call_output":
            yield ToolItem("result", item["call_id"], json.dumps(item["output"]))


def _chat(body: Any) -> Iterator[ToolItem]:
    for message in body["messages"]:
        if message["role"] == "assistant":
            for call in message.get("tool_calls") or ():
                yield ToolItem("call", call["id"], call["function"]["arguments"])
        elif message["role"] == "tool":
            yield ToolItem("result", message["tool_call_id"], json.dumps(message["content"]))


def _gemini(body: Any) -> Iterator[ToolItem]:
    """A resumed conversation of Gemini CLI may give the result of a call twice, side by side: the first one counts."""
    calls = results = 0
    for content in body["contents"]:
        for part in content["parts"]:
            if "functionCall" in part and content["role"] == "model":
                calls += 1
                called = part["functionCall"]
                yield ToolItem("call", f"{called['name']} {calls}", json.dumps(called["args"]))
            elif "functionResponse" in part and content["role"] == "user" and results < calls:
                results = calls
                answered = part["functionResponse"]
                yield ToolItem("result", f"{answered['name']} {calls}", json.dumps(answered["response"]))


def _terminal(body: Any) -> Iterator[ToolItem]:
    """An answer that types into a terminal stands for the call, and the screen that is shown then for its result."""
    typed = 0
    for answer, screen in zip(body["messages"], body["messages"][1:], strict=False):
        keys = json.loads(answer["content"]).get("commands") if answer["role"] == "assistant" else None
        if keys and screen["role"] == "user":
            typed += 1
            yield ToolItem("call", f"keystrokes {typed}", json.dumps(keys))
            yield ToolItem("result", f"keystrokes {typed}", json.dumps(screen["content"]))


READERS: Mapping[str, Callable[[Any], Iterator[ToolItem]]] = {
    "anthropic": _anthropic,
    "chat": _chat,
    "gemini": _gemini,
    "responses": _responses,
}
UNNAMED = {"gemini": "run_shell_command", "terminal": "keystrokes"}
"""Where calls have no ids: the name by which they are known instead."""


def check_turn_stands(calls: Sequence[Call], turn: Turn, outputs: Sequence[str], *, terminal: bool = False) -> None:
    """In the third turn's first request every tool call of the first turn, and what came of it, is its own item.

    Args:
        calls: All calls of a session.
        turn: The first turn, as it was played.
        outputs: What each of its commands printed.
        terminal: Whether the client types into a terminal instead of calling tools.

    Raises:
        AssertionError: One of them isn't, or isn't the command that was played.
    """
    request = next(call for call in calls if call.turn == 3)
    protocol = "terminal" if terminal else request.protocol
    items = list((_terminal if terminal else READERS[protocol])(request.body))
    for number, (shell, output) in enumerate(zip(turn.steps, outputs, strict=True), 1):
        call_id = f"{UNNAMED[protocol]} {number}" if protocol in UNNAMED else f"call_t1s{number}"
        found = [item for item in items if item.call_id == call_id]
        kinds = [item.kind for item in found]
        assert kinds == ["call", "result"], f"tool call {call_id} of the first turn doesn't stand there: {kinds}"
        assert json.dumps(shell.command)[1:-1] in found[0].text, f"{call_id} is {found[0].text}"
        assert output in found[1].text, f"the result of {call_id} is {found[1].text}"
