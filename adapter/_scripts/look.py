# ruff: noqa: PTH114, PTH115, PTH123 - open folders and the bytes of names are beyond pathlib
"""Names and contents of a working tree now, for predicates that ask about them."""

from __future__ import annotations

import base64
import os
import stat
from typing import Any

from swe_together.adapter._scripts.answer import shown

NAMES_CHARS = 64_000_000


def main(request: dict[str, Any]) -> Any:
    """Do what ``request["do"]`` says."""
    trees = ["/" + tree for tree in request["trees"]]
    if request["do"] == "list":
        return names(request, trees)
    return content(request["path"], request["limit"], trees)


def names(request: dict[str, Any], trees: list[str]) -> dict[str, Any]:
    """Paths below a folder, down to some depth; links that lead out of the trees are left out."""
    found: list[str] = []
    room = NAMES_CHARS
    skip = request["strip"]
    waiting = [(request["folder"], request["depth"])]
    while waiting:
        folder, depth = waiting.pop()
        try:
            # A link on the way is not followed: what it leads to has a name of its own.
            if os.path.realpath("/" + folder) != "/" + folder:
                continue
            entries = list(os.scandir("/" + folder))
        except OSError:
            continue
        for entry in entries:
            path = f"{folder}/{entry.name}"
            if entry.is_symlink() and not inside(os.path.realpath("/" + path), trees):
                continue
            room -= len(path)
            if len(found) >= request["limit"] or room < 0:
                return {"paths": found, "cut": True}
            found.append(shown(path[skip:]))
            if depth > 1 and entry.is_dir(follow_symlinks=False):
                waiting.append((path, depth - 1))
    return {"paths": found, "cut": False}


def content(path: str, limit: int, trees: list[str]) -> dict[str, Any] | None:
    """The first bytes of a regular file, and whether it is one; None where nothing in the trees has this path."""
    try:
        # Opened without side effects, and only then asked where it really lies: nothing can be swapped in between.
        fd = os.open("/" + path, os.O_PATH)
    except OSError:
        # A link to nothing is there as long as what it names would lie in the trees.
        dangling = os.path.islink("/" + path) and inside(os.path.realpath("/" + path), trees)
        return {"file": False, "data": ""} if dangling else None
    try:
        handle = f"/proc/self/fd/{fd}"
        if not inside(os.readlink(handle), trees):
            return None
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return {"file": False, "data": ""}
        with open(handle, "rb") as file:
            return {"file": True, "data": base64.b64encode(file.read(limit)).decode()}
    finally:
        os.close(fd)


def inside(path: str, trees: list[str]) -> bool:
    """Whether a real path lies in one of the trees, which may themselves be reached over links."""
    return any(path == tree or path.startswith(tree + "/") for tree in map(os.path.realpath, trees))
