# ruff: noqa: PTH103, PTH123 - open folders and the bytes of names are beyond pathlib
"""The differences between two snapshots, as git writes them.

Git sees a repository of our own in a folder of root's, whose files are called 000000, 000001, …: no name, attribute or
setting of the agent's reaches it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any, NamedTuple

from swe_together.adapter._scripts.answer import shown
from swe_together.adapter._scripts.scan import LINK, TEXT_BYTES, Entry, Store

GIT = "/usr/bin/git"
GIT_SEC = 30
COMPARED_BYTES = 64_000_000
"""Both sides of all files that git compares; the smallest ones come first."""
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LC_ALL": "C",
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
}
CONFIG = """[core]
repositoryformatversion = 0
bare = true
compression = 0
hooksPath = /dev/null
attributesFile = /dev/null
fsmonitor = false
[fastimport]
unpackLimit = 0
"""


class Change(NamedTuple):
    """One path that differs. ``old`` and ``new`` are None where there is nothing."""

    path: str
    old: Entry | None
    new: Entry | None

    @property
    def status(self) -> str:
        """In the words of the observation."""
        if self.old is None:
            return "added"
        if self.new is None:
            return "deleted"
        return "type_changed" if (self.old[0] == LINK) != (self.new[0] == LINK) else "modified"


class Section(NamedTuple):
    """What git says of one path. Line counts are None where it wasn't asked, or found no text."""

    added: int | None
    removed: int | None
    lines: list[bytes]


def changed(old: dict[str, Entry], new: dict[str, Entry]) -> list[Change]:
    """Paths whose mode or content differ, in the order of their bytes."""
    paths = [path for path, entry in new.items() if path not in old or _differ(old[path], entry)]
    paths += [path for path in old if path not in new]
    return [Change(path, old.get(path), new.get(path)) for path in sorted(paths, key=os.fsencode)]


def _differ(one: Entry, other: Entry) -> bool:
    return bool(one[0] != other[0] or one[5] != other[5])


def comparable(changes: list[Change], store: Store) -> tuple[list[Change], bool]:
    """The changes whose content is kept, smallest first, as many as git may see; and whether some text is left out."""
    sized = []
    left_out = False
    for change in changes:
        lengths = [0 if side is None else store.length(side[5]) for side in (change.old, change.new)]
        known = [length for length in lengths if length is not None]
        if len(known) == len(lengths):
            sized.append((sum(known), change))
        elif any(side is not None and side[1] > TEXT_BYTES for side in (change.old, change.new)):
            left_out = True
    sized.sort(key=lambda item: item[0])
    taken: list[Change] = []
    room = COMPARED_BYTES
    for size, change in sized:
        room -= size
        if room < 0:
            return taken, True
        taken.append(change)
    return taken, left_out


def compare(changes: list[Change], store: Store, folder: str, context: int) -> dict[str, Section]:
    """Git's view of the changes, by path. Empty where git takes too long, which only absurd content brings about.

    Args:
        changes: All with their content kept.
        store: Where it is.
        folder: Is made, and removed again.
        context: Unchanged lines around each change.
    """
    if not changes:
        return {}
    shutil.rmtree(folder, ignore_errors=True)
    for part in ("objects", "refs"):
        os.makedirs(f"{folder}/{part}")
    for name, text in (("HEAD", "ref: refs/heads/none\n"), ("config", CONFIG)):
        with open(f"{folder}/{name}", "w") as file:
            file.write(text)
    try:
        _git(folder, ["fast-import", "--quiet"], b"".join(_stream(changes, store)))
        view = ["diff-tree", "-r", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"]
        output = _git(folder, [*view, f"--unified={context}", "--numstat", "--patch", "refs/old", "refs/new"])
    except subprocess.TimeoutExpired:
        return {}
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return _sections(output, changes)


def _git(folder: str, command: list[str], given: bytes = b"") -> bytes:
    done = subprocess.run(
        [GIT, f"--git-dir={folder}", *command],
        input=given,
        capture_output=True,
        env=ENVIRONMENT,
        cwd="/",
        timeout=GIT_SEC,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(f"git {command[0]} failed: {done.stderr[-500:].decode(errors='replace')}")
    return done.stdout


def _stream(changes: list[Change], store: Store) -> Iterator[bytes]:
    marks: dict[bytes, int] = {}
    for change in changes:
        for side in (change.old, change.new):
            if side is not None and side[5] not in marks:
                content = store.get(side[5]) or b""
                marks[side[5]] = len(marks) + 1
                yield b"blob\nmark :%d\ndata %d\n" % (marks[side[5]], len(content))
                yield content
                yield b"\n"
    for ref in ("old", "new"):
        yield b"commit refs/%s\ncommitter x <x> 0 +0000\ndata 0\n" % ref.encode()
        for number, change in enumerate(changes):
            side = getattr(change, ref)
            if side is not None:
                yield b"M %s :%d %06d\n" % (side[0].encode(), marks[side[5]], number)


def _sections(output: bytes, changes: list[Change]) -> dict[str, Section]:
    counts: dict[int, list[int | None]] = {}
    patches: dict[int, list[bytes]] = {}
    current: list[bytes] | None = None
    # Not splitlines(): a carriage return is part of a line.
    for line in output.split(b"\n")[:-1]:
        if line.startswith(b"diff --git a/"):
            # A change of type is two sections, one that removes and one that adds.
            current = patches.setdefault(int(line[13:19]), [])
            current.append(line)
        elif current is not None:
            current.append(line)
        elif b"\t" in line:
            *pair, name = line.split(b"\t")
            counts[int(name)] = [None if count == b"-" else int(count) for count in pair]
    found = {}
    for number, change in enumerate(changes):
        counted = counts.get(number, [None, None])
        found[change.path] = Section(counted[0], counted[1], _named(patches.get(number, []), number, change.path))
    return found


def _named(lines: list[bytes], number: int, path: str) -> list[bytes]:
    """With the path in place of its number, and without the lines that speak of git's objects."""
    plain, name = b"%06d" % number, shown(path).encode()
    result = []
    in_header = False
    for line in lines:
        if line.startswith(b"diff --git "):
            in_header = True
        elif line.startswith(b"@@"):
            in_header = False
        if not in_header:
            result.append(line)
        elif not line.startswith(b"index "):
            result.append(line.replace(b"a/" + plain, b"a/" + name).replace(b"b/" + plain, b"b/" + name))
    return result


def as_rows(changes: list[Change], sections: dict[str, Section], limit: int) -> list[list[Any]]:
    """Path, status, added and removed lines of the first changes."""
    rows = []
    for change in changes[:limit]:
        section = sections.get(change.path)
        counts = [None, None] if section is None else [section.added, section.removed]
        rows.append([shown(change.path), change.status, *counts])
    return rows
