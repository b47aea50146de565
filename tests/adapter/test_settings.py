"""Settings are checked before anything starts."""

from pathlib import Path

import pytest

from swe_together.adapter.settings import parse_settings, without_reserved
from swe_together.errors import MisuseError


def test_defaults_and_json() -> None:
    assert parse_settings(None).user == "scripted"
    assert parse_settings('{"continuation": "restated"}').continuation == "restated"
    assert parse_settings({"turn_sec": "5"}).turn_sec == 5


@pytest.mark.parametrize("value", [{"usr": "x"}, {"arm": "solo"}, {"turn_sec": 0}, "{", {"continuation": "replay"}])
def test_wrong_settings_are_misuse(value: object) -> None:
    with pytest.raises(MisuseError) as error:
        parse_settings(value)
    assert error.value.exit_code == 2
    assert error.value.remedy


def test_the_inner_agent_never_sees_ours() -> None:
    assert without_reserved({"together": {}, "max_turns": 3}) == {"max_turns": 3}
    assert without_reserved(None) is None


def test_a_persons_answers_are_read_before_anything_starts(tmp_path: Path) -> None:
    answers = tmp_path / "answers.yaml"
    answers.write_text("- more\n")
    assert parse_settings({"user": "human", "human_answers": str(answers)}).human_answers == str(answers)
    assert parse_settings({"user": "human"}).human_answers is None
    answers.write_text("more\n")
    wrong = [
        ({"user": "human", "human_answers": str(answers)}, "are no list"),
        ({"user": "human", "human_answers": str(tmp_path / "none")}, "can't be read"),
        ({"human_answers": str(answers)}, "needs user=human"),
    ]
    for value, words in wrong:
        with pytest.raises(MisuseError, match=words):
            parse_settings(value)
