"""Two jobs run on one machine, and somebody cleans up meanwhile."""

import random
import time
from collections.abc import Callable

import docker
import pytest

from tests.faults.conftest import Injected
from tests.faults.job import FaultJob
from tests.faults.leftovers import nothing_left, swept
from tests.faults.outcome import check

pytestmark = [pytest.mark.docker, pytest.mark.faults, pytest.mark.long]

TURN_SEC = 2.0
CLEANINGS = 4


def test_two_jobs(
    make_job: Callable[..., FaultJob], client: docker.DockerClient, rng: random.Random, injected: Injected
) -> None:
    jobs = [make_job("one"), make_job("two")]
    for job in jobs:
        job.start(at_once=2, told={"pause": TURN_SEC})
    injected("two-jobs")
    for _ in range(CLEANINGS):
        time.sleep(rng.uniform(1, 8))
        for job in jobs:
            assert swept(job, client).removed == [], "nothing of a running trial is swept"
    for job in jobs:
        job.end()
        check(job)
        nothing_left(job, client)
