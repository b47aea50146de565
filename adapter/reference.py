"""The reference agent: plays a task's staged reference, so that a whole session runs without any model.

It is no coding agent. It reads the task directory on the host and finds the stage by the words of the message.
"""

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from harbor.agents.base import BaseAgent
from harbor.agents.capabilities import AgentCapabilities
from harbor.agents.installed.base import NonZeroAgentExitCodeError
from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext

from swe_together import __version__, defaults
from swe_together.errors import MisuseError
from swe_together.tasks import TaskBundle, load_task

Play = Literal["staged", "nothing", "first-stage"]


class ReferenceAgent(BaseAgent):
    """Plays ``turn-N.patch`` and answers with ``turn-N.md``.

    Args:
        play: ``staged`` plays each message's stage; ``nothing`` only talks; ``first-stage`` does the instruction's
            stage once and then only repeats its reply.
    """

    capabilities = AgentCapabilities(atif=True, resume=True)

    def __init__(self, *args: Any, play: Play = "staged", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if play not in ("staged", "nothing", "first-stage"):
            raise MisuseError(f"play={play!r} is unknown.", "Use staged, nothing or first-stage.")
        self._play = play
        self._applied: set[int] = set()
        self._steps: list[dict[str, Any]] = []

    @staticmethod
    def name() -> str:
        """Harbor's name of the agent."""
        return "swe-together-reference"

    def version(self) -> str:
        """That of the package."""
        return __version__

    async def setup(self, environment: BaseEnvironment) -> None:
        """Nothing to install."""

    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        """Play the stage of the instruction; every stage where the whole contract is said at once."""
        bundle = load_task(Path(environment.environment_dir).parent)
        whole = instruction.strip() == bundle.spec.strip() != bundle.instruction.strip()
        await self._answer(instruction, bundle.stages if whole else [0], environment)

    async def resume(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        """Play the stage of the message."""
        bundle = load_task(Path(environment.environment_dir).parent)
        stage = stage_of(bundle, instruction)
        await self._answer(instruction, [] if stage is None else [stage], environment)

    def populate_context_post_run(self, context: AgentContext) -> None:
        """Write the trajectory of everything played so far."""
        document = {
            "schema_version": "ATIF-v1.6",
            "agent": {"name": self.name(), "version": self.version()},
            "steps": [{**step, "step_id": number} for number, step in enumerate(self._steps, 1)],
        }
        (self.logs_dir / "trajectory.json").write_text(json.dumps(document), encoding="utf-8")

    async def _answer(self, message: str, stages: Sequence[int], environment: BaseEnvironment) -> None:
        bundle = load_task(Path(environment.environment_dir).parent)
        self._steps.append({"source": "user", "message": message})
        if self._play == "nothing":
            reply = "I had a look at it."
        elif self._play == "first-stage":
            await self._apply(bundle, 0, environment)
            reply = bundle.stage_reply(0)
        else:
            for stage in stages:
                await self._apply(bundle, stage, environment)
            reply = bundle.stage_reply(stages[-1]) if stages else "Done as far as I can tell."
        self._steps.append({"source": "agent", "message": reply.strip()})

    async def _apply(self, bundle: TaskBundle, stage: int, environment: BaseEnvironment) -> None:
        patch = bundle.stage_patch(stage)
        if patch is None or stage in self._applied:
            return
        tree, inside = bundle.metadata.trees[0], f"/tmp/stage-{stage}.patch"
        await environment.upload_file(patch, inside)
        command = f"git apply --whitespace=nowarn {inside}"
        result = await environment.exec(command, cwd=tree, timeout_sec=defaults.EXEC_TIMEOUT_SEC)
        await environment.exec(f"rm -f {shlex.quote(inside)}", user="root", timeout_sec=defaults.EXEC_TIMEOUT_SEC)
        output = f"{result.stdout or ''}{result.stderr or ''}"
        call = f"stage-{stage}"
        self._steps.append(
            {
                "source": "agent",
                "message": "",
                "tool_calls": [{"tool_call_id": call, "function_name": "bash", "arguments": {"command": command}}],
                "observation": {"results": [{"source_call_id": call, "content": output}]},
            }
        )
        if result.return_code != 0:
            raise NonZeroAgentExitCodeError(f"{patch.name} doesn't apply to the tree: {output[:500]}")
        self._applied.add(stage)


def stage_of(bundle: TaskBundle, message: str) -> int | None:
    """The turn whose words ``message`` repeats; None for words that belong to no anchor."""
    for anchor in bundle.script.anchors:
        words = [anchor.message, *(variant.message for variant in anchor.variants)]
        if anchor.insist is not None:
            words.append(anchor.insist.message)
        if any(message.strip() == said.strip() for said in words):
            return anchor.source_turn
    return None
