"""The scan that runs inside a task's container, on made-up folders."""

import getpass
import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from swe_together.pipeline.check import image_scan
from swe_together.pipeline.check.image_scan import Scan


def git(tree: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=m", "-c", "user.email=m@localhost", "-c", "init.defaultBranch=main"]
    return subprocess.run(["git", *identity, *arguments], cwd=tree, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "code.py").write_text("print('base')\n")
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "Import")
    return folder


def scan(tree: Path, **changes: Any) -> Scan:
    request = {
        "trees": [str(tree)],
        "user": getpass.getuser(),
        "package": "some.package",
        "version": "1.4.0",
        "answers": [],
        "tests": [],
        "private": [],
    }
    return Scan({**request, **changes})


def look(tree: Path, folder: Path, **changes: Any) -> dict[str, list[str]]:
    """Everything found below a folder, git's history aside."""
    found = scan(tree, **changes)
    for path, info in image_scan._walk(str(folder)):
        found.entry(path, info)
    return found.found | {"caches": sorted(found.cache_files)}


def test_one_commit_is_sound(tree: Path) -> None:
    found = scan(tree)
    found.history(str(tree))
    assert found.found["history"] == []


HISTORY = {
    "second commit": ("commit -q --allow-empty -m more", "2 commits can be reached"),
    "amended": ("commit -q --amend -m again", "2 commits can be reached"),
    "tag": ("tag v1", "refs/tags/v1"),
    "branch": ("branch other", "refs/heads/other"),
    "remote": ("remote add origin https://example.org/x.git", "there is a remote: origin"),
    "dangling object": ("hash-object -w --stdin", "1 objects belong to no commit"),
    "changed file": ("rm -q code.py", "1 files differ from the commit"),
}


@pytest.mark.parametrize("name", HISTORY)
def test_anything_beyond_one_commit_is_found(tree: Path, name: str) -> None:
    command, words = HISTORY[name]
    git(tree, *command.split())
    found = scan(tree)
    found.history(str(tree))
    assert any(words in line for line in found.found["history"]), found.found["history"]


def test_a_stash_is_found(tree: Path) -> None:
    (tree / "code.py").write_text("print('later')\n")
    git(tree, "stash")
    found = scan(tree)
    found.history(str(tree))
    assert any("refs/stash" in line for line in found.found["history"])


def test_other_repositories_are_found(tree: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(tree), "mirror.git")
    git(tmp_path, "clone", "-q", str(tree), "copy")
    history = look(tree, tmp_path)["history"]
    assert sorted(line.split(" is ")[0] for line in history) == [f"{tmp_path}/copy/.git", f"{tmp_path}/mirror.git"]


RELEASES = {
    "site-packages/some_package-1.5.dist-info/METADATA": "release 1.5",
    "site-packages/Some.Package-1.4.1-py3.13.egg-info": "",
    "site-packages/Some.Package-1.4.1-py3.13.egg-info/PKG-INFO": "release 1.4.1",
    "site-packages/some_package.egg-info/PKG-INFO": "release unknown",
    "home/some-package-1.5.0.tar.gz": "is an archive",
    "home/some_package-1.5.0-py3-none-any.whl": "is an archive",
}


@pytest.mark.parametrize("name", RELEASES)
def test_newer_copies_of_the_package_are_found(tree: Path, tmp_path: Path, name: str) -> None:
    file = tmp_path / "root" / name
    file.parent.mkdir(parents=True)
    file.write_text("x") if RELEASES[name] else file.mkdir()
    releases = look(tree, tmp_path / "root")["releases"]
    assert len(releases) == 1 and RELEASES[name] in releases[0]


def test_copies_that_are_not_newer_are_no_leak(tree: Path, tmp_path: Path) -> None:
    for name in ("some_package-1.4.0.dist-info", "some_package-1.3.dist-info", "some_package_extra-9.dist-info"):
        (tmp_path / "root" / name).mkdir(parents=True)
    assert look(tree, tmp_path / "root")["releases"] == []


def test_a_package_of_npm_and_a_vendored_one_are_found(tree: Path, tmp_path: Path) -> None:
    module = tmp_path / "root" / "node_modules" / "some-package"
    module.mkdir(parents=True)
    (module / "package.json").write_text(json.dumps({"name": "some-package", "version": "2.0.0"}))
    vendored = tmp_path / "root" / "pip" / "_vendor"
    vendored.mkdir(parents=True)
    (vendored / "vendor.txt").write_text("other==9\nsome-package==1.6\n")
    assert sorted(line.split(" of ")[0].split(" holds ")[1] for line in look(tree, tmp_path / "root")["releases"]) == [
        "release 1.6",
        "release 2.0.0",
    ]


@pytest.mark.parametrize("cache", [".cache/pip/http/x", ".npm/_cacache/x", ".cargo/registry/x", "go/pkg/mod/cache/x"])
def test_package_caches_are_found(tree: Path, tmp_path: Path, cache: str) -> None:
    file = tmp_path / "home" / cache
    file.parent.mkdir(parents=True)
    file.write_text("x")
    assert len(look(tree, tmp_path / "home")["caches"]) == 1


def test_lines_of_solution_and_tests_are_found_outside_the_tree(tree: Path, tmp_path: Path) -> None:
    answers = [f"return normalised_value_number_{n}(argument)" for n in range(4)]
    leak = tmp_path / "usr" / "later.py"
    leak.parent.mkdir()
    leak.write_text("\n".join(f"    {line}" for line in answers[:3]))
    (tree / "own.py").write_text("\n".join(answers))
    found = look(tree, tmp_path, answers=answers)
    assert [line.split(" holds ")[0] for line in found["answers"]] == [str(leak)]
    assert look(tree, tmp_path, tests=answers)["private"][0].startswith(f"{leak} holds 3 lines of the tests")
    leak.write_text("\n".join(answers[:2]))
    assert look(tree, tmp_path, answers=answers)["answers"] == []


def test_private_files_are_found_anywhere(tree: Path, tmp_path: Path) -> None:
    content = b"the whole contract in one message"
    (tree / "notes.txt").write_bytes(content)
    private = [["spec.md", len(content), hashlib.sha256(content).hexdigest()]]
    assert look(tree, tmp_path, private=private)["private"] == [f"{tree}/notes.txt is the task's spec.md"]


def test_a_system_that_the_agent_can_change_is_found(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = tmp_path / "usr"
    system.mkdir()
    (system / "tool").write_text("")
    (system / "tool").chmod(0o777)
    monkeypatch.setattr(image_scan, "_SYSTEM", (str(system),))
    assert f"the agent's user can change {system}/tool" in look(tree, tmp_path)["privileges"]


@pytest.mark.parametrize(
    ("version", "pinned", "newer"),
    [
        ("1.4.1", "1.4.0", True),
        ("1.4.0-3+deb13u1", "1.4.0", False),
        ("1:2.0-1", "1.4.0", True),
        ("1.10", "1.9", True),
        ("1.4", "1.4.0", False),
        ("0.9.9", "1.4.0", False),
    ],
)
def test_versions(version: str, pinned: str, newer: bool) -> None:
    assert image_scan._newer(version, pinned) is newer
