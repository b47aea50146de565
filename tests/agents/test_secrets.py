"""Whole jobs with marked keys of agent, user, judge and tagger: where each may be seen, and where it may not."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from swe_together.cli import main
from tests.agents.clients import CLIENTS
from tests.agents.script import SCRIPT
from tests.agents.task import write_task
from tests.agents.trial import TRIAL_TIMEOUT_SEC, environment
from tests.support.agent_image import ClosedNetwork
from tests.support.fault_server import Fault, FaultServer, Investigator
from tests.support.fault_server.answers import decide
from tests.support.model_server import FakeModelServer, SessionScript, Shell, Turn
from tests.support.secret_watch import SecretWatch, Seen

pytestmark = [pytest.mark.agents]

CLIENT = CLIENTS["claude-code"]
ROLES = ("user", "judge", "tagger")
ASKED, ANSWER = "I made a.txt. Shall I leave it there?", "yes, leave it where it is"
HOLD_SEC = 20
"""The agent's first command takes this long, and a command of the judge, so that their containers can be searched."""


@dataclass(frozen=True)
class Job:
    """A finished job: its folder, all that was printed, the keys, and what was seen meanwhile."""

    folder: Path
    printed: str
    keys: dict[str, str]
    seen: Seen
    used: dict[str, set[str]]


def answering(body: Mapping[str, Any]) -> dict[str, Any]:
    """As authored, but for an answer to the agent's question, which no author has tagged."""
    seen = json.dumps(body, ensure_ascii=False)
    if ASKED in seen and ANSWER not in seen:
        return {"reason": "it asks", "action": "redirect", "message": ANSWER, "points": [], "quote": None}
    return decide(body)


def asking_script() -> SessionScript:
    first, *others = SCRIPT.turns
    slow = replace(first, steps=(Shell(f"sleep {HOLD_SEC}"), *first.steps), reply=ASKED)
    return replace(SCRIPT, turns=(slow, Turn(ANSWER, (), "It stays."), *others))


def run(folder: Path, image: str, network: ClosedNetwork, model: FakeModelServer, faults: dict[str, Fault]) -> Job:
    """Run one job; a role with a fault meets it at every call."""
    keys = {role: f"sk-marked-{role}-{secrets.token_hex(12)}" for role in ("agent", *ROLES)}
    model.add(keys["agent"], asking_script())
    plans = {role: dict.fromkeys(range(1, 99), faults[role]) if role in faults else {} for role in ROLES}
    judge = Investigator(otherwise=True, command=f"sleep {HOLD_SEC}")
    with (
        FaultServer(plans["user"], answer=answering) as user_server,
        FaultServer(plans["judge"], answer=judge) as judge_server,
        FaultServer(plans["tagger"]) as tagger_server,
        SecretWatch(keys, network.containers) as watch,
    ):
        servers = dict(zip(ROLES, (user_server, judge_server, tagger_server), strict=True))
        command = [
            *(str(Path(sys.executable).with_name("harbor")), "run", "--yes"),
            *("--path", str(write_task(folder / "task", image, network))),
            *("--agent", CLIENT.name, "--model", CLIENT.model, "--plugin", "swe-together", "--pk", "user=llm"),
            *("--jobs-dir", str(folder / "jobs"), "--job-name", "job"),
            *("--agent-env", f"ANTHROPIC_BASE_URL=http://{network.gateway}:{model.port}"),
        ]
        for role, server in servers.items():
            command += ["--pk", f"{role}_model=openai/{role}", "--pk", f"{role}_base_url={server.base_url}"]
        home = folder / "home"
        home.mkdir()
        variables = {f"SWE_TOGETHER_{role.upper()}_API_KEY": keys[role] for role in ROLES}
        done = subprocess.run(
            command,
            env={**environment(home), **variables, "ANTHROPIC_API_KEY": keys["agent"]},
            cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=TRIAL_TIMEOUT_SEC, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]
    assert watch.failures == []
    used = {role: set(server.keys) for role, server in servers.items()}
    return Job(folder, done.stdout, keys, watch.seen, used)


@pytest.fixture(scope="module")
def good(
    image: str, network: ClosedNetwork, server: FakeModelServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Job]:
    """All models answer."""
    yield run(tmp_path_factory.mktemp("good"), image, network, server, {})


@pytest.fixture(scope="module")
def refused(
    image: str, network: ClosedNetwork, server: FakeModelServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Job]:
    """The judge's key is refused, and the tagger's model breaks: both write errors down."""
    faults = {"judge": Fault.UNAUTHORIZED, "tagger": Fault.SERVER_ERROR}
    yield run(tmp_path_factory.mktemp("refused"), image, network, server, faults)


@pytest.fixture(params=["good", "refused"])
def job(request: pytest.FixtureRequest) -> Job:
    found: Job = request.getfixturevalue(request.param)
    return found


def holders(folder: Path, keys: dict[str, str]) -> list[tuple[str, str]]:
    """Role and file of every key below a folder."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    assert files
    return [
        (role, path.relative_to(folder).as_posix())
        for path in files
        for role, key in keys.items()
        if key.encode() in path.read_bytes()
    ]


def test_each_model_was_asked_with_its_own_key(job: Job) -> None:
    assert job.used == {role: {f"Bearer {job.keys[role]}"} for role in ROLES}
    assert ("agent", "claude") in job.seen.environments, "the agent has its own, and the watch sees it"


def test_no_file_of_the_job_holds_a_key(job: Job) -> None:
    assert holders(job.folder, job.keys) == []


def test_nothing_that_was_printed_holds_a_key(job: Job, capsys: pytest.CaptureFixture[str]) -> None:
    main(["summary", str(job.folder / "jobs" / "job")])
    printed = job.printed + "".join(capsys.readouterr())
    assert [role for role, key in job.keys.items() if key in printed] == []


def test_no_file_in_a_container_holds_a_key(job: Job) -> None:
    assert len(job.seen.looked_into) >= 1
    assert job.seen.files == set()


def test_no_process_in_a_container_holds_a_key_but_the_agents_own(job: Job) -> None:
    assert {role for role, _ in job.seen.environments} == {"agent"}


def test_no_command_line_holds_a_key_but_harbors_call_of_docker(job: Job) -> None:
    """Harbor hands the agent's variables to Docker's client as arguments; no other program gets to see them."""
    assert {program for _, program in job.seen.command_lines} <= {"docker", "docker-compose"}
    assert {role for role, _ in job.seen.command_lines} <= {"agent"}


def test_both_containers_were_searched_while_they_worked(good: Job) -> None:
    assert len(good.seen.looked_into) == 2, "the agent's and the judge's"
