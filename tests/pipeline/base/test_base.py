"""The base is proven by what files held before the session changed them; a younger commit is refused."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from swe_together.pipeline.base import BaseError, Repository, evidence_of, find_base, prove
from tests.pipeline.recorded import (
    AFTER,
    BEFORE,
    CWD,
    FILES,
    MIDDLE,
    START,
    Recording,
    at,
    commit,
    git,
    two_turns,
    wordbox,
)


def test_the_last_commit_before_the_session_is_proven(tmp_path: Path) -> None:
    folder, first = wordbox(tmp_path / "wordbox")
    commit(folder, {"wordbox.py": AFTER}, at(60))
    with Repository(folder) as repository:
        base = find_base(two_turns().session(), repository)
    assert (base.commit.sha, base.source, base.strength) == (first, "link", "proven")
    assert set(base.proof.proven) == {"wordbox.py", "test_wordbox.py"}
    assert [one.by for one in base.links] == ["time"]


def test_the_default_branch_at_the_time_is_refuted_and_an_older_commit_is_found(tmp_path: Path) -> None:
    folder, first = wordbox(tmp_path / "wordbox")
    commit(folder, {"wordbox.py": "rewritten = True\n"}, START - timedelta(hours=2))
    with Repository(folder) as repository:
        base = find_base(two_turns().session(), repository)
    assert (base.commit.sha, base.source, base.strength) == (first, "nearby", "proven")
    tried = {one.source: one.proof.share for one in base.candidates}
    assert tried["time"] == 0.5 and tried["nearby"] == 1


def test_a_base_on_another_branch_is_found(tmp_path: Path) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    git(folder, "checkout", "-q", "-b", "feature")
    mine = commit(folder, {"wordbox.py": BEFORE + "# feature\n"}, START - timedelta(hours=3))
    git(folder, "checkout", "-q", "main")
    recording = Recording().says("x").edits("wordbox.py", "# feature", "# done", before=BEFORE + "# feature\n")
    with Repository(folder) as repository:
        assert find_base(recording.session(), repository).commit.sha == mine
        named = find_base(recording.session(branch="feature"), repository)
    assert (named.commit.sha, named.source) == (mine, "branch")


def test_a_younger_base_is_refused_however_well_it_is_proven(tmp_path: Path) -> None:
    folder = tmp_path / "wordbox"
    young = commit(folder, FILES, START + timedelta(hours=1))
    with Repository(folder) as repository, pytest.raises(BaseError, match="younger than the session") as refused:
        find_base(two_turns().session(), repository, given=young)
    assert young[:12] in str(refused.value)


def test_a_recorded_commit_is_taken_before_others(tmp_path: Path) -> None:
    folder, first = wordbox(tmp_path / "wordbox")
    commit(folder, {"other.txt": "x"}, START - timedelta(hours=1))
    with Repository(folder) as repository:
        base = find_base(two_turns().session(commit=first), repository)
    assert (base.commit.sha, base.source) == (first, "record")


def test_without_evidence_a_base_is_unproven_and_never_proven(tmp_path: Path) -> None:
    folder, first = wordbox(tmp_path / "wordbox")
    recording = Recording().says("x").edits("wordbox.py", "a", "b")
    with Repository(folder) as repository:
        base = find_base(recording.session(), repository)
    assert (base.commit.sha, base.strength, base.proof.share) == (first, "unproven", None)


def test_changes_that_were_never_committed_refute_every_commit(tmp_path: Path) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    recording = Recording().says("x").edits("wordbox.py", "a", "b", before=BEFORE + "# not committed\n")
    with Repository(folder) as repository, pytest.raises(BaseError, match=r"wordbox\.py"):
        find_base(recording.session(), repository)


def test_most_files_are_enough_and_told(tmp_path: Path) -> None:
    folder = tmp_path / "many"
    names = [f"f{number}.txt" for number in range(6)]
    first = commit(folder, dict.fromkeys(names, "x\n"), START - timedelta(days=1))
    recording = Recording("/w/many").says("x")
    for name in names:
        recording.edits(name, "x", "y", before="dirty\n" if name == "f5.txt" else "x\n")
    with Repository(folder) as repository:
        base = find_base(recording.session(), repository)
    assert (base.commit.sha, base.strength, base.proof.refuted) == (first, "partly", ("f5.txt",))


def test_a_commit_that_is_not_there_is_said(tmp_path: Path) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    with Repository(folder) as repository, pytest.raises(BaseError, match="holds no commit"):
        find_base(two_turns().session(), repository, given="0" * 40)


def test_only_the_first_change_of_a_file_tells() -> None:
    recording = (
        Recording().says("x").edits("a.py", "1", "2", status="rejected", before="never\n")
        .edits("a.py", "1", "2", before="first\n").edits("a.py", "2", "3", before="second\n")
        .edits("b.py", "1", "2").edits("b.py", "2", "3", before="late\n")
        .edits("c.py", "1", "2", before="key = REDACTED\n").edits("/etc/hosts", "1", "2", before="x")
    )  # fmt: skip
    found = evidence_of(recording.session(), ["a.py", "b.py", "c.py"])
    assert found.root == CWD
    assert found.before == {"a.py": "first\n"}
    assert set(found.left_out) == {"b.py", "c.py", "/etc/hosts"}


@pytest.mark.parametrize(
    ("stored", "recorded"),
    [
        (b"a\r\nb\r\n", "a\nb\n"),
        (b"\xef\xbb\xbfa\n", "a\n"),
        (b"mail me@here.org\n", "mail someone@example.com\n"),
        (b"cd /Users/me/x\n", "cd /Users/dev1/x\n"),
    ],
)
def test_line_ends_and_replaced_names_are_no_difference(tmp_path: Path, stored: bytes, recorded: str) -> None:
    first = commit(tmp_path / "r", {"a.txt": stored}, START)
    evidence = evidence_of(Recording().says("x").edits("a.txt", "a", "b", before=recorded).session(), ["a.txt"])
    with Repository(tmp_path / "r") as repository:
        assert prove(repository, evidence, [first])[0].share == 1


def test_any_other_difference_is_one(tmp_path: Path) -> None:
    first = commit(tmp_path / "r", {"a.txt": "mail me@here.org\n"}, START)
    evidence = evidence_of(
        Recording().says("x").edits("a.txt", "a", "b", before="Mail me@here.org\n").session(), ["a.txt"]
    )
    with Repository(tmp_path / "r") as repository:
        assert prove(repository, evidence, [first])[0].share == 0


def test_a_session_in_a_folder_of_the_repository_and_one_in_a_worktree(tmp_path: Path) -> None:
    first = commit(tmp_path / "r", {"lib/a.py": "x\n"}, START - timedelta(days=1))
    with Repository(tmp_path / "r") as repository:
        for cwd, path in (("/w/r/lib", "/w/r/lib/a.py"), ("/w/r/.trees/1", "/w/r/.trees/1/lib/a.py")):
            recording = Recording(cwd).says("x").edits(path, "x", "y", before="x\n")
            assert find_base(recording.session(), repository).proof.proven == ("lib/a.py",), cwd
            assert find_base(recording.session(), repository).commit.sha == first


def test_commits_are_linked_by_record_checkpoint_trailer_and_what_git_printed(tmp_path: Path) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    done = commit(folder, {"wordbox.py": MIDDLE}, at(30), "Strip\n\nEntire-Checkpoint: 0123456789ab\n")
    named = commit(folder, {"wordbox.py": AFTER}, at(40), "Split\n\nAgent-Session: session-0001\n")
    git(folder, "checkout", "-q", "--orphan", "entire/checkpoints/v1")
    git(folder, "rm", "-rfq", ".")
    told = json.dumps({"session_id": "session-0002"})
    commit(folder, {"01/23456789ab/0/metadata.json": told}, at(41))
    git(folder, "checkout", "-q", "main")
    recording = two_turns()
    with Repository(folder) as repository:

        def links(**origin: object) -> list[tuple[str, str]]:
            base = find_base(recording.session(**origin), repository)
            return [(one.commit.sha, one.by) for one in base.links]

        assert links(commits=(done, named)) == [(done, "record"), (named, "record")]
        assert links(session_id="session-0002") == [(done, "checkpoint")]
        assert links() == [(named, "trailer")]
        assert "trailer" not in {by for _, by in links(session_id="0001")}, "part of another session's name"
        recording.runs("git add -A && git commit -m Strip", f"[main {done[:8]}] Strip\n 1 file changed\n")
        assert links(session_id="x") == [(done, "printed")]
