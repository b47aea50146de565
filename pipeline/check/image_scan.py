"""Looks for leaks in a task's container. Runs inside it, as root, with nothing but the standard library.

Called as ``image_scan.py REQUEST FOUND``; both are JSON files. Every finding is a sentence.
"""

import hashlib
import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_SKIP = ("/proc", "/sys", "/dev", "/logs")
_SYSTEM = ("/usr", "/etc", "/opt", "/bin", "/sbin", "/lib", "/lib64", "/root", "/var/lib", "/srv")
_CACHES = (
    ".cache/pip",
    ".cache/uv",
    ".cache/yarn",
    ".npm/_cacache",
    ".pnpm-store",
    ".local/share/pnpm/store",
    ".cargo/registry",
    ".cargo/git",
    "go/pkg/mod/cache",
    ".m2/repository",
    ".composer/cache",
    ".gem",
)
_ARCHIVE = re.compile(r"\.(tar(\.\w+)?|tgz|tbz2?|txz|whl|zip|crate|gem|deb|bundle|jar)$")
_TEXT_BYTES = 8_000_000
_LINES_NEEDED = 3


class Scan:
    """One walk over the file system, and git's own view of each tree."""

    def __init__(self, request: dict[str, Any]) -> None:
        self.trees: list[str] = request["trees"]
        self.package: str = _normal(request["package"])
        self.version: str | None = request["version"]
        self.answers = {line.encode() for line in request["answers"]}
        self.tests = {line.encode() for line in request["tests"]}
        self.private: dict[int, dict[str, str]] = {}
        for name, size, digest in request["private"]:
            self.private.setdefault(size, {})[digest] = name
        self.own = str(Path(__file__).parent)
        agent = request["user"]
        self.uid, self.gids = _identity(agent)
        self.found: dict[str, list[str]] = {
            key: [] for key in ("history", "caches", "releases", "answers", "private", "privileges")
        }
        self.cache_files: dict[str, int] = {}
        self.seen: set[tuple[int, int]] = set()
        self.bytes = 0
        self.lines = 0

    def run(self) -> dict[str, Any]:
        """Look at everything."""
        for tree in self.trees:
            self.history(tree)
        for path, info in _walk("/"):
            if path.startswith(f"{self.own}/"):
                continue
            self.entry(path, info)
        for folder, number in sorted(self.cache_files.items()):
            self.found["caches"].append(f"{folder} holds {number} files of a package cache")
        for folder in ("/tests", "/solution"):
            if Path(folder).exists():
                self.found["private"].append(f"{folder} exists")
        self.accounts()
        self.installed()
        return {**self.found, "megabytes": round(self.bytes / 1e6, 1), "lines": self.lines}

    def entry(self, path: str, info: os.stat_result) -> None:
        """Judge one entry of the file system."""
        if (info.st_dev, info.st_ino) not in self.seen:
            self.seen.add((info.st_dev, info.st_ino))
            self.bytes += info.st_blocks * 512
        self.rights(path, info)
        tree = next((t for t in self.trees if path.startswith(f"{t}/") or path == t), None)
        name = path.rpartition("/")[2]
        if stat.S_ISDIR(info.st_mode) or name == ".git":
            self.repository(path, tree)
            if tree is None and name.endswith((".dist-info", ".egg-info")):
                self.distribution(path, name)
            return
        if not stat.S_ISREG(info.st_mode):
            return
        for cache in _CACHES:
            if f"/{cache}/" in path:
                folder = path[: path.index(f"/{cache}/")] + f"/{cache}"
                self.cache_files[folder] = self.cache_files.get(folder, 0) + 1
        if path.startswith("/var/cache/apt/archives/") and name.endswith(".deb"):
            self.cache_files["/var/cache/apt/archives"] = self.cache_files.get("/var/cache/apt/archives", 0) + 1
        if tree is None:
            self.copies(path, name)
        self.content(path, info, tree)

    def rights(self, path: str, info: os.stat_result) -> None:
        """The agent's user must not be able to change the system, nor become root."""
        mode = info.st_mode
        if stat.S_ISLNK(mode):
            return
        if mode & stat.S_ISUID and stat.S_ISREG(mode) and path.rpartition("/")[2] in ("sudo", "doas", "pkexec"):
            self.found["privileges"].append(f"{path} is installed")
        if not path.startswith(_SYSTEM) or any(path.startswith(tree) for tree in self.trees):
            return
        by_group = bool(mode & stat.S_IWGRP) and info.st_gid in self.gids
        by_all = bool(mode & stat.S_IWOTH) and not mode & stat.S_ISVTX
        if (info.st_uid == self.uid or by_group or by_all) and len(self.found["privileges"]) < 20:
            self.found["privileges"].append(f"the agent's user can change {path}")

    def repository(self, path: str, tree: str | None) -> None:
        """Another repository may hold what the tree's own doesn't."""
        if path.endswith("/.git"):
            if path.removesuffix("/.git") not in self.trees:
                self.found["history"].append(f"{path} is another repository")
            return
        inside_own = tree is not None and path.startswith(f"{tree}/.git/")
        bare = all(Path(path, part).exists() for part in ("HEAD", "objects", "refs"))
        if bare and not inside_own:
            self.found["history"].append(f"{path} is another repository")

    def copies(self, path: str, name: str) -> None:
        """Copies of the source package outside the tree."""
        stem = _normal(name)
        if _ARCHIVE.search(name) and re.match(rf"(python3?-|node-|lib)?{re.escape(self.package)}[-_.v]*\d", stem):
            self.found["releases"].append(f"{path} is an archive of the package")
        if name == "package.json":
            try:
                value = json.loads(Path(path).read_text())
                if isinstance(value, dict) and _normal(str(value.get("name"))) == self.package:
                    self.release(path, str(value.get("version")))
            except (ValueError, OSError):
                return
        elif name == "vendor.txt" and "/_vendor/" in path:
            for line in Path(path).read_text(errors="replace").splitlines():
                vendored, _, version = line.strip().partition("==")
                if version and _normal(vendored) == self.package:
                    self.release(path, version)

    def distribution(self, path: str, name: str) -> None:
        """An installed Python distribution."""
        base = name.rpartition(".")[0]
        found, _, version = base.partition("-")
        if _normal(found) != self.package:
            return
        version = version.split("-py")[0]
        if not version:
            info = Path(path, "PKG-INFO")
            match = re.search(r"^Version: (.+)$", info.read_text(errors="replace"), re.M) if info.is_file() else None
            version = match[1] if match else ""
        self.release(path, version)

    def installed(self) -> None:
        """Debian packages of the same source."""
        names = {self.package, f"python3-{self.package}", f"node-{self.package}", f"lib{self.package}"}
        try:
            text = Path("/var/lib/dpkg/status").read_text(errors="replace")
        except OSError:
            return
        for block in text.split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and line[0] != " ")
            source = fields.get("Source", "").split(" ")[0]
            if fields.get("Package") in names or source in names:
                version = fields.get("Version", "")
                self.release(f"Debian package {fields.get('Package')} {version}", version)

    def release(self, where: str, version: str) -> None:
        """A copy of the package is a leak if it is newer than the tree, or of unknown age."""
        if self.version is None or not version or _newer(version, self.version):
            self.found["releases"].append(f"{where} holds release {version or 'unknown'} of the package")

    def content(self, path: str, info: os.stat_result, tree: str | None) -> None:
        """Private files, and lines of the solution or of the tests."""
        if tree is not None and not path.startswith(f"{tree}/.git/"):
            self.lines += _lines_of(path)
        known = self.private.get(info.st_size)
        wanted = bool(self.answers or self.tests) and tree is None and info.st_size <= _TEXT_BYTES
        if not known and not wanted:
            return
        try:
            data = Path(path).read_bytes()
        except OSError:
            return
        if known and (name := known.get(hashlib.sha256(data).hexdigest())):
            self.found["private"].append(f"{path} is the task's {name}")
        if not wanted or b"\0" in data[:4096]:
            return
        lines = {line.strip().removeprefix(b"+").strip() for line in data.split(b"\n")}  # a patch holds them too
        for kind, key in ((self.answers, "answers"), (self.tests, "private")):
            common = kind & lines
            if kind and len(common) >= min(_LINES_NEEDED, len(kind)):
                example = sorted(common)[0].decode(errors="replace")
                what = "the solution" if key == "answers" else "the tests"
                self.found[key].append(f"{path} holds {len(common)} lines of {what}, e.g. {example[:80]!r}")

    def history(self, tree: str) -> None:
        """The tree is one commit and nothing else."""
        add = self.found["history"].append
        if not Path(tree, ".git").is_dir():
            add(f"{tree} is no git repository of its own")
            return
        commits = _git(tree, "rev-list", "--all", "--reflog").split()
        if len(commits) != 1:
            add(f"{tree}: {len(commits)} commits can be reached, there must be exactly one")
        refs = _git(tree, "for-each-ref", "--format=%(refname)").split()
        extra = [ref for ref in refs if not ref.startswith("refs/heads/")]
        if len(refs) != 1 or extra:
            add(f"{tree}: refs are {', '.join(refs) or 'none'}; there must be one branch and no other ref")
        if remotes := _git(tree, "remote").split():
            add(f"{tree}: there is a remote: {', '.join(remotes)}")
        reachable = {line.split()[0] for line in _git(tree, "rev-list", "--all", "--objects").splitlines()}
        listed = _git(tree, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split()
        if loose := set(listed) - reachable:
            add(f"{tree}: {len(loose)} objects belong to no commit that can be reached, e.g. {sorted(loose)[0]}")
        for name in ("FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "objects/info/alternates"):
            if Path(tree, ".git", name).exists():
                add(f"{tree}: .git/{name} exists")
        if status := _git(tree, "status", "--porcelain", "--untracked-files=all").splitlines():
            add(f"{tree}: {len(status)} files differ from the commit, e.g. {status[0].strip()}")
        owners = {Path(tree).stat().st_uid, Path(tree, ".git").stat().st_uid}
        if owners != {self.uid}:
            add(f"{tree} does not belong to the agent's user")

    def accounts(self) -> None:
        """Nobody becomes root by an empty password or a sudoers file."""
        add = self.found["privileges"].append
        for line in Path("/etc/shadow").read_text().splitlines():
            name, secret = line.split(":")[:2]
            if name == "root" and not secret.startswith(("*", "!")):
                add("root has a password, or an empty one")
        if self.uid == 0 or 0 in self.gids:
            add("the agent's user belongs to root")


def _identity(name: str) -> tuple[int, set[int]]:
    import grp
    import pwd

    entry = pwd.getpwnam(name)
    return entry.pw_uid, {entry.pw_gid} | {g.gr_gid for g in grp.getgrall() if name in g.gr_mem}


def _walk(root: str) -> Iterator[tuple[str, os.stat_result]]:
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            entries = list(os.scandir(folder))
        except OSError:
            continue
        for entry in entries:
            if entry.path in _SKIP:
                continue
            try:
                info = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            yield entry.path, info
            if stat.S_ISDIR(info.st_mode):
                waiting.append(entry.path)


def _git(tree: str, *arguments: str) -> str:
    command = ["git", "-c", "safe.directory=*", "-c", "core.fsmonitor=false", "-C", tree, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def _lines_of(path: str) -> int:
    """Lines of a text file; a binary one has none."""
    try:
        data = Path(path).read_bytes()
    except OSError:
        return 0
    return 0 if b"\0" in data[:4096] else data.count(b"\n") + (not data.endswith(b"\n") and bool(data))


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _newer(version: str, pinned: str) -> bool:
    def numbers(text: str) -> list[int]:
        upstream = re.sub(r"^\d+:", "", text).rpartition("-")[0] if re.search(r"-[\w.+~]+$", text) else text
        return [int(n) for n in re.findall(r"\d+", re.split(r"[+~]", upstream)[0])]

    return numbers(version) > numbers(pinned)


if __name__ == "__main__":
    asked, answer = sys.argv[1:]
    Path(answer).write_text(json.dumps(Scan(json.loads(Path(asked).read_text())).run()))
