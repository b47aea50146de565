# ruff: noqa: PTH208 - open folders and the bytes of names are beyond pathlib
"""Every entry of some trees, looked at with nothing but the file system."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from typing import Any

KINDS = {stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFLNK: "link", stat.S_IFIFO: "fifo"}


class Listing:
    """Rows by path relative to ``/``, and which paths are the same file."""

    def __init__(self, excluded: set[str], limit: int) -> None:
        self.excluded = excluded
        self.limit = limit
        self.rows: dict[str, list[Any]] = {}
        self.inodes: dict[tuple[int, int], list[str]] = {}

    def add(self, name: str, path: str, folder: int | None) -> None:
        """Look at one entry of an open folder, and at all below it."""
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
        form = stat.S_IFMT(found.st_mode)
        if path in self.excluded or form == stat.S_IFSOCK:
            return
        if len(self.rows) >= self.limit:
            raise SystemExit(f"the trees hold more than {self.limit} entries")
        kind = KINDS.get(form, "device")
        target = os.readlink(name, dir_fd=folder) if kind == "link" else ""
        size, content = (found.st_size, digest(name, folder)) if kind == "file" else (0, "")
        self.rows[path] = [kind, stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid, found.st_mtime_ns]
        self.rows[path] += [target, size, content]
        if kind == "folder":
            inside = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
            try:
                for entry in os.listdir(inside):
                    self.add(entry, f"{path}/{entry}", inside)
            finally:
                os.close(inside)
        elif found.st_nlink > 1:
            self.inodes.setdefault((found.st_dev, found.st_ino), []).append(path)

    def same_as(self) -> dict[str, str]:
        """For each path that is the same file as an earlier one, in the order of bytes, that earlier path."""
        first: dict[str, str] = {}
        for paths in self.inodes.values():
            paths.sort(key=os.fsencode)
            first.update((path, paths[0]) for path in paths[1:])
        return first


def digest(name: str, folder: int | None) -> str:
    """SHA-256 of a file's content."""
    # The flags keep a file that was just replaced by a link or a FIFO from leading or holding us anywhere.
    fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    with os.fdopen(fd, "rb") as file:
        found = hashlib.sha256()
        for block in iter(lambda: file.read(1 << 20), b""):
            found.update(block)
        return found.hexdigest()


def main(request: dict[str, Any]) -> list[list[Any]]:
    """Rows of path, type, mode, uid, gid, mtime, link target, size, SHA-256 and the path it is the same as."""
    sys.setrecursionlimit(20_000)
    listing = Listing(set(request["exclude"]), request["limit"])
    for tree in request["trees"]:
        if os.path.lexists("/" + tree):
            listing.add("/" + tree, tree, None)
    first = listing.same_as()
    return [[path, *row, first.get(path, "")] for path, row in listing.rows.items()]
