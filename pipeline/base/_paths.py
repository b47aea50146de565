"""Recorded paths, brought to where they lie in the repository."""

import re
from collections.abc import Collection, Iterable
from pathlib import PurePosixPath
from typing import Final

_WINDOWS: Final = re.compile(r"^[A-Za-z]:[\\/]")


def root_of(paths: Iterable[str], cwd: str | None, files: Collection[str]) -> str | None:
    """The folder that was the repository's root when paths were recorded.

    It is the one under which most of the paths exist in ``files``, the working folder or one that holds it first, then
    the deepest. None where none of them exists and no working folder is recorded.

    Args:
        paths: As recorded, absolute ones counted alone.
        cwd: The session's working folder.
        files: Paths of the repository's files.
    """
    recorded = {plain(path) for path in paths}
    absolute = {path for path in recorded if path.startswith("/")}
    home = plain(cwd) if cwd else None
    own = [home, *map(str, PurePosixPath(home).parents)] if home else []
    roots = [*own, *sorted({str(one) for path in absolute for one in PurePosixPath(path).parents} - set(own))]
    known = files if isinstance(files, (set, frozenset, dict)) else set(files)
    best: tuple[int, int, int] | None = None
    found: str | None = None
    for root in roots:
        hits = sum(1 for path in absolute if path.startswith(f"{root.rstrip('/')}/")
                   and path[len(root.rstrip("/")) + 1 :] in known)  # fmt: skip
        rank = (hits, int(root in own), len(root))
        if hits and (best is None or rank > best):
            best, found = rank, root
    return found or home


def within(path: str, root: str | None) -> str | None:
    """A recorded path relative to the root; None where it lies outside, in git's own folder, or is none git takes."""
    path = plain(path)
    if path.startswith("/"):
        if root is None or not path.startswith(f"{root.rstrip('/')}/"):
            return None
        path = path[len(root.rstrip("/")) + 1 :]
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if not parts or any(part == ".." or part.casefold() == ".git" for part in parts):
        return None
    return None if re.search(r"[\x00-\x1f]", path) else "/".join(parts)


def plain(path: str) -> str:
    """The path with slashes, a drive letter as its first folder."""
    if _WINDOWS.match(path):
        return "/" + path.replace("\\", "/")
    return path if path == "/" else path.rstrip("/")
