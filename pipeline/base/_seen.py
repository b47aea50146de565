"""What ``git diff`` and ``git show`` told in a session of the commit that it began on: the left side of ``index a..b``.

Only sides that are surely of that commit count: those of ``git diff`` before anything moved ``HEAD``, and those of
``git show`` of the session's first commit, whose left side is its parent. The right side is the session's own work and
never counts.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final, Literal

from swe_together.pipeline.base._links import PRINTED
from swe_together.pipeline.base._paths import plain
from swe_together.pipeline.sessions import Call, Outcome, Session

Side = Literal["head", "index"]
"""``head``: of the commit. ``index``: of what was staged, which is the commit's unless the person had staged more."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The beginning of the name of a blob, and what it was of."""

    blob: str
    side: Side


_GIT: Final = re.compile(r"\bgit\b((?: +-[^\s;|&]+(?: +[^\s;|&-][^\s;|&]*)??)*?) +([a-z][a-z-]*)\b([^;|&\n]*)")
"""Group 1 has options of git itself, 2 is the command, 3 the rest of it."""
_FOLDER: Final = re.compile(r"(?:(?:^|[;&|(]|\s)(?:cd|pushd)|\s-C) +[\"']?([^\s\"';&|)]+)")
_ELSEWHERE: Final = re.compile(r"--git-dir|--work-tree|\bGIT_(?:DIR|WORK_TREE|INDEX_FILE)\b")
_MOVES: Final = frozenset(
    ("commit", "checkout", "switch", "reset", "merge", "rebase", "pull", "cherry-pick", "revert", "am", "stash")
)
_STAGES: Final = frozenset(("add", "rm", "mv", "restore", "apply", "update-index"))
_FILE: Final = re.compile(
    r"(?m)^diff --git (?:[a-z]/)?(?P<path>[^\s\"].*?) (?:[a-z]/)?(?P=path)\r?\n"
    r"(?:(?:old mode|new mode|deleted file mode) \d+\r?\n)*"
    r"index (?P<left>[0-9a-f]{7,64})\.\.[0-9a-f]{7,64}(?: \d+)?\r?$"
)
_NOTHING: Final = re.compile(
    r"nothing (?:added )?to commit|no changes added to commit|^(?:error|fatal): ", re.MULTILINE
)
_PARENT: Final = frozenset(("HEAD~", "HEAD~1", "HEAD^", "HEAD^1"))


def seen_blobs(session: Session) -> Mapping[str, Seen]:
    """What the session's base held, by path in the repository, as far as git told; the first time counts."""
    found: dict[str, Seen] = {}
    commands = _Commands(session.origin.cwd)
    for event in session.events:
        if isinstance(event, Call) and event.command is not None:
            commands.run(event.call_id, event.command)
        elif isinstance(event, Outcome):
            side = commands.side(event)
            if side is not None:
                for match in _FILE.finditer(event.text):
                    found.setdefault(match["path"], Seen(match["left"], side))
    return found


class _Commands:
    """What git was told to do so far, as far as it decides of what a difference is."""

    def __init__(self, cwd: str | None) -> None:
        self._cwd = PurePosixPath(plain(cwd)) if cwd else None
        self._sides: dict[str, Side | None] = {}
        self._moved = False
        self._staged = False
        self._commits = 0
        self._first: str | None = None
        self._committing = set[str]()

    def run(self, call: str, command: str) -> None:
        """A command begins. Where several of git's tell a difference, that of each can't be told apart."""
        sides = [side for git in _GIT.finditer(command) for side in self._one(call, git[2], git[3])]
        here = not _ELSEWHERE.search(command) and all(map(self._is_here, _FOLDER.findall(command)))
        self._sides[call] = sides[0] if len(set(sides)) == 1 and here else None

    def _is_here(self, folder: str) -> bool:
        """Whether a folder lies in the session's own, or holds it: another one may be another branch's."""
        path = PurePosixPath(plain(folder))
        if ".." in path.parts or folder.startswith(("~", "$")):
            return False
        own = self._cwd
        return not path.is_absolute() or (
            own is not None and (path == own or path in own.parents or own in path.parents)
        )

    def side(self, outcome: Outcome) -> Side | None:
        """What the differences in an output are of."""
        if outcome.call_id in self._committing and _failed(outcome):
            self._commits += 2
            return None
        if outcome.call_id in self._committing and self._first is None and self._commits == 1:
            self._first = next(iter(PRINTED.findall(outcome.text)), None)
        return self._sides.get(outcome.call_id)

    def _one(self, call: str, name: str, rest: str) -> Iterator[Side | None]:
        if name == "diff":
            yield self._diff(rest)
        elif name in ("show", "log"):
            yield self._show(rest) if name == "show" else None
        elif name in _MOVES and not (name == "checkout" and " -- " in rest):
            if name == "commit" and "--amend" not in rest:
                self._commits += 1
                self._committing.add(call)
            else:
                self._commits += 2
            self._moved = True
        elif name in _STAGES:
            self._staged = True

    def _diff(self, rest: str) -> Side | None:
        words = _before_paths(rest)
        if any(word in ("--cached", "--staged") for word in words) or "HEAD" in words:
            whole = not self._moved and not [w for w in words if not w.startswith("-") and w != "HEAD"]
            return "head" if whole else None
        revisions = [word for word in words if not word.startswith("-")]
        if not revisions:
            return "index" if not (self._moved or self._staged) else None
        return "head" if len(revisions) == 1 and revisions[0] in _PARENT and self._commits == 1 else None

    def _show(self, rest: str) -> Side | None:
        revisions = [word for word in _before_paths(rest) if not word.startswith("-")]
        if self._commits == 1 and revisions in ([], ["HEAD"]):
            return "head"
        first = self._first
        named = len(revisions) == 1 and first is not None and len(revisions[0]) >= 7
        return (
            "head" if named and (str(first).startswith(revisions[0]) or revisions[0].startswith(str(first))) else None
        )


def _failed(outcome: Outcome) -> bool:
    """Whether a commit may not have been made: then what is shown next is another one."""
    done = outcome.status in (None, "ok") and outcome.exit_code in (None, 0)
    return not done or _NOTHING.search(outcome.text) is not None


def _before_paths(rest: str) -> list[str]:
    return rest.partition(" -- ")[0].split()
