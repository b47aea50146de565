"""The rules of `.gitignore` files mean what they mean to git."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from swe_together.adapter._scripts.ignore import Rules, segment_test
from swe_together.adapter._scripts.scan import Scan, Store

NAMES = ["a", "b", "ab", "a.c", "b.c.d", "foo", "Foo", "x y", "z ", "[a]", "a*", "-", "é", "!n", "#h", "b\\"]
PATTERN = st.text("ab.co*?/[]!^-\\# zF", min_size=1, max_size=9)
PIECE = st.sampled_from(["**", "*", "a", "b", "foo", "*.c", "[ab]", "[!a]*", "?", "a*", "ab", "F*", "[[:upper:]]oo"])
PATH_PATTERN = st.builds(
    lambda mark, start, parts, end: mark + start + "/".join(parts) + end,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "/"]),
    st.lists(PIECE, min_size=1, max_size=4),
    st.sampled_from(["", "/", " ", "\\ ", "\r"]),
)
LINES = st.lists(st.one_of(PATTERN, PATH_PATTERN), min_size=1, max_size=5)
TREE = st.dictionaries(
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map("/".join), st.just(""), min_size=1, max_size=14
)


def build(root: Path, files: dict[str, str], ignores: dict[str, list[str]]) -> None:
    for name in files:
        try:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text("x")
        except (NotADirectoryError, FileExistsError, IsADirectoryError):
            continue  # a file stands where this one needs a folder
    for folder, lines in ignores.items():
        if (root / folder).is_dir():
            (root / folder / ".gitignore").write_text("\n".join(lines))


def seen_by_git(root: Path, git_dir: Path) -> set[str]:
    listed = subprocess.run(
        ["git", f"--git-dir={git_dir}", f"--work-tree={root}", "ls-files", "-z", "--others", "--exclude-standard"],
        cwd=root,
        env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
        check=True,
        capture_output=True,
    )
    return {os.fsdecode(name) for name in listed.stdout.split(b"\0") if name}


def seen_by_us(root: Path, store: Path) -> set[str]:
    scan = Scan({}, set(), set(), Store(str(store), {}))
    scan.tree(str(root)[1:])
    skip = len(str(root)[1:]) + 1
    return {path[skip:] for path in scan.finish()}


@pytest.fixture(scope="module")
def git_dir() -> Path:
    folder = Path(tempfile.mkdtemp()) / "git"
    subprocess.run(["git", "init", "--quiet", "--bare", str(folder)], check=True)
    subprocess.run(["git", f"--git-dir={folder}", "config", "core.bare", "false"], check=True)
    return folder


@settings(
    max_examples=int(os.environ.get("SWE_TOGETHER_EXAMPLES", "150")),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(files=TREE, top=LINES, nested=LINES, where=st.sampled_from(["a", "foo", "a/b"]))
def test_the_same_files_are_ignored_as_by_git(
    git_dir: Path, files: dict[str, str], top: list[str], nested: list[str], where: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "tree"
        root.mkdir()
        build(root, files, {"": top, where: nested})
        assert seen_by_us(root, Path(folder) / "store") == seen_by_git(root, git_dir)


@pytest.mark.parametrize("pattern", ["*a" * 30 + "b", "[!b]*" * 40 + "x", "?*" * 60 + "b", "**a" * 25 + "/b"])
def test_no_pattern_takes_long(pattern: str) -> None:
    started = time.process_time()
    rules = Rules(pattern.encode())
    for name in ("a" * 255, "ab" * 127):
        rules.verdict("/".join([name] * 8), name, False)
    assert time.process_time() - started < 1


def test_many_folders_between_stars_take_no_time() -> None:
    rules = Rules(("**/a/" * 30 + "b").encode())
    started = time.process_time()
    assert rules.verdict("a/" * 400 + "c", "c", False) is None
    assert time.process_time() - started < 1


@pytest.mark.parametrize("pattern", ["[", "[a", "[!", "a\\", "[[:nope:]]"])
def test_a_broken_pattern_matches_nothing(pattern: str) -> None:
    assert segment_test(pattern) is None
    assert Rules(pattern.encode()).verdict(pattern, pattern, False) is None


def test_a_fifo_or_a_link_of_that_name_holds_no_rules(tmp_path: Path) -> None:
    for name in ("fifo", "link"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "kept.txt").write_text("x")
    os.mkfifo(tmp_path / "fifo" / ".gitignore")
    (tmp_path / "rules").write_text("*\n")
    (tmp_path / "link" / ".gitignore").symlink_to("../rules")
    seen = seen_by_us(tmp_path, tmp_path.parent / f"{tmp_path.name}-store")
    assert seen == {"fifo/kept.txt", "link/kept.txt", "link/.gitignore", "rules"}


def test_a_slash_in_brackets_is_no_folder_but_ties_the_pattern_to_its_own() -> None:
    rules = Rules(b"[^/]\n[/x]y\nz[/\n")
    verdicts = [rules.verdict(path, path.rpartition("/")[2], False) for path in ("a", "b/a", "xy", "/y", "z[", "zz")]
    assert verdicts == [True, None, True, None, None, None]
