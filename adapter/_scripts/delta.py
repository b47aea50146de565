# ruff: noqa: PTH103, PTH105, PTH123 - open folders and the bytes of names are beyond pathlib
"""What changed in the working trees: since the last turn, and since the session began."""

from __future__ import annotations

import marshal
import os
import shutil
import stat
import subprocess
import sys
from typing import Any

from swe_together.adapter._scripts.answer import shown
from swe_together.adapter._scripts.changes import (
    ENVIRONMENT,
    GIT,
    Change,
    Section,
    as_rows,
    changed,
    comparable,
    compare,
)
from swe_together.adapter._scripts.scan import Entry, Scan, Store

INDEX_BYTES = 100_000_000
PATHS_CHARS = 32_000_000


class Memory:
    """What is kept between two calls: the first snapshot, the last one, and the content of both."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.first: dict[str, Entry] = {}
        self.last: dict[str, Entry] = {}
        self.places: dict[bytes, tuple[int, int]] = {}

    def clear(self) -> None:
        """Begin anew, in a folder that nobody else can enter."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder, mode=0o700)

    def load(self) -> None:
        """Read what an earlier call saved."""
        with open(self.folder + "/memory", "rb") as file:
            self.first, self.last, self.places = marshal.load(file)

    def save(self, store: Store) -> None:
        """Keep it for the next call; a call that is cut off keeps nothing."""
        store.file.flush()
        with open(self.folder + "/memory.new", "wb") as file:
            marshal.dump((self.first, self.last, self.places), file)
        os.replace(self.folder + "/memory.new", self.folder + "/memory")

    def store(self) -> Store:
        """The content."""
        return Store(self.folder + "/content", self.places)


def main(request: dict[str, Any]) -> Any:
    """Do what ``request["do"]`` says."""
    sys.setrecursionlimit(10_000)
    os.umask(0o077)
    memory = Memory(request["folder"])
    return {"baseline": baseline, "turn": turn, "session": session}[request["do"]](memory, request)


def baseline(memory: Memory, request: dict[str, Any]) -> dict[str, Any]:
    """Take the first snapshot."""
    if not os.access(GIT, os.X_OK):
        raise SystemExit(f"the image has no {GIT}")
    memory.clear()
    store = memory.store()
    memory.first = memory.last = snapshot(request, {}, tracked(request["trees"], memory.folder), store)
    memory.save(store)
    return {"paths": len(memory.first), "bytes": store.size}


def turn(memory: Memory, request: dict[str, Any]) -> dict[str, Any]:
    """Take a snapshot and tell what changed since the one before."""
    memory.load()
    store = memory.store()
    before = memory.last
    memory.last = snapshot(request, before, set(), store)
    memory.save(store)
    changes = changed(before, memory.last)
    inside = request["strip"]
    named = [Change(change.path[inside:], change.old, change.new) for change in changes]
    sections = compare(comparable(named, store)[0], store, memory.folder + "/compare", 3)
    diff, chars = patch(named, sections, request["diff_chars"])
    return {
        "changes": as_rows(named, sections, request["changes"]),
        "total": len(named),
        "paths": paths(named, request["paths"]),
        "diff": diff,
        "diff_chars": chars,
    }


def paths(changes: list[Change], limit: int) -> list[str]:
    """The paths; where there are too many, the shallow ones first."""
    if len(changes) > limit or sum(len(change.path) for change in changes) > PATHS_CHARS:
        changes = sorted(changes, key=lambda change: change.path.count("/"))[:limit]
    found = []
    room = PATHS_CHARS
    for change in changes:
        room -= len(change.path)
        if room < 0:
            break
        found.append(shown(change.path))
    return found


def session(memory: Memory, request: dict[str, Any]) -> dict[str, Any]:
    """Added and removed lines between the first snapshot and the last one, smallest files first."""
    memory.load()
    store = memory.store()
    changes, cut = comparable(changed(memory.first, memory.last), store)
    sections = compare(changes, store, memory.folder + "/compare", 0)
    cut = cut or len(sections) < len(changes)
    room = request["bytes"]
    parts: list[bytes] = []
    for section in sorted(sections.values(), key=lambda section: sum(map(len, section.lines))):
        lines = b"\n".join(marked(section.lines))
        if len(lines) + 1 > room:
            cut = True
            break
        if lines:
            parts.append(lines)
            room -= len(lines) + 1
    return {"text": b"\n".join(parts).decode("utf-8", "replace"), "cut": cut}


def snapshot(request: dict[str, Any], known: dict[str, Entry], wanted: set[str], store: Store) -> dict[str, Entry]:
    """Look at all trees."""
    scan = Scan(known, wanted, set(request["exclude"]), store)
    for tree in request["trees"]:
        scan.tree(tree)
    return scan.finish()


def tracked(trees: list[str], folder: str) -> set[str]:
    """Paths that the repositories at the roots of the trees track, ignored or not.

    Asked once, before the agent's first turn. The index is read with a repository of our own around it, so that no
    setting of the other one counts.
    """
    found: set[str] = set()
    for tree in trees:
        index = f"/{tree}/.git/index"
        try:
            info = os.lstat(index)
        except OSError:
            continue
        if not stat.S_ISREG(info.st_mode) or info.st_size > INDEX_BYTES:
            continue
        own = folder + "/empty"
        for part in ("objects", "refs"):
            os.makedirs(f"{own}/{part}", exist_ok=True)
        with open(own + "/HEAD", "w") as file:
            file.write("ref: refs/heads/none\n")
        done = subprocess.run(
            [GIT, f"--git-dir={own}", "-c", "core.fsmonitor=false", "ls-files", "-z", "--cached"],
            env={**ENVIRONMENT, "GIT_INDEX_FILE": index},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            timeout=30,
            check=False,
        )
        found.update(f"{tree}/{os.fsdecode(path)}" for path in done.stdout.split(b"\0") if path)
    return found


def marked(lines: list[bytes]) -> list[bytes]:
    """The added and removed lines of a section, with their marks."""
    in_header = True
    found = []
    for line in lines:
        if line.startswith(b"diff --git "):
            in_header = True
        elif line.startswith(b"@@"):
            in_header = False
        elif not in_header and line.startswith((b"+", b"-")):
            found.append(line)
    return found


def patch(changes: list[Change], sections: dict[str, Section], limit: int) -> tuple[str, int]:
    """The unified diff of as many changes as fit, smallest first, in the order of paths; and its whole length."""
    texts: dict[str, str] = {}
    for change in changes:
        section: Section | None = sections.get(change.path)
        if section is None:
            texts[change.path] = f"{change.status} (binary or very large): {shown(change.path)}\n"
        elif section.lines:
            texts[change.path] = b"\n".join(section.lines).decode("utf-8", "replace") + "\n"
    total = sum(map(len, texts.values()))
    if total <= limit:
        return "".join(texts.values()), total
    room = limit
    taken = set()
    for path in sorted(texts, key=lambda path: len(texts[path])):
        room -= len(texts[path])
        if room < 0:
            # What is left of the room shows how the next one begins.
            texts[path] = texts[path][: room + len(texts[path])]
            taken.add(path)
            break
        taken.add(path)
    return "".join(text for path, text in texts.items() if path in taken), total
