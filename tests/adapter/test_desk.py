"""The user's desk: probes see the agent's state, and the agent sees nothing of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from harbor.environments.factory import EnvironmentFactory
from harbor.models.task.config import EnvironmentConfig
from harbor.models.trial.config import TaskConfig, TrialConfig
from harbor.models.trial.paths import TrialPaths

from swe_together import defaults
from swe_together.adapter.delta import Delta
from swe_together.adapter.desk import Desk, DeskContainer
from swe_together.adapter.state import differences, manifest
from swe_together.errors import EnvironmentFault
from swe_together.schema import ProbeCommand
from swe_together.simulator import ProbeOutcome
from tests.support.containers import DockerCli, docker, running

TREES = ["/workspace"]


class Office:
    """An agent's container, and a desk beside it that counts how often it is opened."""

    def __init__(self, agent: DockerCli, image: str, stack: AsyncExitStack, folder: Path) -> None:
        self.agent = agent
        self.opened: list[DockerCli] = []
        self._image = image
        self._stack = stack
        self.desk = Desk(agent, TREES, ["workspace/node_modules"], folder, self.open)
        self.prepare: Callable[[DockerCli], object] | None = None

    async def open(self) -> DeskContainer:
        desk = await self._stack.enter_async_context(running(self._image, "--pids-limit=4000"))
        self.opened.append(desk)
        if self.prepare is not None:
            await self.prepare(desk)  # type: ignore[misc]
        return desk

    async def work(self, command: str) -> None:
        await self.agent.run(command, user="agent", cwd="/workspace")

    async def probe(self, run: str, state: int = 1, seconds: float = 30) -> ProbeOutcome:
        return await self.desk.probe(ProbeCommand(run=run, exit=0, timeout_sec=seconds), state)


@pytest.fixture
async def office(instruments_image: str, tmp_path: Path) -> AsyncIterator[Office]:
    async with AsyncExitStack() as stack:
        agent = await stack.enter_async_context(running(instruments_image))
        office = Office(agent, instruments_image, stack, tmp_path)
        await Delta(agent, TREES).baseline()
        yield office
        await office.desk.close()


async def alive(box: DockerCli) -> list[str]:
    lines = (await box.run("ps -eo stat=,args=")).splitlines()
    return [line for line in lines if "sleep infinity" not in line and "ps -eo" not in line]


# --- what a probe sees -----------------------------------------------------------------------------------------------
@pytest.mark.docker
async def test_a_probe_is_the_users_own_try_on_the_agents_state(office: Office) -> None:
    await office.work("mkdir src; echo 'print(6 * 7)' > src/it.py; chmod 711 src; echo x > $'caf\\351'")
    assert (await office.probe("python3 src/it.py")).output == "42\n"
    outcome = await office.probe("pwd; id -un; echo $HOME $USER; stat -c %a src; ls; echo oops >&2; tty; exit 7")
    assert outcome.exit == 7 and not outcome.timed_out and 0 < outcome.seconds < 20
    assert outcome.output == "/workspace\nagent\n/home/agent agent\n711\ncaf\ufffd\nsrc\noops\nnot a tty\n"
    for run, code in (("no_such_command", 127), ("kill -9 $$", 137), ("false | true", 0), ("true && false", 1)):
        assert (await office.probe(run)).exit == code, run
    assert len(office.opened) == 1


@pytest.mark.docker
async def test_every_probe_begins_anew(office: Office) -> None:
    async def service(desk: DockerCli) -> None:
        await desk.run("python3 -c \"import socket; socket.socket(socket.AF_UNIX).bind('/tmp/service.sock')\"")
        await desk.run("mkdir /workspace/node_modules; echo image > /workspace/node_modules/x; echo rc > ~agent/.rc")

    office.prepare = service
    await office.work("mkdir node_modules; echo mine > node_modules/x; echo 1 > a.txt")
    mess = "echo 2 > a.txt; rm ~/.rc; mkdir -p ~/.local/bin /tmp/x; touch b.txt ~/.local/bin/git /tmp/x/y /dev/shm/z"
    look = "cat a.txt ~/.rc node_modules/x; ls -A ~/.local /tmp /dev/shm b.txt"
    assert (await office.probe(mess)).exit == 0
    assert (await office.probe(look)).output.splitlines() == [
        *("1", "rc", "image"),
        *("ls: cannot access '/home/agent/.local': No such file or directory",),
        *("ls: cannot access 'b.txt': No such file or directory",),
        *("/dev/shm:", "", "/tmp:", "service.sock"),
    ]
    await office.work("echo 3 > a.txt; echo new > c.txt")
    assert (await office.probe("cat a.txt c.txt")).output.startswith("1\n"), "the state is fetched once for each turn"
    assert (await office.probe("cat a.txt c.txt", state=2)).output == "3\nnew\n"


