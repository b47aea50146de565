"""What the judge has seen in one investigation, so that no verdict can cite what it has not."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from swe_together.providers import Refused
from swe_together.schema import Citation, Cited, Evidence, Goal

_LINES = re.compile(r"^(?P<path>.+):(?P<first>[0-9]{1,7})(?:-(?P<last>[0-9]{1,7}))?$", re.DOTALL)
_CHANNELS = {
    Evidence.STATE: (Cited.FILE, Cited.COMMAND),
    Evidence.TESTS: (Cited.CASE, Cited.FILE, Cited.COMMAND),
    Evidence.CONVERSATION: (Cited.TURN,),
}
"""What can speak for a goal of a channel. What the agent says about its work speaks for no other channel than its
words."""


@dataclass
class Seen:
    """What was shown and asked.

    Attributes:
        trees: The folders that hold the state.
        cases: Ids of the cases that the prompt shows.
        turns: Numbers of the turns that it shows.
        commands: Commands that were run, by number of the call.
        lines: Lines that were shown, by absolute path.
    """

    trees: Sequence[str]
    cases: frozenset[str] = frozenset()
    turns: frozenset[int] = frozenset()
    commands: dict[int, str] = field(default_factory=dict)
    lines: dict[str, set[int]] = field(default_factory=dict)

    def ran(self, number: int, command: str) -> None:
        """A command was run."""
        self.commands[number] = _words(command)

    def showed(self, path: str, lines: Iterable[int]) -> None:
        """Lines of a file were shown."""
        self.lines.setdefault(self.absolute(path), set()).update(lines)

    def absolute(self, path: str) -> str:
        """The path as the container has it, without dots."""
        parts: list[str] = []
        for part in (PurePosixPath(self.trees[0]) / path.strip()).parts[1:]:
            if part == ".." and parts:
                parts.pop()
            elif part not in (".", ".."):
                parts.append(part)
        return "/" + "/".join(parts)

    def check(self, goal: Goal, evidence: Sequence[Citation]) -> None:
        """Look up every cited piece.

        Raises:
            Refused: One was not seen, or none is of a kind that can speak for the goal.
        """
        for piece in evidence:
            problem = self._problem(piece)
            if problem is not None:
                raise Refused(f"Goal {goal.id} cites {piece.kind.value} {_short(piece.ref)}: {problem}")
        wanted = _CHANNELS[goal.evidence]
        if not any(piece.kind in wanted for piece in evidence):
            kinds = " or ".join(kind.value for kind in wanted)
            raise Refused(f"Goal {goal.id} is decided by {goal.evidence.value}: cite a {kinds}.")

    def _problem(self, piece: Citation) -> str | None:
        if piece.kind is Cited.CASE:
            return None if piece.ref in self.cases else "no such case was shown."
        if piece.kind is Cited.TURN:
            known = _number("turn", piece.ref) in self.turns
            return None if known else "give the number of a turn that is shown."
        if piece.kind is Cited.COMMAND:
            ran = _number("call", piece.ref) in self.commands or _words(piece.ref) in self.commands.values()
            return None if ran else "give the number of a call of run."
        match = _LINES.match(piece.ref.strip())
        if match is None:
            return "write it as PATH:LINE or PATH:FIRST-LAST."
        shown: set[int] = self.lines.get(self.absolute(match["path"]), set())
        first, last = int(match["first"]), int(match["last"] or match["first"])
        if last < first:
            return "its last line comes before its first."
        if last - first >= len(shown) or not shown.issuperset(range(first, last + 1)):
            return "these lines were not read or found in this judgement; read them first."
        return None


def _number(what: str, ref: str) -> int | None:
    match = re.fullmatch(rf"(?:{what} )?([0-9]{{1,6}})", ref.strip())
    return int(match[1]) if match else None


def _words(command: str) -> str:
    return " ".join(command.split())


def _short(ref: str) -> str:
    text = " ".join(ref.split())
    return repr(text if len(text) <= 80 else f"{text[:79]}…")
