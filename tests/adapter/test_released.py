"""Who can play the user of a task of the paper's release, and who is refused in one sentence before anything runs."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from swe_together.adapter.arms import require_arms, require_playable
from swe_together.adapter.session import Limits
from swe_together.adapter.settings import parse_settings
from swe_together.adapter.trial import _user
from swe_together.errors import MisuseError
from swe_together.simulator import find_recording
from swe_together.tasks import load_task
from tests.support.released import make_released

MODEL = {"user_model": "openai/gpt-5"}
REFUSED = [
    ({}, "user=scripted has nothing to say. Add --pk user=llm"),
    ({"user": "anchored", **MODEL}, "user=anchored has nothing to say"),
    ({"arm": "full-spec"}, "holds no contract in one message"),
    ({"arm": "full-spec", "user": "llm", **MODEL}, "holds no contract in one message"),
]
PLAYED = [
    ({"user": "llm", **MODEL}, "llm"),
    ({"user": "human"}, "human"),
    ({"arm": "first-message"}, "silent"),
    ({"arm": "first-message", "user": "anchored", **MODEL}, "silent"),
]


@pytest.fixture
def task(tmp_path: Path) -> Path:
    return make_released(tmp_path / "greeter")


def trial(task: Path, kwargs: dict[str, Any]) -> Any:
    where = SimpleNamespace(get_local_path=lambda: task)
    return SimpleNamespace(agent=SimpleNamespace(kwargs=kwargs), task=where)


@pytest.mark.parametrize(("told", "sentence"), REFUSED)
def test_refused_in_one_sentence_before_the_job_and_in_the_trial(
    task: Path, told: dict[str, Any], sentence: str
) -> None:
    settings = parse_settings(told)
    with pytest.raises(MisuseError) as early:
        require_arms([trial(task, {"together": told})])
    with pytest.raises(MisuseError) as late:
        require_playable(load_task(task), settings)
    assert sentence in str(early.value) and sentence in str(late.value)
    assert "greeter" in str(early.value)


@pytest.mark.parametrize(("told", "policy"), PLAYED)
def test_the_others_play(
    task: Path, told: dict[str, Any], policy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SWE_TOGETHER_USER_API_KEY", "of-nobody")
    settings = parse_settings(told)
    require_arms([trial(task, {"together": told})])
    require_playable(load_task(task), settings)
    assert _user(load_task(task), settings, Limits(10, 10), tmp_path).name == policy


def test_a_replay_needs_its_recording_and_no_anchors(task: Path, tmp_path: Path) -> None:
    settings = parse_settings({"user": "replay", "replay_from": str(tmp_path / "nothing")})
    require_playable(load_task(task), settings)
    with pytest.raises(MisuseError):
        find_recording(cast(Path, tmp_path / "nothing"), "greeter")


def test_agents_without_sessions_run_on_it(task: Path) -> None:
    require_arms([trial(task, {})])
