"""What a message is judged against, and what was found."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from swe_together.schema import Observation
from swe_together.simulator.guards._secrets import NO_SECRETS, Corpus, Secrets


class Finding(NamedTuple):
    """A guard that fired.

    Attributes:
        guard: Its name, a key of ``GUARDS``.
        detail: What it found, as a sentence that a model can act on; it never quotes a secret.
    """

    guard: str
    detail: str


@dataclass(frozen=True)
class Scene:
    """The moment in which a user is about to speak or to leave.

    Attributes:
        observation: The turn before it.
        language: Two letters; the language of the session.
        said: The user's messages so far, the instruction first.
        authored: The task's own words for what the message expresses; whatever stands in them is allowed.
        later: Anchors that the message may not express: id and words of each; an id may come more than once.
        anchors: Ids of all anchors.
        secrets: What the agent must not learn from the user.
        own: All messages of the task, whether said or not: none of them is a secret.
        shown: All that the user, the agent and the repository have shown so far.
        spoken: The part of it that was spoken: said and authored words, replies of the agent.
        yielded: Whether the agent waits.
    """

    observation: Observation
    language: str = "en"
    said: Sequence[str] = ()
    authored: Sequence[str] = ()
    later: Sequence[tuple[str, str]] = ()
    anchors: Sequence[str] = ()
    secrets: Secrets = NO_SECRETS
    own: Corpus = field(default_factory=lambda: Corpus())
    shown: Corpus = field(default_factory=lambda: Corpus())
    spoken: Corpus = field(default_factory=lambda: Corpus())
    yielded: bool = True


Guard = Callable[[str, Scene], str | None]
"""Judges a message: what is wrong with it, or None."""
