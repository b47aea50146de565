# ruff: noqa: PTH208 - /proc is read far faster without pathlib
"""Runs commands of the user at their desk or of a judge, on a state restored for them; nothing of them goes on running.

A command may say what it wants to see, and code of the agent runs while it does. So they come in a variable of ours, as
a list in JSON: arguments can be read by everybody, and a child doesn't inherit what the shell has forgotten.
"""

from __future__ import annotations

import ctypes
import json
import os
import pwd
import resource
import select
import signal
import time
from typing import Any, NamedTuple

from swe_together.adapter._scripts.kill import end_all
from swe_together.adapter._scripts.tidy import bring_back

VARIABLE = "SWE_TOGETHER_COMMANDS"
SHELL = f'set -- "${VARIABLE}"; unset {VARIABLE}; eval "$1"'
FLOOD_BYTES = 64_000_000
"""A command that prints more is ended; what it printed beyond the limit is thrown away anyhow."""
FILE_BYTES = 2_000_000_000
BACKSTOP_PROCESSES = 16_384
"""Not the limit proper: the kernel counts all processes of the user on the machine, in other containers too."""
PR_SET_CHILD_SUBREAPER = 36
LOOK_SEC = 0.02
DRAIN_SEC = 0.2


class Ending(NamedTuple):
    """How a command ended: exit code (None where its time was over), output and seconds."""

    exit: int | None
    output: bytes
    seconds: float


def main(request: dict[str, Any]) -> dict[str, Any]:
    """Restore, run one after the other, clear up after each. ``fault`` is set where nothing could be tried.

    ``ran`` is shorter than the list of commands where something of the last one could not be ended: ``left``.
    """
    for place in request["places"]:
        fault = bring_back(place, request["restore"])
        if fault is not None:
            return {"fault": fault}
    try:
        who = pwd.getpwnam(request["user"])
    except KeyError:
        return {"fault": f"the image has no user {request['user']}"}
    # What a command leaves behind becomes our child, so that it can be buried: process 1 buries nobody.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    ran: list[dict[str, Any]] = []
    left: list[str] = []
    for command, seconds in zip(json.loads(os.environ.pop(VARIABLE)), request["seconds"]):  # noqa: B905 - Python 3.9
        try:
            ending = run(request, command, seconds, who, len(request["keep"]) + 2)
        finally:
            left = end_all(request["keep"], request["grace"])["left"]
            bury()
        output = ending.output.decode("utf-8", "replace")
        ran.append({"exit": ending.exit, "output": output, "seconds": ending.seconds})
        if left:
            break
    return {"ran": ran, "left": left}


def run(request: dict[str, Any], command: str, allowed: float, who: pwd.struct_passwd, own: int) -> Ending:
    """Run the command until it ends, or its time, output or number of processes is used up."""
    reader, writer = os.pipe()
    started = time.monotonic()
    pid = os.fork()
    if pid == 0:
        become(request, command, who, writer)
    os.close(writer)
    deadline = started + allowed
    kept: list[bytes] = []
    room, flood = request["output"], FLOOD_BYTES
    status: int | None = None
    timed_out = False
    note = b""
    while status is None and not timed_out and not note:
        if select.select([reader] if reader >= 0 else [], [], [], LOOK_SEC)[0]:
            block = os.read(reader, 1 << 16)
            if not block:
                os.close(reader)
                reader = -1
            kept.append(block[:room])
            room -= len(kept[-1])
            flood -= len(block)
        waited, code = os.waitpid(pid, os.WNOHANG)
        if waited:
            status = os.waitstatus_to_exitcode(code)
        elif flood < 0:
            note = b"\n[ended: it printed too much]\n"
        elif sum(name.isdigit() for name in os.listdir("/proc")) - own > request["processes"]:
            note = b"\n[ended: it started too many processes]\n"
        timed_out = status is None and time.monotonic() > deadline
    seconds = time.monotonic() - started
    if status is not None and reader >= 0:
        kept += drain(reader, room)
    output = b"".join(kept)
    if note:
        return Ending(128 + signal.SIGKILL, output[: request["output"] - len(note)] + note, seconds)
    if timed_out:
        return Ending(None, output, seconds)
    return Ending(status if status is None or status >= 0 else 128 - status, output, seconds)


def become(request: dict[str, Any], command: str, who: pwd.struct_passwd, writer: int) -> None:
    """In the child: turn into the command. Never returns."""
    try:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(writer, 1)
        os.dup2(writer, 2)
        os.closerange(3, 1024)
        with open("/proc/self/oom_score_adj", "w") as file:  # noqa: PTH123
            file.write("1000")
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
        resource.setrlimit(resource.RLIMIT_NPROC, (BACKSTOP_PROCESSES, BACKSTOP_PROCESSES))
        os.initgroups(who.pw_name, who.pw_gid)
        os.setgid(who.pw_gid)
        os.setuid(who.pw_uid)
        os.umask(0o022)
        os.chdir(request["folder"])
        environment = {**os.environ, "HOME": who.pw_dir, "USER": who.pw_name, "LOGNAME": who.pw_name}
        environment["PWD"] = request["folder"]
        environment[VARIABLE] = command
        os.execve("/bin/bash", ["bash", "-c", SHELL], environment)
    except OSError as error:
        os.write(2, f"{error}\n".encode(errors="replace"))
    finally:
        os._exit(126)


def bury() -> None:
    """Fetch the dead."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            continue
    except ChildProcessError:
        return


def drain(reader: int, room: int) -> list[bytes]:
    """What the command printed last; not what something that it left running goes on to print."""
    kept = []
    until = time.monotonic() + DRAIN_SEC
    while time.monotonic() < until and select.select([reader], [], [], 0)[0]:
        block = os.read(reader, 1 << 16)
        if not block:
            break
        kept.append(block[:room])
        room -= len(kept[-1])
    return kept
