"""What this machine has and lacks for running sessions."""

import importlib.metadata
import json
import platform
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from swe_together.defaults import HARBOR_SUPPORTED

BASE_IMAGE: Final = "debian:trixie-slim"
HUB: Final = "https://registry-1.docker.io/v2/"
PLUGIN: Final = "swe-together"
PLUGIN_GROUP: Final = "harbor.plugins"
PYTHON: Final = (3, 12)
DISK_GB: Final = 10
"""Task images, their build cache and the containers of a run on a handful of tasks."""
MEMORY_GB: Final = 4
"""An agent's container and the fresh one that grades it, side by side."""
MACHINES: Final = ("x86_64", "amd64", "aarch64", "arm64")

_GB: Final = 10**9
_SETUP: Final = "Run `make setup` in a clone of the repository"
_NO_ENGINE: Final = "not known until a Docker engine answers"


@dataclass(frozen=True)
class Finding:
    """One thing looked at; ``remedy`` says how to get it and is empty where nothing is missing."""

    name: str
    ok: bool
    found: str
    remedy: str = ""


class Machine:
    """What the checks look at: programs, packages, disk and network of this machine."""

    def call(self, *command: str) -> tuple[bool, str]:
        """Run a program; whether it worked, and what it printed (the error, if it didn't)."""
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
        except FileNotFoundError:
            return False, f"no program {command[0]}"
        except (OSError, subprocess.TimeoutExpired) as error:
            return False, str(error)
        output = done.stdout if done.returncode == 0 else done.stderr or done.stdout
        return done.returncode == 0, output.strip()

    def python(self) -> tuple[int, ...]:
        """The running interpreter's version."""
        return tuple(sys.version_info[:3])

    def package(self, name: str) -> str | None:
        """The installed version of a package."""
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            return None

    def plugins(self) -> Sequence[str]:
        """Names in Harbor's group of plugins."""
        return sorted(entry.name for entry in importlib.metadata.entry_points(group=PLUGIN_GROUP))

    def machine(self) -> str:
        """The processor's architecture."""
        return platform.machine()

    def free_bytes(self, path: str) -> int | None:
        """Free space below a folder; ``None`` where the folder isn't on this machine (Docker in a virtual machine)."""
        return shutil.disk_usage(path).free if Path(path).exists() else None

    def hub_answers(self) -> bool:
        """Whether Docker Hub can be reached; without a login it answers 401."""
        try:
            urllib.request.urlopen(HUB, timeout=10).close()
        except urllib.error.HTTPError as error:
            return error.code == 401
        except OSError:
            return False
        return True


def examine(machine: Machine) -> list[Finding]:
    """Look at everything, in the order in which one would set it up."""
    checks: list[Callable[[Machine, dict[str, Any] | None], Finding]] = [
        _python,
        _platform,
        _harbor,
        _plugin,
        _engine,
        _compose,
        _buildx,
        _base_image,
        _disk,
        _memory,
    ]
    info = engine_info(machine)
    findings = [check(machine, info) for check in checks]
    return [replace(finding, remedy="") if finding.ok else finding for finding in findings]


def engine_info(machine: Machine) -> dict[str, Any] | None:
    """What the Docker engine says of itself; ``None`` if none answers."""
    ok, output = machine.call("docker", "info", "--format", "{{json .}}")
    if not ok:
        return None
    try:
        info = json.loads(output)
    except json.JSONDecodeError:
        return None
    # Newer clients exit 0 without an engine and name its absence inside.
    return info if isinstance(info, dict) and info.get("ServerVersion") else None


def _python(machine: Machine, _: dict[str, Any] | None) -> Finding:
    found = machine.python()
    remedy = f"Install Python {_dotted(PYTHON)} or newer and make the virtual environment with it."
    return Finding("Python", found[:2] >= PYTHON, _dotted(found), remedy)


