"""For tests of whole jobs without containers: agents that need a permit or fail once, an environment that notes."""

import asyncio
from pathlib import Path
from typing import Any

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.models.agent.context import AgentContext

from tests.support.agents import NoteAgent
from tests.support.local_environment import InProcessEnvironment

LOG = "asked.log"


class PermitAgent(NoteAgent):
    """Waits in its first turn until a permit is there, and takes it.

    Args:
        permits: Folder of the host; each file in it is one permit.
    """

    def __init__(self, *args: Any, permits: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._permits = Path(permits)

    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        while self._turn == 0 and not self._taken():  # noqa: ASYNC110 - who gives permits is another process
            await asyncio.sleep(0.05)
        await super().run(instruction, environment, context)

    def _taken(self) -> bool:
        for permit in self._permits.iterdir():
            permit.unlink()
            return True
        return False


class OnceFailingAgent(NoteAgent):
    """Breaks in its first turn, the first time that it is run at all.

    Args:
        mark: File of the host that it leaves then.
    """

    def __init__(self, *args: Any, mark: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._mark = Path(mark)

    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        await super().run(instruction, environment, context)
        if not self._mark.exists():
            self._mark.touch()
            raise RuntimeError("the agent broke")


class NotingEnvironment(InProcessEnvironment):
    """Notes in the trial's folder what it is asked for: instruments by their names, all else as it is."""

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> ExecResult:
        if "swe_together.adapter._scripts" not in command:
            self._note(f"exec {command}")
        return await super().exec(command, cwd, env, timeout_sec, user)

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        self._note(f"upload {target_path}")
        await super().upload_file(source_path, target_path)

    def _answer(self, script: str, request: dict[str, Any]) -> Any:
        self._note(f"{script} {request.get('do', '')}".strip())
        return super()._answer(script, request)

    def _note(self, line: str) -> None:
        with (self.trial_paths.trial_dir / LOG).open("a", encoding="utf-8") as file:
            file.write(f"{' '.join(line.split())}\n")
