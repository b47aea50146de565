"""A conversation with a model that calls tools, whatever form its provider has for that."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from swe_together.providers import Completion, Provider, Structure, ToolCall

MANY = "required"
"""The choice of tools where there is more than one: any of them, but one."""


@dataclass(frozen=True)
class Tool:
    """Something that a model can call; ``schema`` is that of its arguments."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True)
class Step:
    """One usable answer of the model: what it said and called, and what each call gave back."""

    content: str
    calls: Sequence[ToolCall]
    results: Sequence[str]


@dataclass(frozen=True)
class Conversation:
    """Everything that a model is sent.

    Attributes:
        system: The part that is the same for every judgement.
        opening: What this judgement is about.
        tools: What may be called now.
        steps: What has happened since.
        notes: Why the last answers could not be used, or what the budget says.
    """

    system: str
    opening: str
    tools: Sequence[Tool]
    steps: Sequence[Step] = ()
    notes: Sequence[str] = ()

    @property
    def digest(self) -> str:
        """SHA-256 of what a judgement starts with: system text, opening, tools."""
        tools = [[tool.name, tool.description, tool.schema] for tool in self.tools]
        text = json.dumps([self.system, self.opening, tools], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def noted(self) -> str:
        """The notes as the model reads them; empty without."""
        return "\n".join(["# Note", *(f"- {note}" for note in self.notes)]) if self.notes else ""


class ChatModel(Protocol):
    """Anything that answers conversations: a provider's model, or a list of answers."""

    @property
    def name(self) -> str:
        """What is recorded as the model."""
        ...

    @property
    def temperature(self) -> float | None:
        """What is recorded as the temperature."""
        ...

    async def answer(self, conversation: Conversation, seconds: float) -> Completion:
        """Answer.

        Args:
            conversation: All that was said so far.
            seconds: All the time there is, waiting for a provider included.

        Raises:
            JudgeError: No answer could be had; TaggerError where the model tags.
        """
        ...


class ProviderChat(Provider):
    """A provider's model that calls tools: as its own tool calls, or else as one JSON object an answer."""

    async def answer(self, conversation: Conversation, seconds: float) -> Completion:
        """Answer; see ``ChatModel.answer``."""
        return await self.ask(lambda structure: self._body(conversation, structure), seconds)

    def _body(self, conversation: Conversation, structure: Structure) -> dict[str, Any]:
        system = conversation.system
        form = one_call(conversation.tools)
        if structure == "text":
            system += f"\n\nAnswer with one JSON object of this schema and nothing else:\n{json.dumps(form)}"
        opening = {**self.system(conversation.opening), "role": "user"}
        spoken = _called(conversation.steps) if structure == "tool" else _written(conversation.steps)
        messages = [self.system(system), opening, *spoken]
        if conversation.notes:
            messages.append({"role": "user", "content": conversation.noted})
        if structure == "tool":
            return {"messages": messages, **_tools(conversation.tools)}
        if structure == "schema":
            named = {"name": "call", "schema": form, "strict": True}
            return {"messages": messages, "response_format": {"type": "json_schema", "json_schema": named}}
        return {"messages": messages}


def one_call(tools: Sequence[Tool]) -> dict[str, Any]:
    """The schema of one call, for providers without tools: ``{"tool": …, "arguments": {…}}``."""
    arguments = [tool.schema for tool in tools]
    return {
        "type": "object",
        "properties": {
            "tool": {"type": "string", "enum": [tool.name for tool in tools]},
            "arguments": arguments[0] if len(arguments) == 1 else {"anyOf": arguments},
        },
        "required": ["tool", "arguments"],
        "additionalProperties": False,
    }


def _tools(tools: Sequence[Tool]) -> dict[str, Any]:
    functions = [{"name": tool.name, "description": tool.description, "parameters": tool.schema} for tool in tools]
    only = {"type": "function", "function": {"name": tools[0].name}}
    return {
        "tools": [{"type": "function", "function": function} for function in functions],
        "tool_choice": only if len(tools) == 1 else MANY,
    }


def _called(steps: Sequence[Step]) -> Iterator[dict[str, Any]]:
    for number, step in enumerate(steps, start=1):
        ids = [call.id or f"call_{number}_{place}" for place, call in enumerate(step.calls)]
        calls = [
            {"id": id_, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for id_, call in zip(ids, step.calls, strict=True)
        ]
        yield {"role": "assistant", "content": step.content or None, "tool_calls": calls}
        for id_, result in zip(ids, step.results, strict=True):
            yield {"role": "tool", "tool_call_id": id_, "content": result}


def _written(steps: Sequence[Step]) -> Iterator[dict[str, Any]]:
    for step in steps:
        calls = [{"tool": call.name, "arguments": json.loads(call.arguments)} for call in step.calls]
        yield {"role": "assistant", "content": "\n".join(json.dumps(call, ensure_ascii=False) for call in calls)}
        yield {"role": "user", "content": "\n\n".join(step.results)}
