"""Named sets of settings: what is said explicitly wins, and each of them is a set that a run takes."""

from pathlib import Path
from typing import Any

import pytest
import typer

from swe_together import defaults
from swe_together.adapter.judge_settings import JudgingSettings, parse_judging
from swe_together.adapter.plugin import TogetherPlugin
from swe_together.adapter.presets import PRESETS, with_preset
from swe_together.adapter.settings import Settings, parse_settings
from swe_together.errors import MisuseError


def parsed(**told: Any) -> tuple[Settings, JudgingSettings]:
    settings = with_preset(told)
    judging = {name: settings.pop(name) for name in JudgingSettings.model_fields if name in settings}
    return parse_settings(settings), parse_judging(judging)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_taken_by_session_and_judge(name: str) -> None:
    session, judging = parsed(preset=name)
    told = PRESETS[name]
    in_force = {**session.model_dump(), **judging.model_dump()}
    assert {setting: in_force[setting] for setting in told} == dict(told)


def test_free_needs_no_model_and_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("USER", "JUDGE", "TAGGER"):
        monkeypatch.delenv(f"SWE_TOGETHER_{name}_API_KEY", raising=False)
    session, judging = parsed(preset="free")
    assert (session.model, judging.judging.model, judging.tagging) == (None, None, None)
    session.require_keys()
    judging.require_keys()


def test_paper_is_what_was_published() -> None:
    session, judging = parsed(preset="paper")
    assert session.model is not None
    assert (session.user, session.model.model, session.model.temperature) == (
        "llm", "gemini/gemini-3.1-pro-preview", 0.5,
    )  # fmt: skip
    assert (session.turn_sec, session.session_sec) == (1800, 5400)
    judge, tagger = judging.judging, judging.tagging
    assert judge.model is not None
    assert tagger is not None
    assert (judge.model.model, judge.model.temperature) == ("anthropic/claude-opus-4-6", None)
    assert (judge.votes, judge.checks, judge.turns, judge.seconds) == (1, "ignore", 50, 1200)
    assert (tagger.model, tagger.temperature) == ("gemini/gemini-3.1-pro-preview", 0)


@pytest.mark.parametrize("name", [setting for setting in PRESETS["paper"] if setting != "user"])
def test_what_is_said_explicitly_wins(name: str) -> None:
    other: dict[str, Any] = {
        "user_model": "openai/x", "user_temperature": 0.0, "turn_sec": 5.0, "session_sec": 50.0,
        "judge_model": "openai/y", "judge_temperature": 0.0, "judge_votes": 3, "judge_checks": "confirm",
        "judge_turns": 9, "judge_sec": 30.0, "tagger_model": "openai/z", "tagger_temperature": 1.0,
    }  # fmt: skip
    session, judging = parsed(preset="paper", **{name: other[name]})
    in_force = {**session.model_dump(), **judging.model_dump()}
    expected = {**PRESETS["paper"], name: other[name]}
    assert {setting: in_force[setting] for setting in expected} == expected


@pytest.mark.parametrize("told", [{"judge": "off"}, {"judge_model": None}])
def test_a_preset_without_its_judge(told: dict[str, Any]) -> None:
    session, judging = parsed(preset="paper", **told)
    assert session.user == "llm"
    assert judging.judge_model is None
    assert judging.judge_checks == "trust"
    assert judging.tagging is not None


@pytest.mark.parametrize("name", ["papre", "", 5, ["paper"], {"paper": 1}])
def test_an_unknown_preset_is_misuse(name: object) -> None:
    with pytest.raises(MisuseError, match="there is no preset") as error:
        with_preset({"preset": name})
    assert (error.value.exit_code, error.value.remedy) == (2, "Presets: free, paper.")


def test_the_docs_name_every_preset_and_what_paper_is() -> None:
    docs = (Path(__file__).parents[2] / "docs" / "judge.md").read_text(encoding="utf-8")
    section = docs.split("## Presets")[1].split("\n## ")[0]
    for name in PRESETS:
        assert f"| `{name}` |" in section
    for value in ("gemini-3.1-pro-preview", "claude-opus-4-6", "5,400 s", "1,800 s", "1,200 s", "50 turns", "0.5"):
        assert value in section
    assert f"τ | {defaults.PASS_THRESHOLD} |" in section


def test_without_a_preset_nothing_is_filled_in() -> None:
    assert with_preset({"user": "scripted"}) == {"user": "scripted"}
    assert with_preset({"preset": None}) == {}


def test_the_plugin_takes_a_preset_with_other_settings() -> None:
    plugin = TogetherPlugin(preset="paper", user="scripted", judge_votes=3)
    assert (plugin.settings.user, plugin.settings.model) == ("scripted", None)
    assert (plugin.judging.judge_votes, plugin.judging.judge_model) == (3, "anthropic/claude-opus-4-6")
    with pytest.raises(typer.Exit) as left:
        TogetherPlugin(preset="paper", judge_vote=3)
    assert isinstance(left.value.__cause__, MisuseError)
    assert str(left.value.__cause__).startswith("setting judge_vote:")
