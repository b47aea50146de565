"""One image and one model server for all trials; each kind of trial is run once, two at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.agents.clients import CLIENTS
from tests.agents.kinds import Kind
from tests.agents.trial import Trial, play
from tests.support import agent_image
from tests.support.agent_image import ClosedNetwork
from tests.support.model_server import FakeModelServer

AT_ONCE = 2


class Trials:
    """Plays trials in threads of its own, so that one starts its containers while another one's agent works."""

    def __init__(self, image: str, server: FakeModelServer, folders: pytest.TempPathFactory) -> None:
        self._image, self._server, self._folders = image, server, folders
        self._pool = ThreadPoolExecutor(AT_ONCE, "trial")
        self._played: dict[Kind, Future[Trial]] = {}

    def begin(self, kinds: Iterable[Kind]) -> None:
        """Play these in the background."""
        for kind in kinds:
            if kind not in self._played:
                self._played[kind] = self._pool.submit(self._play, kind, self._folders.mktemp(kind[0]))

    def get(self, *kind: str) -> Trial:
        """A trial; waits for it."""
        self.begin([kind])
        return self._played[kind].result()

    def stop(self) -> None:
        """Begin none of those that wait, and wait for those that run."""
        self._pool.shutdown(cancel_futures=True)

    def _play(self, kind: Kind, folder: Path) -> Trial:
        name, *settings = kind
        return play(CLIENTS[name], folder, self._server, self._image, *settings)


@pytest.fixture(scope="session")
def image() -> str:
    return agent_image.ensure()


@pytest.fixture(scope="session")
def network() -> Iterator[ClosedNetwork]:
    with agent_image.closed_network() as network:
        yield network


@pytest.fixture(scope="session")
def server() -> Iterator[FakeModelServer]:
    with FakeModelServer(seed="agents") as server:
        yield server


@pytest.fixture(scope="session")
def trials(
    request: pytest.FixtureRequest, image: str, server: FakeModelServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Trials]:
    """All the trials that the collected tests ask for."""
    trials = Trials(image, server, tmp_path_factory)
    asked = [getattr(item, "callspec", None) for item in request.session.items]
    found = {callspec.params["kind"] for callspec in asked if callspec is not None and "kind" in callspec.params}
    trials.begin(sorted(found, key=lambda kind: (len(kind), kind)))
    yield trials
    trials.stop()


@pytest.fixture
def trial(kind: Kind, trials: Trials) -> Trial:
    """The trial of the kind that the test is for."""
    return trials.get(*kind)
