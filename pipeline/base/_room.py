"""An empty repository of our own that borrows the objects of somebody else's: git obeys nothing of theirs in it.

Their configuration, hooks, filters, attributes, replacements and remotes are never looked at by git there, so none of
them can run; a partial clone fetches nothing. Their own repository is asked for the names of its refs alone.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from swe_together.errors import MisuseError, TogetherError

GIT_SEC: Final = 300.0
_ENVIRONMENT: Final = {
    "LC_ALL": "C",
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOW_PROTOCOL": "none",
}
OPTIONS: Final = (
    *("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.attributesFile=/dev/null"),
    *("-c", "core.quotePath=false", "-c", "safe.directory=*", "-c", "core.pager=cat"),
)


class GitError(TogetherError):
    """A repository could not be read."""


class Room:
    """Room for git beside a repository.

    Args:
        path: A working tree, a bare repository or its git directory.

    Raises:
        MisuseError: It is no git repository.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self._git = shutil.which("git") or ""
        if not self._git:
            raise GitError("There is no git on this machine.", "Install git.")
        self._theirs = self._directory(path)
        self._folder = Path(tempfile.mkdtemp(prefix="swe-together-git-"))
        self._own = self._folder / "git"
        self._start()

    def __enter__(self) -> Self:
        """The repository itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove what was made up."""
        self.close()

    def close(self) -> None:
        """Remove what was made up."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def ask(self, *arguments: str, stdin: bytes = b"", ok: Sequence[int] = (0,), index: Path | None = None) -> bytes:
        """Run git in our own room.

        Raises:
            GitError: It failed.
        """
        more = {} if index is None else {"GIT_INDEX_FILE": str(index)}
        return self._run([self._git, f"--git-dir={self._own}", *OPTIONS, *arguments], stdin=stdin, ok=ok, more=more)

    def _directory(self, path: Path) -> Path:
        if not path.is_dir():
            raise MisuseError(f"{path}: there is no such folder.", "Give the folder of a git repository.")
        done = subprocess.run(
            [self._git, *OPTIONS, "-C", str(path), "rev-parse", "--path-format=absolute", "--git-common-dir"],
            env=self._environment(), capture_output=True, timeout=GIT_SEC, check=False,
        )  # fmt: skip
        if done.returncode:
            raise MisuseError(f"{path}: is no git repository.", "Give the folder of a git repository.")
        return Path(os.fsdecode(done.stdout.rstrip(b"\n")))

    def _start(self) -> None:
        form = self._ask_theirs("rev-parse", "--show-object-format").strip()
        self._run([self._git, *OPTIONS, "init", "--quiet", "--bare", "--template=", f"--object-format={form}",
                   str(self._own)])  # fmt: skip
        objects = self._theirs / "objects"
        if "\n" in str(objects):
            raise GitError(f"{self.path}: its name holds a line break.", "Rename the folder.")
        info = self._own / "objects" / "info"
        info.mkdir(exist_ok=True)
        (info / "alternates").write_text(f'"{_escaped(str(objects))}"\n')
        shallow = self._theirs / "shallow"
        if shallow.is_file():
            shutil.copy(shallow, self._own / "shallow")

    def _ask_theirs(self, *arguments: str, ok: Sequence[int] = (0,)) -> str:
        command = [self._git, *OPTIONS, "-C", str(self.path), *arguments]
        return self._run(command, ok=ok).decode("utf-8", "surrogateescape")

    def _status(self, *arguments: str) -> int:
        done = subprocess.run([self._git, f"--git-dir={self._own}", *OPTIONS, *arguments], env=self._environment(),
                              capture_output=True, timeout=GIT_SEC, check=False)  # fmt: skip
        return done.returncode

    def _run(
        self, command: list[str], *, stdin: bytes = b"", ok: Sequence[int] = (0,), more: Mapping[str, str] | None = None
    ) -> bytes:
        try:
            done = subprocess.run(command, input=stdin, env=self._environment() | dict(more or {}), capture_output=True,
                                  timeout=GIT_SEC, check=False)  # fmt: skip
        except subprocess.TimeoutExpired:
            raise GitError(f"{self.path}: git took longer than {GIT_SEC:g} s.", "Try again.") from None
        if done.returncode not in ok:
            told = " ".join(done.stderr.decode("utf-8", "replace").split())[-300:]
            raise GitError(f"{self.path}: git could not read it: {told}", "Look at the repository with git fsck.")
        return done.stdout

    def _environment(self) -> dict[str, str]:
        return {"PATH": os.environ.get("PATH", os.defpath), **_ENVIRONMENT}


def _escaped(path: str) -> str:
    return path.replace("\\", "\\\\").replace('"', '\\"')
