"""What messages look like from outside: length, pushback, questions, tags; simulated ones beside the tasks' own."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from swe_together.schema import Action, Marginals, Quartiles, Share, SourceSession, Tag
from swe_together.simulator.audit._input import Decided

_PUSHBACK: Final = frozenset({Tag.CORRECTION, Tag.NUDGE})


@dataclass(frozen=True)
class Seen:
    """A follow-up message as marginals count it.

    Attributes:
        chars: Its length; None where it isn't recorded.
        tags: Its labels; empty where it has none.
        action: What the user did with it, where that is recorded.
    """

    chars: int | None
    tags: frozenset[str]
    action: Action | None = None

    @property
    def sorted_out(self) -> bool:
        """Whether anybody said what kind of message it is."""
        return bool(self.tags) or self.action is not None

    @property
    def pushes_back(self) -> bool:
        """Tagged as a correction or a nudge; without tags, a redirect."""
        return bool(self.tags & _PUSHBACK) if self.tags else self.action is Action.REDIRECT

    @property
    def asks(self) -> bool:
        """Tagged as a question; without tags, the action is one."""
        return Tag.QUESTION in self.tags if self.tags else self.action is Action.QUESTION


def simulated(decisions: Iterable[Decided]) -> list[Seen]:
    """The messages of a session. Anchors have authored tags, insists are corrections, free ones have their action."""
    return [
        Seen(len(one.decision.message), frozenset(one.decision.tags), one.decision.action)
        for one in decisions
        if one.decision.message is not None
    ]


def recorded(session: SourceSession) -> list[Seen]:
    """The follow-ups of the session that a task comes from; the first message is everybody's."""
    return [
        Seen(len(message.text) if message.text is not None else message.chars, frozenset(message.tags))
        for message in session.messages
        if message.turn > 0
    ]


def marginals(messages: Sequence[Seen]) -> Marginals:
    """Their distribution. Messages that nobody sorted count for the length alone."""
    sorted_out = [message for message in messages if message.sorted_out]
    tagged = [message for message in messages if message.tags]
    return Marginals(
        chars=_quartiles([message.chars for message in messages if message.chars is not None]),
        pushback=share(sum(message.pushes_back for message in sorted_out), len(sorted_out)),
        question=share(sum(message.asks for message in sorted_out), len(sorted_out)),
        tags={tag: share(sum(tag in message.tags for message in tagged), len(tagged)) for tag in Tag},
    )


def share(numerator: int, denominator: int) -> Share:
    """The share; undefined of nothing."""
    return Share(numerator=numerator, denominator=denominator, value=numerator / denominator if denominator else None)


def _quartiles(chars: Sequence[int]) -> Quartiles:
    if not chars:
        return Quartiles(count=0, q1=None, median=None, q3=None)
    if len(chars) == 1:
        return Quartiles(count=1, q1=chars[0], median=chars[0], q3=chars[0])
    q1, median, q3 = statistics.quantiles(chars, n=4, method="inclusive")
    return Quartiles(count=len(chars), q1=q1, median=median, q3=q3)