MESS = {
    "nothing": "true",
    "added": "mkdir -p new/deep; echo x > new/deep/file; echo y > src/$'odd \\n\\xff'; ln -s / src/root; mkfifo pipe",
    "removed": "rm -rf src/pkg a.txt link",
    "content, with the old size and time": "cp -p a.txt /tmp/t; printf 2 > a.txt; touch -r /tmp/t a.txt",
    "modes and times": "chmod 777 a.txt src; touch -d 2001-01-01 src/pkg; chmod 600 src/pkg/setuid",
    "kinds": "rm -rf src/pkg a.txt link; echo file > src/pkg; mkdir -p a.txt/b; echo file > link",
    "hard links": "rm src/two; ln a.txt hard; echo more >> src/one",
    "very much": "mkdir many; cd many; seq 3000 | xargs touch",
    "everything": "chmod 700 src/closed; find . -mindepth 1 -delete; cd; touch .x",
}


@pytest.mark.docker
async def test_whatever_a_probe_does_the_next_one_finds_the_state(office: Office) -> None:
    await office.work(
        r"""mkdir -p src/pkg src/closed empty; printf 1 > a.txt; echo code > src/pkg/mod.py; ln -s src/pkg link
        echo x > src/one; ln src/one src/two; printf 'odd' > $'caf\351 \n'
        cp /bin/true src/pkg/setuid; chmod 4755 src/pkg/setuid
        echo - > ./-rf; touch -d '1999-12-31 23:59:59.123456789' src/pkg a.txt; chmod 0 src/closed"""
    )
    expected = await manifest(office.agent, TREES)
    home = await office.agent.run("ls -lA --full-time ~agent")
    for what, mess in MESS.items():
        await office.probe(mess)
        assert (await office.probe("true")).exit == 0
        assert differences(expected, await manifest(office.opened[0], TREES)) == [], what
        assert await office.opened[0].run("ls -lA --full-time ~agent") == home, what


@pytest.mark.docker
async def test_the_agent_sees_nothing_of_it(office: Office) -> None:
    await office.work("echo 1 > a.txt")
    await office.probe("true")
    before = await outside(office.agent)
    tree = await manifest(office.agent, TREES)
    probing = asyncio.create_task(office.probe("touch /tmp/x b.txt; sleep 1031 & sleep 3", state=2))
    seen = set()
    while not probing.done():
        seen.update(await alive(office.agent))
    assert (await probing).exit == 0
    assert not any("1031" in line or "b.txt" in line for line in seen), "a probe shows in the agent's container"
    assert await manifest(office.agent, TREES) == tree
    assert await outside(office.agent) == before


async def outside(box: DockerCli) -> tuple[list[str], str]:
    """What changed in the container since its image, and what the agent can see of it."""
    look = "stat -c '%n %y' / /var /var/lib /tmp /home/agent; ls -A / /var/lib /tmp /dev/shm /home/agent"
    return sorted((await docker("diff", box.name)).splitlines()), await box.run(look, user="agent")


# --- bounds ----------------------------------------------------------------------------------------------------------
HANGS = "trap '' TERM; (setsid sleep 1021 &); echo begun; sleep 1022"
FLOODS = "echo first; yes"
FORKS = "import os, time\nfor _ in range(2000):\n    if os.fork() == 0:\n        os.setsid()\n        time.sleep(1023)"
BOMB = "b() { b | b & }; b; wait; sleep 1024"


@pytest.mark.docker
async def test_a_command_that_hangs_is_cut_off(office: Office) -> None:
    outcome = await office.probe(HANGS, seconds=1.5)
    assert (outcome.exit, outcome.output, outcome.timed_out) == (None, "begun\n", True)
    assert 1.5 <= outcome.seconds < 15
    assert await alive(office.opened[0]) == []


