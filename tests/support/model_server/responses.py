"""OpenAI responses: reading requests, and answers plain or streamed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from .chat import error
from .ledger import Usage
from .script import Conversation, Item, Play, Tool
from .wire import Event, Wire, text_of

_CALLS = ("function_call", "local_shell_call", "custom_tool_call")


def read(body: Mapping[str, Any]) -> Conversation:
    """Turn a request into the neutral form."""
    items: list[Item] = []
    raw = body.get("input", ())
    for entry in [{"role": "user", "content": raw}] if isinstance(raw, str) else raw:
        kind = entry.get("type", "message")
        if kind in _CALLS:
            text = str(entry.get("arguments") or entry.get("action") or entry.get("input") or "")
            items.append(Item("call", text, entry.get("call_id")))
        elif kind.endswith("_output"):
            output = entry.get("output")
            text = output if isinstance(output, str) else text_of(output)
            items.append(Item("result", text, entry.get("call_id")))
        elif kind == "message" and entry.get("role") == "user":
            items.append(Item("user", text_of(entry.get("content"))))
        elif kind == "message" and entry.get("role") == "assistant":
            items.append(Item("assistant", text_of(entry.get("content"))))
    tools = tuple(_tool(tool) for tool in body.get("tools") or ())
    return Conversation(tuple(items), tools, str(body.get("model", "")), bool(body.get("stream")))


def _tool(raw: Mapping[str, Any]) -> Tool:
    if raw.get("type") == "function":
        return Tool(str(raw["name"]), raw.get("parameters", {}))
    return Tool(str(raw.get("name", raw.get("type"))), {}, builtin=str(raw.get("type")))


def usage_fields(usage: Usage) -> dict[str, Any]:
    """Usage in this protocol's names; the input includes what came from or went into the cache."""
    return {
        "input_tokens": usage.prompt,
        "input_tokens_details": {"cached_tokens": usage.cache_read, "cache_write_tokens": usage.cache_write},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": usage.prompt + usage.output,
    }


def _item(play: Play, response_id: str) -> dict[str, Any]:
    if play.use is None:
        content = [{"type": "output_text", "text": play.text, "annotations": []}]
        return {"id": f"msg_{response_id}", "type": "message", "role": "assistant", "status": "completed"} | {
            "content": content
        }
    call = {"call_id": play.use.call_id, "status": "completed"}
    if play.use.tool.builtin is not None:
        return {"id": f"ls_{response_id}", "type": "local_shell_call", **call, "action": dict(play.use.arguments)}
    arguments = json.dumps(play.use.arguments)
    return {"id": f"fc_{response_id}", "type": "function_call", **call} | {
        "name": play.use.tool.name,
        "arguments": arguments,
    }


def complete(play: Play, usage: Usage, model: str, response_id: str) -> dict[str, Any]:
    """The whole answer as one object."""
    return {
        "id": f"resp_{response_id}",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "model": model,
        "output": [_item(play, response_id)],
        "usage": usage_fields(usage),
    }


def stream(play: Play, usage: Usage, model: str, response_id: str) -> Iterator[Event]:
    """The answer as server-sent events, usage in the last."""
    whole = complete(play, usage, model, response_id)
    item = whole["output"][0]
    started = {**whole, "status": "in_progress", "output": [], "usage": None}
    at = {"item_id": item["id"], "output_index": 0}
    if item["type"] == "message":
        text = {**at, "content_index": 0}
        part = item["content"][0]
        opened = {**item, "status": "in_progress", "content": []}
        body: list[tuple[str, dict[str, Any]]] = [
            ("response.content_part.added", {**text, "part": {**part, "text": ""}}),
            ("response.output_text.delta", {**text, "delta": part["text"]}),
            ("response.output_text.done", {**text, "text": part["text"]}),
            ("response.content_part.done", {**text, "part": part}),
        ]
    elif item["type"] == "function_call":
        opened = {**item, "status": "in_progress", "arguments": ""}
        body = [
            ("response.function_call_arguments.delta", {**at, "delta": item["arguments"]}),
            ("response.function_call_arguments.done", {**at, "arguments": item["arguments"]}),
        ]
    else:
        opened, body = item, []
    events: list[tuple[str, dict[str, Any]]] = [
        ("response.created", {"response": started}),
        ("response.in_progress", {"response": started}),
        ("response.output_item.added", {"output_index": 0, "item": opened}),
        *body,
        ("response.output_item.done", {"output_index": 0, "item": item}),
        ("response.completed", {"response": whole}),
    ]
    for number, (name, fields) in enumerate(events):
        yield name, {"type": name, "sequence_number": number, **fields}


WIRE = Wire("responses", read, complete, stream, error)
