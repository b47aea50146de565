"""Nothing of an agent's turn lives on, and nothing else dies."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import re
import shlex
import signal
import zlib
from collections.abc import AsyncIterator

import pytest

from swe_together.adapter._scripts import kill
from swe_together.adapter.processes import Processes
from swe_together.errors import EnvironmentFault
from tests.support.containers import DockerCli, Outcome, running

# Double-forked, its own session, deaf to TERM; two of its kind watch each other and fork anew while one dies.
BEAST = r"""
import os, signal, sys, time
def detach():
    if os.fork(): os._exit(0)
    os.setsid()
    if os.fork(): os._exit(0)
def again(*_):
    if os.fork() == 0: os.setsid()
for name in ("SIGTERM", "SIGHUP", "SIGINT", "SIGCONT"): signal.signal(getattr(signal, name), again)
detach()
watched = os.fork()
while True:
    with open(f"/workspace/heart-{os.getpid() % 7}", "a") as file: file.write("beat\n")
    time.sleep(0.1)
    if watched:
        try: os.kill(watched, 0)
        except ProcessLookupError: watched = os.fork()
"""
# Forks and ends at once, for ever: no list of processes that is read entry by entry shows where it is.
HOPPER = r"""
import os
while True:
    if os.fork(): os._exit(0)
    if os.getpid() % 50 == 0: open("/workspace/hops", "a").write("h")
"""
# For each one that is ended another one forks, up to 150 of them.
HYDRA = r"""
import os, time
while True:
    if sum(name.isdigit() for name in os.listdir("/proc")) < 150: os.fork()
    if os.getpid() % 50 == 0: open("/workspace/heads", "a").write("h")
    time.sleep(0.01)
"""
# The first thread is a zombie, another one works on.
HEADLESS = r"""
import ctypes, threading, time
def work():
    while True:
        open("/workspace/headless", "a").write("x")
        time.sleep(0.1)
threading.Thread(target=work).start()
time.sleep(0.3)
ctypes.CDLL(None).syscall(60, 0)
"""
BOMB = r"""
import os, time
for _ in range(180):
    if os.fork() == 0:
        while not os.path.exists("/srv/go"): time.sleep(0.5)
        while True: pass
