"""One dialogue, as it is generated and stored: who meets, what each session holds, and what is asked for at the end."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Literal, NamedTuple

from pydantic import Field

from swe_together.memorycode._laws import LengthClass
from swe_together.schema import Strict


class Kind(StrEnum):
    """What an item of a session is."""

    RULE = "rule"
    RULE_UPDATE = "rule-update"
    SMALL_TALK = "small-talk"
    SMALL_TALK_AGAIN = "small-talk-again"
    DISTRACTOR = "distractor"
    DISTRACTOR_UPDATE = "distractor-update"

    @property
    def is_rule(self) -> bool:
        """Whether it is an instruction about code."""
        return self in (Kind.RULE, Kind.RULE_UPDATE)

    @property
    def is_distractor(self) -> bool:
        """Whether it is an instruction that has nothing to do with code."""
        return self in (Kind.DISTRACTOR, Kind.DISTRACTOR_UPDATE)


class Item(Strict):
    """One topic of a session.

    ``topic`` is the id of a rule or distractor, or the subject of small talk; ``variant`` which wording of it;
    ``text`` the sentence that says it; ``mark`` the word by which an obeyed distractor is known.
    """

    kind: Kind
    topic: str
    variant: str = ""
    text: str = ""
    mark: str = ""


class Meeting(Strict):
    """One session: its topics in the order in which they are spoken of, and the prose."""

    length: LengthClass
    items: list[Item]
    text: str = ""


class People(Strict):
    """Who meets, and where."""

    mentor: str
    mentee: str
    firm: str
    product: str
    mentor_character: str
    mentee_character: str


class ActiveRule(NamedTuple):
    """A rule that holds at the end.

    Attributes:
        rule: Its id.
        variants: Ids of its variants in the order of telling; the last one holds.
        session: Number of the session in which it was last spoken of, from 1.
    """

    rule: str
    variants: tuple[str, ...]
    session: int

    @property
    def updated(self) -> bool:
        """Whether it was told anew at least once."""
        return len(self.variants) > 1


class Dialogue(Strict):
    """One dialogue. The same seed, pool and size give the same bytes."""

    format: Literal[1] = 1
    name: str
    seed: int
    number: int = Field(ge=1, description="Among the dialogues of its size.")
    pool: Literal["all", "published", "new"]
    prose: str = Field(default="templates", description="Who wrote the sessions: templates, or the name of a model.")
    people: People
    sessions: list[Meeting] = Field(min_length=1)
    requests: list[str] = Field(min_length=1, description="Ids of the queries that are asked for at the end.")
    isolated: list[str] = Field(default_factory=list, description="Rules that tasks of the arm isolated are about.")

    @property
    def size(self) -> int:
        """Number of sessions."""
        return len(self.sessions)

    @cached_property
    def active_rules(self) -> list[ActiveRule]:
        """The rules that hold at the end, in the order in which they were last told."""
        told: dict[str, ActiveRule] = {}
        for number, meeting in enumerate(self.sessions, 1):
            for item in meeting.items:
                if item.kind.is_rule:
                    before = told.pop(item.topic, None)
                    variants = (*(before.variants if before else ()), item.variant)
                    told[item.topic] = ActiveRule(item.topic, variants, number)
        return list(told.values())

    @property
    def active(self) -> Mapping[str, str]:
        """Id of each rule that holds at the end, with the id of the variant that does."""
        return {rule.rule: rule.variants[-1] for rule in self.active_rules}

    @property
    def active_distractors(self) -> Mapping[str, Item]:
        """The irrelevant instructions that hold at the end, by id."""
        return {item.topic: item for meeting in self.sessions for item in meeting.items if item.kind.is_distractor}
