"""Gemini generateContent: reading requests, and answers plain or streamed. Its tool calls carry no ids here."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from .ledger import Usage
from .script import Conversation, Item, ItemKind, Play, Tool
from .wire import Event, Wire

_ROUTE = re.compile(r"/models/(?P<model>[^/:]+):(?P<method>generateContent|streamGenerateContent)$")
_STATUS = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED"}


def read(body: Mapping[str, Any], *, model: str, stream: bool) -> Conversation:
    """Turn a request into the neutral form; its model and whether to stream stand in the route."""
    items: list[Item] = []
    for content in body.get("contents", ()):
        role: ItemKind = "assistant" if content.get("role") == "model" else "user"
        for part in content.get("parts", ()):
            if call := _named(part, "functionCall"):
                items.append(Item("call", json.dumps(call.get("args", {}))))
            elif result := _named(part, "functionResponse"):
                items.append(Item("result", json.dumps(result.get("response", {}))))
            elif part.get("text") and not part.get("thought"):
                items.append(Item(role, part["text"]))
    tools = tuple(
        Tool(declared["name"], _named(declared, "parametersJsonSchema") or declared.get("parameters", {}))
        for group in body.get("tools") or ()
        for declared in _named(group, "functionDeclarations") or ()
    )
    return Conversation(tuple(items), tools, model, stream)


def _named(fields: Mapping[str, Any], name: str) -> Any:
    """A field by its name in this protocol, which may be written with underscores as well."""
    return fields.get(name) or fields.get(re.sub("([A-Z])", r"_\1", name).lower())


def usage_fields(usage: Usage) -> dict[str, Any]:
    """Usage in this protocol's names: the prompt includes all cached tokens, the candidates no thoughts."""
    return {
        "promptTokenCount": usage.prompt,
        "cachedContentTokenCount": usage.cache_read,
        "candidatesTokenCount": usage.output - usage.reasoning,
        "thoughtsTokenCount": usage.reasoning,
        "totalTokenCount": usage.prompt + usage.output,
    }


def _parts(play: Play) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = [{"text": play.text}] if play.text else []
    if play.use is not None:
        parts.append({"functionCall": {"name": play.use.tool.name, "args": dict(play.use.arguments)}})
    return parts


def _chunk(parts: list[dict[str, Any]], model: str, response_id: str, usage: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "candidates": [{"content": {"role": "model", "parts": parts}, "index": 0}],
        "usageMetadata": dict(usage),
        "modelVersion": model,
        "responseId": response_id,
    }


def complete(play: Play, usage: Usage, model: str, response_id: str) -> dict[str, Any]:
    """The whole answer as one object."""
    whole = _chunk(_parts(play), model, response_id, usage_fields(usage))
    whole["candidates"][0]["finishReason"] = "STOP"
    return whole


def stream(play: Play, usage: Usage, model: str, response_id: str) -> Iterator[Event]:
    """The answer as server-sent events: every chunk counts the prompt, the last has the full usage."""
    full = usage_fields(usage)
    begun = {"promptTokenCount": full["promptTokenCount"], "totalTokenCount": full["promptTokenCount"]}
    yield None, _chunk(_parts(play), model, response_id, begun)
    last = _chunk([{"text": ""}], model, response_id, full)
    last["candidates"][0]["finishReason"] = "STOP"
    yield None, last


def error(status: int, text: str) -> dict[str, Any]:
    """An error body."""
    name = _STATUS.get(status, "UNAVAILABLE" if status == 503 else "INTERNAL")
    return {"error": {"code": status, "message": text, "status": name}}


def wire_at(route: str) -> Wire | None:
    """The protocol for a model call by this route; None for any other route."""
    match = _ROUTE.search(route)
    if match is None:
        return None
    asks_stream = match["method"] == "streamGenerateContent"
    return Wire("gemini", partial(read, model=match["model"], stream=asks_stream), complete, stream, error)
