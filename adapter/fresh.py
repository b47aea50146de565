"""A fresh container of a task's own image, as Harbor makes one for a separate verifier; bare or with the reference."""

import asyncio
import secrets
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from harbor.environments.factory import EnvironmentFactory
from harbor.models.task.task import Task
from harbor.models.trial.config import EnvironmentConfig
from harbor.models.trial.paths import TrialPaths

from swe_together import defaults
from swe_together.adapter.container import run_as_root
from swe_together.adapter.desk import START_SEC, DeskContainer
from swe_together.adapter.hands import Bench
from swe_together.adapter.state import collect_command
from swe_together.errors import EnvironmentFault
from swe_together.tasks import UnjudgedTask

_PATCHES: Final = "/var/lib/swe-together-reference"


@asynccontextmanager
async def fresh_container(
    task_dir: Path, name: str, environment: EnvironmentConfig | None = None
) -> AsyncIterator[DeskContainer]:
    """Start a container and remove it at the end.

    Args:
        task_dir: The task.
        name: What it is for; its name begins so.
        environment: How Harbor is to run it; as by default if None.

    Raises:
        EnvironmentFault: It did not start.
    """
    task = _task(task_dir)
    name = f"{name}-{secrets.token_hex(3)}"
    with TemporaryDirectory(prefix="swe-together-fresh-") as folder, _open_as(name, Path(folder)) as trial:
        paths = TrialPaths(trial)
        paths.mkdir()
        container: Any = EnvironmentFactory.create_environment_from_config(
            environment or EnvironmentConfig(),
            environment_dir=task.paths.environment_dir,
            environment_name=task.short_name,
            session_id=f"{name}__env",
            trial_paths=paths,
            task_env_config=task.config.environment,
        )
        try:
            await _start(container)
            yield container
        finally:
            await asyncio.shield(container.stop(delete=True))


@asynccontextmanager
async def reference_bench(task: UnjudgedTask) -> AsyncIterator[Bench]:
    """A bench whose state is that of the reference, all its stages applied.

    Raises:
        EnvironmentFault: The container did not start, or a stage doesn't apply.
    """
    async with fresh_container(task.path, f"{task.id[:20]}-rubric") as container:
        await _apply(task, container)
        packed = await run_as_root(
            container, collect_command(task.metadata.trees, task.metadata.exclude), "packing the reference's state"
        )
        if packed.return_code != 0:
            raise EnvironmentFault(f"The reference's state could not be packed: {packed.stdout}")
        yield await Bench.of(container, task.metadata.trees, task.metadata.exclude)


@contextmanager
def _open_as(name: str, folder: Path) -> Iterator[Path]:
    """A folder of this name with its log held open, as Harbor's trials have one: so ``clean`` sees who is at work."""
    trial = folder / name
    trial.mkdir()
    with (trial / "trial.log").open("wb"):
        yield trial


def _task(task_dir: Path) -> Any:
    if not (task_dir / "tests" / "test.sh").is_file():  # Harbor before 0.24 takes such a task
        raise EnvironmentFault(f"{task_dir}/tests/test.sh is missing.", f"Run: swe-together fmt {task_dir}")
    try:
        return Task(task_dir)
    except (OSError, ValueError) as error:
        told = " ".join(str(error).split())
        raise EnvironmentFault(f"Harbor can't read the task: {told}", f"Run: swe-together fmt {task_dir}") from error


async def _start(container: Any) -> None:
    try:
        async with asyncio.timeout(START_SEC):
            await container.start(force_build=False)
    except TimeoutError as error:
        raise EnvironmentFault("The fresh container did not start in time.", "Run the command again.") from error
    except Exception as error:
        told = " ".join(str(error).split())[-500:]
        raise EnvironmentFault(f"The fresh container did not start: {told}", "Look at: swe-together doctor.") from error


async def _apply(task: UnjudgedTask, container: DeskContainer) -> None:
    patches = [patch for turn in task.stages if (patch := task.stage_patch(turn)) is not None]
    if not patches:
        return
    with TemporaryDirectory() as staging:
        for patch in patches:
            shutil.copy(patch, staging)
        try:
            await container.upload_dir(staging, _PATCHES)
        except Exception as error:
            raise EnvironmentFault(f"The reference could not be carried into the container: {error}") from error
    await run_as_root(container, f"chown -R root:root {_PATCHES} && chmod -R a+rX {_PATCHES}", "placing the reference")
    try:
        for patch in patches:
            done = await container.exec(
                f"git apply --whitespace=nowarn {_PATCHES}/{patch.name}",
                cwd=task.metadata.trees[0],
                timeout_sec=defaults.EXEC_TIMEOUT_SEC,
                user=defaults.AGENT_USER,
            )
            if done.return_code != 0:
                told = f"{done.stdout or ''}{done.stderr or ''}".strip()[-500:]
                raise EnvironmentFault(f"{patch} doesn't apply to the tree: {told}", "Mend the reference first.")
    finally:
        await run_as_root(container, f"rm -rf {_PATCHES}", "removing the reference's patches")
