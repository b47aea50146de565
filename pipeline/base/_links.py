"""Commits that belong to a session: named by its record, by checkpoints, by trailers, by what git printed in it."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal

from swe_together.pipeline.base._git import Commit, Repository
from swe_together.pipeline.sessions import Call, Event, Outcome, Session

By = Literal["record", "checkpoint", "trailer", "printed", "time"]

CHECKPOINTS: Final = ("refs/heads/entire/checkpoints/v1", "refs/remotes/origin/entire/checkpoints/v1")
AFTER: Final = timedelta(hours=3)
"""How long after a session's end a commit of its files may still be its own."""
_CHECKPOINT: Final = re.compile(r"(?m)^Entire-Checkpoint: *([0-9a-f]{6,40}) *$")
_TRAILER: Final = re.compile(r"(?m)^[A-Za-z][A-Za-z-]*: *(\S.*)$")
PRINTED: Final = re.compile(r"(?m)^\[[^\]\n]*?\b([0-9a-f]{7,40})\] ")
"""What ``git commit`` prints of a commit."""
_COMMITS: Final = re.compile(r"\bgit\b[^\n|;&]*\bcommit\b")


@dataclass(frozen=True, slots=True)
class Linked:
    """A commit of a session, and by what it is known as one."""

    commit: Commit
    by: By


def linked_commits(session: Session, repository: Repository, paths: Iterable[str] = ()) -> list[Linked]:
    """The session's commits, oldest first; the first way that finds some decides.

    Args:
        session: The session.
        repository: Where they lie.
        paths: Files that the session changed, as they are called in the repository: where nothing else is known,
            commits of these made during the session, or soon after, on the branch of the session are taken.
    """
    ways: Sequence[tuple[By, Iterator[str]]] = (
        ("record", iter(session.origin.commits)),
        ("checkpoint", _checkpointed(session, repository)),
        ("trailer", _in_trailers(session, repository)),
        ("printed", _printed(session)),
        ("time", _in_time(session, repository, frozenset(paths))),
    )
    for by, named in ways:
        found = {sha: repository.commit(sha) for name in named if (sha := repository.resolve(name)) is not None}
        if found:
            ordered = sorted(found.values(), key=lambda one: one.committed)
            return [Linked(commit, by) for commit in _still_held(ordered, repository)]
    return []


def _checkpointed(session: Session, repository: Repository) -> Iterator[str]:
    """Commits whose trailer names a checkpoint that holds the session."""
    branch = next((name for name in CHECKPOINTS if name in repository.refs), None)
    if branch is None:
        return
    tree = repository.tree(repository.refs[branch])
    files = {file.sha: path for path, file in tree.items() if path.endswith("/metadata.json") and path.count("/") >= 3}
    mine = set[str]()
    for sha, content in repository.blobs(list(files)):
        if content is not None and session.origin.session_id in _session_ids(content):
            mine.add("".join(files[sha].split("/")[:2]))
    if mine:
        yield from (one.sha for one in repository.all_commits() if mine & set(_CHECKPOINT.findall(one.message)))


def _session_ids(content: bytes) -> set[str]:
    try:
        value = json.loads(content)
    except ValueError:
        return set()
    return {str(value["session_id"])} if isinstance(value, dict) and "session_id" in value else set()


def _in_trailers(session: Session, repository: Repository) -> Iterator[str]:
    """Commits with a trailer that names the session."""
    name = session.origin.session_id
    if len(name) >= 8:
        for one in repository.all_commits(since=session.started):
            if any(name in told for told in _TRAILER.findall(one.message)):
                yield one.sha


def _printed(session: Session) -> Iterator[str]:
    """Hashes that ``git commit`` printed when the agent ran it."""
    yield from printed_commits(session.events)


def printed_commits(events: Iterable[Event]) -> Iterator[str]:
    """Short hashes that ``git commit`` printed among these events."""
    committing = set[str]()
    for event in events:
        if isinstance(event, Call) and event.command is not None and _COMMITS.search(event.command):
            committing.add(event.call_id)
        elif isinstance(event, Outcome) and event.call_id in committing:
            yield from PRINTED.findall(event.text)


def _in_time(session: Session, repository: Repository, paths: frozenset[str]) -> Iterator[str]:
    branch = session.origin.branch
    tip = branch and (repository.resolve(branch) or repository.resolve(f"origin/{branch}"))
    tip = tip or (repository.default_branch and repository.refs[repository.default_branch])
    if not tip or session.started is None or session.ended is None or not paths:
        return
    for one in repository.first_parents(tip):
        if one.committed < session.started:
            return
        near = one.committed <= session.ended + AFTER and one.parents
        if near and paths & set(repository.changed(one.parents[0], one.sha)):
            yield one.sha


def _still_held(commits: Sequence[Commit], repository: Repository) -> list[Commit]:
    """Without those that no branch holds any more: an amended or rebased copy has replaced them."""
    return [one for one in commits if one.sha in repository.on_branches] or list(commits)
