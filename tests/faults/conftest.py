"""A job for each test, the dice that say when and whom it befalls, and a note of what was injected."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import docker
import pytest

from tests.faults import leftovers
from tests.faults.job import FaultJob

SEED = os.environ.get("SWE_TOGETHER_FAULT_SEED", "1")
"""Another seed: other moments and other victims."""

Injected = Callable[[str], None]


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """The dice of one test."""
    return random.Random(f"{SEED}/{request.node.name}")


@pytest.fixture
def injected(record_property: Callable[[str, object], None]) -> Injected:
    """Note that a fault has happened; whether all that it promises held, the end of the test says."""

    def note(fault: str) -> None:
        record_property("fault", {"fault": fault, "seed": SEED})

    return note


@pytest.fixture
def client() -> Iterator[docker.DockerClient]:
    """The engine that Harbor uses."""
    with_engine = docker.from_env()
    yield with_engine
    with_engine.close()


@pytest.fixture
def make_job(tmp_path: Path, client: docker.DockerClient) -> Iterator[Callable[..., FaultJob]]:
    """Makes jobs; whatever a failed test leaves of them goes."""
    made: list[FaultJob] = []

    def make(name: str = "job", task: Path | None = None) -> FaultJob:
        made.append(FaultJob(tmp_path / name, tmp_path / name / "jobs", task_from=task))
        return made[-1]

    yield make
    for one in made:
        one.stop()
        leftovers.swept(one, client)
        shutil.rmtree(one.folder, ignore_errors=True)


@pytest.fixture
def job(make_job: Callable[..., FaultJob]) -> FaultJob:
    """A job of the tiny task."""
    return make_job()
