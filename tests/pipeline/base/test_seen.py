"""The left sides of what git told in a session are evidence for its base; the right sides never are."""

from datetime import timedelta
from pathlib import Path

import pytest

from swe_together.pipeline.base import BaseError, Repository, find_base
from swe_together.pipeline.base._seen import Seen, seen_blobs
from tests.pipeline.recorded import AFTER, BEFORE, CWD, FILES, MIDDLE, START, Recording, at, commit, git, wordbox

LEFT, RIGHT = "c0ffee1", "deadbe1"
TOLD = f"diff --git a/wordbox.py b/wordbox.py\nindex {LEFT}..{RIGHT} 100644\n--- a/wordbox.py\n+++ b/wordbox.py\n"


def sides(*commands: str, told: str = TOLD, cwd: str | None = CWD) -> dict[str, Seen]:
    """What is seen in a session whose commands all print the same."""
    recording = Recording(cwd).says("x")
    for command in commands:
        recording.runs(command, told)
    return dict(seen_blobs(recording.session()))


@pytest.mark.parametrize(
    ("commands", "side"),
    [
        (["git diff"], "index"),
        (["git --no-pager diff -U5 -- wordbox.py | head -50"], "index"),
        (["git status && git diff"], "index"),
        ([f"cd {CWD} && git diff"], "index"),
        ([f"git -C {CWD}/src diff"], "index"),
        (["cd src && git diff"], "index"),
        (["git checkout -- README.md", "git diff"], "index"),
        (["git diff HEAD"], "head"),
        (["git add -A && git diff --cached"], "head"),
        (["git diff --staged -- wordbox.py"], "head"),
        (["git commit -qam x", "git show"], "head"),
        (["git commit -qam x && git show HEAD"], "head"),
        (["git commit -qam x", "git diff HEAD~1"], "head"),
        (["git add -A", "git diff"], None),
        (["git commit -qam x", "git diff"], None),
        (["git commit -qam x", "git commit -qam y", "git show"], None),
        (["git commit -qam x", "git commit --amend --no-edit", "git show"], None),
        (["git stash", "git diff HEAD"], None),
        (["git checkout main", "git diff"], None),
        (["git show"], None),
        (["git show HEAD"], None),
        (["git log -p -1"], None),
        (["git diff main..feature"], None),
        (["git diff HEAD~3"], None),
        (["git diff HEAD main"], None),
        (["git diff --cached v1.0"], None),
        (["git diff && git show"], None),
        (["cd /srv/other && git diff"], None),
        (["cd ../other && git diff"], None),
        (["git -C ~/other diff"], None),
        (["git --git-dir=/x/.git diff"], None),
        (["cat a.diff"], None),
    ],
)
def test_what_a_difference_is_of(commands: list[str], side: str | None) -> None:
    told = sides(*commands[:-1], told="") | sides(*commands)
    assert told == ({} if side is None else {"wordbox.py": Seen(LEFT, side)})  # type: ignore[arg-type]


def test_the_first_commit_is_shown_by_its_name_too() -> None:
    recording = Recording().says("x").runs("git commit -qam x", "[main abcdef0] x\n 1 file changed\n")
    assert dict(seen_blobs(recording.runs("git show abcdef0123", TOLD).session())) == {"wordbox.py": Seen(LEFT, "head")}
    other = Recording().says("x").runs("git commit -qam x", "[main abcdef0] x\n").runs("git show abcdef1", TOLD)
    assert dict(seen_blobs(other.session())) == {}


@pytest.mark.parametrize(
    ("text", "code"),
    [("hook failed\n", 1), ("nothing to commit, working tree clean\n", None), ("error: pathspec\n", None)],
)
def test_a_commit_that_was_not_made_is_not_the_one_that_is_shown(text: str, code: int | None) -> None:
    recording = Recording().says("x").runs("git commit -am x", text, code).runs("git show", TOLD)
    recording.runs("git commit -am x; git show", text + TOLD, code)
    assert dict(seen_blobs(recording.session())) == {}


@pytest.mark.parametrize(
    "told",
    [
        TOLD.replace(LEFT, "0000000").replace("index", "new file mode 100644\nindex"),
        TOLD.replace("b/wordbox.py\nindex", "b/other.py\nsimilarity index 90%\nindex"),
        TOLD.replace(f"{LEFT}..{RIGHT}", f"{LEFT},{LEFT}..{RIGHT}"),
        TOLD.replace("diff --git", " diff --git"),
    ],
    ids=["new", "renamed", "merge", "quoted"],
)
def test_what_says_nothing_of_a_file_of_the_base(told: str) -> None:
    assert sides("git diff", told=told) == {}


def test_folders_are_unknown_without_the_session_s_own(tmp_path: Path) -> None:
    assert sides(f"cd {CWD} && git diff", cwd=None) == {} and set(sides("git diff", cwd=None)) == {"wordbox.py"}


def difference(folder: Path, *arguments: str) -> str:
    return git(folder, "diff", *arguments)


