"""The external agent: each turn waits until somebody outside, a person or a program, has worked and replied.

It talks through a folder of the trial, so that it needs no port and works with every environment of Harbor:
``user-agent/external/message-N.md`` appears with the user's message; a request ``inbox/<id>.json`` either runs a
command in the container as the agent's user (``{"exec": "…", "timeout": 600}``) or ends the turn
(``{"reply": "…"}``); the answer is ``outbox/<id>.json``. ``swe-together external`` speaks this for you.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

from harbor.agents.base import BaseAgent
from harbor.agents.capabilities import AgentCapabilities
from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext

from swe_together import __version__
from swe_together.files import write_atomically
from swe_together.mailbox import POLL_SEC, Mailbox, read_request

FOLDER = "external"
OUTPUT_CHARS = 200_000


class ExternalAgent(BaseAgent):
    """Hands each message to the outside and takes commands and the reply from there."""

    capabilities = AgentCapabilities(atif=True, resume=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._mailbox = Mailbox(self.logs_dir.parent / "user-agent" / FOLDER)
        self._turn = 0
        self._steps: list[dict[str, Any]] = []

    @staticmethod
    def name() -> str:
        """Harbor's name of the agent."""
        return "swe-together-external"

    def version(self) -> str:
        """That of the package."""
        return __version__

    async def setup(self, environment: BaseEnvironment) -> None:
        """Open the folder."""
        self._mailbox.open()

    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        """Hand out the instruction and serve requests until the reply."""
        await self._serve(instruction, environment)

    async def resume(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        """Hand out the next message and serve requests until the reply."""
        await self._serve(instruction, environment)

    def populate_context_post_run(self, context: AgentContext) -> None:
        """Write the trajectory of everything done so far."""
        document = {
            "schema_version": "ATIF-v1.6",
            "agent": {"name": self.name(), "version": self.version()},
            "steps": [{**step, "step_id": number} for number, step in enumerate(self._steps, 1)],
        }
        (self.logs_dir / "trajectory.json").write_text(json.dumps(document), encoding="utf-8")

    async def _serve(self, message: str, environment: BaseEnvironment) -> None:
        self._turn += 1
        self._steps.append({"source": "user", "message": message})
        write_atomically(self._mailbox.folder / f"message-{self._turn}.md", message)
        while True:
            for request in self._mailbox.requests():
                answer, reply = await self._handle(request, environment)
                self._mailbox.answer(request, answer)
                if reply is not None:
                    self._steps.append({"source": "agent", "message": reply})
                    return
            await asyncio.sleep(POLL_SEC)

    async def _handle(self, request: Path, environment: BaseEnvironment) -> tuple[dict[str, Any], str | None]:
        try:
            body = read_request(request)
        except ValueError as error:
            return {"error": str(error)}, None
        if isinstance(body, dict) and isinstance(body.get("reply"), str):
            return {"turn": self._turn}, body["reply"]
        if not isinstance(body, dict) or not isinstance(body.get("exec"), str):
            return {"error": 'a request holds "exec" or "reply", each a text'}, None
        try:
            result = await environment.exec(body["exec"], timeout_sec=int(body.get("timeout", 600)))
        except Exception as error:  # noqa: BLE001 - the outside must hear of it, whatever the environment raised
            return {"error": f"{type(error).__name__}: {error}"}, None
        output = f"{result.stdout or ''}{result.stderr or ''}"[:OUTPUT_CHARS]
        call = f"exec-{len(self._steps)}"
        self._steps.append(
            {
                "source": "agent",
                "message": "",
                "tool_calls": [{"tool_call_id": call, "function_name": "bash", "arguments": {"command": body["exec"]}}],
                "observation": {"results": [{"source_call_id": call, "content": output}]},
            }
        )
        return {"exit": result.return_code, "output": output}, None
