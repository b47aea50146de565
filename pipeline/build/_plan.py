"""All that a draft is written from, and the reasons for what is left to a person."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from swe_together.pipeline.base import Base, Reference, Repository, Turn
from swe_together.pipeline.build._anchors import DraftAnchor
from swe_together.pipeline.build._phrases import ENGLISH
from swe_together.pipeline.clearing import Cleared
from swe_together.pipeline.sessions import Session
from swe_together.schema import ArchiveSource, GitSource, Intent, Language


@dataclass(frozen=True)
class Prose:
    """What only a reader of the session can say; rules leave it plain, a model or a person writes it.

    Attributes:
        description: One sentence on the task.
        persona: Who the user is.
        analysis: What the user wants and knows, and in which order they find out.
        spec: The whole contract in one message.
        author: Who wrote it.
    """

    description: str
    persona: str
    analysis: str
    spec: str
    author: str


@dataclass(frozen=True)
class Cases:
    """Cases of a task, by what they ask for.

    Attributes:
        asked: Ids of fail-to-pass cases by turn.
        kept: Ids of pass-to-pass cases.
    """

    asked: Mapping[int, Sequence[str]] = field(default_factory=dict)
    kept: Sequence[str] = ()


@dataclass(frozen=True)
class DraftCase:
    """A case as a model wrote it: the body of a function that has ``run``."""

    name: str
    turn: int
    kind: Literal["f2p", "p2p"]
    body: str


@dataclass(frozen=True)
class Plan:
    """A draft.

    Attributes:
        name: The directory's name, and the task's.
        cleared: The recorded session, and what of it may be written and sent.
        turns: Its turns.
        anchors: Its follow-ups.
        intents: What they want.
        prose: What was written about it.
        language: Of the code base.
        license: Of the code base, as SPDX.
        source: Where the code base comes from; None leaves a gap.
        dockerfile: The image.
        exclude: Paths that a session's final state leaves out.
        base: The commit that it begins on; None where no repository is known.
        reference: What it came to.
        repository: Where both lie.
        reviews: What a person should look at.
        goals: What each turn that asks for work wants, as a stranger can decide it; where a model wrote it.
        cases: Cases that a model wrote.
        address: The public https address of the code base; None where none is known.
        tongue: Two letters of the language that the person writes in.
        file_sha256: Of the file that holds the recorded session; None where it is no file of its own.
    """

    name: str
    cleared: Cleared
    turns: Sequence[Turn]
    anchors: Sequence[DraftAnchor]
    intents: Sequence[Intent]
    prose: Prose
    language: Language
    license: str
    source: GitSource | ArchiveSource | None
    dockerfile: str
    exclude: Sequence[str]
    base: Base | None
    reference: Reference | None
    repository: Repository | None
    reviews: Sequence[str]
    goals: Mapping[int, str] = field(default_factory=dict)
    cases: Sequence[DraftCase] = ()
    address: str | None = None
    tongue: str = ENGLISH
    file_sha256: str | None = None

    @property
    def session(self) -> Session:
        """What the draft is written from."""
        return self.cleared.written

    @property
    def passed_on(self) -> bool:
        """Whether what is written may leave this machine: then the recorded words must not stay in it."""
        return self.cleared.keeps != "all"

    @property
    def drafted_cases(self) -> Cases:
        """The cases that a model wrote, by what they ask for."""
        asked = dict[int, list[str]]()
        for case in self.cases:
            if case.kind == "f2p":
                asked.setdefault(case.turn, []).append(case.name)
        return Cases(asked, [case.name for case in self.cases if case.kind == "p2p"])

    @property
    def asking(self) -> list[int]:
        """Turns that ask for work, the first message included."""
        quiet = ("question", "verification", "workflow", "approval", "context")
        return [0, *(one.anchor.source_turn for one in self.anchors if one.label.tags[0].value not in quiet)]
