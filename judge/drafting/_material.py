"""What a rubric is drafted from: the session, the reference's way through it, the test cases' names. No candidate."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from swe_together import defaults
from swe_together.providers import clean, fenced, fit
from swe_together.schema import Intent, Source

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{3,}")
_PLAIN = re.compile(r"[a-z]+|[A-Z][a-z]+")


@dataclass(frozen=True)
class KnownCase:
    """A test case as its task declares it."""

    id: str
    kind: str
    turn: int


@dataclass(frozen=True)
class SessionTurn:
    """One message of the session, and what the reference made of it.

    Attributes:
        turn: 0 for the first.
        message: The user's words.
        reply: The reference's reply.
        patch: What it changed; empty where it changed nothing.
    """

    turn: int
    message: str
    reply: str = ""
    patch: str = ""


@dataclass(frozen=True)
class Material:
    """All that author and critic are shown.

    Attributes:
        task: The task's name.
        trees: Working trees in the container, in which the reference is applied.
        turns: The session.
        spec: The same in one message.
        analysis: What the user wants and knows.
        intents: Single wishes of the user.
        cases: Test cases.
        notes: Further texts by their names.
        files: The files that the above was read from, by name: for the record.
    """

    task: str
    trees: Sequence[str]
    turns: Sequence[SessionTurn]
    spec: str
    analysis: str
    intents: Sequence[Intent] = ()
    cases: Sequence[KnownCase] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def sources(self) -> list[Source]:
        """What the draft was made from, for the record."""
        notes = {name: text.encode("utf-8", "surrogatepass") for name, text in self.notes.items()}
        return [
            Source(name=name, sha256=hashlib.sha256(content).hexdigest())
            for name, content in {**self.files, **notes}.items()
        ]

    def shown(self) -> str:
        """The material as it stands in a prompt: fenced, within a limit, the longest parts cut first."""
        texts = [self.spec, self.analysis, *self.notes.values()]
        for turn in self.turns:
            texts += [turn.message, turn.reply, turn.patch]
        spec, analysis, *rest = fit([clean(text) for text in texts], defaults.DRAFT_CHARS)
        notes, told = rest[: len(self.notes)], rest[len(self.notes) :]
        parts = [f"# The repository\nIt lies in {', '.join(self.trees)}, with the reference applied: all that the user"
                 " asked for is done in it."]  # fmt: skip
        turns = [_turn(turn, *told[3 * at : 3 * at + 3]) for at, turn in enumerate(self.turns)]
        parts.append("# The session\n" + "\n\n".join(turns))
        parts.append("# The same in one message\n" + fenced("spec", spec))
        parts.append("# What the user wants and knows\n" + fenced("analysis", analysis))
        if self.intents:
            wishes = [f"- turn {one.source_turn}, {one.kind.value}: {clean(one.text)}" for one in self.intents]
            parts.append("# Single wishes\n" + "\n".join(wishes))
        if self.cases:
            listed = [f"- {case.id} (turn {case.turn}, {_KINDS.get(case.kind, case.kind)})" for case in self.cases]
            parts.append("# Test cases\n" + "\n".join(listed))
        for name, text in zip(self.notes, notes, strict=True):
            parts.append(f"# Note {clean(name)}\n" + fenced("note", text))
        return "\n\n".join(parts)

    def reference_words(self, text: str) -> list[str]:
        """Names in a text that the reference has made up: nobody who was only told the session could know them."""
        added, other = set[str](), set[str]()
        for turn in self.turns:
            other |= _names(turn.message)
            for line in turn.patch.splitlines():
                new = line.startswith("+") and not line.startswith("+++")
                (added if new else other).update(_names(line))
        other |= _names(self.spec)
        return sorted(name for name in _names(text) & (added - other) if not _PLAIN.fullmatch(name))


_KINDS = {"f2p": "asks for something new", "p2p": "guards what was there"}


def _turn(turn: SessionTurn, message: str, reply: str, patch: str) -> str:
    lines = [f"## Turn {turn.turn}", fenced("user", message)]
    if patch.strip():
        lines.append("What the reference changed:\n" + fenced("patch", patch))
    if reply.strip():
        lines.append("What the reference replied:\n" + fenced("reference", reply))
    return "\n".join(lines)


def _names(text: str) -> set[str]:
    return set(_WORD.findall(text))
