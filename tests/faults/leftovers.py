"""What of a job is still there: containers, networks, volumes and images in Docker, processes on this machine."""

from __future__ import annotations

import os
import time
from pathlib import Path

import docker

from swe_together.clean import Cleaned, clean, find_projects
from tests.faults.job import FaultJob

GRACE_SEC = 20.0
"""Clients of Docker whose Harbor was killed end a little later."""


def left(job: FaultJob, client: docker.DockerClient) -> list[str]:
    """Everything that carries the job's name, a line each."""
    things = [
        f"{thing.kind} {thing.name}"
        for project in find_projects(client)
        if project.name.startswith(f"{job.name}__")
        for thing in project.things
    ]
    return things + processes(job)


def processes(job: FaultJob) -> list[str]:
    """Processes of this machine whose command line or folder names the job, this one's own family left out."""
    found = []
    for process in Path("/proc").iterdir():
        if not process.name.isdecimal() or int(process.name) == os.getpid():
            continue
        try:
            line = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            folder = str((process / "cwd").readlink())
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
        if job.name in line or job.name in folder or str(job.folder) in line:
            found.append(f"process {process.name}: {line[:200]}")
    return found


def nothing_left(job: FaultJob, client: docker.DockerClient) -> None:
    """Wait a moment for the last clients to end.

    Raises:
        AssertionError: Something is still there.
    """
    deadline = time.monotonic() + GRACE_SEC
    while found := left(job, client):
        assert time.monotonic() < deadline, f"left behind: {found}"
        time.sleep(0.2)


def swept(job: FaultJob, client: docker.DockerClient) -> Cleaned:
    """What ``swe-together clean`` does for the job's trials, and it must succeed."""
    names = [project.name.partition("__env")[0].partition("__verifier")[0] for project in find_projects(client)]
    mine = sorted({name for name in names if name.startswith(f"{job.name}__")})
    cleaned = clean(client, trials=mine, task_folders=[job.task.parent])
    assert cleaned.failed == {}
    return cleaned
