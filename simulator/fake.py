"""A world in memory, for tests and for trying out scripts. Nothing is executed, nothing is read from disk."""

from collections.abc import Callable, Collection, Mapping, Sequence

from swe_together.errors import EnvironmentFault
from swe_together.schema import ProbeCommand
from swe_together.simulator._globs import compile_glob
from swe_together.simulator._world import DiffText, ProbeOutcome

Probes = Mapping[str, ProbeOutcome] | Callable[[ProbeCommand], ProbeOutcome]


class FakeWorld:
    """A ``World`` whose answers are given in advance.

    Args:
        files: Content by path.
        changed: Paths of the turn's delta.
        diff: Changed lines, each with its ``+`` or ``-`` in front.
        commands: Commands of the turn.
        probes: Outcome by ``run``, or a function. A command without an outcome is an ``EnvironmentFault``.
        failing: Names of methods that raise ``EnvironmentFault``.

    Attributes:
        asked: Names of the methods called, in order.
        probed: ``run`` of each probe, in order.
    """

    def __init__(
        self,
        *,
        files: Mapping[str, str] | None = None,
        changed: Sequence[str] = (),
        diff: str | DiffText = "",
        commands: Sequence[str] = (),
        probes: Probes | None = None,
        failing: Collection[str] = (),
    ) -> None:
        self.files = dict(files or {})
        self.changed = list(changed)
        self.diff = diff if isinstance(diff, DiffText) else DiffText(diff)
        self.ran = list(commands)
        self.probes: Probes = probes or {}
        self.failing = frozenset(failing)
        self.asked: list[str] = []
        self.probed: list[str] = []

    async def changed_paths(self) -> list[str]:
        """The given paths."""
        self._asked("changed_paths")
        return list(self.changed)

    async def path_exists(self, glob: str) -> bool:
        """Whether a given file, or a folder that holds one, matches."""
        self._asked("path_exists")
        folders = {
            "/".join(parts[:end]) for path in self.files if (parts := path.split("/")) for end in range(1, len(parts))
        }
        return any(compile_glob(glob).matches(path) for path in {*self.files, *folders})

    async def diff_text(self) -> DiffText:
        """The given lines."""
        self._asked("diff_text")
        return self.diff

    async def file_text(self, path: str) -> str | None:
        """The given content."""
        self._asked("file_text")
        return self.files.get(path)

    async def commands(self) -> list[str]:
        """The given commands."""
        self._asked("commands")
        return list(self.ran)

    async def probe(self, command: ProbeCommand) -> ProbeOutcome:
        """The given outcome."""
        self._asked("probe")
        self.probed.append(command.run)
        if callable(self.probes):
            return self.probes(command)
        if command.run not in self.probes:
            raise EnvironmentFault(f"The fake world has no outcome for {command.run!r}.")
        return self.probes[command.run]

    def _asked(self, method: str) -> None:
        self.asked.append(method)
        if method in self.failing:
            raise EnvironmentFault(f"The fake world was told to fail in {method}.")
