"""The tree that the entries of a Pi session form, and the way through it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from swe_together.pipeline.sessions._values import fingerprint


@dataclass(slots=True)
class Entry:
    """One line of the file."""

    number: int
    record: Mapping[str, Any]
    parent: str | None
    children: int = 0


@dataclass(slots=True)
class Tree:
    """Entries by their id. An entry of the first version, which has none, follows the line before it."""

    entries: dict[str, Entry] = field(default_factory=dict)
    _last: str | None = None

    def add(self, number: int, record: Mapping[str, Any]) -> None:
        """Take an entry; one that is there already counts once."""
        key = record.get("id")
        if not isinstance(key, str) or not key:
            # Two entries of one time and content are one that is repeated.
            key = f"{record['timestamp']} " if "timestamp" in record else f"line {number}"
            if key in self.entries and self.entries[key].record != record:
                key = fingerprint(record)
        if key in self.entries:
            return
        parent = record.get("parentId", self._last)
        self.entries[key] = Entry(number, record, parent if isinstance(parent, str) else None)
        self._last = key

    def path(self) -> list[str]:
        """Ids from the root to the entry that was added last and that none follows.

        Where an entry's parent is missing, its line was broken: then the way goes on at the line before it.
        """
        for entry in self.entries.values():
            if entry.parent in self.entries:
                self.entries[entry.parent].children += 1
        key = next((key for key, entry in reversed(self.entries.items()) if not entry.children), None)
        order = list(self.entries)
        way: dict[str, None] = {}
        while key is not None and key not in way:
            way[key] = None
            parent = self.entries[key].parent
            if parent is not None and parent not in self.entries:
                place = order.index(key)
                parent = order[place - 1] if place else None
            key = parent
        return list(reversed(way))

    def abandoned(self, path: list[str]) -> Iterator[tuple[str | None, Entry]]:
        """Entries off the path, each with the id of the last entry on the path that it goes back to."""
        on_path = set(path)
        homes: dict[str, str | None] = dict(zip(path, path, strict=True))
        for key, entry in self.entries.items():
            if key in on_path:
                continue
            passed: list[str] = []
            at: str | None = key
            while at is not None and at not in homes and at in self.entries and at not in passed:
                passed.append(at)
                at = self.entries[at].parent
            home = homes.get(at) if at is not None else None
            homes.update(dict.fromkeys(passed, home))
            yield home, entry
