"""An agent that floods, litters, breaks its repository, or prints what nobody can read."""

import random
import shutil
from collections.abc import Mapping

import docker
import pytest

from tests.faults.conftest import Injected
from tests.faults.deeds import DEEDS
from tests.faults.job import TRIALS, FaultJob
from tests.faults.leftovers import nothing_left
from tests.faults.outcome import check
from tests.support import harbor as h

pytestmark = [pytest.mark.docker, pytest.mark.faults]


def play(job: FaultJob, client: docker.DockerClient, rng: random.Random, faults: Mapping[str, int]) -> h.Trial:
    """Run a job of which one session does each deed in the given turn; all its work counts all the same."""
    victim = rng.randint(1, TRIALS)
    deeds = {str(turn): DEEDS[fault] for fault, turn in faults.items()}
    job.start(told={"victim": victim, "deeds": deeds})
    trial = job.session(victim)
    job.end()
    check(job)
    nothing_left(job, client)
    (found,) = [one for one in job.trials if one.folder.name == trial]
    assert len(found.session["turns"]) == 3
    return found


def test_output_that_nobody_can_read(
    job: FaultJob, client: docker.DockerClient, rng: random.Random, injected: Injected
) -> None:
    faults = dict(zip(("invalid-utf8", "ansi", "long-lines"), rng.sample((1, 2, 3), 3), strict=True))
    for fault in faults:
        injected(fault)
    trial = play(job, client, rng, faults)
    replies = [step["message"] for step in trial.trajectory["steps"] if step["source"] == "agent" and step["message"]]
    assert "a" * 1_000_000 in replies[faults["long-lines"] - 1]
    assert "\x1b[1;31mred" in replies[faults["ansi"] - 1]
    assert "\ufffd" in replies[faults["invalid-utf8"] - 1]
    assert [decision["observation"]["reply_chars"] > 50_000 for decision in trial.decisions] == [True] * 3
    assert all(len(decision["observation"]["reply"]) <= 8_000 for decision in trial.decisions)


def test_a_mess(job: FaultJob, client: docker.DockerClient, rng: random.Random, injected: Injected) -> None:
    """The repository's history is gone, and five processes that take no signal stay behind."""
    faults = dict(zip(("no-git", "daemons"), rng.sample((1, 2, 3), 2), strict=True))
    for fault in faults:
        injected(fault)
    play(job, client, rng, faults)


@pytest.mark.long
def test_a_hundred_thousand_files(
    job: FaultJob, client: docker.DockerClient, rng: random.Random, injected: Injected
) -> None:
    turn = rng.randint(1, 3)
    injected("many-files")
    trial = play(job, client, rng, {"many-files": turn})
    assert trial.decisions[turn - 1]["observation"]["changes_total"] >= 100_000


@pytest.mark.long
@pytest.mark.parametrize("fault", ["flood", "large-file"])
def test_gigabytes(
    fault: str, job: FaultJob, client: docker.DockerClient, rng: random.Random, injected: Injected
) -> None:
    injected(fault)
    trial = play(job, client, rng, {fault: rng.randint(1, 3)})
    assert sum(path.stat().st_size for path in trial.folder.rglob("*") if path.is_file()) > 1 << 30
    shutil.rmtree(job.path)
