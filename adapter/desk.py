"""The user's desk: a second environment of the same definition, where probes run on the agent's current state.

The agent sees nothing of it. Probes run code that the agent wrote, so each one starts from the restored state and from
clean folders of its user, within bounds of time, output and processes, and nothing of it is left running.
"""

import asyncio
import json
import shutil
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from harbor.environments.base import BaseEnvironment
from harbor.environments.factory import EnvironmentFactory
from harbor.models.trial.config import TrialConfig
from harbor.models.trial.paths import TrialPaths

from swe_together import defaults
from swe_together.adapter._scripts.probe import VARIABLE
from swe_together.adapter.clean_folders import Place, pack_clean_folders, place_of
from swe_together.adapter.container import Container, ask, run_as_root
from swe_together.adapter.delta import DELTA_DIR
from swe_together.adapter.processes import Processes
from swe_together.adapter.state import collect_command, restore_script
from swe_together.errors import EnvironmentFault
from swe_together.schema import ProbeCommand
from swe_together.simulator import ProbeOutcome

PACKED: Final = f"{DELTA_DIR}/desk/state.tar"
"""In the agent's container, where root keeps the delta anyway: not even a folder's time of change tells of it."""
STATE: Final = "/var/lib/swe-together-desk/state/state.tar"
CLEAN: Final = "/var/lib/swe-together-desk/clean/clean.tar"
START_SEC: Final = 900.0


class DeskContainer(Container, Protocol):
    """A container that can be taken down."""

    async def stop(self, delete: bool) -> Any:
        """Take it down, and remove it if ``delete``."""
        ...


Opener = Callable[[], Awaitable[DeskContainer]]
"""Starts a desk."""


class _Open:
    """A desk that has started."""

    def __init__(self, container: DeskContainer) -> None:
        self.container = container
        self.processes = Processes(container)
        self.state: int | None = None
        self.clean: Place | None = None


class Desk:
    """Runs probes where the agent can't see them. Started when first needed, gone with the trial.

    Args:
        environment: Where the agent works.
        trees: Absolute paths of the working trees; probes run in the first.
        exclude: Paths relative to ``/`` that are no part of the state; at the desk they are as in the image.
        trial_dir: The trial's folder on the host.
        opener: How a desk is started; Harbor's way if None.
    """

    def __init__(
        self,
        environment: Container,
        trees: Sequence[str],
        exclude: Sequence[str],
        trial_dir: Path,
        opener: Opener | None = None,
    ) -> None:
        self._agent = environment
        self._trees = trees
        self._exclude = exclude
        self._folder = trial_dir / "user-agent" / "desk"
        self._opener = opener or self._harbor
        self._desk: _Open | None = None

    async def probe(self, command: ProbeCommand, state: int) -> ProbeOutcome:
        """Run a command as the agent's user on the state that the agent's container has now.

        Args:
            command: What to run, and for how long.
            state: Number of the turn. The state is fetched once for each number, and restored for each probe.

        Raises:
            EnvironmentFault: The desk can't be started or doesn't take the state, twice in a row.
        """
        try:
            return await self._probe(command, state)
        except EnvironmentFault:
            # Code that the agent wrote may have brought the desk down; the user takes another one, once.
            await self._discard()
            return await self._probe(command, state)

    async def close(self) -> None:
        """Remove the desk.

        Raises:
            EnvironmentFault: It can't be removed.
        """
        desk, self._desk = self._desk, None
        if desk is not None:
            try:
                await desk.container.stop(delete=True)
            except Exception as error:
                raise EnvironmentFault(f"The user's desk could not be removed: {error}") from error
            finally:
                shutil.rmtree(self._folder, ignore_errors=True)

    async def _probe(self, command: ProbeCommand, state: int) -> ProbeOutcome:
        desk = await self._opened()
        if desk.state != state:
            await self._bring(desk)
            desk.state = state
        answer = await ask(
            desk.container,
            "probe",
            {
                "seconds": [command.timeout_sec],
                "user": defaults.AGENT_USER,
                "folder": self._trees[0],
                "places": [*([desk.clean] if desk.clean else []), place_of(STATE, self._trees, self._exclude)],
                "restore": restore_script(),
                "output": defaults.PROBE_OUTPUT_BYTES,
                "processes": defaults.PROBE_PROCESSES,
                "keep": desk.processes.kept,
                "grace": defaults.KILL_GRACE_SEC,
            },
            "trying a command at the user's desk",
            timeout_sec=defaults.EXEC_TIMEOUT_SEC + command.timeout_sec + defaults.KILL_GRACE_SEC,
            env={VARIABLE: json.dumps([command.run])},
        )
        if "fault" in answer:
            raise EnvironmentFault(f"The user's desk does not take the state: {answer['fault']}")
        if answer["left"]:
            await self._discard()
        (ran,) = answer["ran"]
        return ProbeOutcome(ran["exit"], ran["output"], ran["exit"] is None, ran["seconds"])

    async def _opened(self) -> _Open:
        if self._desk is None:
            try:
                async with asyncio.timeout(START_SEC):
                    self._desk = desk = _Open(await self._opener())
            except EnvironmentFault:
                raise
            except Exception as error:
                raise EnvironmentFault(f"The user's desk could not be started: {error or repr(error)}") from error
            await desk.processes.baseline()
            desk.clean = await pack_clean_folders(desk.container, self._trees, CLEAN)
        return self._desk

    async def _bring(self, desk: _Open) -> None:
        packed = await run_as_root(
            self._agent, collect_command(self._trees, self._exclude, archive=PACKED), "packing the state for the desk"
        )
        if packed.return_code != 0:
            raise EnvironmentFault(f"The state could not be packed for the user's desk: {packed.stdout}")
        folder = STATE.rpartition("/")[0]
        await run_as_root(desk.container, f"mkdir -p -m 700 {folder} && rm -f {STATE}", "preparing the desk")
        with tempfile.TemporaryDirectory(prefix="swe-together-desk-") as local:
            try:
                await self._agent.download_file(PACKED, Path(local) / "state.tar")
                await desk.container.upload_file(Path(local) / "state.tar", STATE)
            except Exception as error:
                raise EnvironmentFault(f"The state could not be carried to the user's desk: {error}") from error
        await run_as_root(self._agent, f"rm -rf {PACKED.rpartition('/')[0]}", "removing the packed state")

    async def _discard(self) -> None:
        try:
            await self.close()
        except EnvironmentFault:
            return

    async def _harbor(self) -> DeskContainer:
        """A second environment of the agent's own definition, as Harbor makes one for a separate verifier."""
        agent = self._agent
        assert isinstance(agent, BaseEnvironment)
        config = TrialConfig.model_validate(json.loads((self._folder.parents[1] / "config.json").read_text("utf-8")))
        paths = TrialPaths(self._folder)
        paths.mkdir()
        desk = EnvironmentFactory.create_environment_from_config(
            config.environment,
            environment_dir=agent.environment_dir,
            environment_name=agent.environment_name,
            session_id=f"{agent.session_id}-desk",
            trial_paths=paths,
            task_env_config=agent.task_env_config,
            network_policy=agent.network_policy,
        )
        try:
            await desk.start(force_build=False)
        except BaseException:
            await asyncio.shield(desk.stop(delete=True))
            raise
        started: DeskContainer = desk
        return started
