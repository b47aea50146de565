"""Builds the images of tasks, publishes them in a registry of one's own, and says each by its digest."""

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from swe_together.errors import MisuseError, TogetherError
from swe_together.tasks import TaskBundle, load_task

_REGISTRY: Final = re.compile(r"[a-z0-9.-]+(?::[0-9]+)?(?:/[a-z0-9._-]+)+|[a-z0-9.-]+:[0-9]+")
_PINNED: Final = re.compile(r"\S+@sha256:[0-9a-f]{64}")
_TAG_DIGITS: Final = 12


@dataclass(frozen=True)
class Published:
    """A task's image.

    Attributes:
        task: Id of the task.
        digest: Of the task.
        image: Name and tag; the tag is the beginning of the task's digest.
        pinned: The same image by its own digest; None where it wasn't pushed.
    """

    task: str
    digest: str
    image: str
    pinned: str | None


def publish(paths: Sequence[Path], registry: str, *, push: bool) -> list[Published]:
    """Build each task's image, and push it if asked.

    Args:
        paths: Task directories.
        registry: Host and folder, e.g. ``ghcr.io/OWNER``; lower case.
        push: Whether to push; the engine must be logged in.

    Raises:
        MisuseError: The registry's name is none.
        TaskError: A task is broken.
        TogetherError: An image could not be built or pushed.
    """
    registry = registry.lower().rstrip("/")
    if not _REGISTRY.fullmatch(registry):
        raise MisuseError(f"{registry!r} is no registry.", "Write host and owner, e.g. ghcr.io/OWNER.")
    tasks = [load_task(path) for path in paths]
    return [_publish(task, registry, push) for task in tasks]


def _publish(task: TaskBundle, registry: str, push: bool) -> Published:
    image = f"{registry}/swe-together-{task.id}:{task.digest[:_TAG_DIGITS]}"
    labels = [f"--label=swe-together.task={task.id}", f"--label=swe-together.digest={task.digest}"]
    _docker("build", "--quiet", "--tag", image, *labels, str(task.path / "environment"))
    if not push:
        return Published(task.id, task.digest, image, None)
    _docker("push", "--quiet", image)
    told = _docker("image", "inspect", "--format", "{{range .RepoDigests}}{{println .}}{{end}}", image)
    name = image.rpartition(":")[0]
    pinned = next((line for line in told.split() if _PINNED.fullmatch(line) and line.startswith(f"{name}@")), None)
    if pinned is None:
        raise TogetherError(f"{image} was pushed, but the engine knows no digest of it.", "Push it again.")
    return Published(task.id, task.digest, image, pinned)


def _docker(*arguments: str) -> str:
    try:
        done = subprocess.run(["docker", *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise TogetherError("docker is not installed.", "swe-together doctor says how to get it.") from None
    if done.returncode != 0:
        told = " ".join((done.stderr or done.stdout).split())[-600:]
        raise TogetherError(f"docker {arguments[0]} {arguments[-1]} ended with {done.returncode}: {told}")
    return done.stdout
