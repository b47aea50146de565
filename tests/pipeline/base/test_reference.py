"""A reference leads by its stages from the base to what was committed; what it is worth is said with it."""

import subprocess
from pathlib import Path

import pytest

from swe_together.pipeline.base import Reference, Repository, find_base, make_reference, turns_of
from tests.pipeline.recorded import AFTER, BEFORE, FILES, MIDDLE, TEST, Recording, at, commit, two_turns, wordbox


def made(recording: Recording, folder: Path) -> Reference:
    session = recording.session()
    with Repository(folder) as repository:
        return make_reference(turns_of(session), find_base(session, repository), repository)


def applied(reference: Reference, folder: Path) -> dict[str, bytes]:
    """The files after all stages, put on a plain copy of the base with git apply."""
    work = folder.parent / "work"
    work.mkdir()
    for name, content in FILES.items():
        (work / name).write_bytes(content.encode())
    for _, patch in sorted(reference.stages.items()):
        subprocess.run(["git", "apply", "-"], cwd=work, input=patch, check=True)
    return {path.relative_to(work).as_posix(): path.read_bytes() for path in work.rglob("*") if path.is_file()}


def test_edits_alone_make_a_stage_of_each_turn(tmp_path: Path) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    reference = made(two_turns(), folder)
    assert sorted(reference.stages) == [0, 1]
    assert b"strip()" in reference.stages[0] and b"test_wordbox" not in reference.stages[0]
    found = applied(reference, folder)
    assert (found["wordbox.py"].decode(), found["test_wordbox.py"].decode()) == (AFTER, TEST)
    fidelity = reference.fidelity
    assert (fidelity.source, fidelity.edits, fidelity.applied, fidelity.same_tree) == ("replay", 3, 3, None)
    assert fidelity.share == 1


def test_commits_decide_and_the_edits_equality_is_said(tmp_path: Path) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    commit(folder, {"wordbox.py": AFTER, "test_wordbox.py": TEST}, at(30))
    reference = made(two_turns(), folder)
    assert (reference.fidelity.source, reference.fidelity.same_tree, reference.fidelity.foreign) == ("commits", True, 0)
    assert applied(reference, folder)["wordbox.py"].decode() == AFTER


def test_what_was_committed_otherwise_counts_and_is_told(tmp_path: Path) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    better = AFTER + "# by hand\n"
    commit(folder, {"wordbox.py": better, "test_wordbox.py": TEST, "NEWS": "x\n"}, at(30))
    reference = made(two_turns(), folder)
    assert reference.fidelity.same_tree is False
    assert reference.fidelity.differing == ("NEWS", "wordbox.py")
    assert b"by hand" in reference.stages[1] and b"by hand" not in reference.stages[0]
    assert b"NEWS" in reference.stages[1]
    assert applied(reference, folder)["wordbox.py"].decode() == better


def test_commits_of_others_in_between_leave_their_files_out(tmp_path: Path) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    commit(folder, {"theirs.txt": "x\n"}, at(25), "Somebody else's")
    mine = commit(folder, {"wordbox.py": AFTER, "test_wordbox.py": TEST}, at(30), "Mine")
    recording = two_turns().runs("git commit -am Mine", f"[main {mine[:9]}] Mine")
    reference = made(recording, folder)
    assert reference.fidelity.foreign == 1
    assert "theirs.txt" not in applied(reference, folder)
    assert "1 commits in between belong to somebody else" in str(reference.fidelity)


def test_an_edit_that_cannot_be_done_again_is_counted_and_named(tmp_path: Path) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    recording = (
        Recording().says("x")
        .edits("wordbox.py", 'split(",")', 'split(";")', before=BEFORE)
        .edits("README.md", "is not there", "y").edits("gone.py", "a", "b")
        .edits("wordbox.py", "x", "y", status="failed")
    )  # fmt: skip
    fidelity = made(recording, folder).fidelity
    assert (fidelity.edits, fidelity.applied) == (3, 1)
    assert fidelity.failed == (("README.md", "the text to replace isn't there"), ("gone.py", "the file isn't there"))


def test_what_changed_a_file_unrecorded_is_taken_from_what_the_next_edit_saw(tmp_path: Path) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    formatted = MIDDLE.replace("(text)", "( text )")
    recording = (
        Recording().says("x")
        .edits("wordbox.py", 'text.split(",")', '[w.strip() for w in text.split(",")]', before=BEFORE)
        .runs("black .").edits("wordbox.py", "( text )", "( words )", before=formatted)
    )  # fmt: skip
    reference = made(recording, folder)
    assert reference.fidelity.drifted == 1
    assert applied(reference, folder)["wordbox.py"].decode() == formatted.replace("( text )", "( words )", 1)


