"""The real command lines: how each is run, what it reports of its usage, and which calls it makes on the side."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.support.model_server import Call, Usage


@dataclass(frozen=True, slots=True)
class Sums:
    """Tokens of a whole trial, as they stand in its results."""

    input: int
    cached: int
    output: int
    reasoning: int


def everything(usage: Usage) -> Sums:
    """Input however it was served, output with the reasoning in it: Claude Code and Codex."""
    return Sums(usage.prompt, usage.cache_read, usage.output, usage.reasoning)


def without_cache_writes(usage: Usage) -> Sums:
    """OpenCode reports output without its reasoning; and Harbor's reader of OpenCode leaves cache writes out.

    Both are reported beside, step by step; `test_no_token_of_opencode_is_lost` finds them there.
    """
    return Sums(usage.fresh + usage.cache_read, usage.cache_read, usage.output - usage.reasoning, usage.reasoning)


@dataclass(frozen=True, slots=True)
class Client:
    """One command line. `side_calls` are all that it makes besides its agent loop; none is in its own sums."""

    name: str
    model: str
    variables: str
    path: str
    version: str
    sums: Callable[[Usage], Sums]
    side_calls: Mapping[str, int]


CLIENTS = {
    client.name: client
    for client in (
        Client("claude-code", "anthropic/claude-sonnet-4-5", "ANTHROPIC", "", "2.1.332", everything, {}),
        Client("codex", "openai/gpt-5.2", "OPENAI", "/v1", "0.171.0", everything, {"websocket attempt": 3}),
        Client("opencode", "openai/gpt-5.2", "OPENAI", "/v1", "1.18.33", without_cache_writes, {"thread title": 1}),
    )
}


def side_call_name(call: Call) -> str:
    """What a side call was for; one that isn't known stays to be explained.

    Codex tries a websocket at the start of every turn. It is refused, costs nothing and is followed by plain HTTP.
    OpenCode lets a smaller model give the conversation a title once. It is charged, but OpenCode counts it nowhere.
    """
    if call.side == "websocket refused":
        return "websocket attempt"
    if call.side == "offers no shell tool" and "You are a title generator" in json.dumps(call.body):
        return "thread title"
    return f"unexplained: {call.method} {call.path}: {call.side}"
