"""What Harbor runs for a check: an agent that brings the tree into a state, and verifiers that look further."""

import asyncio
import json
import secrets
import shutil
import tempfile
from pathlib import Path
from typing import Any, ClassVar, override

from harbor.agents.base import BaseAgent
from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.docker.docker import DockerEnvironment
from harbor.models.agent.context import AgentContext
from harbor.models.verifier.result import VerifierResult
from harbor.verifier.verifier import Verifier

GOAL_CHECKS_FILE = "goal-checks.json"
SCAN_FILE = "image-scan.json"
_SCRIPT_SEC = 300
_START_SEC = 20


class CarefulEnvironment(DockerEnvironment):
    """Harbor's environment, but an interrupt lets a start that is under way finish: stopping then finds all.

    Attributes:
        running: Every environment of this process that was started and not stopped, whoever started it.
    """

    running: ClassVar[set["CarefulEnvironment"]] = set()

    @override
    async def start(self, force_build: bool) -> None:
        self.running.add(self)
        starting = asyncio.ensure_future(super().start(force_build))
        try:
            await asyncio.shield(starting)
        except asyncio.CancelledError:
            # A build can take minutes and leaves nothing behind; anything else is done within seconds.
            await asyncio.wait([starting], timeout=_START_SEC)
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)
            raise

    @override
    async def stop(self, delete: bool) -> None:
        await super().stop(delete)
        self.running.discard(self)


class StateNotApplied(Exception):
    """A patch does not apply, or a tool for it is missing."""


class _CheckAgent(BaseAgent):
    """Base of our agents: no model, no set-up, nothing left in the container."""

    @staticmethod
    @override
    def name() -> str:
        return "swe-together-check"

    @override
    def version(self) -> str:
        return "1"

    @override
    async def setup(self, environment: BaseEnvironment) -> None:
        return

    async def _bring(self, environment: BaseEnvironment, files: list[Path]) -> str:
        """Copy files into a folder that the agent's user can read but not change."""
        folder = f"/tmp/swe-together-{secrets.token_hex(6)}"
        with tempfile.TemporaryDirectory() as staging:
            for file in files:
                shutil.copy(file, staging)
            await environment.upload_dir(staging, folder)
        await _as_root(environment, f"chown -R root:root {folder} && chmod -R a+rX,go-w {folder}")
        return folder


class StateAgent(_CheckAgent):
    """Applies patches in order, or runs a script, as the agent's user in the tree.

    Args:
        tree: The working tree.
        patches: Patch files on the host.
        script: A shell script on the host; its exit code doesn't matter.
    """

    def __init__(self, *args: Any, tree: str, patches: list[str], script: str | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._tree = tree
        self._patches = [Path(p) for p in patches]
        self._script = Path(script) if script else None

    @override
    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        files = [*self._patches, *([self._script] if self._script else [])]
        if not files:
            return
        folder = await self._bring(environment, files)
        command = "true" if self._script is None else f"bash {folder}/{self._script.name}"
        if self._patches:
            names = " ".join(patch.name for patch in self._patches)
            apply = f'git apply --whitespace=nowarn "{folder}/$p" || {{ echo "$p does not apply"; exit 1; }}'
            command = f"for p in {names}; do {apply}; done"
        done = await environment.exec(command, cwd=self._tree, timeout_sec=_SCRIPT_SEC)
        await _as_root(environment, f"rm -rf {folder}")
        if self._patches and done.return_code != 0:
            raise StateNotApplied(_text(done))


class ScanAgent(_CheckAgent):
    """Looks at the container as an agent finds it.

    Args:
        request: JSON file on the host with what to look for.
    """

    def __init__(self, *args: Any, request: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._request = Path(request)

    @override
    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        whoami = await environment.exec(
            'echo "$(id -u) $(id -Gn)"; sudo -n true >/dev/null 2>&1 && echo "sudo gives root"; true'
        )
        script = Path(__file__).with_name("image_scan.py")
        folder = await self._bring(environment, [script, self._request])
        found = f"{folder}/found.json"
        done = await environment.exec(
            f"/usr/bin/python3 -I -B {folder}/{script.name} {folder}/{self._request.name} {found}",
            user="root",
            cwd="/",
            timeout_sec=900,
        )
        if done.return_code != 0:
            raise StateNotApplied(f"the image can't be scanned: {_text(done)}")
        target = self.logs_dir.parent / SCAN_FILE
        await environment.download_file(found, target)
        report = json.loads(target.read_text())
        report["agent"] = (whoami.stdout or "").splitlines()
        target.write_text(json.dumps(report))


class GoalVerifier(Verifier):
    """Runs the tests as Harbor does, restores the state again, then runs the goals' commands as root.

    Args:
        checks: Goal id, command and seconds allowed of each goal that has a command.
    """

    def __init__(self, *, checks: list[dict[str, Any]], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._checks = checks

    @override
    async def verify(self) -> VerifierResult:
        result = await super().verify()
        restored = await self.environment.exec("bash /tests/restore.sh", user="root", timeout_sec=600)
        if restored.return_code != 0:
            raise RuntimeError(f"the state could not be restored again: {_text(restored)}")
        found = [await self._run(check) for check in self._checks]
        (self.trial_paths.trial_dir / GOAL_CHECKS_FILE).write_text(json.dumps(found))
        return result

    async def _run(self, check: dict[str, Any]) -> dict[str, Any]:
        try:
            done = await self.environment.exec(check["run"], user="root", timeout_sec=int(check["timeout_sec"]))
        except RuntimeError as error:
            return {"goal": check["goal"], "code": None, "output": str(error)[-400:]}
        return {"goal": check["goal"], "code": done.return_code, "output": _text(done)[-400:]}


async def _as_root(environment: BaseEnvironment, command: str) -> None:
    done = await environment.exec(command, user="root", cwd="/")
    if done.return_code != 0:
        raise RuntimeError(f"{command}: {_text(done)}")


def _text(done: ExecResult) -> str:
    return " ".join(part.strip() for part in (done.stdout, done.stderr) if part)[-800:]
