"""The wall clock jumps while a job runs: for Harbor's process alone, as nobody else on the machine may notice."""

import random
import time

import docker
import pytest

from tests.faults.clock import FILE
from tests.faults.conftest import Injected
from tests.faults.job import TRIALS, FaultJob
from tests.faults.leftovers import nothing_left
from tests.faults.outcome import check

pytestmark = [pytest.mark.docker, pytest.mark.faults, pytest.mark.long]

TURN_SEC = 3.0


@pytest.mark.parametrize("hours", [25, -25])
def test_jump(hours: int, job: FaultJob, client: docker.DockerClient, rng: random.Random, injected: Injected) -> None:
    clock = job.folder / "clock"
    job.variables = {**job.variables, FILE: str(clock)}
    job.start("--plugin", "tests.faults.clock:JumpingClock", told={"pause": TURN_SEC})
    trial = job.session(rng.randint(1, TRIALS))
    job.in_turn(trial, rng.randint(1, 3))
    time.sleep(rng.uniform(0, TURN_SEC))
    new = clock.with_suffix(".new")
    new.write_text(str(hours))
    new.replace(clock)
    job.until("the clock has jumped", lambda: not clock.exists())
    injected("clock-jump")
    job.end()
    check(job)
    for one in job.trials:
        assert 0 < one.session["seconds"] < 600, "how long it took doesn't follow the clock"
    assert any(one.session["started"] > one.session["finished"] for one in job.trials) is (hours < 0)
    nothing_left(job, client)
