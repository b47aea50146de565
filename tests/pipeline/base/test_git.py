"""Somebody else's repository is read, and nothing that it configures is run or obeyed."""

from datetime import timedelta
from pathlib import Path

import pytest

from swe_together.errors import MisuseError
from swe_together.pipeline.base import File, Repository
from tests.pipeline.recorded import FILES, START, commit, git, wordbox


def test_trees_blobs_and_refs(tmp_path: Path) -> None:
    folder, first = wordbox(tmp_path / "wordbox")
    second = commit(folder, {"blätter/ä.txt": "ä\n", "README.md": None}, START)
    git(folder, "tag", "-a", "v1", "-m", "one", first, when=START)
    with Repository(folder) as repository:
        assert repository.name == "wordbox"
        assert repository.refs == {"HEAD": second, "refs/heads/main": second, "refs/tags/v1": first}
        assert set(repository.tree(first)) == set(FILES)
        assert repository.blob(repository.tree(second)["blätter/ä.txt"].sha) == "ä\n".encode()
        assert repository.changed(first, second) == ["README.md", "blätter/ä.txt"]
        assert [one.subject for one in repository.first_parents("refs/heads/main" and second)] == ["Change", "Begin"]
        assert repository.resolve("main") == second and repository.resolve(first[:8]) == first
        assert repository.resolve("nobody") is None and repository.resolve("0" * 40) is None
        assert repository.default_branch == "refs/heads/main"
        assert repository.hashes([(first, "README.md"), (second, "README.md")])[1] is None


def test_made_up_trees_have_gits_own_hashes_and_leave_the_repository_alone(tmp_path: Path) -> None:
    folder, first = wordbox(tmp_path / "wordbox")
    before = sorted(path.as_posix() for path in (folder / ".git").rglob("*"))
    with Repository(folder) as repository:
        tree = dict(repository.tree(first))
        assert repository.write_tree(tree) == git(folder, "rev-parse", f"{first}^{{tree}}")
        tree["new.txt"] = File("100755", repository.put(b"no line end"))
        made = repository.write_tree(tree)
        patch = repository.patch(first, made)
    assert b"new file mode 100755" in patch and b"\\ No newline at end of file" in patch
    assert sorted(path.as_posix() for path in (folder / ".git").rglob("*")) == before


def test_nothing_that_a_repository_configures_is_run(tmp_path: Path) -> None:
    folder, first = wordbox(tmp_path / "wordbox")
    commit(folder, {"wordbox.py": "x\n", ".gitattributes": "*.py filter=evil diff=evil\n"}, START)
    mark = tmp_path / "ran"
    run = f"sh -c 'touch {mark}; cat'"
    for key in ("filter.evil.clean", "filter.evil.smudge", "diff.evil.textconv", "diff.evil.command", "diff.external",
                "core.fsmonitor", "core.pager", "core.sshCommand", "log.showSignature"):  # fmt: skip
        git(folder, "config", key, "true" if key.startswith("log") else run)
    hooks = folder / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-index-change", "reference-transaction", "post-checkout"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {mark}\n")
        (hooks / name).chmod(0o755)
    with Repository(folder) as repository:
        second = repository.refs["HEAD"]
        assert b"+x" in repository.patch(first, second)
        repository.put(b"x")
        repository.write_tree(repository.tree(second))
        assert [one.sha for one in repository.all_commits()] == [second, first]
    assert not mark.exists()


def test_replaced_objects_are_not_believed(tmp_path: Path) -> None:
    folder, first = wordbox(tmp_path / "wordbox")
    second = commit(folder, {"wordbox.py": "changed\n"}, START)
    git(folder, "replace", first, second)
    with Repository(folder) as repository:
        assert repository.blob(repository.tree(first)["wordbox.py"].sha).decode() == FILES["wordbox.py"]


def test_addresses_of_remotes_are_told_without_passwords(tmp_path: Path) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    git(folder, "remote", "add", "origin", "https://me:secret@example.org/some/wordbox.git")
    with Repository(folder) as repository:
        assert repository.remotes == ("https://example.org/some/wordbox.git",)


def test_a_worktree_and_a_bare_clone_are_read_too(tmp_path: Path) -> None:
    folder, first = wordbox(tmp_path / "wordbox")
    git(folder, "worktree", "add", "-q", str(tmp_path / "beside"), "-b", "side")
    git(tmp_path, "clone", "-q", "--bare", str(folder), str(tmp_path / "bare.git"))
    for path in (tmp_path / "beside", tmp_path / "bare.git"):
        with Repository(path) as repository:
            assert set(repository.tree(first)) == set(FILES)


def test_dates_of_merged_branches_hide_nothing(tmp_path: Path) -> None:
    folder, first = wordbox(tmp_path / "wordbox")
    young = commit(folder, {"a": "a"}, START + timedelta(days=9))
    old = commit(folder, {"b": "b"}, START - timedelta(hours=1))
    with Repository(folder) as repository:
        assert {one.sha for one in repository.all_commits(until=START)} == {first, old}
        assert [one.sha for one in repository.all_commits(since=START)] == [young]


@pytest.mark.parametrize("name", ["nothing", "plain"])
def test_what_is_no_repository_is_misuse(tmp_path: Path, name: str) -> None:
    (tmp_path / "plain").mkdir()
    with pytest.raises(MisuseError, match=name):
        Repository(tmp_path / name)
