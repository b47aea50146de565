"""Labels by plain rules, on words as people type them."""

import pytest

from swe_together.pipeline.base import turns_of
from swe_together.pipeline.build import label_of
from tests.pipeline.recorded import Recording


def label(text: str, *, stopped: bool = False, channel: str = "typed") -> tuple[str, str]:
    recording = Recording().says("first").replies("ok")
    if stopped:
        recording.stops()
    turn = turns_of(recording.says(text, channel=channel).session())[1]
    found = label_of(turn)
    return found.action.value, found.tags[0].value


@pytest.mark.parametrize(
    ("text", "action", "tag"),
    [
        ("no, keep the old name", "redirect", "correction"),
        ("still fails on windows", "redirect", "correction"),
        ("you forgot the docs", "redirect", "correction"),
        ("it doesn't work with an empty list", "redirect", "correction"),
        ("why did you remove the test?", "redirect", "correction"),
        ("run the tests", "check_external", "verification"),
        ("ok, now please check that it builds", "check_external", "verification"),
        ("commit.", "new_requirement", "workflow"),
        ("great, go ahead", "new_requirement", "workflow"),
        ("yes", "new_requirement", "workflow"),
        ("thanks!", "new_requirement", "approval"),
        ("what does this flag do?", "question", "question"),
        ("is there a shorter way", "question", "question"),
        ("can you add a flag for that?", "new_requirement", "request"),
        ("no problem, add a flag", "new_requirement", "request"),
        ("also split at semicolons", "new_requirement", "request"),
        ("noise in the log should go to stderr", "new_requirement", "request"),
    ],
)
def test_words(text: str, action: str, tag: str) -> None:
    assert label(text) == (action, tag)


def test_how_it_was_said_comes_before_the_words() -> None:
    assert label("add a flag", stopped=True) == ("redirect", "correction")
    assert label("add a flag", channel="rejection") == ("redirect", "correction")
    assert label("Option B", channel="answer") == ("new_requirement", "workflow")
