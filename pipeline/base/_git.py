"""A repository of somebody else's, read without running or obeying anything that it configures."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Final

from swe_together.pipeline.base._room import OPTIONS, GitError, Room

_FIELDS: Final = "%H%x00%P%x00%T%x00%at%x00%ct%x00%an <%ae>%x00%B%x00%x01"


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit. Times are those of its author and of the commit itself."""

    sha: str
    parents: tuple[str, ...]
    tree: str
    authored: datetime
    committed: datetime
    author: str
    message: str

    @property
    def subject(self) -> str:
        """The first line of its message."""
        return self.message.partition("\n")[0]


@dataclass(frozen=True, slots=True)
class File:
    """An entry of a tree: mode as git writes it (``100644``, ``100755``, ``120000``, ``160000``), and the blob."""

    mode: str
    sha: str


Tree = Mapping[str, File]
"""Files by path."""


class Repository(Room):
    """A repository to read, and room of our own beside it for blobs and trees that are made up on the way.

    Args:
        path: A working tree, a bare repository or its git directory.

    Raises:
        MisuseError: It is no git repository.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._trees: dict[str, dict[str, File]] = {}

    @property
    def name(self) -> str:
        """The folder's name, without ``.git``."""
        return (self.path.parent if self.path.name == ".git" else self.path).name.removesuffix(".git")

    @cached_property
    def refs(self) -> dict[str, str]:
        """Commits by the full name of their branch or tag, and ``HEAD``."""
        found = dict[str, str]()
        listed = self._ask_theirs(
            "for-each-ref", "--format=%(refname)%00%(objectname)%00%(*objectname)%00%(objecttype)"
        )
        for line in listed.splitlines():
            name, sha, peeled, kind = line.split("\0")
            if kind in ("commit", "tag"):
                found[name] = peeled or sha
        head = self._ask_theirs("rev-parse", "--quiet", "--verify", "HEAD^{commit}", ok=(0, 1, 128)).strip()
        return found | ({"HEAD": head} if head else {})

    @cached_property
    def branch(self) -> str | None:
        """Name of the branch that is checked out; None on a detached commit."""
        told = self._ask_theirs("symbolic-ref", "--quiet", "--short", "HEAD", ok=(0, 1, 128)).strip()
        return told or None

    @cached_property
    def default_branch(self) -> str | None:
        """The full name of what others build on: the remote's head, ``main``, ``master``, or what is checked out."""
        told = self._ask_theirs("symbolic-ref", "--quiet", "refs/remotes/origin/HEAD", ok=(0, 1, 128)).strip()
        names = [told, "refs/heads/main", "refs/heads/master", "refs/remotes/origin/main", "refs/remotes/origin/master",
                 f"refs/heads/{self.branch}"]  # fmt: skip
        return next((name for name in names if name in self.refs), "HEAD" if "HEAD" in self.refs else None)

    @cached_property
    def remotes(self) -> tuple[str, ...]:
        """URLs of the remotes, as their file says, without any name or password in them."""
        done = self._run([self._git, *OPTIONS, "config", "--file", str(self._theirs / "config"), "--no-includes",
                          "--get-regexp", r"^remote\..*\.url$"], ok=(0, 1))  # fmt: skip
        urls = (line.partition(" ")[2] for line in done.decode("utf-8", "replace").splitlines())
        return tuple(re.sub(r"(?<=://)[^/@]*@", "", url) for url in urls)

    def resolve(self, revision: str) -> str | None:
        """The full hash of a commit; None where it isn't there, or means several."""
        named = self.refs.get(revision) or next(
            (self.refs[f"{prefix}{revision}"] for prefix in ("refs/heads/", "refs/tags/", "refs/remotes/")
             if f"{prefix}{revision}" in self.refs), revision
        )  # fmt: skip
        if not re.fullmatch(r"[0-9a-f]{4,64}", named):
            return None
        done = self.ask("rev-parse", "--quiet", "--verify", f"{named}^{{commit}}", ok=(0, 1, 128))
        return done.decode().strip() or None

    def commit(self, sha: str) -> Commit:
        """One commit.

        Raises:
            GitError: It isn't there.
        """
        return next(self._log("--max-count=1", sha))

    def first_parents(self, tip: str, limit: int | None = None) -> Iterator[Commit]:
        """The commits of a branch as it grew, youngest first."""
        return self._log("--first-parent", *([f"--max-count={limit}"] if limit else []), tip)

    def all_commits(self, since: datetime | None = None, until: datetime | None = None) -> list[Commit]:
        """Commits of every ref, youngest first, made between two times."""
        return [
            one
            for one in self._everything
            if (since is None or one.committed >= since) and (until is None or one.committed <= until)
        ]

    @cached_property
    def _everything(self) -> tuple[Commit, ...]:
        tips = sorted(set(self.refs.values()))
        return tuple(self._log("--date-order", "--stdin", stdin=_lines(tips))) if tips else ()

    @cached_property
    def on_branches(self) -> frozenset[str]:
        """Commits that a branch, of here or of a remote, still holds."""
        heads = ("refs/heads/", "refs/remotes/", "HEAD")
        tips = sorted({sha for name, sha in self.refs.items() if name.startswith(heads)})
        return frozenset(self.ask("rev-list", "--stdin", stdin=_lines(tips)).decode().split()) if tips else frozenset()

    def between(self, base: str, head: str) -> list[Commit]:
        """Commits that head has and base hasn't, oldest first."""
        return list(self._log("--topo-order", "--reverse", head, f"^{base}"))

    def is_ancestor(self, old: str, young: str) -> bool:
        """Whether one commit is the other's forebear, or the same."""
        return self._status("merge-base", "--is-ancestor", old, young) == 0

    def tree(self, treeish: str) -> Tree:
        """All files of a commit or tree."""
        known = self._trees.get(treeish)
        if known is None:
            known = {}
            for entry in self.ask("ls-tree", "-r", "-z", "--full-tree", treeish).split(b"\0"):
                if entry:
                    facts, _, name = entry.partition(b"\t")
                    mode, _, sha = facts.decode().split(" ")
                    known[os.fsdecode(name)] = File(mode, sha)
            self._trees[treeish] = known
        return known

    def blob(self, sha: str) -> bytes:
        """Content of a file.

        Raises:
            GitError: The object isn't there.
        """
        return self.ask("cat-file", "blob", sha)

    def blobs(self, shas: Sequence[str]) -> Iterator[tuple[str, bytes | None]]:
        """Contents of many files, in order; None for one that isn't there."""
        if not shas:
            return
        done = self.ask("cat-file", "--batch", stdin="\n".join(shas).encode() + b"\n")
        at = 0
        for sha in shas:
            end = done.index(b"\n", at)
            head = done[at:end].split(b" ")
            at = end + 1
            if head[-1] in (b"missing", b"ambiguous"):
                yield sha, None
                continue
            size = int(head[-1])
            yield sha, done[at : at + size]
            at += size + 1

    def hashes(self, questions: Sequence[tuple[str, str]]) -> list[str | None]:
        """The blob at each commit and path; None where there is none. One process for all of them."""
        asked = [f"{commit}:{path}" for commit, path in questions]
        if any("\n" in one for one in asked):
            raise GitError("A path holds a line break.", "Leave that file out.")
        if not asked:
            return []
        done = self.ask(
            "cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=os.fsencode("\n".join(asked)) + b"\n"
        )
        return [
            line.split(b" ")[0].decode() if line.endswith(b" blob") else None for line in done.splitlines()
        ]  # fmt: skip

    def full_names(self, names: Sequence[str]) -> list[str | None]:
        """The blobs whose hashes begin so; None where there is none, or several."""
        if not names:
            return []
        done = self.ask("cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=_lines(names))
        return [line.split(b" ")[0].decode() if line.endswith(b" blob") else None for line in done.splitlines()]

    def put(self, content: bytes) -> str:
        """Keep a file's content in our own room; its hash is git's."""
        return self.ask("hash-object", "-w", "--stdin", stdin=content).decode().strip()

    def hash_of(self, content: bytes) -> str:
        """What git would call this content."""
        return self.ask("hash-object", "--stdin", stdin=content).decode().strip()

    def write_tree(self, files: Tree) -> str:
        """A tree of these files, in our own room; its hash is git's."""
        index = self._folder / "index"
        index.unlink(missing_ok=True)
        lines = b"".join(
            f"{file.mode} {file.sha} 0\t".encode() + os.fsencode(path) + b"\0" for path, file in files.items()
        )
        self.ask("update-index", "-z", "--index-info", stdin=lines, index=index)
        return self.ask("write-tree", "--missing-ok", index=index).decode().strip()

    def patch(self, old: str, new: str, paths: Iterable[str] | None = None) -> bytes:
        """The difference between two commits or trees, as ``git apply`` takes it; of some paths only, if wanted."""
        chosen = [] if paths is None else ["--", *(f":(literal){path}" for path in paths)]
        if chosen == ["--"]:
            return b""
        return self.ask("diff-tree", "-r", "-p", "--binary", "--full-index", "--no-renames", "--no-ext-diff",
                        "--no-textconv", "--no-color", old, new, *chosen)  # fmt: skip

    def changed(self, old: str, new: str) -> list[str]:
        """Paths that differ between two commits or trees."""
        done = self.ask("diff-tree", "-r", "-z", "--name-only", "--no-renames", old, new)
        return [os.fsdecode(path) for path in done.split(b"\0") if path]

    def _log(self, *arguments: str, stdin: bytes = b"") -> Iterator[Commit]:
        done = self.ask("log", f"--format={_FIELDS}", "--no-show-signature", *arguments, stdin=stdin)
        for record in done.decode("utf-8", "replace").split("\0\x01\n"):
            if not record:
                continue
            sha, parents, tree, authored, committed, author, message = record.split("\0", 6)
            yield Commit(
                sha, tuple(parents.split()), tree, datetime.fromtimestamp(int(authored), UTC),
                datetime.fromtimestamp(int(committed), UTC), author, message.strip("\n"),
            )  # fmt: skip


def _lines(shas: Iterable[str]) -> bytes:
    return "".join(f"{sha}\n" for sha in shas).encode()
