"""From a turn and the repository's delta to an observation of bounded size, and the world that predicates ask."""

from collections.abc import Sequence

from swe_together import defaults
from swe_together.adapter.delta import Delta
from swe_together.adapter.desk import Desk
from swe_together.adapter.turn import Turn
from swe_together.schema import Command, Observation, ProbeCommand
from swe_together.simulator import DiffText, ProbeOutcome, World, asks


class ContainerWorld:
    """The state after one turn, asked on demand. Satisfies :class:`swe_together.simulator.World`."""

    def __init__(self, delta: Delta, desk: Desk, paths: Sequence[str], commands: Sequence[Command], turn: int) -> None:
        self._delta = delta
        self._desk = desk
        self._paths = paths
        self._commands = commands
        self._turn = turn

    async def changed_paths(self) -> Sequence[str]:
        """Every path of the turn's delta."""
        return self._paths

    async def path_exists(self, glob: str) -> bool:
        """Whether a path in the tree now matches."""
        return await self._delta.path_exists(glob)

    async def diff_text(self) -> DiffText:
        """Changed lines between the start of the session and now."""
        return await self._delta.session_lines()

    async def file_text(self, path: str) -> str | None:
        """Content now; None where absent."""
        data = await self._delta.file_bytes(path, defaults.FILE_BYTES)
        return None if data is None else data.decode("utf-8", "replace")

    async def commands(self) -> Sequence[str]:
        """Every command of the turn."""
        return [command.command for command in self._commands]

    async def probe(self, command: ProbeCommand) -> ProbeOutcome:
        """What the user sees when they try it at their own desk."""
        return await self._desk.probe(command, state=self._turn)


class ContainerEyes:
    """Looks at the agent's container after each turn."""

    def __init__(self, delta: Delta, desk: Desk) -> None:
        self._delta = delta
        self._desk = desk

    async def look(self, turn: Turn, number: int, elapsed_sec: float) -> tuple[Observation, World]:
        """Observe the state after a turn.

        Raises:
            EnvironmentFault: The container or an instrument in it failed.
        """
        delta = await self._delta.turn()
        observation = Observation(
            turn=number,
            reply=middle_cut(turn.reply, defaults.REPLY_CHARS),
            reply_chars=len(turn.reply),
            commands=[_short(command) for command in turn.commands[-defaults.COMMANDS_SHOWN :]],
            commands_total=len(turn.commands),
            changes=list(delta.changes[: defaults.CHANGES_SHOWN]),
            changes_total=delta.changes_total,
            diff=middle_cut(delta.diff, defaults.DIFF_CHARS),
            diff_chars=delta.diff_chars,
            agent_asks=asks(turn.reply),
            timed_out=turn.timed_out,
            turn_sec=turn.seconds,
            elapsed_sec=elapsed_sec,
        )
        return observation, ContainerWorld(self._delta, self._desk, delta.paths, turn.commands, number)


def middle_cut(text: str, limit: int) -> str:
    """At most ``limit`` characters: head and tail, with the number of characters left out between them."""
    if len(text) <= limit:
        return text
    note = f"\n[… {len(text) - limit} characters left out …]\n"
    keep = max(0, limit - len(note))
    return text[: keep // 2] + note + text[len(text) - (keep - keep // 2) :]


def _short(command: Command) -> Command:
    return Command(
        command=middle_cut(command.command, defaults.COMMAND_CHARS),
        output=middle_cut(command.output, defaults.OUTPUT_CHARS),
        exit=command.exit,
    )
