"""Recorded paths are placed in the repository, and none leads out of it or into git's own folder."""

from pathlib import Path

import pytest

from swe_together.pipeline.base import Repository, find_base, make_reference, root_of, turns_of, within
from tests.pipeline.recorded import Recording, at, commit


@pytest.mark.parametrize(
    ("path", "root", "found"),
    [
        ("/w/r/a.py", "/w/r", "a.py"),
        ("/w/r/lib//a.py", "/w/r", "lib/a.py"),
        ("lib/./a.py", "/w/r", "lib/a.py"),
        ("C:\\w\\r\\a.py", "/C:/w/r", "a.py"),
        ("/w/r2/a.py", "/w/r", None),
        ("/w/r/../x", "/w/r", None),
        ("../x", "/w/r", None),
        ("/w/r", "/w/r", None),
        ("/w/r/.git/hooks/post-checkout", "/w/r", None),
        ("sub/.GIT/config", "/w/r", None),
        ("/w/r/a\nb", "/w/r", None),
        ("/w/r/a.py", None, None),
        ("a.py", None, "a.py"),
    ],
)
def test_within(path: str, root: str | None, found: str | None) -> None:
    assert within(path, root) == found


@pytest.mark.parametrize(
    ("paths", "cwd", "root"),
    [
        (["/w/r/lib/a.py"], "/w/r", "/w/r"),
        (["/w/r/lib/a.py"], "/w/r/lib", "/w/r"),
        (["/w/r/lib/a.py", "/tmp/x"], "/elsewhere", "/w/r"),
        (["/w/r/new.py"], "/w/r", "/w/r"),
        (["/w/r/new.py"], None, None),
        ([], "/w/r", "/w/r"),
    ],
)
def test_root(paths: list[str], cwd: str | None, root: str | None) -> None:
    assert root_of(paths, cwd, {"lib/a.py", "b.py"}) == root


def test_what_a_session_did_to_gits_own_folder_and_to_links_is_no_part_of_the_reference(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    commit(folder, {"a.txt": "x\n"}, at(-60))
    (folder / "link").symlink_to("a.txt")
    commit(folder, {}, at(-50))
    recording = (
        Recording("/w/r").says("x").writes(".git/hooks/post-checkout", "touch /tmp/ran\n").writes("../out", "x")
        .writes("link", "y").edits("a.txt", "x", "y", before="x\n")
    )  # fmt: skip
    session = recording.session()
    with Repository(folder) as repository:
        reference = make_reference(turns_of(session), find_base(session, repository), repository)
        assert repository.changed(reference.base, reference.tree) == ["a.txt"]
    assert reference.fidelity.failed == (("link", "it is no plain file"),)