def test_a_file_keeps_its_line_ends_and_mode(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    commit(folder, {"a.sh": b"one\r\ntwo\r\n"}, at(-60))
    (folder / "a.sh").chmod(0o755)
    commit(folder, {}, at(-50))
    recording = Recording("/w/r").says("x").edits("a.sh", "one\ntwo", "one\nthree", before="one\ntwo\n")
    session = recording.session()
    with Repository(folder) as repository:
        reference = make_reference(turns_of(session), find_base(session, repository), repository)
        file = repository.tree(reference.tree)["a.sh"]
        assert (file.mode, repository.blob(file.sha)) == ("100755", b"one\r\nthree\r\n")


ENVELOPE = """*** Begin Patch
*** Update File: wordbox.py
@@ def split(text):
-    return text.split(",")
+    return text.split(";")
*** Add File: new/notes.txt
+one
+two
*** Delete File: README.md
*** Update File: LICENSE
*** Move to: COPYING
@@
-MIT License
+The MIT License
*** Update File: test_wordbox.py
@@
-no such line
+x
*** End Patch"""


@pytest.mark.parametrize("how", ["tool", "command"])
def test_a_patch_in_an_envelope_is_applied_file_by_file(tmp_path: Path, how: str) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    recording = Recording().says("x")
    if how == "tool":
        recording._call("apply_patch", "patch", {"input": ENVELOPE}, "wordbox.py")
    else:
        recording.runs(f"apply_patch <<'EOF'\n{ENVELOPE}\nEOF")
    session = recording.session()
    with Repository(folder) as repository:
        reference = make_reference(turns_of(session), find_base(session, repository), repository)
        tree = {path: repository.blob(file.sha).decode() for path, file in repository.tree(reference.tree).items()}
    assert tree["wordbox.py"] == BEFORE.replace(",", ";")
    assert tree["new/notes.txt"] == "one\ntwo\n"
    assert "README.md" not in tree and "LICENSE" not in tree and tree["COPYING"].startswith("The MIT")
    assert reference.fidelity.failed == (("test_wordbox.py", "the context of the patch isn't there"),)
    assert (reference.fidelity.edits, reference.fidelity.applied) == (5, 4)


def test_half_characters_and_bytes_that_are_no_text_stop_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    commit(folder, {"a.txt": b"x \xff y\n"}, at(-60))
    recording = Recording("/w/r").says("x").edits("a.txt", "y", "z").writes("b.txt", "half \ud83d\n")
    session = recording.session()
    with Repository(folder) as repository:
        reference = make_reference(turns_of(session), find_base(session, repository), repository)
        tree = repository.tree(reference.tree)
        assert repository.blob(tree["a.txt"].sha) == b"x \xff z\n"
        assert repository.blob(tree["b.txt"].sha) == b"half ?\n"


def test_several_edits_at_once_and_all_places(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    commit(folder, {"a.txt": "x x\ny\n"}, at(-60))
    pairs = [{"oldText": "x", "newText": "z", "replaceAll": True}, {"oldText": "y", "newText": "w"}]
    recording = Recording("/w/r").says("x")._call("edit", "edit", {"edits": pairs}, "a.txt")
    session = recording.session()
    with Repository(folder) as repository:
        reference = make_reference(turns_of(session), find_base(session, repository), repository)
        assert repository.blob(repository.tree(reference.tree)["a.txt"].sha) == b"z z\nw\n"


def test_messages_without_work_between_them_are_one_turn() -> None:
    recording = Recording().says("a").says("b").replies("ok").stops().says("c").says("d", channel="queued")
    turns = turns_of(recording.session())
    assert [(turn.number, turn.text, turn.stopped) for turn in turns] == [(0, "a\n\nb", False), (1, "c\n\nd", True)]
    assert turns[0].reply == "ok"


def test_what_commands_changed_has_its_stages_from_the_commits(tmp_path: Path) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    first = commit(folder, {"wordbox.py": MIDDLE}, at(2), "One")
    second = commit(folder, {"wordbox.py": AFTER, "test_wordbox.py": TEST}, at(2), "Two")
    recording = (
        Recording().says("strip").runs("sed -i … && git commit -am One", f"[main {first[:7]}] One").replies("ok")
        .says("semicolons").runs("sed -i … && git commit -am Two", f"[main {second[:7]}] Two").replies("ok")
    )  # fmt: skip
    reference = made(recording, folder)
    assert sorted(reference.stages) == [0, 1]
    assert b"strip()" in reference.stages[0] and b"test_wordbox" not in reference.stages[0]
    assert b"replace" in reference.stages[1]
    assert reference.fidelity.edits == 0 and reference.fidelity.share is None
    assert applied(reference, folder)["test_wordbox.py"].decode() == TEST


def test_what_was_taken_back_has_its_stages_too(tmp_path: Path) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    recording = (
        two_turns().says("leave the tests alone").writes("test_wordbox.py", FILES["test_wordbox.py"], before=TEST)
    )
    recording.says("a note").writes("scratch.txt", "x").says("drop it").replies("ok")
    reference = made(recording, folder)
    assert b"test_wordbox" in reference.stages[1] and b"test_wordbox" in reference.stages[2]
    assert applied(reference, folder)["test_wordbox.py"].decode() == FILES["test_wordbox.py"]


def test_what_no_edit_of_the_agent_was_of_is_told(tmp_path: Path) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    files = {"wordbox.py": AFTER, "test_wordbox.py": TEST, "VERSION": "1.2.0\n", "moved.py": "x\n"}
    sha = commit(folder, files, at(20), "Split better")
    envelope = "*** Begin Patch\n*** Update File: README.md\n*** Move to: moved.py\n@@\n-Word lists.\n+x\n*** End Patch"
    recording = two_turns().says("commit").runs(f"apply_patch <<'E'\n{envelope}\nE")
    reference = made(recording.runs("git commit -qm x", f"[main {sha[:7]}] Split better"), folder)
    assert reference.fidelity.untouched == ("VERSION",)
    assert "; no edit of the agent was of VERSION: a command changed them, or the person" in str(reference.fidelity)
    assert made(two_turns(), wordbox(tmp_path / "other")[0]).fidelity.untouched == ()
