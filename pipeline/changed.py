"""Which tasks a range of commits changes, told by their digests: what a pull request has to prove, and nothing else."""

import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from swe_together.errors import MisuseError, TogetherError
from swe_together.tasks import task_digest

FOLDER: Final = "tasks"


@dataclass(frozen=True)
class ChangedTask:
    """A task whose digest differs.

    Attributes:
        path: Of its directory, relative to the repository.
        digest: At the end of the range; None where it is gone.
        before: At the beginning; None where it is new.
    """

    path: str
    digest: str | None
    before: str | None

    @property
    def status(self) -> str:
        """``added``, ``changed`` or ``removed``."""
        if self.digest is None:
            return "removed"
        return "added" if self.before is None else "changed"


def changed_tasks(repository: Path, commits: str) -> list[ChangedTask]:
    """Tasks whose digest isn't the same at both ends of the range, by name.

    Args:
        repository: A folder in the git work tree.
        commits: ``BASE..HEAD``; with three dots, from where HEAD left BASE.

    Raises:
        MisuseError: It is no range of commits here.
    """
    base, dots, head = commits.partition("...") if "..." in commits else commits.partition("..")
    if not base or not dots or not head:
        raise MisuseError(f"{commits!r} is no range of commits.", "Write BASE..HEAD, e.g. origin/main..HEAD.")
    if dots == "...":
        base = _git(repository, "merge-base", base, head).decode().strip()
    before, after = _digests(repository, base), _digests(repository, head)
    return [
        ChangedTask(f"{FOLDER}/{name}", after.get(name), before.get(name))
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    ]


def all_tasks(repository: Path, commit: str) -> list[ChangedTask]:
    """Every task of a commit, as if it were new.

    Raises:
        MisuseError: There is no such commit here.
    """
    return [
        ChangedTask(f"{FOLDER}/{name}", digest, None) for name, digest in sorted(_digests(repository, commit).items())
    ]


@contextmanager
def checked_out(repository: Path, commit: str) -> Iterator[Path]:
    """A folder that holds the tasks as a commit has them, and is gone afterwards.

    Args:
        repository: A folder in the git work tree.
        commit: Or a range of commits, whose end is meant.

    Raises:
        MisuseError: There is no such commit here.
        TogetherError: One of its files can't lie in a folder of its own.
    """
    commit = commit.rpartition("..")[2]
    top = _top(repository)
    listed = _git(top, "ls-tree", "--name-only", f"{commit}^{{commit}}", f"{FOLDER}/")
    with TemporaryDirectory(prefix="swe-together-changed-") as name:
        folder = Path(name).resolve()
        if listed.strip():
            archive = _git(top, "archive", "--format=tar", commit, FOLDER)
            try:
                with tarfile.open(fileobj=BytesIO(archive)) as tar:
                    tar.extractall(folder, filter="data")
            except tarfile.FilterError as error:
                raise TogetherError(f"{commit}: {error}.", "Put the file itself there instead of a link.") from None
        yield folder


def differing(repository: Path, commit: str) -> list[str]:
    """Paths of tasks that the working tree has otherwise than a commit, or that only one of them has, by name.

    Raises:
        MisuseError: There is no such commit here.
    """
    here, there = _digests_in(_top(repository)), _digests(repository, commit)
    return [f"{FOLDER}/{name}" for name in sorted(here.keys() | there.keys()) if here.get(name) != there.get(name)]


def _digests(repository: Path, commit: str) -> dict[str, str]:
    """Digests of all tasks as they stand in a commit, by name of their directory."""
    with checked_out(repository, commit) as folder:
        return _digests_in(folder)


def _digests_in(folder: Path) -> dict[str, str]:
    tasks = [path.parent for path in (folder / FOLDER).glob("*/task.toml")]
    return {task.name: task_digest(task) for task in tasks}


def _top(repository: Path) -> Path:
    return Path(_git(repository, "rev-parse", "--show-toplevel").decode().strip())


def _git(folder: Path, *arguments: str) -> bytes:
    try:
        done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=False)
    except FileNotFoundError:
        raise MisuseError("git is not installed.", "Install it.") from None
    if done.returncode != 0:
        told = " ".join(done.stderr.decode(errors="replace").split())
        raise MisuseError(
            f"git {arguments[0]} failed: {told}.", "Name commits that are here; a shallow clone lacks older ones."
        )
    return done.stdout
