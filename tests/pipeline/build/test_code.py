"""Code that a task carries: what the session brought in goes, what the base holds stays, the rest is refused."""

from pathlib import Path

import pytest

from swe_together.gaps import find_marks
from swe_together.pipeline.base import Repository
from swe_together.pipeline.build import Plan, make_plan, write_task
from swe_together.pipeline.build import _construct as construct
from swe_together.pipeline.clearing import Cleared
from swe_together.pipeline.privacy import PrivacyError
from tests.pipeline.recorded import Recording, at, cleared, commit, git, two_turns, wordbox

TOKEN = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"
MAIL = "tibor@kazemune.org"


def planned(tmp_path: Path, session: Cleared, files: dict[str, str | bytes] | None = None) -> Plan:
    """A plan of a session in a repository whose base may hold more files, and that was pushed."""
    folder, _ = wordbox(tmp_path / "wordbox")
    if files:
        commit(folder, files, at(-30), "More")
    git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    with Repository(folder) as repository:
        return make_plan(session, repository, name="words")


def patch(plan: Plan) -> str:
    assert plan.reference is not None
    return b"".join(plan.reference.stages.values()).decode()


def test_lines_of_the_base_stay_and_new_ones_go(tmp_path: Path) -> None:
    old, new = f"by {MAIL}\n\nend\n", f"by {MAIL}\n\ntoken {TOKEN}\nask {MAIL}\nend\n"
    recording = Recording().says("x").writes("AUTHORS", new, before=old).says("y").replies("ok")
    text = patch(planned(tmp_path, cleared(recording), {"AUTHORS": old}))
    assert f"\n by {MAIL}\n" in text and TOKEN not in text and text.count(MAIL) == 1
    assert "\n+token REDACTED-github-token-" in text and "\n+ask mail-" in text and "\n end\n" in text


def test_what_lies_across_an_old_line_and_a_new_one_is_refused(tmp_path: Path) -> None:
    old = "machine api.acme.io\n  login deployer\n"
    recording = Recording().says("x").writes("netrc", f"{old}  password kT7vQ2x\n", before=old).says("y").replies("ok")
    with pytest.raises(PrivacyError, match="netrc: what must go lies across lines"):
        planned(tmp_path, cleared(recording), {"netrc": old})


@pytest.mark.parametrize(("keeps", "stays"), [("nothing", False), ("code", True), ("all", True)])
def test_who_keeps_code_gets_it_as_it_was(tmp_path: Path, keeps: str, stays: bool) -> None:
    recording = two_turns().writes("keys.txt", f"{TOKEN}\n")
    assert (TOKEN in patch(planned(tmp_path, cleared(recording, keeps)))) is stays  # type: ignore[arg-type]


def test_the_name_of_a_new_file_goes_and_its_place_stays(tmp_path: Path) -> None:
    recording = two_turns().runs("ls /home/zorvatek").writes("docs/zorvatek.md", "x\n")
    plan = planned(tmp_path, cleared(recording))
    assert "+++ b/docs/user-" in patch(plan) and "zorvatek" not in patch(plan)


def work(tmp_path: Path, data: bytes) -> Plan:
    """A session whose own commit adds a file of these bytes."""
    folder, _ = wordbox(tmp_path / "wordbox")
    sha = commit(folder, {"added.bin": data}, at(3), "Add")
    recording = two_turns().runs("git commit -qm Add", f"[main {sha[:7]}] Add\n")
    with Repository(folder) as repository:
        return make_plan(cleared(recording), repository, name="words")


def test_a_picture_stays_and_is_named_and_other_bytes_are_refused(tmp_path: Path) -> None:
    plan = work(tmp_path, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    assert "GIT binary patch" in patch(plan)
    write_task(tmp_path / "words", plan)
    assert any("added.bin is no text" in mark.text for mark in find_marks(tmp_path / "words"))
    with pytest.raises(PrivacyError, match=r"added\.bin: the session added bytes that are no text"):
        work(tmp_path / "other", b"\x1f\x8b\x08\0\0\0\0\0")


def test_text_in_another_encoding_is_looked_through_and_stays_as_it_is_but_for_that(tmp_path: Path) -> None:
    plan = work(tmp_path, f"gr\xfc\xdfe {TOKEN}\n".encode("latin-1"))
    assert plan.reference is not None
    (stage,) = (stage for stage in plan.reference.stages.values() if b"added.bin" in stage)
    assert b"+gr\xfc\xdfe REDACTED-github-token-" in stage and TOKEN.encode() not in stage


def test_a_secret_that_only_the_code_gives_away_goes_from_the_words_too(tmp_path: Path) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    value = "Zk29xQ77LmPw31Vb"
    sha = commit(folder, {"settings.py": f"DB_PASSWORD = '{value}'\n"}, at(3), "Add")
    recording = two_turns().runs("git commit -qm Add", f"[main {sha[:7]}] Add\n").says(f"it is {value}")
    session = cleared(recording.replies("I see."))
    assert value in repr(session.shown)
    with Repository(folder) as repository:
        plan = make_plan(session, repository, name="words")
    assert value not in patch(plan) and value not in repr(plan.session) and value not in repr(plan.anchors)


def test_a_secret_in_the_material_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last look: should the session ever be written as it was recorded, nothing of the task stays."""
    folder, _ = wordbox(tmp_path / "wordbox")
    monkeypatch.setattr(construct, "session_text", lambda session: f"use {TOKEN}")
    with Repository(folder) as repository:
        plan = make_plan(cleared(two_turns().says(f"use {TOKEN}").replies("ok")), repository, name="words")
        with pytest.raises(PrivacyError, match=r"session\.json still holds a secret"):
            construct.write_construction(tmp_path / "out", plan)
    assert not (tmp_path / "out").exists()
