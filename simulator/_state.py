"""Where each anchor stands, what was said, and what could be said next."""

from dataclasses import dataclass
from enum import StrEnum

from swe_together.schema import Action, Anchor, MessageKind, Tag


class AnchorStatus(StrEnum):
    """Where an anchor stands. Settled are all but the first and the last."""

    PENDING = "pending"
    SAID = "said"
    SATISFIED = "satisfied"
    EXPIRED = "expired"
    DISMISSED = "dismissed"


@dataclass
class AnchorState:
    """One anchor in the course of a session.

    Attributes:
        anchor: The anchor.
        position: Place in the script, which decides between anchors of the same source turn.
        status: Where it stands.
        said_turn: Turn after which it was said.
        insists: Insists said, or used up because their words had been sent already.
        ignored: Said at an earlier turn, and at this turn neither satisfied nor pointless.
        closed: Satisfied or expired at a turn after it was said: nothing is left to insist on.
    """

    anchor: Anchor
    position: int
    status: AnchorStatus = AnchorStatus.PENDING
    said_turn: int | None = None
    insists: int = 0
    ignored: bool = False
    closed: bool = False

    @property
    def settled(self) -> bool:
        """Whether others that wait for it may go on."""
        return self.status in (AnchorStatus.SAID, AnchorStatus.SATISFIED, AnchorStatus.EXPIRED)

    def watched(self, turn: int) -> bool:
        """Whether an insist may come to be owed at this turn, so that ``satisfied`` has to be looked at."""
        insist = self.anchor.insist
        if insist is None or self.status is not AnchorStatus.SAID or self.closed:
            return False
        return self.insists < insist.max and self.said_turn is not None and self.said_turn < turn


@dataclass(frozen=True)
class Option:
    """Something that the user may say now: an anchor, or an insist on one that was ignored."""

    anchor: Anchor
    kind: MessageKind
    message: str

    @property
    def action(self) -> Action:
        """The anchor's action. Whoever insists redirects."""
        return Action.REDIRECT if self.kind is MessageKind.INSIST else self.anchor.action

    @property
    def tags(self) -> list[Tag]:
        """The anchor's tags. An insist is a correction."""
        return [Tag.CORRECTION] if self.kind is MessageKind.INSIST else list(self.anchor.tags)


@dataclass(frozen=True)
class Sent:
    """One message that the user has sent, after ``turn``; ``anchors`` are the ids it expresses."""

    turn: int
    text: str
    kind: MessageKind
    anchors: tuple[str, ...] = ()


def same_words(text: str) -> str:
    """A key that is equal for messages that read the same: case and white space don't count."""
    return " ".join(text.split()).casefold()
