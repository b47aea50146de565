"""Reading of a git repository's objects, by git itself."""

import os
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from swe_together.errors import SessionFileError


def is_repository(path: Path) -> bool:
    """Whether the folder is a git repository: a work tree's root, or a bare one."""
    return (path / ".git").exists() or ((path / "HEAD").is_file() and (path / "objects").is_dir())


def git(repository: Path, *arguments: str, given: bytes | None = None) -> bytes:
    """What git prints.

    Raises:
        SessionFileError: git isn't there, or fails.
    """
    # No lazy fetching of a partial clone: nothing here may use the network.
    environment = {**os.environ, "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    command = ["git", "-C", str(repository), *arguments]
    try:
        done = subprocess.run(command, input=given, capture_output=True, check=False, env=environment)
    except OSError as error:
        raise SessionFileError(f"{repository}: git can't be run: {error}.", "Install git.") from error
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise SessionFileError(
            f"{repository}: git {arguments[0]} failed: {said[-1] if said else done.returncode}.",
            "Check the repository with `git fsck`.",
        )
    return done.stdout


def tree_files(repository: Path, revision: str) -> dict[str, str]:
    """Path → object id of every file in a revision's tree."""
    files: dict[str, str] = {}
    for entry in git(repository, "ls-tree", "-r", "-z", revision).split(b"\0"):
        facts, _, path = entry.partition(b"\t")
        parts = facts.split()
        if len(parts) == 3 and parts[1] == b"blob":
            files[path.decode(errors="replace")] = parts[2].decode()
    return files


def sizes(repository: Path, blobs: Iterable[str]) -> dict[str, int]:
    """Object id → bytes, of those that the repository has: a snapshot may lack large ones."""
    asked = "".join(f"{blob}\n" for blob in blobs).encode()
    found: dict[str, int] = {}
    for line in git(repository, "cat-file", "--batch-check", given=asked).decode().splitlines():
        parts = line.split()
        if len(parts) == 3 and parts[1] == "blob":
            found[parts[0]] = int(parts[2])
    return found


def contents(repository: Path, blobs: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Object id and content, of those that the repository has. For small files: all are held at once."""
    output = git(repository, "cat-file", "--batch", given="".join(f"{blob}\n" for blob in blobs).encode())
    position = 0
    while position < len(output):
        end = output.index(b"\n", position)
        header = output[position:end].split()
        position = end + 1
        if len(header) != 3:
            continue
        size = int(header[2])
        yield header[0].decode(), output[position : position + size]
        position += size + 1
