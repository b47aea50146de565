"""Two containers: the agent's, and a fresh one in which its state is restored."""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from swe_together.adapter.state import STATE_PATH, Manifest, collect_command, manifest, restore_script
from tests.support import repo_states
from tests.support.containers import DockerCli, Outcome, running

TREES = ["/workspace"]


class Recorded(DockerCli):
    """Gives an output that was recorded in a container earlier."""

    def __init__(self, output: str) -> None:
        super().__init__("recorded")
        self.output = output

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> Outcome:
        return Outcome(self.output, None, 0)


class Pair:
    """The agent's container, and a fresh one in which its state is restored."""

    def __init__(self, agent: DockerCli, fresh: DockerCli, folder: Path) -> None:
        self.agent = agent
        self.fresh = fresh
        self.folder = folder

    async def carry(self, sources: list[str]) -> None:
        """Bring packed states across, to the same paths."""
        for source in sources:
            await self.agent.download_file(source, self.folder / "state")
            await self.fresh.run(f"mkdir -p {shlex.quote(str(Path(source).parent))}")
            await self.fresh.upload_file(self.folder / "state", source)

    async def cycle(self, *, exclude: tuple[str, ...] = (), sabotage: str = "true") -> tuple[Manifest, Manifest]:
        """Look, pack and restore; returns what was there and what came of it, without times of change."""
        before = await manifest(self.agent, TREES, exclude)
        await self.agent.run(f"{sabotage} && {collect_command(TREES, exclude)}")
        await self.carry([STATE_PATH])
        await self.fresh.run("bash /tests/restore.sh")
        after = await manifest(self.fresh, TREES, exclude)
        return timeless(before), timeless(after)


def timeless(found: Manifest) -> Manifest:
    return {path: dataclasses.replace(entry, mtime_ns=0) for path, entry in found.items()}


@pytest.fixture
async def pair(instruments_image: str, tmp_path: Path) -> AsyncIterator[Pair]:
    async with running(instruments_image) as agent, running(instruments_image) as fresh:
        (tmp_path / "restore.sh").write_text(restore_script())
        await fresh.run("mkdir /tests")
        await fresh.upload_file(tmp_path / "restore.sh", "/tests/restore.sh")
        await agent.upload_file(Path(repo_states.__file__), "/opt/repo_states.py")
        yield Pair(agent, fresh, tmp_path)
