# ruff: noqa: PTH115, PTH119, PTH208 - /proc is read far faster without pathlib
"""Looks for marked keys while a job runs: in command lines of this machine, and in its containers.

Processes in containers are processes of the machine, so that its ``/proc`` shows both; it takes root to read it all.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

_OWN_NAMESPACE = os.readlink("/proc/self/ns/pid")
_LOOK_SEC = 0.02
_SETTLE_SEC = 2.0
_AGAIN_SEC = 1.0
_SEARCH = "grep -roZsaF -f - / --exclude-dir=proc --exclude-dir=sys"
PLANTED = "/opt/planted-key"
"""In no folder that our instruments pack."""


@dataclass(slots=True)
class Seen:
    """Where keys were found.

    Attributes:
        command_lines: Role and program of each command line with that role's key.
        environments: Role and program of each process in a container that has the key in its environment.
        files: Role and path, by container.
        looked_into: Containers whose files were searched.
    """

    command_lines: set[tuple[str, str]] = field(default_factory=set)
    environments: set[tuple[str, str]] = field(default_factory=set)
    files: set[tuple[str, str]] = field(default_factory=set)
    looked_into: set[str] = field(default_factory=set)


class SecretWatch:
    """Watches from entering to leaving.

    Args:
        keys: By role.
        containers: Lists the containers to look into.
    """

    def __init__(self, keys: Mapping[str, str], containers: Callable[[], list[str]]) -> None:
        self._keys = {role: key.encode() for role, key in keys.items()}
        self._containers = containers
        self._done = threading.Event()
        self._threads = [threading.Thread(target=loop) for loop in (self._processes, self._files)]
        self.seen = Seen()
        self.failures: list[str] = []

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        for thread in self._threads:
            thread.join()

    def _processes(self) -> None:
        while not self._done.wait(_LOOK_SEC):
            for name in os.listdir("/proc"):
                if name.isdigit():
                    self._process(f"/proc/{name}")

    def _process(self, folder: str) -> None:
        try:
            line = Path(folder, "cmdline").read_bytes()
            program = os.path.basename(line.split(b"\0", 1)[0]).decode(errors="replace")
            self.seen.command_lines |= {(role, program) for role, key in self._keys.items() if key in line}
            if os.readlink(f"{folder}/ns/pid") != _OWN_NAMESPACE:
                variables = Path(folder, "environ").read_bytes()
                self.seen.environments |= {(role, program) for role, key in self._keys.items() if key in variables}
        except OSError:
            return  # it has ended

    def _files(self) -> None:
        since: dict[str, float] = {}
        while not self._done.wait(_AGAIN_SEC):
            for container in self._containers():
                since.setdefault(container, time.monotonic())
                if time.monotonic() - since[container] > _SETTLE_SEC:
                    self._search(container)

    def _search(self, container: str) -> None:
        """Keys come by standard input, so that the search itself has none in its command line."""
        roles = {key: role for role, key in self._keys.items()}
        planted = self._inside(container, f"cat > {PLANTED}", next(iter(roles)))
        listed = self._inside(container, _SEARCH, b"\n".join(roles))
        removed = self._inside(container, f"rm {PLANTED}", b"")
        if planted.returncode or removed.returncode or listed.returncode not in (0, 1, 2):
            return  # the container went while it was searched
        found = set()
        for line in listed.stdout.split(b"\n"):
            path, _, key = line.partition(b"\0")
            if key in roles:
                found.add((roles[key], path.decode(errors="replace")))
        if PLANTED not in {path for _, path in found}:
            self.failures.append(f"the search of {container} does not find what is there")
        self.seen.looked_into.add(container)
        self.seen.files |= {(role, path) for role, path in found if path != PLANTED}

    def _inside(self, container: str, command: str, given: bytes) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            ["docker", "exec", "--interactive", "--user=root", container, "bash", "-c", command],
            input=given, capture_output=True, check=False,
        )  # fmt: skip