def _platform(machine: Machine, _: dict[str, Any] | None) -> Finding:
    found = machine.machine()
    return Finding(
        "Platform", found.lower() in MACHINES, found, "Use an amd64 or arm64 machine; base images exist for no other."
    )


def _harbor(machine: Machine, _: dict[str, Any] | None) -> Finding:
    found = machine.package("harbor")
    low, high = HARBOR_SUPPORTED
    remedy = f"pip install 'harbor>={low},<{high}'"
    return Finding(
        "Harbor", bool(found) and _version(low) <= _version(found or "") < _version(high), found or "", remedy
    )


def _plugin(machine: Machine, _: dict[str, Any] | None) -> Finding:
    found = PLUGIN in machine.plugins()
    remedy = "Install swe-together into the environment that `harbor` runs from (`pip install .` in a clone)."
    return Finding("Harbor plugin", found, PLUGIN if found else "", remedy)


def _engine(machine: Machine, info: dict[str, Any] | None) -> Finding:
    if info:
        return Finding("Docker engine", True, str(info["ServerVersion"]))
    _, why = machine.call("docker", "version", "--format", "{{.Server.Version}}")
    remedy = f"{_SETUP}, or install Docker (https://docs.docker.com/engine/install/) and start it."
    if "permission denied" in why:
        remedy = 'Join the group: sudo usermod -aG docker "$USER", then log in again.'
    return Finding("Docker engine", False, _first_line(why), remedy)


def _compose(machine: Machine, _: dict[str, Any] | None) -> Finding:
    ok, found = machine.call("docker", "compose", "version", "--short")
    # Without the plugin the docker command takes "compose" for a mistyped command of its own.
    found = _first_line(found) if ok else ""
    good = ok and _version(found.removeprefix("v")) >= (2,)
    return Finding("Docker Compose", good, found, f"{_SETUP}, or see https://docs.docker.com/compose/install/linux/.")


def _buildx(machine: Machine, _: dict[str, Any] | None) -> Finding:
    ok, found = machine.call("docker", "buildx", "version")
    number = re.search(r"v?\d+\.\d+\S*", found) if ok else None
    remedy = f"{_SETUP}, or see https://github.com/docker/buildx#installing."
    return Finding("Docker buildx", ok, number[0] if number else "", remedy)


def _base_image(machine: Machine, info: dict[str, Any] | None) -> Finding:
    name = "Base image"
    if info and machine.call("docker", "image", "inspect", BASE_IMAGE)[0]:
        return Finding(name, True, BASE_IMAGE)
    if machine.hub_answers():
        return Finding(name, True, "Docker Hub answers")
    return Finding(
        name, False, f"neither {BASE_IMAGE} nor Docker Hub", f"{_SETUP}: it builds the image from Debian's packages."
    )


def _disk(machine: Machine, info: dict[str, Any] | None) -> Finding:
    if not info:
        return Finding("Disk", False, _NO_ENGINE, "See Docker engine.")
    root = str(info.get("DockerRootDir", "/var/lib/docker"))
    free = machine.free_bytes(root)
    if free is None:
        return Finding("Disk", True, f"{root} is inside Docker's own machine")
    remedy = f"Free at least {DISK_GB} GB: `swe-together clean`, then `docker system prune`."
    return Finding("Disk", free >= DISK_GB * _GB, f"{free / _GB:.0f} GB free in {root}", remedy)


def _memory(_: Machine, info: dict[str, Any] | None) -> Finding:
    if not info:
        return Finding("Memory", False, _NO_ENGINE, "See Docker engine.")
    total = int(info.get("MemTotal", 0))
    return Finding(
        "Memory",
        total >= MEMORY_GB * _GB,
        f"{total / _GB:.1f} GB for containers",
        f"Give Docker at least {MEMORY_GB} GB, or use a larger machine.",
    )


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


def _dotted(numbers: Sequence[int]) -> str:
    return ".".join(map(str, numbers))


def _first_line(text: str) -> str:
    return text.splitlines()[0] if text else ""
