"""The disk on which the job's folder lies is full at a random moment, and has room again later."""

import random
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import docker
import pytest

from swe_together.report import leaderboard, read_table, read_trials
from tests.faults.conftest import Injected
from tests.faults.job import TRIALS, FaultJob
from tests.faults.leftovers import nothing_left, swept
from tests.faults.outcome import check, exceptions

pytestmark = [pytest.mark.docker, pytest.mark.faults, pytest.mark.long]

DISK_MB = 64
TURN_SEC = 4.0


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small file system of its own. Needs root."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "fault-disk", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"A small file system can't be mounted; run this test as root: {done.stderr}"
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path) -> Path:
    """Use up every byte."""
    ballast = disk / "ballast"
    with ballast.open("ab", buffering=0) as file:
        for size in (1 << 20, 4096, 1):
            try:
                while True:
                    file.write(b"\0" * size)
            except OSError:
                continue
    return ballast


def test_full(
    make_job: Callable[..., FaultJob],
    disk: Path,
    client: docker.DockerClient,
    rng: random.Random,
    injected: Injected,
) -> None:
    job = make_job()
    job.jobs = disk / "jobs"
    job.start(at_once=1, told={"pause": TURN_SEC})
    trial = job.session(2)
    job.in_turn(trial, rng.randint(1, 3))
    before = job.finished()
    assert len(before) == 1
    time.sleep(rng.uniform(0, 2 * TURN_SEC))
    ballast = fill(disk)
    injected("disk-full")
    job.wait()
    rows = {row.path.name: row for row in read_trials([job.path])}
    assert [row.reward for name, row in rows.items() if name not in before] == [None] * (len(rows) - 1), "no made-up 0"
    assert job.finished().items() >= before.items(), "what was finished is whole"

    ballast.unlink()
    # Harbor writes in place, and passes a result by that it finds empty: its folder stays.
    empty = [folder.parent for folder in job.path.glob("*__*/result.json") if not folder.read_text()]
    job.resume(*(f"--filter-error-type={kind}" for kind in sorted(set(exceptions(job).values()))))
    job.end()
    (entry,) = leaderboard(read_table([job.path], cache_at=None)).entries
    assert (entry.planned, entry.scored, dict(entry.attrition)) == (TRIALS, TRIALS, {}), "nothing counts twice"
    for folder in empty:
        shutil.rmtree(folder)
    check(job)
    assert job.finished().items() >= before.items()
    swept(job, client)
    nothing_left(job, client)
