"""OpenAI chat completions: reading requests, and answers plain or streamed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from .ledger import Usage
from .script import Conversation, Item, Play, Tool
from .wire import Event, Wire, text_of


def read(body: Mapping[str, Any]) -> Conversation:
    """Turn a request into the neutral form."""
    items: list[Item] = []
    for message in body.get("messages", ()):
        role, text = message.get("role"), text_of(message.get("content"))
        if role == "tool":
            items.append(Item("result", text, message.get("tool_call_id")))
        elif role == "assistant":
            if text:
                items.append(Item("assistant", text))
            items.extend(
                Item("call", call["function"]["arguments"], call.get("id")) for call in message.get("tool_calls") or ()
            )
        elif role == "user":
            items.append(Item("user", text))
    tools = tuple(
        Tool(tool["function"]["name"], tool["function"].get("parameters", {}))
        for tool in body.get("tools") or ()
        if "function" in tool
    )
    return Conversation(tuple(items), tools, str(body.get("model", "")), bool(body.get("stream")))


def usage_fields(usage: Usage) -> dict[str, Any]:
    """Usage in this protocol's names; the prompt includes what came from or went into the cache."""
    return {
        "prompt_tokens": usage.prompt,
        "completion_tokens": usage.output,
        "total_tokens": usage.prompt + usage.output,
        "prompt_tokens_details": {"cached_tokens": usage.cache_read, "cache_write_tokens": usage.cache_write},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    }


def _message(play: Play) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": play.text or None}
    if play.use is not None:
        function = {"name": play.use.tool.name, "arguments": json.dumps(play.use.arguments)}
        message["tool_calls"] = [{"id": play.use.call_id, "type": "function", "function": function}]
    return message


def complete(play: Play, usage: Usage, model: str, response_id: str) -> dict[str, Any]:
    """The whole answer as one object."""
    choice = {"index": 0, "message": _message(play), "finish_reason": "stop" if play.use is None else "tool_calls"}
    return {
        "id": f"chatcmpl-{response_id}",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [choice],
        "usage": usage_fields(usage),
    }


def stream(play: Play, usage: Usage, model: str, response_id: str) -> Iterator[Event]:
    """The answer as server-sent events, usage in the last chunk."""
    base = {"id": f"chatcmpl-{response_id}", "object": "chat.completion.chunk", "created": 0, "model": model}
    delta = _message(play)
    for call in delta.get("tool_calls", ()):
        call["index"] = 0
    finish = "stop" if play.use is None else "tool_calls"
    yield None, {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield None, {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}
    yield None, {**base, "choices": [], "usage": usage_fields(usage)}
    yield None, "[DONE]"


def error(status: int, text: str) -> dict[str, Any]:
    """An error body."""
    return {"error": {"message": text, "type": "server_error" if status >= 500 else "invalid_request_error"}}


WIRE = Wire("chat", read, complete, stream, error)
