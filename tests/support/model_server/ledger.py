"""Random but repeatable usage per call, and the record of every request."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

Protocol = Literal["anthropic", "chat", "gemini", "responses", "other"]
SECRET_HEADERS = frozenset({"authorization", "x-api-key", "x-goog-api-key", "api-key", "cookie", "proxy-authorization"})


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call. `fresh`, `cache_read` and `cache_write` are disjoint; `reasoning` is part of `output`."""

    fresh: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    reasoning: int = 0

    def __add__(self, other: Usage) -> Usage:
        """Field by field."""
        return Usage(
            self.fresh + other.fresh,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
            self.output + other.output,
            self.reasoning + other.reasoning,
        )

    @property
    def prompt(self) -> int:
        """All input, however it was served."""
        return self.fresh + self.cache_read + self.cache_write

    @classmethod
    def draw(cls, seed: str) -> Usage:
        """Draw every field on its own, none of them zero, small enough that no client compacts its context."""
        rng = random.Random(seed)
        reasoning = rng.randint(5, 60)
        return cls(
            fresh=rng.randint(100, 900),
            cache_read=rng.randint(50, 800),
            cache_write=rng.randint(20, 400),
            output=reasoning + rng.randint(10, 200),
            reasoning=reasoning,
        )


@dataclass(frozen=True, slots=True)
class Call:
    """One request and what was answered; `nth` counts within the session.

    `usage` is set only if the client was sent it completely.
    """

    number: int
    nth: int
    session: str
    protocol: Protocol
    method: str
    path: str
    headers: Mapping[str, str]
    body: Any
    status: int
    turn: int | None = None
    step: int | None = None
    tool_call_id: str | None = None
    side: str | None = None
    usage: Usage | None = None

    @property
    def is_agent(self) -> bool:
        """Whether the call belongs to the agent's own loop."""
        return self.turn is not None


def total(calls: Iterable[Call]) -> Usage:
    """Sum of what these calls were answered with."""
    usage = Usage()
    for call in calls:
        if call.usage is not None:
            usage = usage + call.usage
    return usage


class Ledger:
    """Every request of every session, in the order of arrival."""

    def __init__(self, jsonl: Path | None = None) -> None:
        """Keep the calls in memory and, if a path is given, also append each to that file."""
        self._calls: list[Call] = []
        self._lock = threading.Lock()
        self._jsonl = jsonl

    def open(self, session: str) -> tuple[int, int]:
        """Enter a call when it arrives: its number overall and within its session."""
        with self._lock:
            number, nth = len(self._calls) + 1, 1 + sum(call.session == session for call in self._calls)
            self._calls.append(Call(number, nth, session, "other", "", "", {}, None, 0, side="unanswered"))
            return number, nth

    def write(self, call: Call) -> None:
        """Record a call under its number, without secrets."""
        headers = {key: value for key, value in call.headers.items() if key.lower() not in SECRET_HEADERS}
        call = replace(call, headers=headers)
        with self._lock:
            self._calls[call.number - 1] = call
            if self._jsonl is not None:
                with self._jsonl.open("a", encoding="utf-8") as sink:
                    sink.write(json.dumps(asdict(call)) + "\n")

    def calls(self, session: str | None = None) -> list[Call]:
        """Calls of one session, or all, in the order of arrival."""
        with self._lock:
            return [call for call in self._calls if session is None or call.session == session]
