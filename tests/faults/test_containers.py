"""A container is killed: the agent's in a turn, or the verifier's."""

import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import docker
import pytest
from docker.errors import APIError

from tests.faults.conftest import Injected
from tests.faults.job import TRIALS, FaultJob
from tests.faults.leftovers import nothing_left
from tests.faults.outcome import LOST, Became, check
from tests.support import harbor as h

pytestmark = [pytest.mark.docker, pytest.mark.faults]

TURN_SEC = 5.0
TESTS_SEC = 6.0
QUICK = 'run.python("import wordbox\\nemit(wordbox.join(data))"'


def killed(client: docker.DockerClient, project: str) -> bool:
    """Kill the running containers of a Compose project; whether there was one."""
    wanted = {"label": f"com.docker.compose.project={project.lower()}", "status": "running"}
    found = client.api.containers(filters=wanted)
    for container in found:
        try:
            client.api.kill(container["Id"])
        except APIError:
            return False  # it ended by itself a moment ago
    return bool(found)


@pytest.fixture
def slow_tests(tmp_path: Path) -> Path:
    """The tiny task, with a case that takes some seconds."""
    task = tmp_path / "slow"
    shutil.copytree(h.tiny_task(), task)
    cases = (task / "tests" / "cases.py").read_text()
    assert QUICK in cases
    slow = f'run.python("import time, wordbox\\ntime.sleep({TESTS_SEC})\\nemit(wordbox.join(data))"'
    (task / "tests" / "cases.py").write_text(cases.replace(QUICK, slow))
    return task


def test_in_a_turn(job: FaultJob, client: docker.DockerClient, rng: random.Random, injected: Injected) -> None:
    victim, turn = rng.randint(1, TRIALS), rng.randint(1, 3)
    job.start(told={"pause": TURN_SEC})
    trial = job.session(victim)
    job.in_turn(trial, turn)
    time.sleep(rng.uniform(0, TURN_SEC - 1))
    assert killed(client, f"{trial}__env")
    injected("container-in-turn")
    job.end()
    check(job, {trial: LOST})
    (lost,) = [one for one in job.trials if one.folder.name == trial]
    assert len(lost.session["turns"]) == len(lost.decisions) == turn - 1, "what had been done before is kept"
    assert "container was lost" in lost.session["error"]
    nothing_left(job, client)


def test_in_the_verifier(
    make_job: Callable[..., FaultJob],
    slow_tests: Path,
    client: docker.DockerClient,
    rng: random.Random,
    injected: Injected,
) -> None:
    job = make_job(task=slow_tests)
    job.start()
    trial = job.session(rng.randint(1, TRIALS))
    report = job.path / trial / "verifier" / "reward-details.json"
    job.until("its verifier", lambda: _running(client, f"{trial}__verifier__trial"))
    time.sleep(rng.uniform(0, TESTS_SEC - 2))
    assert not report.exists(), "the tests were still running"
    assert killed(client, f"{trial}__verifier__trial")
    injected("container-in-verifier")
    job.end()
    (lost,) = [one for one in job.trials if one.folder.name == trial]
    assert lost.exception is not None
    check(job, {trial: Became("verifier_error", "anchors_exhausted", None, lost.exception)})
    assert len(lost.session["turns"]) == 3, "the session is kept"
    assert (lost.folder / "artifacts" / "var" / "lib" / "swe-together" / "state.tar").stat().st_size > 0
    nothing_left(job, client)


def _running(client: docker.DockerClient, project: str) -> bool:
    wanted = {"label": f"com.docker.compose.project={project.lower()}", "status": "running"}
    return bool(client.api.containers(filters=wanted))
