"""Containers for the tests of the instruments: a small task image, and the Docker client as a `Container`."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import hashlib
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

LABEL = "swe-together.test=instruments"
BASE = "debian:trixie-slim"
DOCKERFILE = f"""\
FROM {BASE}
RUN apt-get update \\
 && apt-get install -y --no-install-recommends bash git procps python3 \\
 && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home --uid 1000 --shell /bin/bash agent && mkdir /workspace && chown agent:agent /workspace
WORKDIR /workspace
STOPSIGNAL SIGKILL
"""
REPOSITORY = "swe-together-test-instruments"


@dataclass(frozen=True)
class Outcome:
    """What Harbor's `ExecResult` is: standard error is mixed into the output."""

    stdout: str | None
    stderr: str | None
    return_code: int


class DockerCli:
    """A running container, driven as Harbor drives its own."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> Outcome:
        options = [f"--env={key}={value}" for key, value in (env or {}).items()]
        options += [f"--workdir={cwd}"] if cwd else []
        options += [f"--user={user}"] if user is not None else []
        process = await asyncio.create_subprocess_exec(
            *("docker", "exec", *options, self.name, "bash", "-c", command),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        try:
            output, _ = await asyncio.wait_for(process.communicate(), timeout_sec)
        except TimeoutError:
            process.kill()
            await process.wait()
            raise RuntimeError(f"Command timed out after {timeout_sec} seconds") from None
        return Outcome(output.decode(errors="replace") or None, None, process.returncode or 0)

    async def run(self, command: str, *, user: str = "root", cwd: str = "/", timeout_sec: int = 120) -> str:
        """Like `exec`, but a failure is one of the test."""
        done = await self.exec(command, cwd=cwd, timeout_sec=timeout_sec, user=user)
        assert done.return_code == 0, f"exit {done.return_code}: {(done.stdout or '')[-3000:]}"
        return done.stdout or ""

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        await docker("cp", str(source_path), f"{self.name}:{target_path}")

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        await docker("cp", f"{source_dir}/.", f"{self.name}:{target_dir}")

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        await docker("cp", f"{self.name}:{source_path}", str(target_path))

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        await docker("cp", f"{self.name}:{source_dir}/.", str(target_dir))

    async def stop(self, delete: bool) -> None:
        await docker("rm", "--force", "--volumes", self.name)


async def docker(*args: str) -> str:
    """Run the Docker client and return what it printed."""
    process = await asyncio.create_subprocess_exec(
        "docker", *args, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    output, errors = await process.communicate()
    if process.returncode:
        raise RuntimeError(f"`docker {' '.join(args[:2])}` failed: {errors.decode(errors='replace')[-2000:]}")
    return output.decode(errors="replace")


def ensure_image(dockerfile: str = DOCKERFILE) -> str:
    """Build an image without a context unless it is there already; return its name, a digest of the Dockerfile."""
    image = f"{REPOSITORY}:{hashlib.sha256(dockerfile.encode()).hexdigest()[:16]}"
    with (Path(tempfile.gettempdir()) / f"{REPOSITORY}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _client("image", "ls", "--quiet", image):
            assert _client("image", "ls", "--quiet", BASE), f"The image {BASE} is missing; `make setup` makes it."
            _client("build", "--label", LABEL, "--tag", image, "-", stdin=dockerfile, timeout=900)
    return image


def _client(*args: str, stdin: str = "", timeout: float = 60) -> str:
    assert shutil.which("docker"), "These tests need the `docker` command; `make setup` installs it."
    done = subprocess.run(["docker", *args], input=stdin, capture_output=True, text=True, timeout=timeout, check=False)
    assert done.returncode == 0, f"`docker {' '.join(args[:2])}` failed: {(done.stdout + done.stderr)[-3000:]}"
    return done.stdout.strip()


@contextlib.asynccontextmanager
async def running(image: str, *options: str) -> AsyncIterator[DockerCli]:
    """A container of the image, kept alive as Harbor keeps its own, and removed afterwards whatever happens."""
    name = f"swe-together-test-{uuid.uuid4().hex[:12]}"
    try:
        await docker(
            *("run", "--detach", "--name", name, "--label", LABEL, *options), *(image, "sh", "-c", "sleep infinity")
        )
        yield DockerCli(name)
    finally:
        with contextlib.suppress(RuntimeError):  # a test may have removed it
            await docker("rm", "--force", "--volumes", name)


@pytest.fixture(scope="session")
def instruments_image() -> Iterator[str]:
    """The task image of these tests."""
    yield ensure_image()
