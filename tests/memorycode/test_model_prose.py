"""Sessions that a model writes: asked once, kept, refused where they don't say what they must, typed when they fail."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from swe_together.errors import MisuseError
from swe_together.memorycode.files import dialogue_text
from swe_together.memorycode.generate import Recipe, make_dialogue
from swe_together.memorycode.model_prose import ModelWriter, ProseError
from swe_together.providers import ProviderSettings
from tests.support.fault_server import Fault, FaultServer

RECIPE = Recipe(5, sizes=[2], per_size=1)
Answer = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def turns(body: Mapping[str, Any], change: Callable[[str], str] = lambda line: line) -> dict[str, Any]:
    """What a willing model answers: each point of the request, said by the mentor."""
    asked = str(body["messages"][-1]["content"])
    mentor, mentee = asked.split(" (", 1)[0], asked.split(" mentors ", 1)[1].split(" (", 1)[0]
    points = [line[2:] for line in asked.split("\n") if line.startswith("- ")] or ["Good morning."]
    said = [{"speaker": mentor, "text": change(point)} for point in points]
    return {"turns": [*said, {"speaker": mentee, "text": "Understood."}]}


def writer(server: FaultServer, cache: Path) -> ModelWriter:
    settings = ProviderSettings("openai/x", 0.9, "NO_SUCH_PROSE_KEY", server.base_url, structure="text")
    return ModelWriter(settings, cache)


def test_each_session_is_asked_for_once_and_kept(tmp_path: Path) -> None:
    with FaultServer(answer=turns) as server:
        first = make_dialogue(RECIPE, 2, 1, writer(server, tmp_path))
        assert len(server.bodies) == 2
        again = make_dialogue(RECIPE, 2, 1, writer(server, tmp_path))
        assert len(server.bodies) == 2, "the cache was full"
    assert dialogue_text(first) == dialogue_text(again)
    assert first.prose == "openai/x"
    drafted = make_dialogue(RECIPE, 2, 1)
    assert [m.items for m in first.sessions] == [m.items for m in drafted.sessions]
    assert first.requests == drafted.requests
    assert first.sessions[0].text != drafted.sessions[0].text
    assert first.sessions[0].text.endswith(f"{first.people.mentee}: Understood.")


def without_literals(body: Mapping[str, Any]) -> dict[str, Any]:
    return turns(body, lambda line: line.replace("`", ""))


def in_other_words(body: Mapping[str, Any]) -> dict[str, Any]:
    return turns(body, lambda line: re.sub(r": \w+", ": Kindly", line))


def by_the_mentee(body: Mapping[str, Any]) -> dict[str, Any]:
    *told, last = turns(body)["turns"]
    return {"turns": [*({**turn, "speaker": last["speaker"]} for turn in told), last]}


def by_strangers(body: Mapping[str, Any]) -> dict[str, Any]:
    return {"turns": [{"speaker": "Somebody", "text": "Hello."}, {"speaker": "Else", "text": "Hello."}]}


def with_code(body: Mapping[str, Any]) -> dict[str, Any]:
    return turns(body, lambda line: f"{line} ```python```")


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (without_literals, "doesn't say"),
        (in_other_words, "word for word"),
        (by_the_mentee, "doesn't say"),
        (by_strangers, "Else, Somebody"),
        (with_code, "holds code"),
    ],
)
def test_what_does_not_say_what_it_must_is_refused(answer: Answer, problem: str, tmp_path: Path) -> None:
    recipe = Recipe(5, sizes=[5], per_size=1)
    with FaultServer(answer=answer) as server, pytest.raises(ProseError, match=problem):
        make_dialogue(recipe, 5, 1, writer(server, tmp_path))
    assert len(server.bodies) >= 3
    assert "could not be used" in server.bodies[-1]["messages"][-1]["content"]


def test_a_second_chance_is_taken(tmp_path: Path) -> None:
    chances: list[Answer] = [by_strangers, turns, turns]
    with FaultServer(answer=lambda body: chances.pop(0)(body)) as server:
        assert make_dialogue(RECIPE, 2, 1, writer(server, tmp_path)).sessions[1].text
    assert len(server.bodies) == 3


def test_a_provider_s_refusal_is_typed(tmp_path: Path) -> None:
    with (
        FaultServer({1: Fault.UNAUTHORIZED}, answer=turns) as server,
        pytest.raises(ProseError, match="The prose's model 'openai/x' refused the request"),
    ):
        make_dialogue(RECIPE, 2, 1, writer(server, tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_broken_cache_is_named(tmp_path: Path) -> None:
    with FaultServer(answer=turns) as server:
        make_dialogue(RECIPE, 2, 1, writer(server, tmp_path))
        one, other = sorted(tmp_path.iterdir())
        one.write_text(other.read_text())
        with pytest.raises(ProseError, match="another session"):
            make_dialogue(RECIPE, 2, 1, writer(server, tmp_path))
        one.write_text(json.dumps({"key": 1}))
        with pytest.raises(ProseError, match="can't be used"):
            make_dialogue(RECIPE, 2, 1, writer(server, tmp_path))


def test_a_missing_key_is_misuse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    with pytest.raises(MisuseError, match="NO_SUCH_KEY"):
        ModelWriter(ProviderSettings("openai/x", api_key_env="NO_SUCH_KEY"), tmp_path)