def unrecorded(folder: Path, text: str, *arguments: str, command: str = "git diff") -> Recording:
    """A session whose edit is recorded without what was there before, and that looked at the difference."""
    (folder / "wordbox.py").write_text(text)
    told = difference(folder, *arguments)
    git(folder, "checkout", "-q", "HEAD", "--", "wordbox.py")
    return Recording().says("x").edits("wordbox.py", "a", "b").runs(command, f"{told}\n").replies("ok")


def test_what_git_told_proves_the_base(tmp_path: Path) -> None:
    folder, first = wordbox(tmp_path / "wordbox")
    recording = unrecorded(folder, MIDDLE)
    commit(folder, {"wordbox.py": MIDDLE}, at(60), "Later, what the difference led to")
    with Repository(folder) as repository:
        base = find_base(recording.session(), repository)
    assert (base.commit.sha, base.strength, base.proof.proven) == (first, "proven", ("wordbox.py",))


def test_the_right_side_never_counts(tmp_path: Path) -> None:
    folder, first = wordbox(tmp_path / "wordbox")
    recording = unrecorded(folder, MIDDLE)
    right = commit(folder, {"wordbox.py": MIDDLE}, START - timedelta(hours=2), "What the difference led to, earlier")
    with Repository(folder) as repository:
        base = find_base(recording.session(), repository)
        assert (base.commit.sha, base.source, base.strength) == (first, "nearby", "proven")
        with pytest.raises(BaseError, match="has 0 of 1"):
            find_base(recording.session(), repository, given=right)


def test_recorded_content_comes_before_what_git_told(tmp_path: Path) -> None:
    folder, first = wordbox(tmp_path / "wordbox")
    recording = unrecorded(folder, AFTER).edits("README.md", "Word", "Ward", before=FILES["README.md"])
    recording.events[1:1] = Recording().edits("wordbox.py", "a", "b", before=BEFORE).events
    with Repository(folder) as repository:
        base = find_base(recording.session(), repository)
    assert base.commit.sha == first and dict(base.evidence.seen) == {}
    assert set(base.evidence.before) == {"wordbox.py", "README.md"}


@pytest.mark.parametrize(("command", "strength"), [("git diff", "unproven"), ("git diff HEAD", None)])
def test_what_was_only_staged_tells_nothing_and_an_unknown_commit_refutes(
    tmp_path: Path, command: str, strength: str | None
) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    recording = Recording().says("x").edits("wordbox.py", "a", "b").runs(command, TOLD).replies("ok")
    with Repository(folder) as repository:
        if strength is None:
            with pytest.raises(BaseError, match="has 0 of 1"):
                find_base(recording.session(), repository)
        else:
            assert find_base(recording.session(), repository).strength == strength


def test_the_parent_of_the_session_s_own_commit_is_proven_by_it(tmp_path: Path) -> None:
    folder, first = wordbox(tmp_path / "wordbox")
    sha = commit(folder, {"wordbox.py": MIDDLE}, at(3), "Strip")
    recording = (
        Recording().says("x").edits("wordbox.py", "a", "b").runs("git commit -qam Strip", f"[main {sha[:7]}] x\n")
    )
    with Repository(folder) as repository:
        base = find_base(recording.session(), repository)
        timed = find_base(Recording().says("x").edits("wordbox.py", "a", "b").session(), repository)
    assert (base.commit.sha, base.source, base.strength, base.proof.parent) == (first, "link", "proven", True)
    assert (timed.commit.sha, timed.links[0].by, timed.strength) == (first, "time", "unproven")


def test_a_parent_proves_nothing_against_the_files_or_when_it_is_younger(tmp_path: Path) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    sha = commit(folder, {"wordbox.py": MIDDLE}, at(3), "Strip")
    done = Recording().says("x").edits("wordbox.py", "a", "b", before="never committed\n")
    done.runs("git commit -qam Strip", f"[main {sha[:7]}] x\n")
    with Repository(folder) as repository, pytest.raises(BaseError, match="has 0 of 1"):
        find_base(done.session(), repository)
    other = tmp_path / "young"
    commit(other, FILES, at(2), "Begin")
    last = commit(other, {"wordbox.py": MIDDLE}, at(3), "Strip")
    young = Recording().says("x").edits("wordbox.py", "a", "b").runs("git commit -qam x", f"[main {last[:7]}] x\n")
    with Repository(other) as repository, pytest.raises(BaseError, match="younger than the session"):
        find_base(young.session(), repository)


def test_a_commit_from_before_the_session_is_no_parent_s_witness(tmp_path: Path) -> None:
    folder, first = wordbox(tmp_path / "wordbox")
    old = commit(folder, {"wordbox.py": MIDDLE}, START - timedelta(hours=1), "Strip")
    recording = Recording().says("x").edits("wordbox.py", "a", "b").runs("git commit -qam x", f"[main {old[:7]}] x\n")
    with Repository(folder) as repository:
        base = find_base(recording.session(), repository)
    assert not any(one.proof.parent for one in base.candidates) and base.strength == "unproven"
    assert first in {one.commit.sha for one in base.candidates}
