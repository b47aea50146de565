"""The ground that the trials stand on: the image's command lines, and a network without a way out."""

from __future__ import annotations

import pytest

from tests.agents.clients import CLIENTS
from tests.support.agent_image import ClosedNetwork, docker
from tests.support.model_server import FakeModelServer

pytestmark = [pytest.mark.agents]


def run(image: str, network: ClosedNetwork, command: str) -> str:
    options = ["--rm", "--network", network.name, "--user", "agent"]
    return docker("run", *options, image, "bash", "-c", command)


@pytest.mark.parametrize("name", sorted(name for name, client in CLIENTS.items() if client.program))
def test_the_user_agent_has_the_pinned_command_line(image: str, network: ClosedNetwork, name: str) -> None:
    client = CLIENTS[name]
    assert client.version in run(image, network, client.program)


def test_containers_reach_the_model_server_from_a_network_without_a_way_out(
    image: str, network: ClosedNetwork, server: FakeModelServer
) -> None:
    assert docker("network", "inspect", "--format", "{{.Internal}}", network.name) == "true"
    found = run(image, network, f"curl --silent --fail http://{network.gateway}:{server.port}/v1/models")
    assert "fake-model" in found
