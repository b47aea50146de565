"""The phrases of the template prose, from ``assets/phrases.toml``."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources

type Exchange = tuple[str, str]
"""What the mentor says, and what the mentee answers."""


@dataclass(frozen=True)
class Phrases:
    """Everything that can be said, as templates; see ``_spin``.

    Attributes:
        topics: What small talk is about, and what can be said about each topic.
        words: What may stand in a slot.
    """

    first_meeting: Sequence[Exchange]
    openings: Sequence[Exchange]
    closings: Sequence[Exchange]
    rule: Sequence[str]
    rule_update: Sequence[str]
    distractor: Sequence[str]
    distractor_update: Sequence[str]
    accept: Sequence[str]
    small_talk: Sequence[Exchange]
    small_talk_again: Sequence[Exchange]
    padding: Sequence[Exchange]
    topics: Mapping[str, Sequence[str]]
    words: Mapping[str, Sequence[str]]


@cache
def phrases() -> Phrases:
    """The phrases; read once."""
    text = resources.files("swe_together.memorycode").joinpath("assets", "phrases.toml").read_text(encoding="utf-8")
    found = tomllib.loads(text)
    return Phrases(**{field.name: found[field.name] for field in fields(Phrases)})
