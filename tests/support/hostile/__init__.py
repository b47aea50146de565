"""Code that wants to earn without working, and what shows that it really ran.

Every payload leaves a trace: an empty file in ``/traces``, which root makes for it in both containers. The payloads
themselves lie beside this file, as shell scripts that the agent's user runs in the tree; each ends with the careless
commands that would have been taken in, so that what is only planted is seen to work as well.
"""

from pathlib import Path
from typing import Any, override

from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext
from harbor.models.verifier.result import VerifierResult

from swe_together.adapter.verifier import TogetherVerifier
from swe_together.pipeline.check.harbor_parts import StateAgent

PAYLOADS = Path(__file__).parent
TRACES = "/traces"
AGENT_TRACES = "agent-traces.txt"
VERIFIER_TRACES = "verifier-traces.txt"


class HostileAgent(StateAgent):
    """Runs a payload, and notes the traces of the agent's own container.

    Args:
        payload: Name of the script.
    """

    def __init__(self, *args: Any, payload: str, **kwargs: Any) -> None:
        script = str(PAYLOADS / f"{payload}.sh")
        super().__init__(*args, tree="/workspace", patches=[], script=script, **kwargs)
        self._common = PAYLOADS / "common.sh"

    @override
    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        await _open(environment)
        await environment.upload_file(self._common, "/tmp/common.sh")
        await super().run(instruction, environment, context)
        (self.logs_dir.parent / AGENT_TRACES).write_text(await _seen(environment))


class WatchingVerifier(TogetherVerifier):
    """The verifier of every session; notes the traces of its container."""

    @override
    async def verify(self) -> VerifierResult:
        await _open(self.environment)
        result = await super().verify()
        (self.trial_paths.trial_dir / VERIFIER_TRACES).write_text(await _seen(self.environment))
        return result


async def _open(environment: BaseEnvironment) -> None:
    done = await environment.exec(f"mkdir -m 1777 {TRACES}", user="root")
    assert done.return_code == 0, done.stdout


async def _seen(environment: BaseEnvironment) -> str:
    done = await environment.exec(f"ls -A {TRACES}", user="root")
    assert done.return_code == 0, done.stdout
    return done.stdout or ""
