"""Stand-ins that judge nothing: listed answers in place of a model, files and outputs in place of a container."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from swe_together.errors import EnvironmentFault, JudgeError
from swe_together.judge._conversation import Conversation
from swe_together.judge._workspace import Excerpt, Hit, Hits, Ran, Unreadable
from swe_together.providers import Completion, ToolCall

Answer = Completion | tuple[str, Mapping[str, Any]] | list[tuple[str, Mapping[str, Any]]]


def called(*calls: tuple[str, Mapping[str, Any]]) -> Completion:
    """A completion that calls tools: names and arguments."""
    return Completion(calls=tuple(ToolCall(name, json.dumps(given)) for name, given in calls), finish="tool_calls")


def verdict(goal: str, met: bool, *evidence: tuple[str, str], reason: str = "seen") -> dict[str, Any]:
    """One verdict of a submission; evidence as kind and reference."""
    pieces = [{"kind": kind, "ref": ref} for kind, ref in evidence]
    return {"goal": goal, "evidence": pieces, "reason": reason, "met": met}


def submit(*verdicts: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The call that hands verdicts in."""
    return "submit", {"verdicts": list(verdicts)}


class ListedChat:
    """Answers from a list, one after the other.

    Args:
        answers: Completions, or one or several calls.
        name: What is recorded as the model.

    Attributes:
        asked: The conversations that it was shown.
    """

    temperature: float | None = None

    def __init__(self, answers: Iterable[Answer], name: str = "listed") -> None:
        self.name = name
        self.asked: list[Conversation] = []
        self._answers: Iterator[Answer] = iter(answers)

    async def answer(self, conversation: Conversation, seconds: float) -> Completion:
        """The next answer; without one the model has failed."""
        self.asked.append(conversation)
        answer = next(self._answers, None)
        if answer is None:
            raise JudgeError(f"The list of {self.name!r} has no answer number {len(self.asked)}.")
        if isinstance(answer, Completion):
            return answer
        return called(*answer) if isinstance(answer, list) else called(answer)


class FakeWorkspace:
    """Files and outputs of commands from mappings.

    Args:
        files: Text by absolute path.
        commands: What a command gives: an exit code, with or without output, or a function of the command. Commands
            that aren't named end with 127.
        broken: Whether everything fails as a dead container does.

    Attributes:
        calls: What was asked, as words.
    """

    def __init__(
        self,
        files: Mapping[str, str] | None = None,
        commands: Mapping[str, Ran] | Callable[[str], Ran] | None = None,
        *,
        broken: bool = False,
    ) -> None:
        self.files = dict(files or {})
        self.calls: list[str] = []
        self.broken = broken
        self._commands = commands or {}

    async def reset(self) -> None:
        """Nothing changes here."""
        self._called("reset")

    async def run(self, command: str, timeout_sec: float) -> Ran:
        """What the mapping says."""
        self._called(f"run {command}")
        if callable(self._commands):
            return self._commands(command)
        return self._commands.get(command, Ran(127, f"sh: {command}: not found"))

    async def run_all(self, commands: Sequence[tuple[str, float]]) -> list[Ran]:
        """What the mapping says of each."""
        return [await self.run(command, seconds) for command, seconds in commands]

    async def read(self, path: str, offset: int, limit: int) -> Excerpt:
        """Lines of a file of the mapping."""
        self._called(f"read {path}")
        lines = self._text(path).splitlines()
        return Excerpt(lines[offset - 1 : offset - 1 + limit], len(lines))

    async def search(self, pattern: str, path: str) -> Hits:
        """Lines of the mapping that match."""
        self._called(f"search {pattern}")
        try:
            wanted = re.compile(pattern)
        except re.error as error:
            raise Unreadable(f"{pattern!r} is no pattern: {error}") from None
        below = _absolute(path)
        found = [
            Hit(name, number, line)
            for name, text in sorted(self.files.items())
            if name == below or name.startswith(f"{below.rstrip('/')}/")
            for number, line in enumerate(text.splitlines(), start=1)
            if wanted.search(line)
        ]
        return Hits(found)

    def _text(self, path: str) -> str:
        name = _absolute(path)
        if name not in self.files:
            raise Unreadable(f"{path}: there is no such file")
        return self.files[name]

    def _called(self, what: str) -> None:
        self.calls.append(what)
        if self.broken:
            raise EnvironmentFault("the container is gone")


def _absolute(path: str) -> str:
    return path if path.startswith("/") else f"/workspace/{path.removeprefix('./')}".removesuffix("/.")
