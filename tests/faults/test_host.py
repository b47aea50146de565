"""Harbor's own process is killed at random moments; the job is gone on with, and cleaned up after."""

import random
import time

import docker
import pytest

from tests.faults.conftest import Injected
from tests.faults.job import TRIALS, FaultJob
from tests.faults.leftovers import nothing_left, swept
from tests.faults.outcome import check

pytestmark = [pytest.mark.docker, pytest.mark.faults]

TURN_SEC = 2.0
LATEST_SEC = 9.0
"""After a trial's folder is there; a trial takes longer than this."""
KILLS = 2


def kill_at_random(job: FaultJob, rng: random.Random) -> None:
    """Kill the process some seconds after one of the trials has begun: which one, and how long after, by the dice."""
    trials, seconds = rng.randint(1, TRIALS), rng.uniform(0, LATEST_SEC)
    job.until(f"{trials} trials had begun", lambda: len(job.begun) >= trials)
    time.sleep(seconds)
    job.kill()


# Ten moments in all: twice in each of five jobs. The first job is enough for every day.
@pytest.mark.parametrize("number", [1, *(pytest.param(n, marks=pytest.mark.long) for n in range(2, 6))])
def test_killed_and_gone_on_with(
    number: int, job: FaultJob, client: docker.DockerClient, rng: random.Random, injected: Injected
) -> None:
    job.start(at_once=2, told={"pause": TURN_SEC})
    finished: dict[str, dict[str, str]] = {}
    for _ in range(KILLS):
        kill_at_random(job, rng)
        injected("host-killed")
        assert job.finished().items() >= finished.items(), "nothing finished is lost"
        finished = job.finished()
        job.resume()
    job.end()
    assert job.finished().items() >= finished.items()
    check(job)
    swept(job, client)
    nothing_left(job, client)
