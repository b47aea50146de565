"""What is asked of a model and what comes back, without any provider in it."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, Self

from swe_together.errors import SimulatorError
from swe_together.providers import Completion, ProviderSettings

TOOL = "decide"


def compact(value: object) -> str:
    """JSON as clients send it, without blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def closed(schema: Any) -> Any:
    """The schema as strict providers want it: every object says that it holds nothing else."""
    if isinstance(schema, Mapping):
        shut = {name: closed(one) for name, one in schema.items()}
        return shut | {"additionalProperties": False} if schema.get("type") == "object" else shut
    return [closed(one) for one in schema] if isinstance(schema, list) else schema


@dataclass(frozen=True)
class Request:
    """One question to a model.

    Attributes:
        system: The part that stays the same for the whole session.
        user: What this turn is about.
        schema: JSON Schema of the answer.
        choices: Authored words by id of what may be said now; for choosers that are no model.
        notes: Why earlier answers in this turn could not be used.
        purpose: What the answer is for, as the tool's description.
        narrower: JSON Schemas of the answers when asked again, each with less room; none where it stays the same.
    """

    system: str
    user: str
    schema: Mapping[str, Any]
    choices: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()
    purpose: str = "What the user does now."
    narrower: Sequence[Mapping[str, Any]] = ()

    def again(self, notes: Sequence[str]) -> Self:
        """The question after answers that could not be used, for these reasons."""
        schemas = [self.schema, *self.narrower]
        return replace(self, notes=notes, schema=schemas[min(len(notes), len(self.narrower))])

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
        return len(self.system) + len(self.text) + len(compact(self.schema))


class NoAnswer(SimulatorError):
    """A provider gave no answer.

    Args:
        message: What is wrong.
        remedy: What to do about it.
        tries: What is known of the requests that failed: a completion without an answer.
    """

    def __init__(self, message: str, remedy: str, tries: Completion) -> None:
        super().__init__(message, remedy)
        self.tries = tries


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
            SimulatorError: No answer could be had; ``NoAnswer`` where requests were made for it.
        """
        ...


@dataclass(frozen=True)
class ModelSettings(ProviderSettings):
    """Which model plays the user; see ``ProviderSettings``."""

    api_key_env: str = "SWE_TOGETHER_USER_API_KEY"
