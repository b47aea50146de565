"""What Harbor runs for a check: agents that make a state or look at the image, and a verifier that watches root."""

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

from swe_together.adapter.verifier import TogetherVerifier

SCAN_FILE = "image-scan.json"
ROOT_MARK = "root-ran-candidate-code"
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


class RootWatch(TogetherVerifier):
    """The verifier of every session; notes in the trial's folder whether code of the tree was run as root.

    Such code says so itself: it comes from ``assets/leave-at-once.sh``.
    """

    @override
    async def verify(self) -> VerifierResult:
        result = await super().verify()
        done = await self.environment.exec(f"test ! -e /{ROOT_MARK}", user="root", cwd="/")
        if done.return_code != 0:
            (self.trial_paths.trial_dir / ROOT_MARK).touch()
        return result


async def _as_root(environment: BaseEnvironment, command: str) -> None:
    done = await environment.exec(command, user="root", cwd="/")
    if done.return_code != 0:
        raise RuntimeError(f"{command}: {_text(done)}")


def _text(done: ExecResult) -> str:
    return " ".join(part.strip() for part in (done.stdout, done.stderr) if part)[-800:]
