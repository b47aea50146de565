"""The sessions of a repository among all that somebody has recorded."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from swe_together.errors import SessionFileError
from swe_together.pipeline.base import Repository
from swe_together.pipeline.sessions import Session, find_sessions, read_sessions

Way = Literal["folder", "remote", "project", "name"]

_OWNER_NAME: Final = re.compile(r"([\w.-]+/[\w.-]+?)(?:\.git)?/?$")


@dataclass(frozen=True)
class Found:
    """A session of the repository, where it was read, and how it is known as one."""

    session: Session
    file: str
    way: Way


@dataclass(frozen=True)
class Unread:
    """A file that holds no session that can be read."""

    file: str
    reason: str


def sessions_of(paths: Iterable[Path], repository: Repository) -> Iterator[Found | Unread | Session]:
    """Every session in these files and folders: of the repository, of another one (as it is), or what can't be read.

    A file below a folder that is of no known format is no session, and passed.

    Raises:
        MisuseError: A path isn't there.
    """
    for place in find_sessions(paths):
        try:
            for session in read_sessions(place):
                way = belongs(session, repository)
                yield session if way is None else Found(session, place.key, way)
        except SessionFileError as error:
            if place.given:
                yield Unread(place.key, str(error))


def belongs(session: Session, repository: Repository) -> Way | None:
    """How a session is known to belong to a repository; None if it isn't.

    By the folder it was recorded in, by the remote that it names, by the hash that some programs keep instead of
    either, or at last by the folder's name: then its base must be proven.
    """
    origin = session.origin
    if origin.cwd is not None and _inside(origin.cwd, repository.path):
        return "folder"
    told = origin.repository
    if told is not None:
        if _named(told) in {_named(url) for url in repository.remotes} - {None}:
            return "remote"
        if told in _hashes(repository):
            return "project"
        if re.search(r"[:/]", told):
            return None  # it names another one
    if origin.cwd is not None and Path(origin.cwd.replace("\\", "/")).name == repository.name:
        return "name"
    return None


def _inside(cwd: str, root: Path) -> bool:
    path = Path(cwd)
    if not path.is_absolute():
        return False
    own = root.parent if root.name == ".git" else root
    return path == own or own in path.parents


def _named(url: str) -> str | None:
    found = _OWNER_NAME.search(url.replace(":", "/"))
    return found[1].casefold() if found else None


def _hashes(repository: Repository) -> set[str]:
    """What programs call a project: the hash of its path, or its first commit."""
    paths = {str(repository.path), str(repository.path.parent)}
    roots = (
        repository.ask("rev-list", "--max-parents=0", *sorted(set(repository.refs.values())))
        if repository.refs
        else b""
    )
    return {hashlib.sha256(path.encode()).hexdigest() for path in paths} | set(roots.decode().split())
