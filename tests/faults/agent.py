"""The agent of these jobs: the reference, of which one session, and only one, does something bad in one turn."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext

from swe_together.adapter.reference import ReferenceAgent

KEPT_CHARS = 3_000_000
"""Of what a command printed; real command lines keep less."""
DEED_SEC = 1200


class VictimAgent(ReferenceAgent):
    """Plays the reference, each turn some seconds long. Sessions enter themselves in the order in which they begin.

    Args:
        claims: Folder of the host; file ``N`` holds the name of the trial that began as number N, and ``<trial>.turn``
            the number of the turn that it is in.
        victim: Number of the session that does what ``deeds`` say; 0 is none.
        deeds: Shell command by number of the turn, as the agent's user; what it prints stands in the reply.
        pause: Seconds that every turn takes besides, in the container.
    """

    def __init__(
        self,
        *args: Any,
        claims: str,
        victim: int = 0,
        deeds: Mapping[str, str] | None = None,
        pause: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._claims = Path(claims)
        self._victim, self._deeds, self._pause = victim, dict(deeds or {}), pause
        self._number = self._turn = 0

    @staticmethod
    def name() -> str:
        return "test-victim-agent"

    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        self._number = self._enter()
        said = await self._turn_begins(environment)
        await super().run(instruction, environment, context)
        self._steps[-1]["message"] += said

    async def resume(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        said = await self._turn_begins(environment)
        await super().resume(instruction, environment, context)
        self._steps[-1]["message"] += said

    async def _turn_begins(self, environment: BaseEnvironment) -> str:
        """Take the time of a turn, and do what this session does in it; returns what it printed."""
        self._turn += 1
        (self._claims / f"{self._trial}.turn").write_text(str(self._turn), encoding="utf-8")
        if self._pause:
            await environment.exec(f"sleep {self._pause}")
        deed = self._deeds.get(str(self._turn)) if self._number == self._victim else None
        if deed is None:
            return ""
        result = await environment.exec(deed, timeout_sec=DEED_SEC)
        printed = f"{result.stdout or ''}{result.stderr or ''}"
        return f"\n{printed[-KEPT_CHARS:]}\nexit {result.return_code}"

    @property
    def _trial(self) -> str:
        return str(self.logs_dir.parent.name)

    def _enter(self) -> int:
        number = 1
        while True:
            try:
                handle = os.open(self._claims / str(number), os.O_CREAT | os.O_EXCL | os.O_WRONLY)
            except FileExistsError:
                number += 1
                continue
            os.write(handle, self._trial.encode())
            os.close(handle)
            return number
