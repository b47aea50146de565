"""One completed agent turn, each question to the world asked once."""

from collections.abc import Awaitable, Callable
from typing import cast

from swe_together.errors import EnvironmentFault, SessionFault
from swe_together.schema import Observation, ProbeCommand
from swe_together.simulator._world import DiffText, ProbeOutcome, World


class TurnView:
    """An observation and the world behind it. Answers are kept for the turn: a probe runs at most once in it.

    Every method raises ``EnvironmentFault`` where the world fails, whatever error the world raised.
    """

    def __init__(self, world: World, observation: Observation) -> None:
        self.observation = observation
        self._world = world
        self._answers: dict[tuple[object, ...], object] = {}

    async def changed_paths(self) -> tuple[str, ...]:
        """Paths of the turn's delta, sorted."""

        async def ask() -> tuple[str, ...]:
            return tuple(sorted(await self._world.changed_paths()))

        return await self._once(("changed_paths",), ask)

    async def path_exists(self, glob: str) -> bool:
        """Whether something in the tree matches the glob."""
        return await self._once(("path_exists", glob), lambda: self._world.path_exists(glob))

    async def diff_text(self) -> DiffText:
        """Changed lines of the session so far."""
        return await self._once(("diff_text",), self._world.diff_text)

    async def file_text(self, path: str) -> str | None:
        """Content of a file, None where it is absent."""
        return await self._once(("file_text", path), lambda: self._world.file_text(path))

    async def commands(self) -> tuple[str, ...]:
        """Commands of the turn, oldest first."""

        async def ask() -> tuple[str, ...]:
            return tuple(await self._world.commands())

        return await self._once(("commands",), ask)

    async def probe(self, command: ProbeCommand) -> ProbeOutcome:
        """What came of the command, which is run once however many predicates ask and whatever they expect of it."""

        async def ask() -> ProbeOutcome:
            outcome = await self._world.probe(command)
            if outcome.exit is None and not outcome.timed_out:
                raise EnvironmentFault(f"The user's desk gave no exit code for {command.run!r}.")
            return outcome

        return await self._once(("probe", command.run, command.timeout_sec), ask)

    async def _once[Answer](self, question: tuple[object, ...], ask: Callable[[], Awaitable[Answer]]) -> Answer:
        if question not in self._answers:
            try:
                self._answers[question] = await ask()
            except SessionFault:
                raise
            except Exception as error:
                shown = " ".join(str(part) for part in question)
                raise EnvironmentFault(f"The world could not answer {shown!r}: {error!r}.") from error
        return cast(Answer, self._answers[question])
