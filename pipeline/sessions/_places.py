"""Finding recorded sessions below folders and inside git repositories."""

import io
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from swe_together.errors import MisuseError, SessionFileError
from swe_together.pipeline.sessions._checkpoints import CHECKPOINT_LOGS, checked_out, in_branches
from swe_together.pipeline.sessions._git import git, is_repository
from swe_together.pipeline.sessions._source import Checkpoint, Source, unreadable

_ENDINGS: Final = (".jsonl", ".json", ".db")
_PASSED_OVER: Final = frozenset({".git", "node_modules", ".venv", "__pycache__"})


@dataclass(frozen=True, slots=True)
class Place:
    """Where one file of sessions lies. It can be sent to another process."""

    path: Path
    """The file, or the git repository that holds ``blobs``."""
    size: int
    """Bytes."""
    stamp: str
    """Changes when the content does, with ``size``: the time of the last change, or the object ids."""
    given: bool = False
    """Named by the caller, and not found below a folder: then it has to be a file of sessions."""
    name: str = ""
    """Inside a repository: the path in the tree."""
    blobs: tuple[str, ...] = ()
    parts: tuple[Path, ...] = ()
    """Further files, of a log that was cut into pieces."""
    checkpoint: Checkpoint | None = None

    @property
    def key(self) -> str:
        """Names the file among all."""
        return f"{self.path}:{self.name}" if self.blobs else str(self.path)

    def source(self) -> Source:
        """The file, to be read."""
        if self.blobs:
            repository, name, blobs = self.path, self.name, self.blobs
            return Source(repository, name, lambda: _blobs(repository, name, blobs), self.checkpoint)
        if self.parts:
            files = (self.path, *self.parts)
            return Source(self.path, "", lambda: _joined(files), self.checkpoint)
        return Source(self.path, checkpoint=self.checkpoint)


def find_sessions(paths: Iterable[Path]) -> Iterator[Place]:
    """Files that may hold sessions: those named, those below folders, and those on branches of checkpoints.

    Raises:
        MisuseError: A path isn't there.
        SessionFileError: A repository can't be read.
    """
    for path in paths:
        path = path.absolute()
        if path.is_file():
            yield _file(path, given=True)
        elif path.is_dir():
            yield from _below(path)
        else:
            raise MisuseError(f"{path}: no such file or folder.", "Name files of sessions, or folders that hold them.")


def _below(root: Path) -> Iterator[Place]:
    logs: list[Path] = []
    for folder, folders, files in os.walk(root):
        here = Path(folder)
        if is_repository(here):
            found = False
            for stored in in_branches(here):
                found = True
                yield Place(
                    here, stored.size, "+".join(stored.blobs), False, stored.name, stored.blobs, (), stored.facts
                )
            if found or not (here / ".git").exists():
                folders.clear()
                continue
        folders[:] = sorted(name for name in folders if name not in _PASSED_OVER)
        checkpoint = "metadata.json" in files and any(name in CHECKPOINT_LOGS for name in files)
        for name in sorted(files):
            file = here / name
            if checkpoint:
                if name in CHECKPOINT_LOGS:
                    logs.append(file)
            elif name.endswith(_ENDINGS) and not (name == "metadata.json" or (file.is_symlink() and not file.exists())):
                yield _file(file)
    for kept in checked_out(logs):
        first, *rest = kept.files
        place = _file(first)
        yield Place(first, kept.size, place.stamp, parts=tuple(rest), checkpoint=kept.facts)


def _file(path: Path, given: bool = False) -> Place:
    try:
        status = path.stat()
    except OSError as error:
        raise unreadable(path, error) from error
    return Place(path, status.st_size, str(status.st_mtime_ns), given)


def _blobs(repository: Path, name: str, blobs: tuple[str, ...]) -> io.BytesIO:
    try:
        return io.BytesIO(b"".join(git(repository, "cat-file", "blob", blob) for blob in blobs))
    except SessionFileError as error:
        raise SessionFileError(
            f"{repository}:{name}: the repository lacks this log ({', '.join(blob[:12] for blob in blobs)}).",
            "Fetch the branch whole: a snapshot or a partial clone may lack large files.",
        ) from error


def _joined(files: tuple[Path, ...]) -> io.BytesIO:
    return io.BytesIO(b"".join(file.read_bytes() for file in files))
