"""Sessions are shown on a page of bounded size; answers are typed, kept by content, and never invented."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from swe_together.cli import main
from swe_together.errors import MisuseError
from swe_together.judge import Conversation
from swe_together.judge.fake import ListedChat
from swe_together.pipeline.asking import NoAnswer
from swe_together.pipeline.fake import FakeReader
from swe_together.pipeline.screen import (
    Answers,
    Failed,
    Page,
    Screening,
    page_of,
    read_screened,
    screen,
    screen_page,
    summary_of,
)
from swe_together.pipeline.sessions import Place
from tests.pipeline.recorded import Recording, cleared, two_turns

PLACE = Place(Path("/somewhere/s.jsonl"), 1, "0")
GOOD = {
    "summary": "s", "deliverable_reason": "a", "deliverable": True, "obstacles": [], "reproducible_reason": "b",
    "reproducible": True, "guided_reason": "c", "guided": True,
}  # fmt: skip


def page(recording: Recording, place: Place = PLACE, number: int = 0, **origin: Any) -> Page:
    return page_of(cleared(recording, **origin), place, number)


def asked(recording: Recording, model: Any, answers: Answers) -> Screening:
    return asyncio.run(screen_page(page(recording), model, answers))


def test_the_page_is_bounded_whatever_the_session(tmp_path: Path) -> None:
    recording = Recording()
    for number in range(300):
        recording.says(f"{number} " + "word " * 2_000).edits(f"f{number}.py", "a", "b").runs("x" * 5_000)
        recording.replies("reply " * 3_000)
    page = summary_of(recording.session())
    assert len(page) < 60_000
    assert "messages of the user: 300" in page and "(260 messages are left out)" in page
    assert "## Message 0\n" in page and "## Message 299\n" in page


def test_a_short_session_is_shown_whole() -> None:
    page = summary_of(two_turns().runs("pytest -q", code=1).session())
    shown = ("strip them", "and split at semicolons too", "Edited: /home/somebody/wordbox/wordbox.py",
             "pytest -q  → 1", "Semicolons separate words as well.")  # fmt: skip
    for told in shown:
        assert told in page


def test_an_answer_is_asked_for_once(tmp_path: Path) -> None:
    model = FakeReader()
    first = asked(two_turns(), model, Answers(tmp_path))
    assert first.chosen and first.messages == 2 and first.ledger.requests == 1
    again = asked(two_turns(), model, Answers(tmp_path))
    assert again == first and len(model.asked) == 1
    other = two_turns().says("one more thing").replies("ok")
    asked(other, model, Answers(tmp_path))
    another = FakeReader("another")
    assert asked(two_turns(), another, Answers(tmp_path)).model == "another"
    assert (len(model.asked), len(another.asked)) == (2, 1)


def test_another_copy_of_the_session_takes_the_answer_and_keeps_its_own_place(tmp_path: Path) -> None:
    model = FakeReader()
    asked(two_turns(), model, Answers(tmp_path))
    elsewhere = Place(Path("/copy.jsonl"), 2, "1")
    copy = page(two_turns(), elsewhere, 3, session_id="copy")
    moved = asyncio.run(screen_page(copy, model, Answers(tmp_path)))
    assert (moved.session, moved.where, moved.number, len(model.asked)) == ("copy", elsewhere, 3, 1)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"obstacles": ["network"]}, "names obstacles and says that it is reproducible"),
        ({"reproducible": False}, "names no obstacle"),
        ({"reproducible": False, "obstacles": ["network", "network"]}, "twice"),
        ({"deliverable": "yes"}, "deliverable"),
        ({"obstacles": ["weather"], "reproducible": False}, "obstacles"),
    ],
)
def test_an_answer_that_cannot_be_meant_is_asked_for_again(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    model = ListedChat([("assess", {**GOOD, **change}), ("assess", GOOD)])
    assert asked(two_turns(), model, Answers(tmp_path)).deliverable
    assert told in model.asked[1].notes[0]


def test_no_usable_answer_is_an_error_and_nothing_is_kept(tmp_path: Path) -> None:
    bad = ("assess", {**GOOD, "reproducible": False})
    with pytest.raises(NoAnswer, match="no usable answer in 3 tries"):
        asked(two_turns(), ListedChat([bad, bad, bad]), Answers(tmp_path))
    assert list(tmp_path.iterdir()) == []


class Broken(FakeReader):
    """Fails for one session."""

    async def answer(self, conversation: Conversation, seconds: float) -> Any:
        if "broken" in conversation.opening:
            raise NoAnswer("It is broken.", "")
        return await super().answer(conversation, seconds)


def test_one_failure_stops_no_other(tmp_path: Path) -> None:
    pages = [page(Recording().says(text).edits("a", "b", "c").says("x")) for text in ("one", "broken", "two")]

    async def run() -> list[Screening | Failed]:
        return [one async for one in screen(pages, Broken(), Answers(tmp_path), 2)]

    found = asyncio.run(run())
    assert sorted(type(one).__name__ for one in found) == ["Failed", "Screening", "Screening"]


def test_what_was_written_is_read_again_and_anything_else_is_misuse(tmp_path: Path) -> None:
    screening = asked(two_turns(), FakeReader(), Answers(tmp_path / "kept"))
    file = tmp_path / "screened.jsonl"
    file.write_text(screening.model_dump_json() + "\n")
    assert read_screened(file) == [screening]
    file.write_text(json.dumps({"place": {}, "deliverable": True}) + "\n")
    with pytest.raises(MisuseError, match="line 1 is no screening"):
        read_screened(file)


def test_a_model_must_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["screen", str(tmp_path), "-o", str(tmp_path / "o.jsonl")]) == 2
    assert "--model" in capsys.readouterr().err
