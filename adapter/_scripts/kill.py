# ruff: noqa: PTH115, PTH123, PTH208 - /proc is read far faster without pathlib
"""Ends every process of the container but those that were there when the session began.

A process can run from a list that is read one entry at a time: it forks and exits between two looks. So everything is
stopped by one call first, which the kernel carries out at one moment; what is stopped neither forks nor runs away.
"""

from __future__ import annotations

import os
import signal
import time
from typing import Any, NamedTuple

FIRST_NAMESPACE = "pid:[4026531836]"
"""The machine's own process namespace has this fixed number."""
PAUSE_SEC = 0.02
DEAD = ("Z", "X", "x")


class Process(NamedTuple):
    """One living process. ``start`` tells it from a later one of the same id."""

    pid: int
    parent: int
    start: int
    stopped: bool
    name: str


def main(request: dict[str, Any]) -> Any:
    """List the processes (id, start, whether it is stopped), or end all but those of such a list.

    ``outside`` says where whoever asks runs, as :func:`namespace` tells it.
    """
    if request["do"] == "list":
        require_own_namespace(request["outside"])
        return [[process.pid, process.start, process.stopped] for process in living().values()]
    return end_all(request["keep"], request["seconds"])


def namespace() -> list[str] | None:
    """Which process namespace of which running machine this is; None where that can't be told."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return [file.read().strip(), os.readlink("/proc/self/ns/pid")]
    except OSError:
        return None


def require_own_namespace(outside: list[str] | None = None) -> None:
    """Make sure that the processes that we see are the environment's own, not the machine's or those of ``outside``."""
    if os.readlink("/proc/self/ns/pid") == FIRST_NAMESPACE or (outside is not None and namespace() == outside):
        raise SystemExit("this environment has no process namespace of its own, so its processes can't be told apart")


def end_all(listed: list[list[Any]], seconds: float) -> dict[str, Any]:
    """End the others; returns how many there were, and the names of those that still live after ``seconds``."""
    require_own_namespace()
    keep = {(pid, start) for pid, start, _ in listed}
    stopped = {pid for pid, _, was_stopped in listed if was_stopped}
    deadline = time.monotonic() + seconds
    ended: set[tuple[int, int]] = set()
    clean = 0
    while True:
        processes = living()
        left = others(processes, keep)
        fresh = {(process.pid, process.start) for process in left} - ended
        if fresh:
            ended |= freeze_and_kill(keep, stopped)
        clean = clean + 1 if not left else 0
        if clean == 2 or time.monotonic() > deadline:
            return {"ended": len(ended), "left": [f"{process.name} ({process.pid})" for process in left[:20]]}
        time.sleep(PAUSE_SEC)


def freeze_and_kill(keep: set[tuple[int, int]], stopped: set[int]) -> set[tuple[int, int]]:
    """Stop everything at once, kill what isn't kept, let go on what wasn't stopped; returns what was killed."""
    killed: set[tuple[int, int]] = set()
    try:
        try:
            os.kill(-1, signal.SIGSTOP)  # all but ourselves and process 1
        except ProcessLookupError:
            return killed
        processes = living()
        for process in others(processes, keep):
            send(process.pid, signal.SIGKILL)
            killed.add((process.pid, process.start))
    finally:
        # Whoever has not come to stop yet would do so later, if this were only for those that have.
        for pid in living():
            if pid not in stopped:
                send(pid, signal.SIGCONT)
    return killed


def others(processes: dict[int, Process], keep: set[tuple[int, int]]) -> list[Process]:
    """Living processes that are to be ended.

    Process 1, ourselves and our ancestors are kept, and so are services that were there from the start, with the
    children that they have since made under their own user: killing a worker would bring many a service down.
    """
    mine = {1}
    pid = os.getpid()
    while pid in processes and pid not in mine:
        mine.add(pid)
        pid = processes[pid].parent
    kept = {pid: pid in mine for pid in mine}
    for pid in processes:
        chain: list[int] = []
        while pid not in kept:
            process = processes[pid]
            if (pid, process.start) in keep:
                kept[pid] = True
            elif process.parent not in processes or process.parent in mine or len(chain) > len(processes):
                kept[pid] = False
            else:
                chain.append(pid)
                pid = process.parent
        for child in reversed(chain):
            parent = processes[child].parent
            kept[child] = kept[parent] and user(child) == user(parent) is not None
    return [process for pid, process in sorted(processes.items()) if not kept[pid]]


def living() -> dict[int, Process]:
    """All processes but the dead."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            process = look(int(name))
            if process is not None:
                found[process.pid] = process
    return found


def look(pid: int) -> Process | None:
    """One process; None where it is dead."""
    fields = stat(f"/proc/{pid}/stat")
    if fields is None:
        return None
    if fields[1] in DEAD:
        # A first thread that has ended leaves this mark though other threads may go on.
        try:
            threads = [stat(f"/proc/{pid}/task/{thread}/stat") for thread in os.listdir(f"/proc/{pid}/task")]
        except OSError:
            return None
        if all(thread is None or thread[1] in DEAD for thread in threads):
            return None
    name = "".join(char if char.isascii() and char.isprintable() else "?" for char in fields[0])
    return Process(pid, int(fields[2]), int(fields[20]), fields[1] in ("T", "t"), name)


def stat(path: str) -> list[str] | None:
    """The name and the fields behind it; None where the process is gone."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return None
    # The name stands in brackets and may hold brackets, blanks and line feeds itself.
    begin, end = text.find("("), text.rfind(")")
    return [text[begin + 1 : end], *text[end + 1 :].split()]


def user(pid: int) -> str | None:
    """The real user's id. The owner of /proc/PID won't do: a process may hide behind root there."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("Uid:"):
                    return line.split()[1]
    except OSError:
        pass
    return None


def send(pid: int, number: signal.Signals) -> None:
    """Send a signal to a process that may be gone."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return
