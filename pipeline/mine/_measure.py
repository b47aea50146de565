"""Runs the repository's tests in a container of the task: with nothing done, after each stage, and once more."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from swe_together import defaults
from swe_together.adapter.container import run_as_root
from swe_together.adapter.fresh import fresh_container
from swe_together.errors import EnvironmentFault
from swe_together.pipeline.mine._suite import SUITE_SEC

_PATCHES: Final = "/var/lib/swe-together-reference"
_MEASURE: Final = """\
import json, sys
sys.path[:0] = ["/tests"]
from harness import Runner
from repository_tests import Suite
plan = json.load(open("/tests/plan.json"))
print("\\n" + json.dumps(Suite(plan).results(Runner(sys.argv[1]))))
"""


async def measure(task: Path, stages: Sequence[Path], tree: str = defaults.WORKSPACE) -> list[dict[str, bool]]:
    """Whether each test passed, by its name: with nothing done, after each stage, and once more after the last.

    Args:
        task: The task's directory, with its tests written.
        stages: Patches, in the order of their turns.
        tree: The working tree in the container.

    Raises:
        EnvironmentFault: The container did not start, a stage doesn't apply, or the tests could not be run.
    """
    async with fresh_container(task, f"mine-{task.name[:20]}") as container:
        with TemporaryDirectory() as staging:
            for patch in stages:
                shutil.copy(patch, staging)
            await _carry(container, Path(staging), _PATCHES)
            await _carry(container, task / "tests", "/tests")
        results = [await _results(container, tree)]
        for patch in stages:
            done = await container.exec(
                f"git apply --whitespace=nowarn {_PATCHES}/{patch.name}", cwd=tree,
                timeout_sec=defaults.EXEC_TIMEOUT_SEC, user=defaults.AGENT_USER,
            )  # fmt: skip
            if done.return_code != 0:
                told = f"{done.stdout or ''}{done.stderr or ''}".strip()[-500:]
                raise EnvironmentFault(f"{patch.name} doesn't apply to the tree: {told}", "Look at the patch.")
            results.append(await _results(container, tree))
        return [*results, await _results(container, tree)]


async def _carry(container: Any, folder: Path, target: str) -> None:
    try:
        await container.upload_dir(folder, target)
    except Exception as error:
        raise EnvironmentFault(f"{folder.name} could not be carried into the container: {error}") from error
    # The reference is applied by the agent's user; the tests are root's alone.
    mode = "a+rX" if target == _PATCHES else "go-rwx"
    await run_as_root(container, f"chown -R root:root {target} && chmod -R {mode} {target}", f"placing {folder.name}")


async def _results(container: Any, tree: str) -> dict[str, bool]:
    done = await container.exec(
        f"/usr/bin/python3 -I -B - {tree} <<'END'\n{_MEASURE}END", timeout_sec=SUITE_SEC + 60, user="root", cwd="/"
    )
    lines = (done.stdout or "").strip().splitlines()
    if done.return_code != 0 or not lines:
        told = f"{done.stdout or ''}{done.stderr or ''}".strip()[-800:]
        raise EnvironmentFault(f"The repository's tests could not be run: {told}", "Look at the Dockerfile.")
    value: dict[str, bool] = json.loads(lines[-1])
    return value
