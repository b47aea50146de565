# ruff: noqa: PTH101, PTH103, PTH118, PTH120, PTH123 - the bytes of names are beyond pathlib
"""Builds a random state of a repository. Runs inside a test container, as the agent.

`repo_states.py SEED FOLDER [base|features]` prints the names of the features that the state has, on one line.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

IDENTITY = ["-c", "user.name=agent", "-c", "user.email=agent@example.invalid"]
TEXT = "alpha\nbeta\ngamma\n"


class State:
    def __init__(self, seed: int, root: Path) -> None:
        self.random = random.Random(seed)
        self.root = root

    def git(self, *args: str, cwd: Path | None = None, check: bool = True) -> str:
        done = subprocess.run(
            ["git", *IDENTITY, "-c", "protocol.file.allow=always", *args],
            cwd=cwd or self.root,
            check=False,
            text=True,
            capture_output=True,
        )
        assert done.returncode == 0 or not check, f"git {args}: {done.stderr}"
        return done.stdout.strip()

    def put(self, path: str | bytes, content: bytes | str = TEXT, mode: int | None = None) -> None:
        full = os.path.join(os.fsencode(self.root), os.fsencode(path))
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        if mode is not None:
            os.chmod(full, mode)

    def tracked(self) -> list[str]:
        names = subprocess.run(["git", "ls-files", "-z"], cwd=self.root, check=True, capture_output=True).stdout
        return [os.fsdecode(name) for name in names.split(b"\0") if name and (self.root / os.fsdecode(name)).is_file()]

    def base(self) -> None:
        self.git("init", "--quiet", "--template=", "--initial-branch", self.random.choice(["main", "trunk"]))
        for number in range(self.random.randint(2, 6)):
            lines = "".join(f"line {self.random.random()}\n" for _ in range(self.random.randint(0, 40)))
            self.put(f"src/module_{number}.py", lines)
        self.put("README.md", TEXT)
        self.put("old_name.txt", TEXT * 9)
        self.put("to_delete.txt")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "first")

    # --- features --------------------------------------------------------------------------------------------------
    def binary(self) -> None:
        self.put("data/blob.bin", self.random.randbytes(self.random.randint(1, 200_000)))
        self.put("data/nul.txt", b"a\0b\r\nc\n\0")

    def modes(self) -> None:
        for mode in (0o600, 0o664, 0o755, 0o4755, 0o2755, 0o400, 0o777):
            self.put(f"modes/{mode:o}.sh", f"#!/bin/sh\necho {mode:o}\n", mode)

    def unreadable(self) -> None:
        self.put("secret/none.txt", TEXT, 0)
        (self.root / "secret").chmod(self.random.choice([0o000, 0o311, 0o1777]))

    def links(self) -> None:
        (self.root / "links").mkdir()
        for number, target in enumerate(
            ["../src", "none", "/etc/passwd", ".", "../README.md", "../links/4", "x" * 900]
        ):
            (self.root / "links" / str(number)).symlink_to(target)
        if self.random.random() < 0.5:
            os.link(self.root / "links" / "2", self.root / "links" / "hard", follow_symlinks=False)

    def renamed(self) -> None:
        self.git("mv", "old_name.txt", "new_name.txt")

    def deleted(self) -> None:
        (self.root / "to_delete.txt").unlink()

    def crlf(self) -> None:
        self.put(".gitattributes", "* text=auto\n")
        self.put("crlf/all.txt", "one\r\ntwo\r\n")
        self.put("crlf/mixed.txt", "one\r\ntwo\nthree\r")
        if self.random.random() < 0.5:
            self.git("add", "--all", check=False)

    def blank_tail(self) -> None:
        self.put("tail/blank.txt", "text\n\n\n \n\n")
        self.put("tail/no_end.txt", "text")
        self.put("tail/empty.txt", "")

    def odd_names(self) -> None:
        for name in (
            b"caf\xe9.txt",
            b"\xff\xfe\x01",
            "naïve ☃.txt".encode(),
            b"new\nline",
            b" blank ",
            b"-rf",
            b"--exclude=x",
        ):
            self.put(b"odd/" + name)
        for name in (b"back\\slash", b'quo"te', b"tab\there", b"*", b"$(touch x)", b"a" * 255, b"..dots", b"~"):
            self.put(b"odd/" + name, name)

    def nested(self) -> None:
        inner = self.root / "vendor" / "inner"
        self.put("vendor/inner/lib.c")
        self.git("init", "--quiet", "--template=", cwd=inner)
        if self.random.random() < 0.7:
            self.git("add", "--all", cwd=inner)
            self.git("commit", "--quiet", "--message", "inner", cwd=inner)

    def submodule(self) -> None:
        source = self.root / ".." / "tmp" / f"sub-{os.getpid()}"
        self.git("init", "--quiet", "--template=", str(source))
        self.git("commit", "--quiet", "--allow-empty", "--message", "sub", cwd=source)
        self.git("submodule", "--quiet", "add", str(source.resolve()), "third_party/sub")

    def ignored(self) -> None:
        self.put(".gitignore", "build/\n*.log\n/cache*\n")
        self.put("build/out.o", self.random.randbytes(300))
        self.put("run.log", "log\n")
        self.put("cache1/x/y", "y")

    def empty_folders(self) -> None:
        for path in ("empty/a/b/c", "empty/d", "empty/mode"):
            (self.root / path).mkdir(parents=True)
        (self.root / "empty/mode").chmod(0o700)

    def planted(self) -> None:
        trap = f"touch {self.root}/TRAP; cat"
        with (self.root / ".git/config").open("a") as config:
            config.write(f'[core]\nfsmonitor = {trap}\n[diff]\nexternal = {trap}\n[diff "evil"]\ntextconv = {trap}\n')
            config.write(f'[filter "evil"]\nclean = {trap}\nsmudge = {trap}\n')
        self.put(".gitattributes", "* filter=evil diff=evil text=auto\n*.md ident working-tree-encoding=UTF-16\n")
        self.put(".git/hooks/pre-commit", "#!/bin/sh\ntouch TRAP\n", 0o755)
        self.put(".git/info/attributes", "* filter=evil\n")
        self.put("filtered.txt", "$Id$\r\n")

    def hard_links(self) -> None:
        self.put("hard/one", self.random.randbytes(5000))
        os.link(self.root / "hard/one", self.root / "hard/two")
        (self.root / "hard/sub").mkdir()
        os.link(self.root / "hard/one", self.root / "hard/sub/three")

    def deep(self) -> None:
        self.put("/".join(["deep"] + ["d" * 60] * 40 + ["file"]))

    def sparse(self) -> None:
        self.put("sparse.img", b"head")
        os.truncate(self.root / "sparse.img", 30_000_000)
        with (self.root / "sparse.img").open("r+b") as file:
            file.seek(20_000_000)
            file.write(b"middle")

    def staged(self) -> None:
        name = self.tracked()[0]
        self.put(name, "staged\n")
        self.git("add", name)
        self.put(name, "and changed again\n")
        self.put("untracked.txt")

    def detached(self) -> None:
        self.git("checkout", "--quiet", "--detach", "HEAD")

    def merging(self) -> None:
        self.git("checkout", "--quiet", "-b", "side")
        self.put("README.md", "side\n")
        self.git("commit", "--quiet", "--all", "--message", "side")
        self.git("checkout", "--quiet", "-")
        self.put("README.md", "main\n")
        self.git("commit", "--quiet", "--all", "--message", "main")
        self.git("merge", "--quiet", "side", check=False)
        assert (self.root / ".git" / "MERGE_HEAD").exists()

    def committed(self) -> None:
        for number in range(self.random.randint(1, 3)):
            self.put(f"more/{number}.txt", TEXT * number)
            self.git("add", "more")
            self.git("commit", "--quiet", "--message", f"more {number}")
        if self.random.random() < 0.3:
            self.git("repack", "-adq")

    def fifo(self) -> None:
        os.mkfifo(self.root / "pipe", 0o640)

    def old_times(self) -> None:
        self.put("old/file.txt")
        os.utime(self.root / "old/file.txt", ns=(1, 123_456_789))
        os.utime(self.root / "old", ns=(1, 2_000_000_000_987_654_321))

    def no_git(self) -> None:
        subprocess.run(["rm", "-rf", ".git"], cwd=self.root, check=True)

    def all_gone(self) -> None:
        subprocess.run(["find", ".", "-mindepth", "1", "-delete"], cwd=self.root, check=True)
        self.root.chmod(0o751)


# In this order: some features need what others would take away.
FEATURES: list[Callable[[State], None]] = [
    *(State.committed, State.detached, State.merging, State.submodule, State.renamed, State.deleted, State.staged),
    *(State.binary, State.modes, State.links, State.crlf, State.blank_tail, State.odd_names, State.nested),
    *(State.ignored, State.empty_folders, State.planted, State.hard_links, State.deep, State.sparse, State.fifo),
    *(State.old_times, State.no_git, State.all_gone, State.unreadable),
]
RARE = {"no_git": 0.05, "all_gone": 0.04, "sparse": 0.1, "submodule": 0.12, "merging": 0.15}


def build(seed: int, root: Path, *, phases: str = "base features") -> list[str]:
    """Build the state, or with one of its phases only the beginning or the rest of it."""
    state = State(seed, root)
    os.umask(state.random.choice([0o002, 0o022, 0o077]))
    if "base" in phases:
        state.base()
    if "features" not in phases:
        return []
    state.random.seed(seed + 1_000_000)
    names = []
    for feature in FEATURES:
        if state.random.random() < RARE.get(feature.__name__, 0.35):
            feature(state)
            names.append(feature.__name__)
    return names


if __name__ == "__main__":
    print(*build(int(sys.argv[1]), Path(sys.argv[2]), phases=" ".join(sys.argv[3:]) or "base features"))
