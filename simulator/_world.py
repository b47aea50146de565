"""What a simulated user may ask of the world after an agent turn."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from swe_together.schema import ProbeCommand


class DiffText(NamedTuple):
    """Changed lines of the session's delta so far.

    Attributes:
        text: Added and removed lines only, joined by line feeds, each with its mark ``+`` or ``-`` in front; no file
            headers, no hunk headers, no context. Undecodable bytes are replaced. At most ``defaults.DIFF_BYTES``.
        cut: Whether lines had to be left out.
    """

    text: str
    cut: bool = False


class ProbeOutcome(NamedTuple):
    """What came of a command at the user's desk.

    Attributes:
        exit: Exit code; None exactly where the command timed out.
        output: Standard output and error together, at most ``defaults.PROBE_OUTPUT_BYTES``.
        timed_out: Whether the command was killed at its deadline.
        seconds: How long it ran. Never part of a decision, so that decisions stay reproducible.
    """

    exit: int | None
    output: str
    timed_out: bool = False
    seconds: float = 0.0


class World(Protocol):
    """The state after a completed agent turn, as far as predicates ask for it.

    Every path is separated by ``/`` and relative to the working tree. Each method raises ``EnvironmentFault`` when
    it can't tell: a world that doesn't know must never answer with an empty list, None or False.
    """

    async def changed_paths(self) -> Sequence[str]:
        """All paths of this turn's delta (files and links; added, modified, deleted), not only those shown."""
        ...

    async def path_exists(self, glob: str) -> bool:
        """Whether a file, link or folder of the tree matches the glob, in the sense of ``Glob``."""
        ...

    async def diff_text(self) -> DiffText:
        """Changed lines between the start of the session and now."""
        ...

    async def file_text(self, path: str) -> str | None:
        """The first ``defaults.FILE_BYTES`` of a file, undecodable bytes replaced; None where no such file is."""
        ...

    async def commands(self) -> Sequence[str]:
        """Commands that the agent ran in this turn, oldest first, at most ``defaults.MATCHED_COMMANDS``."""
        ...

    async def probe(self, command: ProbeCommand) -> ProbeOutcome:
        """Run ``command.run`` at the user's desk on the current state, for at most ``command.timeout_sec`` seconds.

        Only ``run`` and ``timeout_sec`` matter; what the outcome means is decided by the caller.
        """
        ...
