"""Checkpoints as Entire keeps them: a tree of folders on a branch of the repository, each with the log so far.

``<aa>/<rest of the id>/metadata.json`` and, one for each session, ``<n>/metadata.json`` with ``full.jsonl``. A log is
cumulative over checkpoints, so of each session the longest is taken. A commit names its checkpoint in a trailer.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeGuard

import orjson

from swe_together.pipeline.sessions._git import contents, git, sizes, tree_files
from swe_together.pipeline.sessions._source import Checkpoint
from swe_together.pipeline.sessions._times import parse_time
from swe_together.pipeline.sessions._values import as_dict, as_text

CHECKPOINT_LOGS: Final = ("full.jsonl", "transcript.jsonl")
METADATA: Final = "metadata.json"
LOST: Final = -1
"""Size of a log that the repository doesn't have: a snapshot may lack large files. Reading it is an error."""
_REFS: Final = ("refs/heads/entire/checkpoints/*", "refs/remotes/*/entire/checkpoints/*")
_TRAILER: Final = "Entire-Checkpoint"


@dataclass(frozen=True, slots=True)
class Stored:
    """The longest log of one session on a branch."""

    name: str
    blobs: tuple[str, ...]
    size: int
    facts: Checkpoint


@dataclass(frozen=True, slots=True)
class CheckedOut:
    """The longest log of one session in a checked-out tree."""

    files: tuple[Path, ...]
    size: int
    facts: Checkpoint


@dataclass(frozen=True, slots=True)
class _Log:
    """One log of one checkpoint. ``where`` is a path in a tree or in the file system, ``size`` may be ``LOST``."""

    where: str
    pieces: tuple[str, ...]
    size: int
    session: Mapping[str, Any]
    root: Mapping[str, Any]


def in_branches(repository: Path) -> Iterator[Stored]:
    """Sessions on the repository's branches of checkpoints; none where it has no such branch.

    Raises:
        SessionFileError: git fails.
    """
    listed = git(repository, "for-each-ref", "--format=%(refname)", *_REFS).decode().split()
    seen: set[str] = set()
    logs: list[_Log] = []
    for ref in listed:
        files = {path: blob for path, blob in tree_files(repository, ref).items() if path not in seen}
        seen |= files.keys()
        logs += _logs_of_tree(repository, files)
    commits = _commits(repository) if logs else {}
    for facts, log in _longest(logs, commits):
        yield Stored(log.where, log.pieces, log.size, facts)


def checked_out(files: Iterable[Path]) -> Iterator[CheckedOut]:
    """Sessions of logs that lie in folders of a checked-out tree."""
    logs: list[_Log] = []
    for file in files:
        pieces = (file, *sorted(file.parent.glob(f"{file.name}.[0-9]*")))
        logs.append(
            _Log(
                str(file),
                tuple(map(str, pieces)),
                sum(piece.stat().st_size for piece in pieces),
                _metadata(file.parent / METADATA),
                _metadata(file.parent.parent / METADATA),
            )
        )
    for facts, log in _longest(logs, {}):
        yield CheckedOut(tuple(map(Path, log.pieces)), log.size, facts)


def beside(log: Path) -> Checkpoint | None:
    """What the metadata beside a log say; None where there are none of this kind."""
    session, root = _metadata(log.parent / METADATA), _metadata(log.parent.parent / METADATA)
    if "checkpoint_id" not in session and "session_id" not in session:
        return None
    return _facts([_Log(str(log), (), 0, session, root)], {})


def _logs_of_tree(repository: Path, files: Mapping[str, str]) -> Iterator[_Log]:
    wanted: dict[str, str] = {}
    for path in files:
        folder, _, name = path.rpartition("/")
        if name in CHECKPOINT_LOGS and f"{folder}/{METADATA}" in files:
            wanted[folder] = path
    records = [f"{folder}/{METADATA}" for folder in wanted]
    records += [path for folder in wanted if (path := f"{folder.rpartition('/')[0]}/{METADATA}") in files]
    read = dict(contents(repository, {files[path] for path in records}))
    pieces = {
        folder: [path, *sorted(other for other in files if other.startswith(f"{path}."))]
        if f"{path}.001" in files
        else [path]
        for folder, path in wanted.items()
    }
    known = sizes(repository, {files[path] for paths in pieces.values() for path in paths})
    for folder, paths in pieces.items():
        blobs = tuple(files[path] for path in paths)
        parent = files.get(f"{folder.rpartition('/')[0]}/{METADATA}")
        yield _Log(
            paths[0],
            blobs,
            sum(known[blob] for blob in blobs) if all(blob in known for blob in blobs) else LOST,
            _json(read.get(files[f"{folder}/{METADATA}"], b"")),
            _json(read.get(parent, b"")) if parent else {},
        )


def _longest(logs: Iterable[_Log], commits: Mapping[str, list[str]]) -> Iterator[tuple[Checkpoint, _Log]]:
    sessions: dict[str, list[_Log]] = defaultdict(list)
    for log in logs:
        sessions[as_text(log.session.get("session_id")) or log.where].append(log)
    for same in sessions.values():
        yield _facts(same, commits), max(same, key=lambda log: (log.size, _created(log)))


def _facts(logs: list[_Log], commits: Mapping[str, list[str]]) -> Checkpoint:
    logs = sorted(logs, key=_created)
    last = logs[-1].session
    named = {_id(log) for log in logs}
    linked = [commit for commit, checkpoints in commits.items() if not named.isdisjoint(checkpoints)]
    return Checkpoint(
        session_id=as_text(last.get("session_id")) or "",
        agent=as_text(last.get("agent")),
        branch=as_text(logs[0].session.get("branch")) or as_text(logs[0].root.get("branch")),
        agent_share=_share([as_dict(log.session.get("initial_attribution")) for log in logs]),
        commits=tuple(linked),
    )


def _id(log: _Log) -> str:
    return as_text(log.session.get("checkpoint_id")) or as_text(log.root.get("checkpoint_id")) or ""


def _created(log: _Log) -> datetime:
    return parse_time(log.session.get("created_at")) or datetime.min.replace(tzinfo=UTC)


def _share(attributions: Iterable[Mapping[str, Any]]) -> float | None:
    """The agent's share of a commit's lines, of the commit where it is largest; None where no checkpoint tells it.

    Not over all commits: a merge of other people's work is linked too, and its thousands of lines would drown it.
    """
    percents = [facts.get("agent_percentage") for facts in attributions]
    return max((value / 100 for value in percents if _is_number(value) and 0 <= value <= 100), default=None)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _commits(repository: Path) -> dict[str, list[str]]:
    """Commits that name checkpoints, oldest first, each with the ids it names."""
    form = f"--format=%H %(trailers:key={_TRAILER},valueonly,separator=%x20)"
    log = git(repository, "log", "--exclude=refs/*/entire/*", "--all", "--date-order", "--reverse", form)
    lines = (line.split() for line in log.decode(errors="replace").splitlines())
    return {commit: checkpoints for commit, *checkpoints in lines if checkpoints}


def _metadata(file: Path) -> dict[str, Any]:
    try:
        return _json(file.read_bytes())
    except OSError:
        return {}


def _json(data: bytes) -> dict[str, Any]:
    try:
        return as_dict(orjson.loads(data))
    except orjson.JSONDecodeError:
        return {}
