"""What has to be known of a real command line to run it and to judge what its trial reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from tests.agents.script import SCRIPT
from tests.support.model_server import Call, SessionScript, Usage


@dataclass(frozen=True, slots=True)
class Sums:
    """Tokens of a trial or a turn, as they stand in its results; None is unknown there."""

    input: int | None
    cached: int | None
    output: int | None
    reasoning: int | None


def everything(usage: Usage) -> Sums:
    """Input however it was served, output with the reasoning in it."""
    return Sums(usage.prompt, usage.cache_read, usage.output, usage.reasoning)


def all_but_reasoning(usage: Usage) -> Sums:
    """The same for a client whose log, or Harbor's reader of it, says nothing of the reasoning."""
    return replace(everything(usage), reasoning=None)


def no_side_call(call: Call) -> str | None:
    """For a client that makes none."""
    return None


@dataclass(frozen=True, slots=True)
class Client:
    """One command line.

    Args:
        name: Harbor's name of the agent.
        model: The model that it is asked to use.
        version: The version that the image holds.
        program: The command that prints it; empty for one that runs on the host.
        variables: What Harbor hands to the agent: `{key}` and `{server}` stand for the session's.
        options: Harbor's arguments for the agent, with the same placeholders.
        continuation: How the adapter continues its conversation.
        sums: What it reports of what its own loop was charged.
        cost: Its cost is that of the steps, stands for the whole alone, or is unknown.
        side_calls: All that it makes besides its loop in a native session, by name; none is in its own sums.
        side_call: The name of a side call; None for one that isn't known.
        script: What the model plays.
        last_calls: How many calls it takes after the last command of a turn.
    """

    name: str
    model: str
    version: str
    program: str
    variables: Mapping[str, str]
    options: Mapping[str, str] = field(default_factory=lambda: {"skip_install": "true"})
    continuation: Literal["native", "restated"] = "native"
    sums: Callable[[Usage], Sums] = everything
    cost: Literal["steps", "whole", "unknown"] = "steps"
    side_calls: Mapping[str, int] = field(default_factory=dict)
    side_call: Callable[[Call], str | None] = no_side_call
    script: SessionScript = SCRIPT
    last_calls: int = 1

    @property
    def steps(self) -> list[tuple[int, int]]:
        """Turn and step of every call of its loop that succeeds."""
        return [
            (number, step)
            for number, turn in enumerate(self.script.turns, 1)
            for step in range(1, len(turn.steps) + self.last_calls + 1)
        ]

    @property
    def shown(self) -> dict[str, object]:
        """What its passed tests show, as docs/agents.json keeps it."""
        return {"version": self.version, "tokens": self.tokens}

    @property
    def tokens(self) -> list[str]:
        """The kinds of tokens that are known of it, as docs/agents.md names them."""
        known = self.sums(Usage(1, 1, 1, 1, 1))
        return [name for name in ("input", "cached", "output", "reasoning") if getattr(known, name) is not None]


def openai() -> dict[str, str]:
    """The variables of OpenAI."""
    return {"OPENAI_API_KEY": "{key}", "OPENAI_BASE_URL": "{server}/v1"}
