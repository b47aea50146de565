"""What the agent changed, turn by turn, seen by an index and an object store of our own.

Nothing is written outside a folder of root's, git never looks at the agent's repository, and no program or setting of
that repository has a part in it. Content of ``.git`` folders is no part of the delta; nested repositories and
submodules are folders like any other. Untracked files that a ``.gitignore`` of the tree names are left out, as in
``git status``; files that were tracked when the session began are not, ignored or not. Modes count as far as git
counts them: the owner's right to execute. Empty folders, FIFOs and the like have no delta.
"""

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from swe_together import defaults
from swe_together.adapter.container import Container, ask
from swe_together.errors import EnvironmentFault
from swe_together.schema import Change
from swe_together.simulator import DiffText, compile_glob

DELTA_DIR: Final = "/var/lib/swe-together-delta"
PATHS: Final = 100_000
"""A turn's delta names no more paths than this, the shallow ones first."""
LISTED_PATHS: Final = 1_000_000
_GLOB_CHARS: Final = frozenset("*?[{\\")
_ANY_DEPTH: Final = 1_000_000


@dataclass(frozen=True)
class TurnDelta:
    """What one turn changed. Undecodable bytes are escaped in names and replaced in content.

    Attributes:
        changes: The first ``defaults.CHANGES_SHOWN`` changes, in the order of paths.
        changes_total: How many there are.
        paths: All paths that changed, up to ``PATHS``.
        diff: Unified diff, at most ``defaults.DIFF_CHARS``; where it doesn't fit, of the smallest changes.
        diff_chars: Characters of the whole diff.
    """

    changes: list[Change] = field(default_factory=list)
    changes_total: int = 0
    paths: list[str] = field(default_factory=list)
    diff: str = ""
    diff_chars: int = 0


class Delta:
    """Reads the delta of working trees.

    Paths are relative to the tree where there is one, and relative to ``/`` where there are several. Every method
    raises ``EnvironmentFault`` where the container or the instrument in it fails; none answers what it doesn't know.

    Args:
        container: Where the agent works.
        trees: Absolute paths of the working trees.
        exclude: Paths relative to ``/`` that are never looked at.
    """

    def __init__(self, container: Container, trees: Sequence[str], exclude: Sequence[str] = ()) -> None:
        self._container = container
        self._trees = [tree[1:] for tree in trees]
        self._exclude = list(exclude)
        self._root = f"{self._trees[0]}/" if len(self._trees) == 1 else ""

    async def baseline(self) -> None:
        """Take the first snapshot; once, before the agent's first turn."""
        await self._ask("delta", "taking the first snapshot", do="baseline")

    async def turn(self) -> TurnDelta:
        """Take a snapshot and tell what changed since the one before."""
        answer = await self._ask(
            *("delta", "reading the turn's delta"),
            do="turn",
            changes=defaults.CHANGES_SHOWN,
            paths=PATHS,
            diff_chars=defaults.DIFF_CHARS,
        )
        return TurnDelta(
            changes=[
                Change(path=path, status=status, added=added, removed=removed)
                for path, status, added, removed in answer["changes"]
            ],
            changes_total=answer["total"],
            paths=answer["paths"],
            diff=answer["diff"],
            diff_chars=answer["diff_chars"],
        )

    async def session_lines(self) -> DiffText:
        """Added and removed lines between the first snapshot and the last, at most ``defaults.DIFF_BYTES``."""
        answer = await self._ask("delta", "reading the session's delta", do="session", bytes=defaults.DIFF_BYTES)
        return DiffText(answer["text"], answer["cut"])

    async def path_exists(self, glob: str) -> bool:
        """Whether a file, link or folder of the trees matches now, ignored ones and ``.git`` included.

        A link that leads out of the trees counts as absent. Links to folders aren't followed, except where the glob
        is a plain path.

        Raises:
            ValueError: The text is no glob.
        """
        matcher = compile_glob(glob)
        if not _GLOB_CHARS.intersection(glob):
            return await self._read(glob, 0) is not None
        parts = glob.split("/")
        plain = next(index for index, part in enumerate(parts) if _GLOB_CHARS.intersection(part))
        depth = _ANY_DEPTH if "**" in parts else len(parts) - plain
        for folder in self._folders("/".join([*self._root.split("/")[:-1], *parts[:plain]])):
            answer = await self._ask(
                *("look", "listing the working tree"),
                do="list",
                folder=folder,
                depth=_ANY_DEPTH if folder in self._trees and not self._root else depth,
                limit=LISTED_PATHS,
            )
            if any(matcher.matches(path) for path in answer["paths"]):
                return True
            if answer["cut"]:
                raise EnvironmentFault(
                    f"The working tree holds more than {LISTED_PATHS} paths below /{folder}: "
                    f"whether one matches {glob!r} can't be told."
                )
        return False

    async def file_bytes(self, path: str, limit: int) -> bytes | None:
        """The first ``limit`` bytes of a regular file now.

        None where there is no such file in the trees; links are followed as long as they stay in them.
        """
        answer = await self._read(path, limit)
        return base64.b64decode(answer["data"]) if answer is not None and answer["file"] else None

    def _folders(self, folder: str) -> list[str]:
        """The parts of a folder that lie in the trees. With several trees, the folder may hold some of them."""
        if any(f"{folder}/".startswith(f"{tree}/") for tree in self._trees):
            return [folder]
        return [tree for tree in self._trees if not folder or tree.startswith(f"{folder}/")]

    async def _read(self, path: str, limit: int) -> Any:
        if not path or path.startswith("/") or "\0" in path or ".." in path.split("/"):
            return None
        return await self._ask("look", "reading a file", do="read", path=self._root + path, limit=limit)

    async def _ask(self, script: str, what: str, **request: Any) -> Any:
        return await ask(
            self._container,
            script,
            {
                "folder": DELTA_DIR,
                "trees": self._trees,
                "exclude": self._exclude,
                "strip": len(self._root),
                **request,
            },
            what,
        )
