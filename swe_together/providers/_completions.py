"""What comes back from a model, and what it cost."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from swe_together.schema import Usage

Structure = Literal["tool", "schema", "text"]
"""How an answer is given its form: by a tool call, by a JSON Schema, or by the words of the prompt alone."""


@dataclass(frozen=True)
class ToolCall:
    """A call of a tool, its arguments as the provider gave them.

    ``id`` goes back to the provider unchanged where the conversation goes on: some keep more than a number in it.
    """

    name: str
    arguments: str
    id: str = ""


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


def total(completions: Sequence[Completion]) -> Usage:
    """The price of several answers together; what any of them left unknown is unknown, and so is that of none."""
    return Usage(
        input_tokens=_sum([completion.input_tokens for completion in completions]),
        cached_tokens=_sum([completion.cached_tokens for completion in completions]),
        output_tokens=_sum([completion.output_tokens for completion in completions]),
        cost_usd=_sum([completion.cost_usd for completion in completions]),
    )


def _sum[Number: (int, float)](counts: Sequence[Number | None]) -> Number | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known and len(known) == len(counts) else None
