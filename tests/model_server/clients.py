"""A small agent loop over independent client libraries, to prove that others understand the fake server."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, cast

import litellm
import openai

from tests.support.model_server import Usage

SCHEMA = {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}
FUNCTION = {"name": "bash", "description": "Run a command", "parameters": SCHEMA}
MODEL = "any-model"


@dataclass(frozen=True, slots=True)
class Reply:
    """One model answer as the library understood it."""

    text: str
    call_id: str | None
    command: str | None
    usage: Usage


class Chat:
    """OpenAI chat completions by the openai library."""

    def __init__(self, url: str, key: str, stream: bool) -> None:
        self.client = openai.OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0, timeout=10)
        self.stream = stream
        self.messages: list[dict[str, Any]] = []

    def say(self, text: str) -> None:
        self.messages.append({"role": "user", "content": text})

    def result(self, call_id: str, text: str) -> None:
        self.messages.append({"role": "tool", "tool_call_id": call_id, "content": text})

    def ask(self) -> Reply:
        create = cast(Any, self.client.chat.completions.create)
        common = {"model": MODEL, "messages": self.messages, "tools": [{"type": "function", "function": FUNCTION}]}
        if not self.stream:
            done = create(**common)
            return self._reply(done.choices[0].message.model_dump(exclude_none=True), done.usage)
        message: dict[str, Any] = {"role": "assistant", "content": ""}
        usage = None
        for chunk in create(**common, stream=True, stream_options={"include_usage": True}):
            usage = chunk.usage or usage
            for choice in chunk.choices:
                message["content"] += choice.delta.content or ""
                for call in choice.delta.tool_calls or ():
                    message.setdefault("tool_calls", []).append(call.model_dump(exclude={"index"}))
        return self._reply(message, usage)

    def _reply(self, message: dict[str, Any], usage: Any) -> Reply:
        self.messages.append(message)
        call = (message.get("tool_calls") or [None])[0]
        command = json.loads(call["function"]["arguments"])["command"] if call else None
        return Reply(message.get("content") or "", call["id"] if call else None, command, _openai_names(usage))


def _openai_names(usage: Any) -> Usage:
    """Back from the names of chat completions, where the prompt includes both kinds of cached tokens."""
    details = usage.prompt_tokens_details
    read, write = details.cached_tokens, details.cache_write_tokens
    reasoning = usage.completion_tokens_details.reasoning_tokens
    return Usage(usage.prompt_tokens - read - write, read, write, usage.completion_tokens, reasoning)


class Responses:
    """OpenAI responses by the openai library."""

    def __init__(self, url: str, key: str, stream: bool) -> None:
        self.client = openai.OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0, timeout=10)
        self.stream = stream
        self.items: list[dict[str, Any]] = []

    def say(self, text: str) -> None:
        self.items.append({"role": "user", "content": [{"type": "input_text", "text": text}]})

    def result(self, call_id: str, text: str) -> None:
        self.items.append({"type": "function_call_output", "call_id": call_id, "output": text})

    def ask(self) -> Reply:
        create = cast(Any, self.client.responses.create)
        common = {"model": MODEL, "input": self.items, "tools": [{"type": "function", **FUNCTION}]}
        if self.stream:
            events = list(create(**common, stream=True))
            deltas = "".join(event.delta for event in events if event.type.endswith(".delta"))
            done = events[-1].response
        else:
            done, deltas = create(**common), None
        item = done.output[0]
        self.items.append(item.model_dump(exclude_none=True))
        spoken = item.arguments if item.type == "function_call" else item.content[0].text
        assert deltas in (None, spoken)
        usage, details = done.usage, done.usage.input_tokens_details
        read, write = details.cached_tokens, details.cache_write_tokens
        reasoning = usage.output_tokens_details.reasoning_tokens
        found = Usage(usage.input_tokens - read - write, read, write, usage.output_tokens, reasoning)
        if item.type == "function_call":
            return Reply("", item.call_id, json.loads(item.arguments)["command"], found)
        return Reply(spoken, None, None, found)


class Anthropic:
    """Anthropic messages by LiteLLM, which speaks chat completions on its other side."""

    model = "anthropic/claude-sonnet-4-5"
    path = ""

    def __init__(self, url: str, key: str, stream: bool) -> None:
        self.url, self.key, self.stream = url, key, stream
        self.messages: list[dict[str, Any]] = []

    def say(self, text: str) -> None:
        self.messages.append({"role": "user", "content": text})

    def result(self, call_id: str, text: str) -> None:
        self.messages.append({"role": "tool", "tool_call_id": call_id, "content": text})

    def ask(self) -> Reply:
        done = litellm.completion(
            model=self.model,
            api_base=f"{self.url}{self.path}",
            api_key=self.key,
            messages=self.messages,
            tools=[{"type": "function", "function": FUNCTION}],
            stream=self.stream,
            stream_options={"include_usage": True} if self.stream else None,
            max_tokens=100,
            num_retries=0,
        )
        whole = cast(Any, litellm.stream_chunk_builder(list(done)) if self.stream else done)
        message = whole.choices[0].message.model_dump(exclude_none=True)
        self.messages.append(message)
        call = (message.get("tool_calls") or [None])[0]
        command = json.loads(call["function"]["arguments"])["command"] if call else None
        return Reply(message.get("content") or "", call["id"] if call else None, command, self._usage(whole.usage))

    def _usage(self, usage: Any) -> Usage:
        # LiteLLM doesn't pass the thinking tokens on, so there is nothing to compare them with.
        read, write = usage.cache_read_input_tokens, usage.cache_creation_input_tokens
        return Usage(usage.prompt_tokens - read - write, read, write, usage.completion_tokens)


class Gemini(Anthropic):
    """Gemini generateContent by LiteLLM as well, which invents the ids that this protocol lacks."""

    model = "gemini/gemini-2.5-pro"
    path = "/v1beta"

    def _usage(self, usage: Any) -> Usage:
        read = usage.prompt_tokens_details.cached_tokens
        reasoning = usage.completion_tokens_details.reasoning_tokens
        return Usage(usage.prompt_tokens - read, read, 0, usage.completion_tokens, reasoning)


CLIENTS: dict[str, type[Chat] | type[Responses] | type[Anthropic]] = {
    "chat": Chat,
    "responses": Responses,
    "anthropic": Anthropic,
    "gemini": Gemini,
}