"""
SERVICE = "i=0; while :; do i=$((i+1)); echo $i > /srv/new; mv /srv/new /srv/service; sleep 0.1; done"


@pytest.fixture
async def box(instruments_image: str) -> AsyncIterator[DockerCli]:
    async with running(instruments_image, "--pids-limit=400", "--cpus=1") as container:
        yield container


async def start(box: DockerCli, source: str, user: str = "agent") -> None:
    await box.exec(f"nohup python3 -c {shlex.quote(source)} > /dev/null 2>&1 & disown", user=user, cwd="/workspace")


async def alive(box: DockerCli) -> list[str]:
    """Command lines of all living processes but those that keep the container alive and the one that looks."""
    lines = [line.split(maxsplit=1) for line in (await box.run("ps -eo stat=,args=")).splitlines()]
    keepers = ("sh -c sleep infinity", "sleep infinity")
    return [args for stat, args in lines if stat[0] != "Z" and args not in keepers and "ps -eo" not in args]


async def size(box: DockerCli) -> str:
    return await box.run("cat /workspace/* 2>/dev/null | wc -c")


async def still(box: DockerCli) -> bool:
    before = await size(box)
    await asyncio.sleep(0.6)
    return await size(box) == before


@pytest.mark.docker
@pytest.mark.parametrize("source", [BEAST, HOPPER, HYDRA, HEADLESS], ids=["beast", "hopper", "hydra", "headless"])
async def test_whatever_an_agent_leaves_behind_ends(box: DockerCli, source: str) -> None:
    processes = Processes(box)
    await processes.baseline()
    await start(box, source)
    for _ in range(100):
        if int(await size(box)) > 3:
            break
        await asyncio.sleep(0.1)
    assert not await still(box), "the beast isn't working, so the test would show nothing"
    assert await processes.kill() >= 1
    assert await alive(box) == []
    assert await still(box)
    assert await processes.kill() == 0


@pytest.mark.docker
async def test_many_busy_processes_end_together(box: DockerCli) -> None:
    processes = Processes(box)
    await processes.baseline()
    await start(box, BOMB)
    for _ in range(100):
        if len(await alive(box)) >= 180:
            break
        await asyncio.sleep(0.1)
    await box.run("touch /srv/go; sleep 1")
    assert await processes.kill() >= 180
    assert await alive(box) == []


@pytest.mark.docker
async def test_services_of_the_image_live_on_with_their_children(box: DockerCli) -> None:
    await box.run(f"nohup bash -c {shlex.quote(SERVICE)} > /dev/null 2>&1 & sleep 0.3")
    await box.run("nohup sleep 1001 > /dev/null 2>&1 & kill -STOP $!; sleep 0.1")
    processes = Processes(box)
    await processes.baseline()
    assert len(processes.kept) >= 3
    await start(box, "import time; time.sleep(1002)")
    await start(box, "import time; time.sleep(1003)", user="root")
    assert await processes.kill() == 2
    before = await box.run("cat /srv/service")
    await asyncio.sleep(0.5)
    assert int(await box.run("cat /srv/service")) > int(before), "the service was stopped or ended"
    stopped = [line for line in (await box.run("ps -eo stat=,args=")).splitlines() if "sleep 1001" in line]
    assert [line[0] for line in stopped] == ["T"], "what was stopped before stays so"


@pytest.mark.docker
async def test_what_can_not_be_ended_is_a_fault(box: DockerCli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("swe_together.defaults.KILL_GRACE_SEC", 0.4)
    processes = Processes(box)
    await processes.baseline()
    await box.run("mv /usr/bin/python3 /usr/bin/gone")
    with pytest.raises(EnvironmentFault, match="ending the agent's processes"):
        await processes.kill()


# --- without a container ---------------------------------------------------------------------------------------------
class Answering(DockerCli):
    """Has one answer, after some failures."""

    def __init__(self, answer: str, failures: int = 0) -> None:
        super().__init__("answering")
        self.answer = answer
        self.failures = failures
        self.asked: list[str] = []

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> Outcome:
        assert user == "root"
        self.asked.append(command)
        if self.failures:
            self.failures -= 1
            raise RuntimeError("runc: fork/exec: resource temporarily unavailable")
        return Outcome(self.answer, None, 0)


def packed(value: object) -> str:
    return "swe-together-answer:" + base64.b64encode(zlib.compress(json.dumps(value).encode())).decode()


async def begun(answer: object, failures: int = 0) -> Processes:
    container = Answering(packed([[1, 1, False]]))
    processes = Processes(container)
    await processes.baseline()
    container.answer, container.failures = packed(answer), failures
    return processes


async def test_a_container_without_room_for_a_process_is_asked_again() -> None:
    assert await (await begun({"ended": 7, "left": []}, failures=2)).kill() == 7


async def test_survivors_are_named() -> None:
    with pytest.raises(EnvironmentFault, match=r"survive in the container: beast \(7\)\."):
        await (await begun({"ended": 7, "left": ["beast (7)"]})).kill()


async def test_nothing_is_ended_without_a_baseline() -> None:
    with pytest.raises(EnvironmentFault, match="before those of the image"):
        await Processes(Answering("")).kill()


def test_the_machine_itself_is_never_swept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.readlink", lambda path: kill.FIRST_NAMESPACE)
    monkeypatch.setattr("os.kill", lambda *args: pytest.fail("a signal was sent"))
    with pytest.raises(SystemExit, match="no process namespace of its own"):
        kill.end_all([], 1)


def test_whoever_asks_is_never_swept_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.readlink", lambda path: "pid:[7]")
    found = kill.namespace()
    assert found is not None
    boot = found[0]
    with pytest.raises(SystemExit, match="no process namespace of its own"):
        kill.main({"do": "list", "outside": [boot, "pid:[7]"]})
    for outside in ([boot, "pid:[8]"], ["another machine", "pid:[7]"], None):
        assert kill.main({"do": "list", "outside": outside})


async def test_the_container_is_told_who_asks() -> None:
    container = Answering("")
    with pytest.raises(EnvironmentFault):
        await Processes(container).baseline()
    (request,) = re.findall(r'"([A-Za-z0-9+/=]+)"\)\)', shlex.split(container.asked[0])[-1])
    assert json.loads(zlib.decompress(base64.b64decode(request))) == {"do": "list", "outside": kill.namespace()}


def test_all_are_stopped_at_once_before_any_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[int, str]] = []
    living = {pid: kill.Process(pid, 1, 7, False, "x") for pid in (1, 30, 31, 60, 61)}

    def send(pid: int, number: signal.Signals) -> None:
        sent.append((pid, number.name))
        if number is signal.SIGKILL:
            del living[pid]

    monkeypatch.setattr("os.readlink", lambda path: "pid:[1]")
    monkeypatch.setattr("os.kill", send)
    monkeypatch.setattr(kill, "living", lambda: dict(living))
    assert kill.end_all([[30, 7, False], [31, 7, True]], 5) == {"ended": 2, "left": []}
    assert sent[:3] == [(-1, "SIGSTOP"), (60, "SIGKILL"), (61, "SIGKILL")]
    assert {pid for pid, name in sent[3:] if name == "SIGCONT"} == {1, 30}, "what was stopped before stays so"


def test_who_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    me = 50
    users = {30: "0", 31: "0", 32: "1000", 33: "0", 40: "1000", 41: "1000"}
    monkeypatch.setattr("os.getpid", lambda: me)
    monkeypatch.setattr(kill, "user", users.get)
    parents = {1: 0, 30: 1, 31: 30, 32: 30, 33: 32, 40: 1, 41: 40, 49: 0, me: 49, 51: me}
    processes = {pid: kill.Process(pid, parent, 7, False, "x") for pid, parent in parents.items()}
    ended = {process.pid for process in kill.others(processes, {(30, 7), (40, 8)})}
    # 31 is a worker of the service 30; 32 runs as somebody else (a job that the agent gave to cron), and so does what
    # it starts; 40 has the id of a service that is gone.
    assert ended == {32, 33, 40, 41, 51}


def test_a_long_line_of_children_is_no_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kill, "user", lambda pid: "0")
    processes = {pid: kill.Process(pid, pid - 1, 1, False, "x") for pid in range(10**7, 10**7 + 40_000)}
    assert len(kill.others(processes, {(10**7 + 100, 1)})) == 100


def test_a_name_may_look_like_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = {"/proc/7/stat": "7 (a) R 1 (\n) Z) S 3 7 7 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 555 9 9"}
    monkeypatch.setattr("builtins.open", lambda path, **_: io.StringIO(lines[path]))
    found = kill.look(7)
    assert found == kill.Process(7, 3, 555, False, "a) R 1 (?) Z")
