"""Choosing a policy: ``--pk user=llm --pk user_model=…``, and what is refused before anything starts."""

import json
from pathlib import Path
from typing import Any

import pytest

from swe_together.adapter.session import Limits
from swe_together.adapter.settings import parse_settings
from swe_together.adapter.trial import _user
from swe_together.errors import MisuseError
from swe_together.simulator import MODEL_POLICIES, UserSetup, create_user
from swe_together.simulator.model import AnchoredUser, FreeUser, LiteLLMModel, ModelUser
from swe_together.tasks import load_task
from tests.simulator.cases import script

TINY = Path(__file__).parents[3] / "tests" / "fixtures" / "tiny-task"
LIMITS = Limits(900.0, 60.0)


@pytest.mark.parametrize(("policy", "kind"), [("anchored", AnchoredUser), ("llm", FreeUser)])
def test_a_policy_with_a_model(policy: str, kind: type[ModelUser], key: str) -> None:
    told = {
        "user": policy,
        "user_model": "openai/gpt-5",
        "user_temperature": 0.7,
        "user_base_url": "http://127.0.0.1:9/v1",
        "user_structure": "schema",
        "user_max_tokens": 300,
    }
    settings = parse_settings(told)
    task = load_task(TINY)
    user = _user(task, settings, LIMITS, Path())
    assert isinstance(user, kind)
    assert user.name == policy
    assert isinstance(user.model, LiteLLMModel)
    assert user.model.settings.model == "openai/gpt-5"
    assert (user.model.temperature, user.model.settings.base_url) == (0.7, "http://127.0.0.1:9/v1")
    assert (user.model.settings.structure, user.model.settings.max_tokens) == ("schema", 300)
    assert key not in json.dumps(settings.model_dump()), "what is recorded holds the variable's name alone"
    assert settings.user_api_key_env == "SWE_TOGETHER_USER_API_KEY"


def test_controls_ask_no_model() -> None:
    settings = parse_settings({"user": "llm", "user_model": "openai/gpt-5", "arm": "first-message"})
    assert _user(load_task(TINY), settings, LIMITS, Path()).name == "silent"


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({"user": "llm"}, "user=llm needs a model: user_model="),
        ({"user": "anchored"}, "user=anchored needs a model"),
        ({"user": "replay"}, "user=replay needs a recorded run"),
        ({"user": "llm", "user_model": ""}, "user_model"),
        ({"user": "llm", "user_model": "x", "user_temperature": 3}, "user_temperature"),
        ({"user": "llm", "user_model": "x", "user_base_url": "ftp://x"}, "user_base_url"),
        ({"user": "llm", "user_model": "x", "user_structure": "xml"}, "user_structure"),
        ({"user": "llm", "user_model": "x", "user_max_tokens": 0}, "user_max_tokens"),
    ],
)
def test_refused_before_anything_starts(told: dict[str, Any], sentence: str) -> None:
    with pytest.raises(MisuseError, match=sentence):
        parse_settings(told)


@pytest.mark.parametrize(
    "told",
    [
        {"user_api_key_env": "sk-proj-4f9a"},
        {"user_api_key": "sk-proj-4f9a"},
        {"user_base_url": "https://me:sk-proj-4f9a@proxy.example/v1"},
    ],
)
def test_a_key_in_the_wrong_place_is_refused_and_not_shown(told: dict[str, Any]) -> None:
    with pytest.raises(MisuseError) as caught:
        parse_settings(told)
    assert "sk-proj-4f9a" not in str(caught.value)


def test_without_what_they_need_policies_are_misuse(monkeypatch: pytest.MonkeyPatch) -> None:
    for policy in MODEL_POLICIES:
        with pytest.raises(MisuseError, match=f"'{policy}' needs a model"):
            create_user(policy, script())
    with pytest.raises(MisuseError, match="needs a recorded run"):
        create_user("replay", script())
    with pytest.raises(MisuseError, match=r"scripted, silent, anchored, llm, human, replay"):
        create_user("lmm", script(), UserSetup())
    monkeypatch.delenv("SWE_TOGETHER_USER_API_KEY")
    with pytest.raises(MisuseError, match="SWE_TOGETHER_USER_API_KEY"):
        _user(load_task(TINY), parse_settings({"user": "llm", "user_model": "openai/gpt-5"}), LIMITS, Path())
