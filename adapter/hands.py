"""A judge's hands in the container that holds the final state: ``swe_together.judge.Workspace`` on an environment."""

import asyncio
import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from swe_together import defaults
from swe_together.adapter._scripts.probe import VARIABLE
from swe_together.adapter.clean_folders import Place, pack_clean_folders, place_of
from swe_together.adapter.container import Container, ask
from swe_together.adapter.processes import Processes
from swe_together.adapter.state import STATE_PATH, restore_script
from swe_together.errors import EnvironmentFault
from swe_together.judge import Excerpt, Hit, Hits, Ran, Unreadable

CLEAN: Final = "/var/lib/swe-together-judge/clean.tar"
LOOK_SEC: Final = 60.0
_LINES: Final = """\
import json, os, stat, sys
path, first, limit, room = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
try:
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(0, "it is no regular file")
    kept, total = [], 0
    with open(path, encoding="utf-8", errors="replace", newline="\\n") as file:
        for line in file:
            total += 1
            if first <= total < first + limit and room > 0:
                kept.append(line.rstrip("\\n")[:room])
                room -= len(kept[-1]) + 1
    print(json.dumps({"lines": kept, "total": total}))
except OSError as error:
    print(json.dumps({"problem": error.strerror or str(error)}))
"""
"""Reads lines as the user whose hands these are, so that a link leads nowhere that this user may not look."""
_READ_CHARS: Final = 40_000
_BATCH_CHARS: Final = 60_000
"""Linux takes no variable of more than 128 KiB."""


@dataclass(frozen=True)
class Bench:
    """A fresh container, ready for a final state to be judged in it again and again.

    Attributes:
        container: Where; the state lies packed in it.
        processes: Knows those of the image itself.
        places: What is put back before each judgement: the user's own folders, the working trees.
        tree: The first working tree.
    """

    container: Container
    processes: Processes
    places: Sequence[Place]
    tree: str

    @classmethod
    async def of(cls, container: Container, trees: Sequence[str], exclude: Sequence[str]) -> "Bench":
        """Look at a container before any untrusted code has run in it.

        Raises:
            EnvironmentFault: The container can't be used.
        """
        processes = Processes(container)
        _, clean = await asyncio.gather(processes.baseline(), pack_clean_folders(container, trees, CLEAN))
        places = [*([clean] if clean else []), place_of(STATE_PATH, trees, exclude)]
        return cls(container, processes, places, trees[0])


class Hands:
    """One user's hands at a bench; see ``swe_together.judge.Workspace``.

    Args:
        bench: Where.
        user: Who: ``root`` for the goals' own commands, the agent's user for a model.
    """

    def __init__(self, bench: Bench, user: str) -> None:
        self._bench = bench
        self._user = user

    async def reset(self) -> None:
        """Put the trees and the user's own folders back, and end what still runs."""
        await self._bench.processes.kill()
        await self._ask([("true", LOOK_SEC)], self._bench.places, "putting the final state back")

    async def run(self, command: str, timeout_sec: float) -> Ran:
        """Run a shell command in the first tree; nothing that it started is left when this returns."""
        return await self._one(command, timeout_sec, "running a command of the judge")

    async def run_all(self, commands: Sequence[tuple[str, float]]) -> list[Ran]:
        """Run shell commands one after the other, with as few ways into the container as they fit in."""
        found: list[Ran] = []
        for batch in _batches(commands):
            found += await self._ask(batch, (), "running the goals' commands")
        return found

    async def read(self, path: str, offset: int, limit: int) -> Excerpt:
        """Read lines of a text file."""
        words = ["/usr/bin/python3", "-I", "-S", "-X", "utf8", "-c", _LINES, path, str(offset), str(limit)]
        found = await self._one(shlex.join([*words, str(_READ_CHARS)]), LOOK_SEC, "reading a file for the judge")
        try:
            answer: dict[str, Any] = json.loads(found.output)
        except ValueError:
            raise Unreadable(f"{path} can't be read: {found.output[-200:] or 'it took too long'}") from None
        if "problem" in answer:
            raise Unreadable(f"{path} can't be read: {answer['problem']}")
        return Excerpt(answer["lines"], answer["total"])

    async def search(self, pattern: str, path: str) -> Hits:
        """Find lines that match a POSIX extended regular expression below a path."""
        most = defaults.JUDGE_HITS + 1
        words = ["grep", "-rnIZE", "--exclude-dir=.git", f"--max-count={most}", "-e", pattern, "--", path]
        # One byte more than fits a line: what is cut there is cut again, visibly, where it is shown.
        cut = f"cut -c -{defaults.JUDGE_LINE_CHARS + 400} | head -n {most}"
        command = f"set -o pipefail; LC_ALL=C.UTF-8 {shlex.join(words)} | {{ {cut}; cat >/dev/null; }}"
        found = await self._one(command, LOOK_SEC, "searching for the judge")
        if found.exit is None:
            return Hits((), truncated=True)
        hits = [hit for line in found.output.split("\n") if (hit := _hit(line)) is not None]
        if found.exit > 1 and not hits:
            raise Unreadable(f"searching {path} failed: {found.output.strip()[-200:]}")
        return Hits(hits[: defaults.JUDGE_HITS], truncated=len(hits) > defaults.JUDGE_HITS or found.truncated)

    async def _one(self, command: str, seconds: float, what: str) -> Ran:
        (ran,) = await self._ask([(command, seconds)], (), what)
        return ran

    async def _ask(self, commands: Sequence[tuple[str, float]], places: Sequence[Place], what: str) -> list[Ran]:
        seconds = [allowed for _, allowed in commands]
        answer = await ask(
            self._bench.container,
            "probe",
            {
                "seconds": seconds,
                "user": self._user,
                "folder": self._bench.tree,
                "places": list(places),
                "restore": restore_script(),
                "output": defaults.PROBE_OUTPUT_BYTES,
                "processes": defaults.PROBE_PROCESSES,
                "keep": self._bench.processes.kept,
                "grace": defaults.KILL_GRACE_SEC,
            },
            what,
            timeout_sec=defaults.EXEC_TIMEOUT_SEC + sum(seconds) + defaults.KILL_GRACE_SEC * len(seconds),
            env={VARIABLE: json.dumps([command for command, _ in commands])},
        )
        if "fault" in answer:
            raise EnvironmentFault(f"The final state can't be put back: {answer['fault']}")
        if answer["left"]:
            raise EnvironmentFault(f"Processes survive in the judge's container: {', '.join(answer['left'])}.")
        return [
            Ran(
                ran["exit"],
                ran["output"],
                truncated=len(ran["output"].encode()) >= defaults.PROBE_OUTPUT_BYTES,
                seconds=ran["seconds"],
            )
            for ran in answer["ran"]
        ]


def _batches(commands: Sequence[tuple[str, float]]) -> Iterator[list[tuple[str, float]]]:
    batch: list[tuple[str, float]] = []
    chars = 0
    for command, seconds in commands:
        size = len(json.dumps(command))
        if batch and chars + size > _BATCH_CHARS:
            yield batch
            batch, chars = [], 0
        batch.append((command, seconds))
        chars += size
    if batch:
        yield batch


def _hit(line: str) -> Hit | None:
    path, mark, rest = line.partition("\0")
    number, colon, text = rest.partition(":")
    return Hit(path, int(number), text) if mark and colon and number.isdigit() else None
