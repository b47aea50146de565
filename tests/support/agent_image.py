"""The container image of the real agent command lines, and the closed network that they run in."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = "swe-together-test-agents"
BASE = "debian:trixie-slim"
CONTEXT = Path(__file__).parent / "agent_image"
LABEL = "swe-together.test=agents"
BUILD_TIMEOUT_SEC = 1200


class PreconditionError(AssertionError):
    """The machine lacks what these tests need; never a reason to skip them."""


def docker(*args: str, timeout: float = 60) -> str:
    """Run the Docker client and return what it printed."""
    try:
        done = subprocess.run(["docker", *args], capture_output=True, text=True, timeout=timeout, check=False)
    except FileNotFoundError:
        raise PreconditionError("These tests need the `docker` command; `make setup` installs it.") from None
    if done.returncode:
        raise RuntimeError(f"`docker {' '.join(args[:3])}` failed: {done.stderr.strip()[-2000:]}")
    return done.stdout.strip()


def tag() -> str:
    """Name of the image: a digest of what it is built from."""
    digest = hashlib.sha256((CONTEXT / "Dockerfile").read_bytes()).hexdigest()
    return f"{REPOSITORY}:{digest[:16]}"


def exists(image: str) -> bool:
    """Whether the image is on this machine."""
    return bool(docker("image", "ls", "--quiet", image))


def ensure() -> str:
    """Build the image unless it is there already, once even if several test processes ask; return its name."""
    image = tag()
    with (Path(tempfile.gettempdir()) / f"{REPOSITORY}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not exists(image):
            if not exists(BASE):
                raise PreconditionError(f"The image {BASE} isn't on this machine; `make setup` gets or builds it.")
            docker("build", "--label", LABEL, "--tag", image, str(CONTEXT), timeout=BUILD_TIMEOUT_SEC)
    return image


@dataclass(frozen=True, slots=True)
class ClosedNetwork:
    """A Docker network without a way out; the host is reached at `gateway`."""

    name: str
    gateway: str

    def containers(self) -> list[str]:
        """Containers that are attached, dead ones included."""
        return docker("ps", "--all", "--quiet", "--filter", f"network={self.name}").split()


@contextlib.contextmanager
def closed_network() -> Iterator[ClosedNetwork]:
    """Make such a network, and afterwards remove it with whatever is still attached to it.

    Agent command lines like to call home; from here they reach nothing but the model server on the host.
    """
    name = f"swe-together-test-{uuid.uuid4().hex[:12]}"
    docker("network", "create", "--internal", "--label", LABEL, name)
    try:
        config = json.loads(docker("network", "inspect", name))[0]["IPAM"]["Config"][0]
        network = ClosedNetwork(name, config["Gateway"])
        yield network
    finally:
        for container in ClosedNetwork(name, "").containers():
            docker("rm", "--force", "--volumes", container)
        docker("network", "rm", name)
