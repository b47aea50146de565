"""A draft that may be passed on says where its words come from, and isn't sound while one of them stands in it."""

import dataclasses
import json
import re
from pathlib import Path

import pytest

from swe_together.gaps import find_marks
from swe_together.pipeline.base import Repository
from swe_together.pipeline.build import make_plan, write_task
from swe_together.pipeline.check.contribution import words_are_own
from swe_together.pipeline.check.static import marks, static_verdicts
from swe_together.schema import SessionMessage, Variant, digest_of
from swe_together.tasks import load_task
from tests.pipeline.build.test_draft import complete, drafted
from tests.pipeline.recorded import cleared, git, two_turns, wordbox

PLACES = ["instruction.md", "solution/turn-N.md", "task.toml", "the message is in the recorded words"]


def test_each_place_with_recorded_words_is_marked_and_keeps_the_draft_from_being_sound(tmp_path: Path) -> None:
    task = complete(drafted(two_turns(), tmp_path))
    told = [mark.text for mark in find_marks(task)]
    assert all(any(one.startswith(place) for one in told) for place in PLACES)
    verdict = marks(task)
    assert not verdict.passed and re.search(r"simulator\.md:\d+: the message is in the recorded", verdict.detail)


def test_what_stays_on_this_machine_keeps_the_words_and_has_no_such_mark(tmp_path: Path) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    with Repository(folder) as repository:
        write_task(tmp_path / "words", make_plan(cleared(two_turns(), "all"), repository, name="words"))
    told = [mark.text for mark in find_marks(tmp_path / "words")]
    assert not any(one.startswith(place) for one in told for place in PLACES)
    session = json.loads((tmp_path / "words" / "session.json").read_text())
    assert session["messages"][1]["text"] == "and split at semicolons too"


def test_words_that_still_stand_are_found_by_their_digest_whatever_marks_are_left(tmp_path: Path) -> None:
    task = complete(drafted(two_turns(), tmp_path))
    problems = words_are_own(load_task(task)).detail
    assert "instruction.md has the recorded words of turn 0" in problems
    assert "simulator.md: the message of split-semicolons-too has the recorded words of turn 1" in problems
    for name, words, own in (
        ("instruction.md", "split() keeps blanks around words, strip them", "blanks should go from what split() gives"),
        ("simulator.md", "message: and split at semicolons too", "message: semicolons separate too"),
    ):
        (task / name).write_text((task / name).read_text().replace(words, own))
    bundle = load_task(task)
    assert words_are_own(bundle).passed
    assert "own words" in [one.item for one in static_verdicts(bundle, [])[1]]


@pytest.mark.parametrize("place", ["spec", "text", "variant"])
def test_no_place_is_forgotten(tmp_path: Path, place: str) -> None:
    bundle = load_task(complete(drafted(two_turns(), tmp_path)))
    words = "only here"
    known = SessionMessage(turn=7, sha256=digest_of(words), text=words if place == "text" else None)
    messages = [known, *(one.model_copy(update={"sha256": None}) for one in bundle.session.messages)]
    anchor = bundle.script.anchors[0].model_copy(update={"variants": []})
    if place == "variant":
        anchor = anchor.model_copy(
            update={"variants": [Variant.model_validate({"condition": {"path_changed": "x"}, "message": words})]}
        )
    changed = {
        "session": bundle.session.model_copy(update={"messages": messages}),
        "script": bundle.script.model_copy(update={"anchors": [anchor]}),
        "spec": f"{words}\n" if place == "spec" else "else",
    }
    verdict = words_are_own(dataclasses.replace(bundle, **changed))  # type: ignore[arg-type]
    assert not verdict.passed and "of turn 7" in verdict.detail and "\n" not in verdict.detail


def test_where_a_recording_can_be_found_again(tmp_path: Path) -> None:
    folder, first = wordbox(tmp_path / "wordbox")
    git(folder, "remote", "add", "origin", "git@github.com:quorvex/wordbox.git")
    file = tmp_path / "s.jsonl"
    file.write_text("x\n")
    with Repository(folder) as repository:
        plan = make_plan(cleared(two_turns()), repository, name="words", file=file)
        write_task(tmp_path / "words", plan)
    told = json.loads((tmp_path / "words" / "session.json").read_text())["recording"]
    assert told == {
        "format": "claude-code", "session_id": "session-0001", "commit": first,
        "sha256": "73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac",
        "repository": "https://github.com/quorvex/wordbox",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("called", "commit", "address", "known"),
    [
        ("https://github.com/quorvex/wordbox.git", "ab" * 20, "https://github.com/quorvex/wordbox", "ab" * 20),
        ("quorvex/wordbox", "abcdef0", "https://github.com/quorvex/wordbox", None),
        ("ab" * 32, None, None, None),
        (None, None, None, None),
    ],
)
def test_without_a_clone_what_the_session_says_counts(
    tmp_path: Path, called: str | None, commit: str | None, address: str | None, known: str | None
) -> None:
    plan = make_plan(cleared(two_turns(), repository=called, commit=commit), None, name="words", file=tmp_path)
    write_task(tmp_path / "words", plan)
    told = json.loads((tmp_path / "words" / "session.json").read_text())["recording"]
    assert (told.get("repository"), told.get("commit"), told.get("sha256")) == (address, known, None)
