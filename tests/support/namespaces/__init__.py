# ruff: noqa: ASYNC230 - files of this machine's own disk
"""A Harbor environment without Docker: Linux namespaces around a root file system that lies in a folder.

It has processes, users and files of its own, and can cut the network off from one phase to the next. Root in it is root
of the machine, so it is for the tests' own agents only. It needs Linux, root and util-linux.

    SWE_TOGETHER_TEST_ROOTFS=DIR harbor run -e tests.support.namespaces:NamespaceEnvironment …
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import IO, Any

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities
from harbor.models.task.config import NetworkPolicy

HERE = Path(__file__).parent
ROOTFS = "SWE_TOGETHER_TEST_ROOTFS"
"""A variable, for not every command of Harbor's passes options on to an environment."""
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
START_SEC = 30.0


class NamespaceEnvironment(BaseEnvironment):
    """One environment. The root file system is only read, by as many environments as there are."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._rootfs = Path(os.environ[ROOTFS]).resolve()
        self._keeper: asyncio.subprocess.Process | None = None
        self._first = 0
        super().__init__(*args, **kwargs)

    @staticmethod
    def type() -> str:
        return "namespaces"

    @property
    def capabilities(self) -> EnvironmentCapabilities:
        """It can cut off the network wholly: a list of allowed hosts must be empty."""
        return EnvironmentCapabilities(disable_internet=True, network_allowlist=True, dynamic_network_policy=True)

    def _validate_definition(self) -> None:
        if not (self._rootfs / "bin" / "bash").exists():
            raise ValueError(f"{self._rootfs} is no root file system with bash.")

    async def start(self, force_build: bool) -> None:
        """Make the namespaces; they end with this process, whatever becomes of it."""
        self._keeper = await asyncio.create_subprocess_exec(
            *("setpriv", "--pdeathsig", "KILL"),
            *("unshare", "--mount", "--pid", "--ipc", "--uts", "--mount-proc", "--fork", "--kill-child=KILL"),
            *("/bin/sh", str(HERE / "start.sh"), str(self._rootfs), sys.executable),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        assert self._keeper.stdout is not None
        said = []
        async with asyncio.timeout(START_SEC):
            while (line := await self._keeper.stdout.readline()) not in (b"ready\n", b""):
                said.append(line.decode(errors="replace"))
        if not line:
            raise RuntimeError(f"The namespaces could not be made: {''.join(said).strip()}")
        keeper = self._keeper.pid
        self._first = int(Path(f"/proc/{keeper}/task/{keeper}/children").read_text().split()[0])
        await self.ensure_dirs(self._mount_targets(writable_only=True))

    async def stop(self, delete: bool) -> None:
        if self._keeper is not None:
            await self.lose()
            self._keeper = None

    async def lose(self) -> None:
        """End everything in it, as an outside force would."""
        assert self._keeper is not None
        with contextlib.suppress(ProcessLookupError):
            self._keeper.kill()
        await self._keeper.wait()

    async def _apply_network_policy(self, network_policy: NetworkPolicy) -> None:
        """The next command is the first to see it."""

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> ExecResult:
        """As Docker does it: errors are mixed into the output, and what runs out of time goes on inside."""
        with tempfile.TemporaryFile() as output:
            argv = ["bash", "-c", command]
            code = await self._enter(argv, cwd, env, self._resolve_user(user), timeout_sec, None, output)
            output.seek(0)
            return ExecResult(stdout=output.read().decode(errors="replace") or None, stderr=None, return_code=code)

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        with Path(source_path).open("rb") as file:
            mode = "755" if Path(source_path).stat().st_mode & 0o100 else "644"
            await self._copy(["install", "-D", f"--mode={mode}", "/dev/stdin", target_path], file, None)

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        await self._copy(["mkdir", "-p", target_dir], None, None)
        with tempfile.TemporaryFile() as packed:
            with tarfile.open(fileobj=packed, mode="w") as tar:
                tar.add(source_dir, ".", filter=_roots)
            packed.seek(0)
            await self._copy(["tar", "--extract", "--directory", target_dir], packed, None)

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        with Path(target_path).open("wb") as file:
            await self._copy(["cat", source_path], None, file)

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        Path(target_dir).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile() as packed:
            await self._copy(["tar", "--create", "--directory", source_dir, "."], None, packed)
            packed.seek(0)
            with tarfile.open(fileobj=packed) as tar:
                tar.extractall(target_dir, filter="data")

    async def _copy(self, argv: list[str], given: IO[bytes] | None, taken: IO[bytes] | None) -> None:
        with tempfile.TemporaryFile() as errors:
            code = await self._enter(argv, "/", None, "root", None, given, taken or errors, errors)
            errors.seek(0)
            if code:
                raise RuntimeError(f"`{argv[0]}` ended with {code}: {errors.read().decode(errors='replace')}")

    async def _enter(
        self,
        argv: list[str],
        cwd: str | None,
        env: dict[str, str] | None,
        user: str | int | None,
        timeout_sec: float | None,
        given: IO[bytes] | None,
        output: IO[bytes],
        errors: IO[bytes] | None = None,
    ) -> int:
        """Files in place of pipes: a process that goes on in the background may hold them, and nobody waits for it."""
        if self._keeper is None or self._keeper.returncode is not None:
            raise RuntimeError("The environment is gone.")
        request = {
            "pid": self._first,
            "closed": not self._network_is_public,
            "user": user if user is not None else "root",
            "cwd": cwd or self.task_env_config.workdir or "/",
            "env": {"PATH": PATH, **(self._merge_env(env) or {})},
            "argv": argv,
        }
        with tempfile.TemporaryFile() as file:
            file.write(json.dumps(request).encode())
            file.seek(0)
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", str(HERE / "enter.py"), str(file.fileno())),
                stdin=given or asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=errors or asyncio.subprocess.STDOUT,
                pass_fds=(file.fileno(),),
            )
        try:
            async with asyncio.timeout(timeout_sec):
                return await process.wait()
        except TimeoutError:
            raise RuntimeError(f"Command timed out after {timeout_sec} seconds") from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()


def export_rootfs(context: Path, folder: Path) -> Path:
    """The root file system that an image's Dockerfile makes, in a folder; Docker is needed for this alone."""
    image = _docker("build", "--quiet", str(context))
    container = _docker("create", image)
    try:
        folder.mkdir(parents=True)
        exported = subprocess.Popen(["docker", "export", container], stdout=subprocess.PIPE)
        subprocess.run(["tar", "--extract", "--numeric-owner", "-C", folder], stdin=exported.stdout, check=True)
        assert exported.wait() == 0
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    finally:
        _docker("rm", "--force", container)
        subprocess.run(["docker", "rmi", image], capture_output=True, check=False)  # it may be somebody else's as well
    return folder


def _docker(*arguments: str) -> str:
    done = subprocess.run(["docker", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"`docker {arguments[0]}` failed: {done.stderr[-2000:]}"
    return done.stdout.strip()


def _roots(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    return member
