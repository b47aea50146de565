"""The made-up session that every agent plays: what is said, run, answered and spent in each of three turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from swe_together.schema import Usage

MESSAGES = (
    "Please make a.txt with the word one in it.",
    "now the same for \"b.txt\", it's called `two` there – don't touch $HOME/a.txt {really}\n\nEOF\n\\n and \\ stay",
    "and c.txt with three.\nthat's all",
)
"""What a shell, a heredoc, a template or JSON could spoil stands in the second one."""


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens and money of one turn. ``input`` holds the cached ones, as Harbor counts."""

    input: int
    cached: int
    output: int
    cost: float


@dataclass(frozen=True, slots=True)
class Played:
    """One turn as a command line would have played it. ``spent`` is None where it reports nothing."""

    number: int
    sent: str
    command: str
    output: str
    reply: str
    spent: Spent | None

    @property
    def call(self) -> str:
        """Id of its tool call."""
        return f"call_{self.number}"


Files = Mapping[str, str | bytes]
"""Paths below the agent's log folder, and what stands there."""
Form = Callable[[Sequence[Played]], Files]
"""The logs of an agent after the last of some turns, in that agent's own form."""


def played(number: int, sent: str, *, reports: bool = True) -> Played:
    """Turn ``number``, counted from 1."""
    spent = Spent(1000 * number + 7, 100 * number, 10 * number + 1, number / 64)
    return Played(
        number, sent, f"echo run-{number}", f"out-{number}", f"I did part {number}.", spent if reports else None
    )


def usage(turn: Played, knows: Sequence[str]) -> Usage:
    """What of a turn an agent that reports ``knows`` must be counted with."""
    spent = turn.spent
    if spent is None:
        return Usage()
    values = {"input": spent.input, "cached": spent.cached, "output": spent.output, "cost": spent.cost}
    names = {"input": "input_tokens", "cached": "cached_tokens", "output": "output_tokens", "cost": "cost_usd"}
    return Usage.model_validate({names[name]: values[name] for name in knows})
