"""Settings are checked before anything starts."""

import subprocess
from pathlib import Path

import pytest

from swe_together.adapter.settings import parse_settings, without_reserved
from swe_together.errors import MisuseError
from tests.support import harbor as h


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


@pytest.mark.parametrize("told", ["nonsense=1", "stop_after_errors=x"])
def test_harbors_command_line_says_one_sentence_about_a_wrong_setting(told: str, tmp_path: Path) -> None:
    command = [str(h.HARBOR), "run", "-p", str(h.tiny_task()), "--jobs-dir", str(tmp_path), "--yes"]
    command += ["-e", "tests.support.local_environment:LocalEnvironment", "-a", "tests.support.agents:NoteAgent"]
    command += ["--plugin", "swe-together", "--pk", told]
    done = subprocess.run(command, env=h.environment(), cwd=h.ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("swe-together: ")
    assert told.partition("=")[0] in done.stderr
