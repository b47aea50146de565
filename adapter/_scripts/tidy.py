# ruff: noqa: PTH116, PTH123, PTH208 - the bytes of names are beyond pathlib
"""Brings folders back to a packed state, in as little time as what has changed there allows.

Nothing may be running that changes them meanwhile.
"""

from __future__ import annotations

import marshal
import os
import stat
import subprocess
from typing import Any

MENDED = 2_000
"""Where more entries than this have changed, everything is restored."""
KEPT = 5
"""So many values of a look say what an entry is; the others only that it was touched."""
LINKS = -1
TAR = [
    *("/usr/bin/tar", "--extract", "--directory=/", "--numeric-owner", "--same-owner", "--same-permissions"),
    *("--delay-directory-restore", "--warning=no-timestamp", "--anchored", "--no-wildcards", "--no-unquote"),
    *("--no-recursion", "--null", "--verbatim-files-from", "--files-from=-"),
]


def bring_back(place: dict[str, Any], script: str) -> str | None:
    """Restore one archive; returns what went wrong, if anything did.

    Args:
        place: ``archive``, and ``trees`` and ``exclude`` as they were packed, relative to ``/``.
        script: The text of ``restore.sh``.
    """
    try:
        if mended(place):
            return None
    except OSError:
        pass  # then everything is restored
    done = subprocess.run(
        ["/bin/bash", "-c", script, "restore", place["archive"]],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    if done.returncode != 0:
        return done.stderr[-500:].decode(errors="replace") or f"restoring ended with {done.returncode}"
    remember(place, look(place))
    return None


def mended(place: dict[str, Any]) -> bool:
    """Whether the state is there again, after what was touched since the last time has been put right."""
    with open(record(place), "rb") as file:
        stamp, before = marshal.load(file)
    if stamp != stamp_of(place):
        return False
    now = look(place)
    touched = [path for path, values in before.items() if now.get(path) != values]
    added = [path for path in now if path not in before]
    if not touched and not added:
        return True
    seen = [side[path] for path in touched for side in (before, now) if path in side]
    if len(touched) + len(added) > MENDED or any(values[LINKS] > 1 for values in seen):
        return False
    gone = [path for path in touched if path in now and stat.S_IFMT(now[path][0]) != stat.S_IFMT(before[path][0])]
    remove = b"".join(b"/" + os.fsencode(path) + b"\0" for path in [*added, *gone])
    extract = b"".join(os.fsencode(path) + b"\0" for path in touched)
    if remove and not done(["/usr/bin/xargs", "-0", "/usr/bin/rm", "-rf", "--one-file-system", "--"], remove):
        return False
    if extract and not done([*TAR, f"--file={place['archive']}"], extract):
        return False
    after = look(place)
    remember(place, after)
    return {path: values[:KEPT] for path, values in after.items()} == {
        path: values[:KEPT] for path, values in before.items()
    }


def done(command: list[str], given: bytes) -> bool:
    """Whether a command went well."""
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
    return subprocess.run(command, input=given, capture_output=True, env=environment, check=False).returncode == 0


def look(place: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    """Every entry: mode, owner, group, size and time of change; time of any change, inode, names of the same file."""
    excluded = set(place["exclude"])
    found: dict[str, tuple[int, ...]] = {}
    waiting = [tree for tree in place["trees"] if os.path.lexists("/" + tree)]
    while waiting:
        path = waiting.pop()
        if path in excluded:
            continue
        info = os.lstat("/" + path)
        is_folder = stat.S_ISDIR(info.st_mode)
        size, names = (0, 1) if is_folder else (info.st_size, info.st_nlink)
        found[path] = (info.st_mode, info.st_uid, info.st_gid, size, info.st_mtime_ns, info.st_ctime_ns)
        found[path] += (info.st_ino, names)
        if is_folder:
            waiting += [f"{path}/{name}" for name in os.listdir("/" + path)]
    return found


def record(place: dict[str, Any]) -> str:
    """Where it is noted what the restored state looked like."""
    return str(place["archive"]) + ".looks"


def stamp_of(place: dict[str, Any]) -> tuple[int, int]:
    """Tells one archive from another in the same place."""
    info = os.stat(place["archive"])
    return info.st_ino, info.st_ctime_ns


def remember(place: dict[str, Any], looks: dict[str, tuple[int, ...]]) -> None:
    """Note what the restored state looks like."""
    with open(record(place), "wb") as file:
        marshal.dump((stamp_of(place), looks), file)
