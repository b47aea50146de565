"""What a judge needs of the container that holds the final state. Whoever plugs the judge in provides it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Ran:
    """A command that has ended.

    Attributes:
        exit: Its exit code; None where it ran out of time and was killed with all its processes.
        output: Standard output and error, as far as they were kept.
        truncated: Whether something was left out.
        seconds: How long it took, without the way into the container.
    """

    exit: int | None
    output: str
    truncated: bool = False
    seconds: float = 0.0


@dataclass(frozen=True)
class Excerpt:
    """Lines of a file.

    Attributes:
        lines: From the asked one on, without line ends.
        total: Lines of the whole file.
    """

    lines: Sequence[str]
    total: int


@dataclass(frozen=True)
class Hit:
    """A line that a search found; ``line`` counts from 1."""

    path: str
    line: int
    text: str


@dataclass(frozen=True)
class Hits:
    """What a search found; ``truncated`` where there was more."""

    found: Sequence[Hit]
    truncated: bool = False


class Unreadable(Exception):
    """A path or pattern that the workspace can't serve: not there, no text, outside. The judge is told why."""


class Workspace(Protocol):
    """One user's hands in the container.

    A container may be started at the first call: a judgement out of the store makes none. Everything raises
    ``EnvironmentFault`` where the container itself failed, and only there: a command that fails, a path that isn't
    there and a time-out are answers.
    """

    async def reset(self) -> None:
        """Put the trees back as they were handed in, and end what still runs."""
        ...

    async def run(self, command: str, timeout_sec: float) -> Ran:
        """Run a shell command in the first tree.

        Args:
            command: For ``sh -c``.
            timeout_sec: After that it is killed, with everything that it started.
        """
        ...

    async def run_all(self, commands: Sequence[tuple[str, float]]) -> Sequence[Ran]:
        """Run commands as ``run`` does, one after the other, each with its own time.

        Args:
            commands: Each with the seconds it has. What one of them leaves in the trees, the next one sees.
        """
        ...

    async def read(self, path: str, offset: int, limit: int) -> Excerpt:
        """Read lines of a text file.

        Args:
            path: Absolute, or relative to the first tree.
            offset: First line, from 1.
            limit: How many at most.

        Raises:
            Unreadable: There is no such text file.
        """
        ...

    async def search(self, pattern: str, path: str) -> Hits:
        """Find lines that match a pattern, below a path.

        Args:
            pattern: POSIX extended regular expression, as ``grep -E`` takes it.
            path: A file or a folder, absolute or relative to the first tree.

        Raises:
            Unreadable: There is no such path, or the pattern is none.
        """
        ...
