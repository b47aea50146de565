"""The model endpoint of a real command line is down, slow or half-closed for one of three trials."""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import docker
import pytest

from tests.agents.clients import CLIENTS
from tests.agents.script import SCRIPT
from tests.agents.task import write_task
from tests.agents.trial import environment
from tests.faults.conftest import Injected
from tests.faults.gate import Gate, Mode, wait_for
from tests.faults.job import TRIALS, FaultJob
from tests.faults.leftovers import nothing_left
from tests.faults.outcome import Became, check, exceptions
from tests.support import agent_image
from tests.support.agent_image import ClosedNetwork
from tests.support.model_server import FakeModelServer, Shell

pytestmark = [pytest.mark.docker, pytest.mark.faults, pytest.mark.long]

CLIENT = CLIENTS["claude-code"]
KEY = "fake-faults"
STEP_SEC = 4
LATEST_SEC = 14.0
"""After a session's first call; its three turns take longer."""
TURN_LIMIT_SEC = 60
"""Where the endpoint is slow; on a busy machine a turn of the other trials takes half of that."""


@pytest.fixture(scope="module")
def network() -> Iterator[ClosedNetwork]:
    with agent_image.closed_network() as one:
        yield one


@pytest.fixture
def gate(network: ClosedNetwork) -> Iterator[Gate]:
    """Before a model that takes its time; three sessions of one key are told apart by what they send."""
    turns = tuple(replace(turn, steps=(Shell(f"sleep {STEP_SEC}"), *turn.steps)) for turn in SCRIPT.turns)
    with FakeModelServer(seed="faults", host="127.0.0.1") as server, Gate(network.gateway, server.port) as one:
        server.add(KEY, replace(SCRIPT, turns=turns, faults=()))
        yield one


def address_of(trial: str, network: ClosedNetwork, client: docker.DockerClient) -> str:
    """Where a trial's agent comes from; empty as long as its container isn't there."""
    attached = client.networks.get(network.name).attrs["Containers"].values()
    mine = [one["IPv4Address"] for one in attached if one["Name"].startswith(f"{trial.lower()}__env-")]
    return mine[0].partition("/")[0] if mine else ""


@pytest.mark.parametrize(
    ("fault", "mode"),
    [("endpoint-down", Mode.DOWN), ("endpoint-slow", Mode.SLOW), ("endpoint-half-closed", Mode.HALF_CLOSED)],
)
def test_of_one_trial(
    fault: str,
    mode: Mode,
    make_job: Callable[..., FaultJob],
    tmp_path: Path,
    network: ClosedNetwork,
    gate: Gate,
    client: docker.DockerClient,
    rng: random.Random,
    injected: Injected,
) -> None:
    job = make_job(task=write_task(tmp_path / "task", agent_image.ensure(), network))
    (tmp_path / "home").mkdir()
    job.variables = environment(tmp_path / "home")
    job.start(
        *("--model", CLIENT.model),
        *(("--pk", f"turn_sec={TURN_LIMIT_SEC}") if mode is Mode.SLOW else ()),
        *("--agent-env", f"ANTHROPIC_API_KEY={KEY}", "--agent-env", f"ANTHROPIC_BASE_URL={gate.url}"),
        *("--agent-env", "CLAUDE_CODE_MAX_RETRIES=2"),
        agent=CLIENT.name,
    )
    number = rng.randrange(TRIALS)
    job.until("all trials began", lambda: len(job.begun) == TRIALS)
    trial = sorted(job.begun)[number]
    job.until("its first call", lambda: address_of(trial, network, client) in gate.peers)
    time.sleep(rng.uniform(0, LATEST_SEC))
    gate.set(mode, address_of(trial, network, client))
    wait_for(gate, 1, 60)
    injected(fault)
    job.end()
    (hit,) = [one for one in job.trials if one.folder.name == trial]
    if mode is Mode.SLOW:
        # The turn's limit ends it, and what the agent left is graded like any other work.
        assert any(turn["timed_out"] for turn in hit.session["turns"])
        assert hit.rewards is not None
        check(job, {trial: Became("ok", hit.session["end"], hit.rewards["reward"])})
    else:
        check(job, {trial: Became("agent_invalid", "agent_error", None, exceptions(job)[trial])})
    nothing_left(job, client)
