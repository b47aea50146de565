"""The model that plays the user, or the judge's, is down from a random moment until the trial has ended."""

import random
import time
from collections.abc import Iterator

import docker
import pytest

from tests.faults.conftest import Injected
from tests.faults.gate import Gate, Mode
from tests.faults.job import TRIALS, FaultJob
from tests.faults.leftovers import nothing_left
from tests.faults.outcome import Became, check
from tests.support.fault_server import FaultServer, Investigator

pytestmark = [pytest.mark.docker, pytest.mark.faults, pytest.mark.long]

TURN_SEC = 3.0
JUDGE = Investigator(otherwise=True, command="sleep 2", path="wordbox.py")


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with FaultServer() as one:
        yield one


@pytest.fixture
def gate(server: FaultServer) -> Iterator[Gate]:
    with Gate("127.0.0.1", int(server.base_url.rpartition(":")[2].partition("/")[0])) as one:
        yield one


def settings(role: str, job: FaultJob, gate: Gate) -> list[str]:
    """The plugin's, for a model behind the gate; its key goes into Harbor's environment."""
    job.variables = {**job.variables, f"SWE_TOGETHER_{role.upper()}_API_KEY": "none"}
    told = {f"{role}_model": f"openai/{role}", f"{role}_base_url": f"{gate.url}/v1"}
    return [part for name, value in told.items() for part in ("--pk", f"{name}={value}")]


def down_until_it_ends(job: FaultJob, trial: str, gate: Gate) -> None:
    """Nobody reaches the model while this trial goes on."""
    gate.set(Mode.DOWN)
    result = job.path / trial / "result.json"
    job.until(f"{trial} ended", lambda: result.is_file() and result.stat().st_size > 0)
    gate.set(Mode.OPEN)
    assert gate.hit, "somebody wanted to reach it"


def test_the_users(
    job: FaultJob, gate: Gate, client: docker.DockerClient, rng: random.Random, injected: Injected
) -> None:
    turn = rng.randint(1, 2)
    job.start(*settings("user", job, gate), "--pk", "user=anchored", at_once=1, told={"pause": TURN_SEC})
    trial = job.session(rng.randint(1, TRIALS))
    job.in_turn(trial, turn)
    time.sleep(rng.uniform(0, TURN_SEC - 1))
    injected("user-down")
    down_until_it_ends(job, trial, gate)
    job.end()
    check(job, {trial: Became("simulator_error", "simulator_error", None, "RewardFileNotFoundError")})
    (lost,) = [one for one in job.trials if one.folder.name == trial]
    assert len(lost.session["turns"]) == turn
    assert lost.decisions[-1]["error"], "the failed decision is kept"
    nothing_left(job, client)


def test_the_judges(
    job: FaultJob,
    server: FaultServer,
    gate: Gate,
    client: docker.DockerClient,
    rng: random.Random,
    injected: Injected,
) -> None:
    server.answer = JUDGE
    asked = rng.randint(0, 1)  # its first answer is a command that takes two seconds
    job.start(*settings("judge", job, gate), "--pk", "judge_checks=ignore", at_once=1, told={"pause": 1})
    trial = job.session(rng.randint(1, TRIALS))
    before = len(server.bodies)
    job.until(f"{asked} requests of its judge", lambda: len(server.bodies) >= before + asked)
    time.sleep(rng.uniform(0, 1))
    injected("judge-down")
    down_until_it_ends(job, trial, gate)
    job.end()
    check(job, {trial: Became("judge_error", "anchors_exhausted", None, "RewardFileNotFoundError")})
    (lost,) = [one for one in job.trials if one.folder.name == trial]
    assert lost.details["tests"] == 1.0, "what the tests said is kept"
    assert lost.details["judge"]["error"]
    nothing_left(job, client)
