"""The Docker engine is restarted while a job runs: one of the test's own, so that nobody else is disturbed."""

import random
import re
import secrets
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults import leftovers
from tests.faults.conftest import Injected
from tests.faults.engine import OwnEngine
from tests.faults.job import TRIALS, FaultJob
from tests.faults.outcome import LOST, check, exceptions
from tests.support import harbor as h

pytestmark = [pytest.mark.docker, pytest.mark.faults, pytest.mark.long]

TURN_SEC = 5.0


@pytest.fixture
def image() -> Iterator[str]:
    """The tiny task's image, built where there is a network."""
    name = f"swe-together-test-fault:{secrets.token_hex(4)}"
    subprocess.run(["docker", "build", "--quiet", "--tag", name, h.tiny_task() / "environment"], check=True)
    yield name
    subprocess.run(["docker", "image", "rm", "--force", name], check=True, capture_output=True)


@pytest.fixture
def engine(image: str) -> Iterator[OwnEngine]:
    own = OwnEngine(Path("/tmp") / f"fault-engine-{secrets.token_hex(4)}")
    try:
        own.start()
        own.load(image)
        yield own
    finally:
        own.close()


@pytest.fixture
def ready_task(tmp_path: Path, image: str) -> Path:
    """The tiny task, its image ready: the own engine reaches no registry."""
    task = tmp_path / "ready"
    shutil.copytree(h.tiny_task(), task)
    text = (task / "task.toml").read_text()
    (task / "task.toml").write_text(re.sub(r"(?m)^\[environment\]$", f'[environment]\ndocker_image = "{image}"', text))
    return task


def test_restarted(
    make_job: Callable[..., FaultJob], ready_task: Path, engine: OwnEngine, rng: random.Random, injected: Injected
) -> None:
    job = make_job(task=ready_task)
    job.variables = {**job.variables, "DOCKER_HOST": engine.host}
    client = engine.client()
    job.start(at_once=1, told={"pause": TURN_SEC})
    trial = job.session(2)
    job.in_turn(trial, rng.randint(1, 3))
    before = job.finished()
    assert len(before) == 1
    time.sleep(rng.uniform(0, TURN_SEC - 1))
    engine.stop()
    injected("engine-restarted")
    engine.start()
    job.end()
    # The restart takes seconds, in which a trial may not even have been able to begin: no result of the agent either.
    found = exceptions(job)
    lost = {name: kind for name, kind in found.items() if name != trial}
    assert set(lost.values()) <= {"RuntimeError"}, lost
    assert found[trial] == LOST.exception
    assert {name: one for name, one in job.finished().items() if name in before} == before

    job.resume(*(f"--filter-error-type={kind}" for kind in sorted(set(found.values()))))
    job.end()
    check(job)
    assert len(job.trials) == TRIALS
    assert job.finished().items() >= before.items()
    leftovers.swept(job, client)
    leftovers.nothing_left(job, client)
