# ruff: noqa: PTH123 - after entering, nothing may be imported any more
"""Runs one command in the namespaces of an environment, and ends with its exit code: ``enter.py FD``.

FD is an open file with a request in JSON, which may hold keys: ``pid`` (first process of the environment), ``closed``
(its network is cut off), ``user``, ``cwd``, ``env`` and ``argv``.
"""

import json
import os
import sys
from typing import Any

KINDS = {"mnt": os.CLONE_NEWNS, "pid": os.CLONE_NEWPID, "ipc": os.CLONE_NEWIPC, "uts": os.CLONE_NEWUTS}


def account(user: str) -> tuple[int, int, str, list[int]]:
    """Id, group, home and further groups, from the environment's own files."""
    with open("/etc/passwd", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split(":") for line in file]
    name, _, uid, gid, _, home, *_ = next(row for row in rows if user in (row[0], row[2]))
    with open("/etc/group", encoding="utf-8") as file:
        groups = [line.rstrip("\n").split(":") for line in file]
    return int(uid), int(gid), home, [int(row[2]) for row in groups if name in row[3].split(",")]


def become(request: dict[str, Any]) -> None:
    """Turn into the command. Never returns."""
    try:
        uid, gid, home, groups = account(str(request["user"]))
        os.setsid()
        os.setgroups([gid, *groups])
        os.setgid(gid)
        os.setuid(uid)
        os.umask(0o022)
        os.chdir(request["cwd"])
        os.execvpe(request["argv"][0], request["argv"], {"HOME": home, **request["env"]})
    except BaseException as error:  # noqa: BLE001 - this process may not go on as the one that it was
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
    finally:
        os._exit(126)


def main() -> int:
    """Enter, run, wait."""
    with open(int(sys.argv[1]), "rb") as file:
        request = json.load(file)
    folder = f"/proc/{request['pid']}/ns"
    places = [(os.open(f"{folder}/{name}", os.O_RDONLY), kind) for name, kind in KINDS.items()]
    for place, kind in places:
        os.setns(place, kind)
        os.close(place)
    if request["closed"]:
        network = os.open("/run/closed-network", os.O_RDONLY)
        os.setns(network, os.CLONE_NEWNET)
        os.close(network)
    child = os.fork()
    if child == 0:
        become(request)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    raise SystemExit(main())
