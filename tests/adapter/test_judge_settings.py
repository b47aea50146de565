"""Settings of judging: wrong ones are named with the remedy before anything starts, and no key is ever shown."""

from typing import Any

import pytest

from swe_together.adapter.judge_settings import JudgingSettings, parse_judging
from swe_together.errors import MisuseError

KEY = "sk-0123456789"


def test_by_default_the_commands_judge() -> None:
    settings = parse_judging(None)
    assert settings == parse_judging({}) == parse_judging("{}") == JudgingSettings()
    assert (settings.judge, settings.judging.model, settings.judging.checks) == ("on", None, "trust")
    assert settings.tagging is None


def test_what_is_told_reaches_judge_and_tagger() -> None:
    settings = parse_judging(
        '{"judge_model": "openai/j", "judge_votes": "3", "judge_temperature": null, "judge_sec": 60, "judge_turns": 5,'
        ' "judge_tokens": 1000, "judge_seed": 7, "judge_checks": "confirm", "judge_base_url": "http://127.0.0.1:1/v1",'
        ' "judge_structure": "text", "judge_max_tokens": 100, "judge_api_key_env": "MY_KEY",'
        ' "tagger_model": "openai/t", "tagger_temperature": 0.5, "tagger_api_key_env": ""}'
    )
    judge, tagger = settings.judging, settings.tagging
    assert judge.model is not None
    assert tagger is not None
    assert judge.model.model_dump() == {
        "model": "openai/j", "temperature": None, "api_key_env": "MY_KEY", "base_url": "http://127.0.0.1:1/v1",
        "structure": "text", "max_tokens": 100,
    }  # fmt: skip
    assert (judge.votes, judge.seconds, judge.turns, judge.tokens, judge.seed, judge.checks) == (
        3, 60, 5, 1000, 7, "confirm",
    )  # fmt: skip
    assert (tagger.model, tagger.temperature, tagger.api_key_env) == ("openai/t", 0.5, "")


@pytest.mark.parametrize(
    ("told", "problem"),
    [
        ({"judge_vote": 3}, "setting judge_vote: Extra inputs are not permitted."),
        ({"judge_votes": 2, "judge_model": "m"}, "setting judging: votes must be odd"),
        ({"judge_votes": 27, "judge_model": "m"}, "setting judge_votes: Input should be less than or equal to 25"),
        ({"judge_votes": "many"}, "setting judge_votes: Input should be a valid integer"),
        ({"judge_votes": 3}, "votes need a model"),
        ({"judge_checks": "ignore"}, "checks=ignore needs a model"),
        ({"judge_checks": "maybe"}, "setting judge_checks: Input should be 'trust', 'confirm' or 'ignore'"),
        ({"judge": "off", "judge_model": "m"}, "judge=off and judge_model exclude each other"),
        ({"judge": "no"}, "setting judge: Input should be 'on' or 'off' (found 'no')"),
        ({"judge_model": ""}, "setting judge_model: String should have at least 1 character"),
        ({"judge_sec": 0}, "setting judge_sec: Input should be greater than 0 (found 0)"),
        ({"judge_turns": 1}, "setting judge_turns: Input should be greater than or equal to 2"),
        ({"judge_temperature": 3}, "setting judge_temperature: Input should be less than or equal to 2"),
        ({"tagger_temperature": -1}, "setting tagger_temperature: Input should be greater than or equal to 0"),
        ({"judge_structure": "xml"}, "setting judge_structure: Input should be 'tool', 'schema' or 'text'"),
        ("{", "is not JSON"),
        ("[1]", "setting judging: Input should be a valid dictionary"),
        (5, "setting judging: Input should be a valid dictionary"),
    ],
)
def test_wrong_settings_are_misuse(told: Any, problem: str) -> None:
    with pytest.raises(MisuseError) as error:
        parse_judging(told)
    assert problem in str(error.value)
    assert error.value.exit_code == 2
    assert error.value.remedy.startswith(("Known settings: judge,", "Write e.g."))


@pytest.mark.parametrize(
    "told",
    [
        {"judge_api_key_env": KEY},
        {"tagger_api_key_env": KEY},
        {"judge_api_key": KEY},
        {"judge_base_url": f"https://me:{KEY}@host/v1"},
        {"tagger_base_url": KEY},
        {"judge_model": "m", "judge_votes": 2, "judge_base_url": f"https://host/v1?key={KEY}"},
    ],
)
def test_a_key_in_the_wrong_place_is_never_shown(told: dict[str, Any]) -> None:
    with pytest.raises(MisuseError) as error:
        parse_judging(told)
    assert KEY not in str(error.value)


@pytest.mark.parametrize("who", ["judge", "tagger"])
def test_a_missing_key_is_named_by_its_variable(who: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MY_KEY", raising=False)
    settings = parse_judging({f"{who}_model": "openai/m", f"{who}_api_key_env": "MY_KEY"})
    with pytest.raises(MisuseError, match="The host variable MY_KEY") as error:
        settings.require_keys()
    assert f"--pk {who}_api_key_env=NAME" in error.value.remedy
    monkeypatch.setenv("MY_KEY", KEY)
    settings.require_keys()
    monkeypatch.delenv("MY_KEY")
    parse_judging({f"{who}_model": "openai/m", f"{who}_base_url": "http://127.0.0.1:1/v1"}).require_keys()
