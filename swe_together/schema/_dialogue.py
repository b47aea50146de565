"""The dialogue of a session: what the user said, and what the agent said after it."""

from collections.abc import Sequence
from typing import Self

from pydantic import Field

from swe_together.schema._base import Strict
from swe_together.schema._results import DecisionRecord, MessageKind, SessionRecord, Settlement
from swe_together.schema._simulator import Tag


class DialogueTurn(Strict):
    """One user message and the agent's last words after it. Turn 1 is the instruction and its answer."""

    turn: int = Field(ge=1)
    message: str
    kind: MessageKind | None = Field(default=None, description="None for the instruction.")
    anchors: list[str] = Field(default_factory=list)
    tags: list[Tag] = Field(default_factory=list, description="As recorded with the decision.")
    reply: str | None = Field(default=None, description="Empty: the agent said nothing. None: not recorded.")
    timed_out: bool = False


class Dialogue(Strict):
    """A session's dialogue, and how its anchors left the list."""

    policy: str
    turns: list[DialogueTurn] = Field(min_length=1)
    settled: list[Settlement] = Field(default_factory=list)

    @classmethod
    def of(cls, session: SessionRecord, decisions: Sequence[DecisionRecord]) -> Self:
        """The dialogue that a session's records hold.

        Args:
            session: ``user-agent/session.json``.
            decisions: ``user-agent/decisions.jsonl``.
        """
        replies = {record.turn: record.observation.reply for record in decisions}
        turns = [
            DialogueTurn(
                turn=turn.turn,
                message=turn.message,
                kind=turn.kind,
                anchors=turn.anchors,
                tags=turn.tags,
                reply=replies.get(turn.turn),
                timed_out=turn.timed_out,
            )
            for turn in session.turns
        ]
        return cls(policy=session.policy, turns=turns, settled=session.settled)

    @property
    def followups(self) -> list[DialogueTurn]:
        """The user's messages after the instruction."""
        return [turn for turn in self.turns if turn.kind is not None]
