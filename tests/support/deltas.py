"""A container with a session's delta in it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from swe_together.adapter.delta import Delta, TurnDelta
from tests.support.containers import DockerCli, running

TREES = ["/workspace"]


@pytest.fixture
async def box(instruments_image: str) -> AsyncIterator[DockerCli]:
    async with running(instruments_image) as container:
        yield container


async def work(box: DockerCli, command: str) -> None:
    """Do something as the agent, in its tree."""
    await box.run(command, user="agent", cwd="/workspace")


async def started(box: DockerCli, command: str = "true", **options: list[str]) -> Delta:
    """A delta whose session begins after `command`."""
    await work(box, command)
    delta = Delta(box, options.get("trees", TREES), options.get("exclude", []))
    await delta.baseline()
    return delta


def told(found: TurnDelta) -> dict[str, tuple[str, int | None, int | None]]:
    return {change.path: (change.status, change.added, change.removed) for change in found.changes}