@pytest.mark.docker
async def test_a_command_that_floods_is_cut_off(office: Office) -> None:
    outcome = await office.probe(FLOODS)
    assert outcome.exit == 137 and not outcome.timed_out
    assert outcome.output.startswith("first\ny\ny\n") and outcome.output.endswith("\n[ended: it printed too much]\n")
    assert len(outcome.output.encode()) <= defaults.PROBE_OUTPUT_BYTES
    talkative = await office.probe("seq 1000000; exit 3")
    assert talkative.exit == 3 and len(talkative.output) == defaults.PROBE_OUTPUT_BYTES
    behind = await office.probe("yes & echo done; exit 4")
    assert behind.exit == 4
    assert await alive(office.opened[0]) == []


@pytest.mark.docker
@pytest.mark.parametrize("run", [f"python3 -c '{FORKS}'; sleep 60", BOMB], ids=["many", "bomb"])
async def test_a_command_that_forks_is_cut_off(office: Office, run: str) -> None:
    started = time.monotonic()
    outcome = await office.probe(run, seconds=60)
    assert outcome.exit == 137 and outcome.output.endswith("[ended: it started too many processes]\n")
    assert await alive(office.opened[0]) == []
    assert (await office.probe("echo $((6 * 7))")).output == "42\n"
    assert time.monotonic() - started < 120
    assert len(office.opened) == 1


# --- faults ----------------------------------------------------------------------------------------------------------
@pytest.mark.docker
async def test_a_desk_that_breaks_down_is_replaced_once(office: Office) -> None:
    await office.work("echo 1 > a.txt")
    await office.probe("true")
    await docker("kill", office.opened[0].name)
    assert (await office.probe("cat a.txt")).output == "1\n"
    assert len(office.opened) == 2
    listed = await docker("ps", "--all", "--filter", f"name={office.opened[0].name}", "--quiet")
    assert listed == "", "the broken one is left behind"

    async def broken(desk: DockerCli) -> None:
        await desk.run("rm /usr/bin/tar")

    office.prepare = broken
    await docker("kill", office.opened[1].name)
    with pytest.raises(EnvironmentFault, match="folders could not be packed"):
        await office.probe("true")


@pytest.mark.docker
async def test_a_state_that_can_not_be_packed_is_a_fault(office: Office) -> None:
    await office.agent.run("mv /usr/bin/tar /usr/bin/gone")
    with pytest.raises(EnvironmentFault, match="could not be packed for the user's desk"):
        await office.probe("true")


async def test_a_desk_that_can_not_be_opened_is_a_fault(tmp_path: Path) -> None:
    tried = []

    async def refuse() -> DeskContainer:
        tried.append(1)
        raise RuntimeError("no such image")

    desk = Desk(DockerCli("none"), TREES, [], tmp_path, refuse)
    with pytest.raises(EnvironmentFault, match="desk could not be started: no such image"):
        await desk.probe(ProbeCommand(run="true", exit=0), 1)
    assert len(tried) == 2
    await desk.close()


# --- Harbor's own environments ---------------------------------------------------------------------------------------
@pytest.mark.docker
async def test_harbors_environment_fits_as_it_is(instruments_image: str, tmp_path: Path) -> None:
    definition = tmp_path / "task" / "environment"
    definition.mkdir(parents=True)
    (definition / "Dockerfile").write_text(f"FROM {instruments_image}\n")
    folder = tmp_path / "trial"
    paths = TrialPaths(folder)
    paths.mkdir()
    config = TrialConfig(task=TaskConfig(path=definition.parent), trials_dir=tmp_path, trial_name="trial")
    (folder / "config.json").write_text(config.model_dump_json())
    environment = EnvironmentFactory.create_environment_from_config(
        config.environment,
        environment_dir=definition,
        environment_name="desk-test",
        session_id=f"desk-test-{tmp_path.name}__env",
        trial_paths=paths,
        task_env_config=EnvironmentConfig(),
    )
    desk = Desk(environment, TREES, [], folder)
    try:
        await environment.start(force_build=False)
        with environment.with_default_user("agent"), environment.scoped_exec_env({"SECRET": "of the agent"}):
            await environment.exec("echo 1 > a.txt", cwd="/workspace")
            outcome = await desk.probe(ProbeCommand(run="cat a.txt; echo $SECRET; id -un", exit=0), 1)
        assert outcome[:3] == (0, "1\n\nagent\n", False)
        assert list((folder / "user-agent").iterdir()) != []
        await desk.close()
        assert list((folder / "user-agent").iterdir()) == []
        assert len((await docker("ps", "--all", "--quiet", "--filter", f"name={tmp_path.name}")).split()) == 1
    finally:
        await desk.close()
        await environment.stop(delete=True)
