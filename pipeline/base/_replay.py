"""The edits of a session, done again on the tree of its base."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from swe_together.pipeline.base._envelope import envelope_in, patched, sections_of
from swe_together.pipeline.base._git import File, Repository
from swe_together.pipeline.base._paths import within
from swe_together.pipeline.base._turns import Turn
from swe_together.pipeline.sessions import Call, Outcome

_OLD: Final = ("old_string", "oldString", "oldText", "old_str")
_NEW: Final = ("new_string", "newString", "newText", "new_str")
_CONTENT: Final = ("content", "file_text", "contents")
_ALL: Final = ("replace_all", "replaceAll")
_UNDONE: Final = ("failed", "rejected", "aborted")


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of it.

    Attributes:
        trees: The tree after each turn.
        edits: Edits of files of the repository that the session made.
        applied: Those that could be done again.
        drifted: Those before which the file had been changed by something that is no recorded edit.
        failed: Path and reason of the others.
        paths: What the edits were of, whatever came of them.
    """

    trees: tuple[Mapping[str, File], ...]
    edits: int
    applied: int
    drifted: int
    failed: tuple[tuple[str, str], ...]
    paths: frozenset[str]


def replay(turns: Sequence[Turn], repository: Repository, base: str, root: str | None) -> Replay:
    """Do the edits of a session again.

    Args:
        turns: The session.
        repository: Where the base lies.
        base: The commit to begin with.
        root: The folder that was the repository's root.
    """
    work = _Work(repository, base, root)
    outcomes = {event.call_id: event for turn in turns for event in turn.events if isinstance(event, Outcome)}
    trees = []
    for turn in turns:
        for call in turn.calls:
            work.do(call, outcomes.get(call.call_id))
        trees.append(dict(work.files))
    return Replay(tuple(trees), work.edits, work.applied, work.drifted, tuple(work.failed), frozenset(work.paths))


@dataclass
class _Work:
    repository: Repository
    base: str
    root: str | None
    edits: int = 0
    applied: int = 0
    drifted: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)
    paths: set[str] = field(default_factory=set)
    files: dict[str, File] = field(init=False)

    def __post_init__(self) -> None:
        self.files = dict(self.repository.tree(self.base))

    def do(self, call: Call, outcome: Outcome | None) -> None:
        """Do one call again, if it is an edit that was made."""
        if outcome is not None and outcome.status in _UNDONE:
            return
        envelope = next((found for text in _texts(call) if (found := envelope_in(text)) is not None), None)
        if envelope is not None and call.action in ("patch", "edit", "write", "run"):
            for section in sections_of(envelope):
                self._section(section)
            return
        if call.action not in ("edit", "write", "patch") or call.path is None:
            return
        path = within(call.path, self.root)
        if path is None:
            return
        self._count(path, self._edit(path, call, outcome))

    def _edit(self, path: str, call: Call, outcome: Outcome | None) -> str:
        """Change one file; hands back why that can't be done, or an empty text."""
        if path in self.files and self.files[path].mode not in ("100644", "100755"):
            return "it is no plain file"
        now = self._read(path)
        if outcome is not None and outcome.before is not None and _same_lines(outcome.before) != now:
            self.drifted += now is not None
            now = _same_lines(outcome.before)
        if outcome is not None and outcome.after is not None:
            self._write(path, _same_lines(outcome.after))
            return ""
        content = _first(call.input, _CONTENT)
        if call.action == "write" and isinstance(content, str):
            self._write(path, _same_lines(content))
            return ""
        pairs = list(_pairs(call.input))
        if not pairs:
            return "it isn't recorded what was written"
        if now is None:
            if len(pairs) == 1 and pairs[0][0] == "":
                self._write(path, pairs[0][1])
                return ""
            return "the file isn't there"
        for old, new, everywhere in pairs:
            if old not in now or old == "":
                return "the text to replace isn't there"
            now = now.replace(old, new) if everywhere else now.replace(old, new, 1)
        self._write(path, now)
        return ""

    def _section(self, section: Any) -> None:
        path = within(section.path, self.root)
        if path is None:
            return
        if section.kind == "Add":
            self._write(path, "\n".join([*section.added, ""]))
            self._count(path, "")
            return
        text = self._read(path)
        if text is None:
            self._count(path, "the file isn't there")
            return
        if section.kind == "Delete":
            del self.files[path]
            self._count(path, "")
            return
        after = patched(text, section)
        if after is None:
            self._count(path, "the context of the patch isn't there")
            return
        target = within(section.moved_to, self.root) if section.moved_to else None
        if target is not None and target != path:
            self.files[target] = self.files.pop(path)
            self.paths.add(target)
        self._write(target or path, after)
        self._count(path, "")

    def _count(self, path: str, problem: str) -> None:
        self.edits += 1
        self.paths.add(path)
        self.applied += not problem
        if problem:
            self.failed.append((path, problem))

    def _read(self, path: str) -> str | None:
        """A file as programs record it: with plain line ends."""
        file = self.files.get(path)
        if file is None or file.mode == "160000":
            return None
        return _same_lines(self.repository.blob(file.sha).decode("utf-8", "surrogateescape"))

    def _write(self, path: str, text: str) -> None:
        """Write a file with the line ends that it had."""
        known = self.files.get(path)
        data = _encoded(text)
        if known is not None and b"\r\n" in self.repository.blob(known.sha):
            data = data.replace(b"\n", b"\r\n")
        mode = known.mode if known is not None else "100644"
        self.files[path] = File(mode, self.repository.put(data))


def _encoded(text: str) -> bytes:
    """A text as it lies in a file; half characters that a record holds are none of it."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def _texts(call: Call) -> Iterable[str]:
    yield from (value for value in call.input.values() if isinstance(value, str))
    if call.command is not None:
        yield call.command


def _pairs(given: Mapping[str, Any]) -> Iterator[tuple[str, str, bool]]:
    several = given.get("edits")
    for one in several if isinstance(several, list) else [given]:
        if isinstance(one, Mapping):
            old, new = _first(one, _OLD), _first(one, _NEW)
            if isinstance(old, str) and isinstance(new, str):
                yield _same_lines(old), _same_lines(new), bool(_first(one, _ALL)) or _many(one)


def _many(given: Mapping[str, Any]) -> bool:
    number = given.get("expected_replacements")
    return isinstance(number, int) and number > 1


def _first(given: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((given[name] for name in names if name in given), None)


def _same_lines(text: str) -> str:
    return text.replace("\r\n", "\n")
