"""Two Harbor environments without any container: a folder and processes of this machine, for the tests' own agents.

``LocalEnvironment`` runs every command as a process here. Our instruments refuse it, as they must: its processes can't
be told from the machine's. ``InProcessEnvironment`` answers the instruments in this process, and says that there are no
processes to end: what is left then is the price of everything else, which is what a benchmark of load wants.

There is one user, whoever runs the tests, and no boundary at all: never run an agent that isn't trusted in them.
"""

from __future__ import annotations

import asyncio
import base64
import importlib
import json
import os
import re
import shutil
import signal
import tempfile
import zlib
from pathlib import Path
from typing import Any

from harbor.environments.base import BaseEnvironment, ExecResult

from swe_together.adapter.container import ANSWER_MARK

_PLACES = ("workspace", "logs", "tests", "solution", "tmp", "var/lib/swe-together")
_PLACE = re.compile(rf"(?<![\w./-])/(?={'|'.join(map(re.escape, _PLACES))})")
_SCRIPT = re.compile(r'for part in \("([A-Za-z0-9+/=]+)", "([A-Za-z0-9+/=]+)"\)')
_ONE_USER = "chown() { :; }; "
"""Nobody but root may give files away, and there is nobody to give them to."""


class LocalEnvironment(BaseEnvironment):
    """A folder that stands for the root of a file system; absolute paths that we know of are moved into it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._root: Path | None = None
        super().__init__(*args, **kwargs)

    @staticmethod
    def type() -> str:
        return "local"

    def _validate_definition(self) -> None:
        """Whatever the image would be, it isn't made."""

    async def start(self, force_build: bool) -> None:
        """The first working tree gets the files beside the Dockerfile."""
        self._root = Path(tempfile.mkdtemp(prefix="swe-together-local-"))
        for place in _PLACES:
            (self._root / place).mkdir(parents=True, exist_ok=True)
        shutil.copytree(self.environment_dir, self._root / "workspace", dirs_exist_ok=True)
        (self._root / "workspace" / "Dockerfile").unlink(missing_ok=True)
        await self.ensure_dirs(self._mount_targets(writable_only=True))

    async def stop(self, delete: bool) -> None:
        if self._root is not None:
            shutil.rmtree(self._root, ignore_errors=True)
            self._root = None

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> ExecResult:
        """As Docker does it, but that what runs out of time is ended."""
        process = await asyncio.create_subprocess_exec(
            *("bash", "-c", _ONE_USER + self._inside(command)),
            cwd=self._path(cwd or self.task_env_config.workdir or "/"),
            env={"PATH": os.environ["PATH"], "HOME": str(self.root), **(self._merge_env(env) or {})},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(timeout_sec):
                output, _ = await process.communicate()
        except TimeoutError:
            raise RuntimeError(f"Command timed out after {timeout_sec} seconds") from None
        finally:
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
        return ExecResult(
            stdout=output.decode(errors="replace") or None, stderr=None, return_code=process.returncode or 0
        )

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        target = self._path(target_path)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source_path, target)

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        shutil.copytree(source_dir, self._path(target_dir), dirs_exist_ok=True)

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        shutil.copy(self._path(source_path), target_path)

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        shutil.copytree(self._path(source_dir), target_dir, dirs_exist_ok=True)

    @property
    def root(self) -> Path:
        """The folder.

        Raises:
            RuntimeError: The environment isn't there.
        """
        if self._root is None:
            raise RuntimeError("The environment is gone.")
        return self._root

    def _path(self, path: str) -> Path:
        return self.root / path.lstrip("/")

    def _inside(self, command: str) -> str:
        return _PLACE.sub(f"{self.root}/", command)


class InProcessEnvironment(LocalEnvironment):
    """Answers the instruments without a process: the same scripts, called in a thread."""

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> ExecResult:
        """An instrument's script, or a process for anything else."""
        packed = _SCRIPT.search(command)
        if packed is None:
            return await super().exec(command, cwd, env, timeout_sec, user)
        modules, request = (json.loads(zlib.decompress(base64.b64decode(part))) for part in packed.groups())
        answer = await asyncio.to_thread(self._answer, modules[-1][0], request)
        line = base64.b64encode(zlib.compress(json.dumps(answer).encode(), 1)).decode()
        return ExecResult(stdout=f"\n{ANSWER_MARK}{line}\n", stderr=None, return_code=0)

    def _answer(self, script: str, request: dict[str, Any]) -> Any:
        if script == "kill":
            return [[1, 1, False]] if request["do"] == "list" else {"ended": 0, "left": []}
        root = str(self.root)[1:]
        if "trees" in request:
            request["trees"] = [f"{root}/{tree}" for tree in request["trees"]]
            request["exclude"] = [f"{root}/{path}" for path in request["exclude"]]
            request["strip"] += len(root) + 1
        if "path" in request:
            request["path"] = f"{root}/{request['path']}"
        if "folder" in request:
            request["folder"] = f"/{root}{request['folder']}" if script == "delta" else f"{root}/{request['folder']}"
        return importlib.import_module(f"swe_together.adapter._scripts.{script}").main(request)
