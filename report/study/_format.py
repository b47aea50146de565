"""The files of a study: what annotators see, what they don't, and what they answer.

``study.json`` says how the study was made, ``items/<id>.json`` is what an annotator sees, ``key.json`` what they must
not see, ``answers.jsonl`` what they said.
"""

import unicodedata
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StrictBool, StringConstraints

from swe_together.schema import Slug, Strict, Tag

STUDY = "study.json"
KEY = "key.json"
ITEMS = "items"
ANSWERS = "answers.jsonl"

ItemId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{10}$")]
Kind = Literal["pair", "messages", "goals"]
Side = Literal["left", "right"]
NAME_CHARS = 60
RECORD = "(on record)"
"""What stands beside the annotators: tags that were recorded, verdicts of the judge."""


def annotator_name(text: str) -> str:
    """A name as it is compared: one line, in one spelling.

    Raises:
        ValueError: It is none.
    """
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not 0 < len(name) <= NAME_CHARS or not name.isprintable() or name.startswith("("):
        raise ValueError(f"a name has 1 to {NAME_CHARS} characters and does not begin with a bracket")
    return name


Annotator = Annotated[str, AfterValidator(annotator_name)]


class ShownCall(Strict):
    """A tool that the agent used. ``output`` is None where it isn't known."""

    name: str
    arguments: str
    output: str | None


class ShownStep(Strict):
    """One answer of the agent."""

    text: str
    calls: list[ShownCall]


class ShownTurn(Strict):
    """A user's message and the agent's work after it; ``left_out`` steps were cut after ``left_out_after`` of them."""

    number: int
    message: str
    steps: list[ShownStep]
    left_out: int
    left_out_after: int


class ShownGoal(Strict):
    """A goal to be decided."""

    id: Slug
    text: str


class PairItem(Strict):
    """Two sessions of one task: which of them has the real user?"""

    format: Literal[1] = 1
    kind: Literal["pair"] = "pair"
    left: list[ShownTurn]
    right: list[ShownTurn]


class MessagesItem(Strict):
    """A session whose follow-ups are to be tagged."""

    format: Literal[1] = 1
    kind: Literal["messages"] = "messages"
    session: list[ShownTurn]
    tags: list[Tag]


class GoalsItem(Strict):
    """A session whose goals are to be decided. ``diff`` is all that the agent changed, None where it isn't recorded."""

    format: Literal[1] = 1
    kind: Literal["goals"] = "goals"
    session: list[ShownTurn]
    diff: str | None
    goals: list[ShownGoal] = Field(min_length=1)


class PairKey(Strict):
    """What a pair hides."""

    kind: Literal["pair"] = "pair"
    task: str
    real: Side
    real_session: str
    simulated_session: str
    simulator: str = Field(description="What played the user: the policy, and its model where it has one.")
    same_agent: bool | None = Field(description="None where the agent of a side isn't known.")


class MessagesKey(Strict):
    """Whose messages are tagged, and the tags on record: by turn, None where there are none."""

    kind: Literal["messages"] = "messages"
    task: str
    session: str
    recorded: dict[int, list[Tag] | None]


class GoalsKey(Strict):
    """Whose goals are decided, and what the judge said: None where nothing decided."""

    kind: Literal["goals"] = "goals"
    task: str
    session: str
    judged: dict[Slug, bool | None]


class Key(Strict):
    """``key.json``."""

    format: Literal[1] = 1
    items: dict[ItemId, Annotated[PairKey | MessagesKey | GoalsKey, Field(discriminator="kind")]]


class Study(Strict):
    """``study.json``: everything that was declared before the first answer."""

    format: Literal[1] = 1
    seed: int
    margin: float = Field(gt=0, lt=0.5, description="How far from one half still counts as equivalent.")
    items: dict[ItemId, Kind]
    key_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class Answer(Strict):
    """One line of ``answers.jsonl``. What a person says later about the same item replaces what they said before.

    Exactly one of ``choice``, ``tags`` and ``goals`` is set, by the item's kind.
    """

    format: Literal[1] = 1
    id: str = Field(pattern=r"^[0-9a-f]{32}$", description="Made by the page, so that nothing is entered twice.")
    item: ItemId
    annotator: Annotator
    choice: Side | None = Field(default=None, description="The session with the real user.")
    confidence: int | None = Field(default=None, ge=1, le=5)
    tags: dict[int, list[Tag]] | None = Field(default=None, description="By turn.")
    goals: dict[Slug, StrictBool | None] | None = Field(default=None, description="None: can't be decided.")
    note: str = Field(default="", max_length=2000)
    seconds: float = Field(ge=0, description="That the item was open.")
    at: str = Field(default="", max_length=40, description="When it was entered, UTC.")
