"""Anthropic messages: reading requests, and answers plain or streamed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from .ledger import Usage
from .script import Conversation, Item, ItemKind, Play, Tool
from .wire import Event, Wire, text_of


def read(body: Mapping[str, Any]) -> Conversation:
    """Turn a request into the neutral form."""
    items: list[Item] = []
    for message in body.get("messages", ()):
        content = message.get("content", "")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        role: ItemKind = "assistant" if message.get("role") == "assistant" else "user"
        for block in blocks:
            kind = block.get("type")
            if kind == "tool_use":
                items.append(Item("call", str(block.get("input")), block.get("id")))
            elif kind == "tool_result":
                items.append(Item("result", text_of(block.get("content")), block.get("tool_use_id")))
            elif kind == "text":
                items.append(Item(role, block.get("text", "")))
    tools = tuple(
        Tool(tool["name"], tool.get("input_schema", {})) for tool in body.get("tools") or () if "name" in tool
    )
    return Conversation(tuple(items), tools, str(body.get("model", "")), bool(body.get("stream")))


def usage_fields(usage: Usage) -> dict[str, Any]:
    """Usage in this protocol's names; input excludes both kinds of cached tokens."""
    return {
        "input_tokens": usage.fresh,
        "cache_read_input_tokens": usage.cache_read,
        "cache_creation_input_tokens": usage.cache_write,
        "cache_creation": {"ephemeral_5m_input_tokens": usage.cache_write, "ephemeral_1h_input_tokens": 0},
        "output_tokens": usage.output,
        "output_tokens_details": {"thinking_tokens": usage.reasoning},
        "service_tier": "standard",
    }


def _block(play: Play) -> dict[str, Any]:
    if play.use is None:
        return {"type": "text", "text": play.text}
    return {
        "type": "tool_use",
        "id": play.use.call_id,
        "name": play.use.tool.name,
        "input": dict(play.use.arguments),
    }


def complete(play: Play, usage: Usage, model: str, response_id: str) -> dict[str, Any]:
    """The whole answer as one object."""
    return {
        "id": f"msg_{response_id}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [_block(play)],
        "stop_reason": "end_turn" if play.use is None else "tool_use",
        "stop_sequence": None,
        "usage": usage_fields(usage),
    }


def stream(play: Play, usage: Usage, model: str, response_id: str) -> Iterator[Event]:
    """The answer as server-sent events; the first counts one output token, the last has the full usage."""
    message = complete(play, usage, model, response_id)
    block = _block(play)
    first = {**message["usage"], "output_tokens": 1}
    first.pop("output_tokens_details")
    opening = {**message, "content": [], "stop_reason": None, "usage": first}
    yield "message_start", {"type": "message_start", "message": opening}
    if play.use is None:
        empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": play.text}
    else:
        empty, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    yield "content_block_start", {"type": "content_block_start", "index": 0, "content_block": empty}
    yield "content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}
    yield "content_block_stop", {"type": "content_block_stop", "index": 0}
    closing = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield "message_delta", {"type": "message_delta", "delta": closing, "usage": message["usage"]}
    yield "message_stop", {"type": "message_stop"}


def error(status: int, text: str) -> dict[str, Any]:
    """An error body."""
    names = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error", 529: "overloaded_error"}
    return {"type": "error", "error": {"type": names.get(status, "api_error"), "message": text}}


WIRE = Wire("anthropic", read, complete, stream, error)
