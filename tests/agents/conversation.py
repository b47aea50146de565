"""Reads a recorded request as it is on the wire, not through the model server's own eyes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from tests.support.model_server import Call


@dataclass(frozen=True, slots=True)
class ToolItem:
    """A tool call, or its result, that is an item of its own."""

    kind: Literal["call", "result"]
    call_id: str
    text: str


def tool_items(body: Any) -> list[ToolItem]:
    """The items of an Anthropic messages or OpenAI responses request that are tool calls or results."""
    return list(_anthropic(body["messages"]) if "messages" in body else _responses(body["input"]))


def _anthropic(messages: list[dict[str, Any]]) -> Iterator[ToolItem]:
    for message in messages:
        for block in message["content"] if isinstance(message["content"], list) else ():
            if block["type"] == "tool_use" and message["role"] == "assistant":
                yield ToolItem("call", block["id"], json.dumps(block["input"]))
            elif block["type"] == "tool_result" and message["role"] == "user":
                yield ToolItem("result", block["tool_use_id"], json.dumps(block["content"]))


def _responses(items: list[dict[str, Any]]) -> Iterator[ToolItem]:
    for item in items:
        if item.get("type") == "function_call":
            yield ToolItem("call", item["call_id"], item["arguments"])
        elif item.get("type") == "function_call_output":
            yield ToolItem("result", item["call_id"], json.dumps(item["output"]))


def check_first_turn_stands(calls: list[Call], outputs: list[str]) -> None:
    """In the third turn's first request every tool call of the first turn, and what came of it, is its own item.

    Raises:
        AssertionError: One of them isn't.
    """
    handed_out = [call.tool_call_id for call in calls if call.turn == 1 and call.tool_call_id]
    assert len(handed_out) == len(outputs), f"the first turn made {len(handed_out)} tool calls"
    request = next(call for call in calls if call.turn == 3)
    items = tool_items(request.body)
    for call_id, output in zip(handed_out, outputs, strict=True):
        found = [item for item in items if item.call_id == call_id]
        kinds = [item.kind for item in found]
        assert kinds == ["call", "result"], f"tool call {call_id} of the first turn doesn't stand there: {kinds}"
        assert output in found[1].text, f"the result of {call_id} is {found[1].text}"
