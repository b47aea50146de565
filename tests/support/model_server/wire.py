"""What every protocol module offers to the server."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .ledger import Protocol, Usage
from .script import Conversation, Play

Event = tuple[str | None, Mapping[str, Any] | str]
"""A server-sent event: its name where the protocol names events, and its data."""


@dataclass(frozen=True, slots=True)
class Wire:
    """One protocol: reading requests, and answers whole, streamed, or refused."""

    name: Protocol
    read: Callable[[Mapping[str, Any]], Conversation]
    complete: Callable[[Play, Usage, str, str], dict[str, Any]]
    stream: Callable[[Play, Usage, str, str], Iterator[Event]]
    error: Callable[[int, str], dict[str, Any]]


def text_of(content: Any) -> str:
    """Text of a content field, which is a string or a list of blocks."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "\n".join(str(block.get("text", "")) for block in content if isinstance(block, dict))
