# ruff: noqa: PTH123 - open folders and the bytes of names are beyond pathlib
"""A snapshot of working trees: what is there, and the content of text, kept where the agent can't reach it.

Only what is looked at with ``lstat`` first is ever opened, so that nothing in the tree can hold us or run.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Iterator
from typing import Any, BinaryIO

from swe_together.adapter._scripts.ignore import Rules

TEXT_BYTES = 1_000_000
"""A longer file counts as binary: its content is neither kept nor shown."""
HASHED_BYTES = 64_000_000
"""A longer file is known by size and times only."""
READ_BYTES = 1_500_000_000
"""Once one snapshot has read so much, the files that are left are known by size and times only."""
STORE_BYTES = 1_000_000_000
ENTRIES = 500_000
DEPTH = 400
RULES_BYTES = 1_000_000
RACY_NS = 2_000_000_000
"""A file changed so shortly before it was read may have changed again without its times showing it."""

FILE, PROGRAM, LINK = "100644", "100755", "120000"
Entry = tuple[Any, ...]  # mode, size, mtime_ns, ctime_ns, inode, digest, whether the times can be trusted


class Store:
    """Content by digest, in one file that only grows."""

    def __init__(self, path: str, places: dict[bytes, tuple[int, int]]) -> None:
        self.places = places
        self.file: BinaryIO = open(path, "a+b")  # noqa: SIM115 - lives as long as the script
        self.size = os.fstat(self.file.fileno()).st_size

    def put(self, digest: bytes, content: bytes) -> None:
        """Keep some content; without room for it, it counts as binary."""
        if digest not in self.places and self.size + len(content) <= STORE_BYTES:
            self.file.write(content)
            self.places[digest] = (self.size, len(content))
            self.size += len(content)

    def get(self, digest: bytes) -> bytes | None:
        """The content, or None where it wasn't kept."""
        place = self.places.get(digest)
        if place is None:
            return None
        self.file.flush()
        return os.pread(self.file.fileno(), place[1], place[0])

    def length(self, digest: bytes) -> int | None:
        """Bytes of the content, or None where it wasn't kept."""
        place = self.places.get(digest)
        return None if place is None else place[1]


class Scan:
    """Takes one snapshot. Paths are relative to ``/``; each entry is an ``Entry``."""

    def __init__(self, known: dict[str, Entry], tracked: set[str], excluded: set[str], store: Store) -> None:
        self.known = known
        self.wanted = tracked or known.keys()
        self.folders = {parent for path in self.wanted for parent in _parents(path)}
        self.excluded = excluded
        self.store = store
        self.found: dict[str, Entry] = {}
        self.started_ns = time.time_ns()
        self.read_bytes = 0
        self.entries = 0
        self.full = False

    def tree(self, path: str) -> None:
        """Add all of one working tree."""
        try:
            fd = os.open("/" + path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:
            return
        try:
            self._folder(fd, path, [], False, 0)
        finally:
            os.close(fd)

    def finish(self) -> dict[str, Entry]:
        """The snapshot. Where the trees were too large to be walked, what is known stays known while it is there."""
        if self.full:
            for path, entry in self.known.items():
                if path not in self.found and os.path.lexists("/" + path):
                    self.found[path] = entry
        return self.found

    def _folder(self, fd: int, path: str, rules: list[tuple[int, Rules]], ignored: bool, depth: int) -> None:
        names = os.listdir(fd)
        if ".gitignore" in names:
            own = _rules(fd)
            rules = [*rules, (len(path) + 1, own)] if own else rules
        for name in names:
            full = f"{path}/{name}"
            if name == ".git" or full in self.excluded:
                continue
            try:
                self._entry(fd, name, full, rules, ignored, depth)
            except OSError:
                continue  # gone or replaced while we looked; the next snapshot sees what came of it

    def _entry(self, fd: int, name: str, full: str, rules: list[tuple[int, Rules]], ignored: bool, depth: int) -> None:
        is_known = full in self.wanted
        if ignored and not is_known and full not in self.folders:
            return
        self.entries += 1
        if self.entries > ENTRIES:
            self.full = True
            return
        info = os.stat(name, dir_fd=fd, follow_symlinks=False)
        is_folder = stat.S_ISDIR(info.st_mode)
        if not ignored and not (is_known and not is_folder):
            ignored = _is_ignored(rules, full, name, is_folder)
        if not is_folder:
            if is_known or not ignored:
                self._leaf(fd, name, full, info)
        elif depth >= DEPTH:
            self.full = True
        elif not ignored or full in self.folders:
            inside = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=fd)
            try:
                self._folder(inside, full, rules, ignored, depth + 1)
            finally:
                os.close(inside)

    def _leaf(self, fd: int, name: str, full: str, info: os.stat_result) -> None:
        if stat.S_ISLNK(info.st_mode):
            mode = LINK
        elif stat.S_ISREG(info.st_mode):
            mode = PROGRAM if info.st_mode & 0o100 else FILE
        else:
            return
        times = (info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino)
        before = self.known.get(full)
        if before is not None and before[0] == mode and before[1:5] == times and before[6]:
            self.found[full] = before
            return
        settled = info.st_ctime_ns < self.started_ns - RACY_NS
        if mode == LINK:
            target = os.fsencode(os.readlink(name, dir_fd=fd))
            digest = _digest(target)
            self.store.put(digest, target)
        elif info.st_size > HASHED_BYTES or self.read_bytes > READ_BYTES:
            digest, settled = _digest(repr(times).encode()), True
        else:
            digest = self._content(fd, name, info.st_size)
        self.found[full] = (mode, *times, digest, settled)

    def _content(self, fd: int, name: str, size: int) -> bytes:
        """Digest of a regular file, whose content is kept if it is text. Reads no more than it had a moment ago."""
        inside = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=fd)
        with os.fdopen(inside, "rb", buffering=0) as file:
            if not stat.S_ISREG(os.fstat(inside).st_mode):
                raise OSError("no longer a regular file")
            content = file.read(min(size, TEXT_BYTES + 1)) or b""
            self.read_bytes += size
            whole = hashlib.blake2b(content, digest_size=20)
            if size > TEXT_BYTES:
                left = size - len(content)
                while left > 0:
                    block = file.read(min(left, 1 << 20))
                    if not block:
                        break
                    whole.update(block)
                    left -= len(block)
            elif b"\0" not in content[:8000]:
                self.store.put(whole.digest(), content)
            return whole.digest()


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=20).digest()


def _parents(path: str) -> Iterator[str]:
    end = path.rfind("/")
    while end > 0:
        yield path[:end]
        end = path.rfind("/", 0, end)


def _rules(fd: int) -> Rules | None:
    """The rules of the folder's own ``.gitignore``; a link isn't followed, as in git."""
    try:
        info = os.stat(".gitignore", dir_fd=fd, follow_symlinks=False)
        if not stat.S_ISREG(info.st_mode) or info.st_size > RULES_BYTES:
            return None
        inside = os.open(".gitignore", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=fd)
    except OSError:
        return None
    with os.fdopen(inside, "rb") as file:
        return Rules(file.read(RULES_BYTES))


def _is_ignored(rules: list[tuple[int, Rules]], full: str, name: str, is_folder: bool) -> bool:
    if not rules:
        return False
    name = os.fsencode(name).decode("latin-1")
    for skip, own in reversed(rules):
        verdict = own.verdict(os.fsencode(full[skip:]).decode("latin-1"), name, is_folder)
        if verdict is not None:
            return verdict
    return False
