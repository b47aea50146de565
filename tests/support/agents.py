"""Agents made for tests: they run the shell commands that they are given, turn by turn."""

import asyncio
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from harbor.agents.base import BaseAgent
from harbor.agents.capabilities import AgentCapabilities
from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext


class ShellAgent(BaseAgent):
    """Runs ``turns[n]`` in turn n, each a shell command as the agent's user, and replies with its output.

    Args:
        turns: One shell command a turn; with fewer than there are turns, the last one is repeated.
        hang_at: Turn in which it never yields; with ``hang_while``, only as long as that file of the host exists.
        lose_at: Turn in which its container is killed from outside.
        fail_at: Turn in which it raises.
        refuse_uploads: Its container takes no file any more once the agent has worked.
    """

    capabilities = AgentCapabilities(atif=True, resume=True)

    def __init__(
        self,
        *args: Any,
        turns: list[str] | str = "true",
        hang_at: int = 0,
        hang_while: str | None = None,
        lose_at: int = 0,
        fail_at: int = 0,
        refuse_uploads: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._turns = [turns] if isinstance(turns, str) else turns
        self._hang_at, self._lose_at, self._fail_at = hang_at, lose_at, fail_at
        self._hang_while = hang_while
        self._refuse_uploads = refuse_uploads
        self._turn = 0
        self._steps: list[dict[str, Any]] = []

    @staticmethod
    def name() -> str:
        return "test-shell-agent"

    def version(self) -> str:
        return "1"

    async def setup(self, environment: BaseEnvironment) -> None:
        """Nothing to install."""

    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        self._turn += 1
        self._steps.append({"source": "user", "message": instruction})
        line = self._turns[min(self._turn, len(self._turns)) - 1]
        result = await environment.exec(line, timeout_sec=120)
        output = f"{result.stdout or ''}{result.stderr or ''}"
        call = f"call-{self._turn}"
        self._steps.append(
            {
                "source": "agent",
                "message": output.strip() or "done",
                "tool_calls": [{"tool_call_id": call, "function_name": "bash", "arguments": {"command": line}}],
                "observation": {"results": [{"source_call_id": call, "content": output}]},
            }
        )
        if self._refuse_uploads:
            await environment.exec("touch /logs/agent/trajectory.json", user="root", timeout_sec=30)
            monkey: Any = environment
            monkey.upload_file = self._refuse
        if self._turn == self._fail_at:
            raise RuntimeError("the agent broke")
        if self._turn == self._lose_at:
            lose = getattr(environment, "lose", None)
            await (lose() if lose else asyncio.to_thread(kill_container, environment.session_id))
        if self._turn == self._hang_at and (self._hang_while is None or Path(self._hang_while).exists()):
            await asyncio.sleep(10_000)

    async def _refuse(self, *arguments: Any, **named: Any) -> None:
        raise RuntimeError("docker cp: no space left on device")

    async def resume(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        await self.run(instruction, environment, context)

    def populate_context_post_run(self, context: AgentContext) -> None:
        document = {
            "schema_version": "ATIF-v1.6",
            "agent": {"name": self.name(), "version": self.version()},
            "steps": [{**step, "step_id": number} for number, step in enumerate(self._steps, 1)],
        }
        Path(self.logs_dir / "trajectory.json").write_text(json.dumps(document))


class NoteAgent(ShellAgent):
    """Adds a line to a note in every turn without running a process; for load, where processes aren't what counts."""

    @staticmethod
    def name() -> str:
        return "test-note-agent"

    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        self._turn += 1
        with tempfile.TemporaryDirectory() as folder:
            note = Path(folder, "note.txt")
            note.write_text("".join(f"turn {number}\n" for number in range(1, self._turn + 1)))
            await environment.upload_file(note, "/workspace/note.txt")
        self._steps += [{"source": "user", "message": instruction}, {"source": "agent", "message": "done"}]


def kill_container(session: str) -> None:
    """Kill the containers of a trial's environment as an outside force would."""
    listed = subprocess.run(["docker", "ps", "--format", "{{.Names}}"], capture_output=True, text=True, check=True)
    for name in listed.stdout.splitlines():
        if session.lower() in name.lower():
            subprocess.run(["docker", "kill", name], capture_output=True, check=True)
