"""Ends what a turn of the agent leaves running in the container."""

import asyncio
import time
from typing import Any, Final

from swe_together import defaults
from swe_together.adapter._scripts.kill import namespace
from swe_together.adapter.container import Container, answer_of, ask, script_command
from swe_together.errors import EnvironmentFault

RETRY_SEC: Final = 0.5


class Processes:
    """Knows which processes were there before the agent's first turn, and ends all others.

    Kept are process 1, those services, and children that such a service makes later under its own user. The dead
    (zombies) stay in the list of processes until process 1 fetches them, which ``sleep`` never does; they do nothing.

    Args:
        container: Where the agent works.
    """

    def __init__(self, container: Container) -> None:
        self._container = container
        self._keep: list[list[Any]] = []

    @property
    def kept(self) -> list[list[Any]]:
        """Id and start of each process that belongs to the environment itself, and whether it was stopped."""
        return self._keep

    async def baseline(self) -> None:
        """Note the processes that belong to the environment itself; once, before the agent's first turn.

        Raises:
            EnvironmentFault: They could not be read, or are those of the machine itself, ours among them.
        """
        request = {"do": "list", "outside": namespace()}
        self._keep = await ask(self._container, "kill", request, "listing processes")

    async def kill(self) -> int:
        """End every other process; returns how many there were.

        They have ``defaults.KILL_GRACE_SEC`` to be gone, once the container has let us in.

        Raises:
            EnvironmentFault: One survives, or the container can't be reached.
        """
        if not self._keep:
            raise EnvironmentFault("Processes were to be ended before those of the image itself had been noted.")
        answer = await self._insist()
        if answer["left"]:
            raise EnvironmentFault(f"Processes of the agent survive in the container: {', '.join(answer['left'])}.")
        return int(answer["ended"])

    async def _insist(self) -> Any:
        """Ask until it works: where the agent has used up all processes, ours may not start at once."""
        request = {"do": "kill", "keep": self._keep, "seconds": defaults.KILL_GRACE_SEC}
        # Among hundreds of busy processes Python takes many seconds to start; the shell stops them before that.
        command = f"kill -STOP -1; {script_command('kill', request)}"
        deadline = time.monotonic() + defaults.KILL_GRACE_SEC
        while True:
            try:
                return await answer_of(self._container, command, "ending the agent's processes")
            except EnvironmentFault:
                if time.monotonic() > deadline:
                    raise
                await asyncio.sleep(RETRY_SEC)
