"""One image, one closed network and one model server for all trials; each kind of trial is run once."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.agents.clients import CLIENTS
from tests.agents.trial import Trial, play
from tests.support import agent_image
from tests.support.agent_image import ClosedNetwork
from tests.support.model_server import FakeModelServer

RunTrial = Callable[..., Trial]


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
def run_trial(
    image: str, network: ClosedNetwork, server: FakeModelServer, tmp_path_factory: pytest.TempPathFactory
) -> RunTrial:
    """Runs a trial of a client, once for the same settings."""
    played: dict[tuple[str, ...], Trial] = {}

    def run(name: str, *settings: str) -> Trial:
        wanted = (name, *settings)
        if wanted not in played:
            folder = tmp_path_factory.mktemp(name)
            played[wanted] = play(CLIENTS[name], folder, server, network, image, *settings)
        return played[wanted]

    return run


@pytest.fixture(params=sorted(CLIENTS))
def native(request: pytest.FixtureRequest, run_trial: RunTrial) -> Trial:
    """A trial in which the client continues its own conversation."""
    return run_trial(request.param)


@pytest.fixture(params=sorted(CLIENTS))
def restated(request: pytest.FixtureRequest, run_trial: RunTrial) -> Trial:
    """A trial in which every turn is a new conversation that begins with an account of the old one."""
    return run_trial(request.param, "continuation=restated")
