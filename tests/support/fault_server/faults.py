"""What can go wrong with one call."""

from __future__ import annotations

import json
import random
import string
from collections.abc import Mapping
from enum import StrEnum
from typing import Any


class Fault(StrEnum):
    """One way to go wrong. The first group never answers, the second answers what is no decision."""

    RATE_LIMIT = "429"
    SERVER_ERROR = "500"
    BAD_GATEWAY = "502"
    UNAVAILABLE = "503"
    OVERLOADED = "529"
    SLOW = "slow"
    CUT = "cut in the body"
    CLOSED = "closed without a word"
    NOT_JSON = "not json"
    NO_TEMPERATURE = "rejects temperature"
    NO_TOOLS = "rejects tools"
    UNAUTHORIZED = "401"
    NO_CHOICES = "no choices"

    REFUSAL = "refusal in words"
    REFUSAL_FIELD = "refusal in its field"
    CONTENT_FILTER = "content filter"
    UNKNOWN_TOOL = "unknown tool"
    EMPTY = "empty"
    OVERSIZED = "oversized"
    TWO_CALLS = "two calls"
    WRONG_TYPES = "wrong types"
    BAD_ARGUMENTS = "arguments cut off"
    UNKNOWN_FIELD = "unknown field"
    REASONING_LEAK = "reasoning in the message"
    NOISE = "noise"

    @property
    def of_provider(self) -> bool:
        """Whether there is no answer at all."""
        return list(Fault).index(self) <= list(Fault).index(Fault.NO_CHOICES)


STATUSES: Mapping[Fault, int] = {
    Fault.RATE_LIMIT: 429,
    Fault.SERVER_ERROR: 500,
    Fault.BAD_GATEWAY: 502,
    Fault.UNAVAILABLE: 503,
    Fault.OVERLOADED: 529,
    Fault.UNAUTHORIZED: 401,
}


def error_body(status: int, text: str) -> dict[str, Any]:
    """An error as OpenAI words it."""
    kind = {429: "rate_limit_error", 401: "authentication_error", 400: "invalid_request_error"}.get(
        status, "server_error"
    )
    return {"error": {"message": text, "type": kind, "param": None, "code": None}}


def completion(
    *,
    arguments: str | None = None,
    content: str | None = None,
    name: str = "decide",
    calls: int = 1,
    finish: str | None = None,
    extra: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A chat completion with ``calls`` tool calls of these arguments, or with text."""
    message: dict[str, Any] = {"role": "assistant", "content": content, **(extra or {})}
    if arguments is not None:
        function = {"name": name, "arguments": arguments}
        message["tool_calls"] = [
            {"id": f"call_{number}", "type": "function", "function": function} for number in range(calls)
        ]
    reason = finish or ("tool_calls" if arguments is not None else "stop")
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "fault-server",
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {
            "prompt_tokens": 120,
            "completion_tokens": 30,
            "total_tokens": 150,
            "prompt_tokens_details": {"cached_tokens": 100},
        },
    }


def right_answer(decision: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    """A decision in the form that was asked for: a tool call, or one JSON object."""
    if not body.get("tools"):
        return completion(content=json.dumps(decision))
    name, arguments = _call(decision)
    return completion(arguments=json.dumps(arguments), name=name)


def wrong_answer(fault: Fault, decision: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """An answer that is no usable decision, made from one that would be."""
    name, decision = _call(decision)
    words = "words" if "words" in decision else "message"
    match fault:
        case Fault.REFUSAL:
            return completion(content="I'm sorry, but I can't help with that request.")
        case Fault.REFUSAL_FIELD:
            return completion(extra={"refusal": "I can't take part in this."})
        case Fault.CONTENT_FILTER:
            return completion(content="", finish="content_filter")
        case Fault.UNKNOWN_TOOL:
            return completion(arguments=json.dumps(decision), name="send_message")
        case Fault.EMPTY:
            return completion(content="")
        case Fault.OVERSIZED:
            return completion(arguments=json.dumps({**decision, words: "word " * 20_000}), name=name)
        case Fault.TWO_CALLS:
            return completion(arguments=json.dumps(decision), name=name, calls=2)
        case Fault.WRONG_TYPES:
            return completion(arguments=json.dumps({**decision, words: ["a", "b"], "reason": 5}), name=name)
        case Fault.BAD_ARGUMENTS:
            return completion(arguments=json.dumps(decision)[:-3], name=name, finish="length")
        case Fault.UNKNOWN_FIELD:
            return completion(arguments=json.dumps({**decision, "confidence": 0.9}), name=name)
        case Fault.REASONING_LEAK:
            leaked = f"<think>The user would ask this now.</think> {decision.get(words) or 'why?'}"
            return completion(arguments=json.dumps({**decision, words: leaked}), name=name)
        case Fault.NOISE:
            return completion(content="".join(rng.choices(string.printable, k=rng.randint(1, 400))))
    raise ValueError(f"{fault!r} is no wrong answer")


def _call(decision: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Name and arguments of the tool that a decision calls."""
    if set(decision) == {"tool", "arguments"}:
        return decision["tool"], decision["arguments"]
    return "decide", decision
