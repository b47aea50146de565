"""What is asked of a model and what comes back, without any provider in it."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Structure = Literal["tool", "schema", "text"]
"""How an answer is given its form: by a tool call, by a JSON Schema, or by the words of the prompt alone."""

TOOL = "decide"


@dataclass(frozen=True)
class Request:
    """One question to a model.

    Attributes:
        system: The part that stays the same for the whole session.
        user: What this turn is about.
        schema: JSON Schema of the answer.
        choices: Authored words by id of what may be said now; for choosers that are no model.
        notes: Why earlier answers in this turn could not be used.
    """

    system: str
    user: str
    schema: Mapping[str, Any]
    choices: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()

    @property
    def text(self) -> str:
        """The user's text with the notes below it."""
        if not self.notes:
            return self.user
        notes = "\n".join(f"- {note}" for note in self.notes)
        return f"{self.user}\n\n# Your last answer could not be used\n{notes}\nAnswer again."

    @property
    def digest(self) -> str:
        """SHA-256 over everything that is sent but the model's own settings."""
        parts = {"system": self.system, "user": self.text, "schema": self.schema}
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    @property
    def chars(self) -> int:
        """Characters of everything that is sent."""
        return len(self.system) + len(self.text) + len(json.dumps(self.schema))


@dataclass(frozen=True)
class ToolCall:
    """A call of a tool, its arguments as the provider gave them."""

    name: str
    arguments: str


@dataclass(frozen=True)
class Completion:
    """One answer of a model, and its price. Unknown is None.

    Attributes:
        content: Its text.
        calls: Its tool calls.
        refusal: The provider's own field for a refusal.
        finish: Why it stopped: ``stop``, ``tool_calls``, ``length``, ``content_filter``, …
        faults: What went wrong with the requests before it.
        dropped: Parameters that the provider rejected and that were left out.
    """

    content: str = ""
    calls: tuple[ToolCall, ...] = ()
    refusal: str | None = None
    finish: str | None = None
    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    faults: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    structure: Structure | None = None

    @property
    def raw(self) -> str:
        """The answer as JSON, for the record."""
        parts: dict[str, Any] = {"content": self.content} if self.content else {}
        if self.calls:
            parts["calls"] = [{"name": call.name, "arguments": call.arguments} for call in self.calls]
        if self.refusal is not None:
            parts["refusal"] = self.refusal
        if self.finish not in (None, "stop", "tool_calls"):
            parts["finish"] = self.finish
        return json.dumps(parts, ensure_ascii=False)


class Model(Protocol):
    """Anything that answers requests: a provider's model, or a chooser that is no model at all."""

    @property
    def name(self) -> str:
        """What is recorded as the model."""
        ...

    @property
    def temperature(self) -> float | None:
        """What is recorded as the temperature."""
        ...

    async def complete(self, request: Request, seconds: float) -> Completion:
        """Answer.

        Args:
            request: The question.
            seconds: All the time there is, waiting for a provider included.

        Raises:
            SimulatorError: No answer could be had.
        """
        ...


@dataclass(frozen=True)
class ModelSettings:
    """Which model plays the user. Names of host variables that hold keys may stand here, keys never.

    Attributes:
        model: LiteLLM's name of it, e.g. ``anthropic/claude-opus-4-8``.
        temperature: None leaves it to the provider.
        api_key_env: Host variable with the key; empty where the provider finds its own credentials.
        base_url: Another address than the provider's own.
    """

    model: str
    temperature: float | None = 0.0
    api_key_env: str = "SWE_TOGETHER_USER_API_KEY"
    base_url: str | None = None
