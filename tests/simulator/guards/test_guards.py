"""Every guard on its set of messages: those that it must catch, and those of real users that it must let pass.

The sets in ``data`` were written before the guards.
"""

from pathlib import Path
from typing import Any

import pytest
import yaml

from swe_together.schema import Observation
from swe_together.simulator import asks
from swe_together.simulator.guards import GUARDS, Corpus, Scene, Secrets, adaptation, early_end, examine

DATA = Path(__file__).parent / "data"
MIN_SET = 10
SETS = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(DATA.glob("*.yaml"))}
ON_MESSAGES = {name: sets for name, sets in SETS.items() if name in GUARDS}


def scene_of(entry: dict[str, Any], sets: dict[str, Any]) -> Scene:
    """The moment that an entry describes."""
    reply = entry.get("reply", "Done.")
    said = entry.get("said", ["please fix it"])
    authored = entry.get("authored", [])
    shown = [*entry.get("shown", sets.get("shown", [])), *said, reply]
    observation = Observation(
        turn=1, reply=reply, reply_chars=len(reply), agent_asks=asks(reply), turn_sec=1, elapsed_sec=1
    )
    secrets = sets.get("secrets", {})
    return Scene(
        observation,
        language=entry.get("language", "en"),
        said=said,
        authored=authored,
        later=list(entry.get("later", sets.get("later", {})).items()),
        anchors=entry.get("anchors", []),
        secrets=Secrets.of(
            patches=secrets.get("patches", []),
            tests=secrets.get("tests", []),
            cases=secrets.get("cases", []),
            prose=secrets.get("rubric", []),
        ),
        shown=Corpus(shown),
        spoken=Corpus([*said, *authored, reply]),
        yielded=entry.get("yielded", True),
    )


def entries(kind: str) -> list[Any]:
    return [
        pytest.param(name, entry, id=f"{name}-{number}")
        for name, sets in ON_MESSAGES.items()
        for number, entry in enumerate(sets[kind])
    ]


def test_every_guard_has_its_sets() -> None:
    assert set(SETS) == {*GUARDS, "early_end", "adaptation"}
    for sets in SETS.values():
        assert len(sets["caught"]) >= MIN_SET
        assert len(sets["passes"]) >= MIN_SET


@pytest.mark.parametrize(("guard", "entry"), entries("caught"))
def test_caught(guard: str, entry: dict[str, Any]) -> None:
    scene = scene_of(entry, SETS[guard])
    assert guard in {finding.guard for finding in examine(entry["message"], scene)}


@pytest.mark.parametrize(("guard", "entry"), entries("passes"))
def test_passes(guard: str, entry: dict[str, Any]) -> None:
    scene = scene_of(entry, SETS[guard])
    assert examine(entry["message"], scene) == []


@pytest.mark.parametrize("entry", SETS["early_end"]["caught"])
def test_leaving_an_agent_that_asks_is_caught(entry: dict[str, Any]) -> None:
    assert early_end(entry["message"], scene_of(entry, {})) is not None


@pytest.mark.parametrize("entry", SETS["early_end"]["passes"])
def test_answering_or_leaving_an_agent_that_is_done_passes(entry: dict[str, Any]) -> None:
    assert early_end(entry["message"], scene_of(entry, {})) is None


@pytest.mark.parametrize("entry", SETS["adaptation"]["caught"])
def test_more_than_a_light_adaptation(entry: dict[str, Any]) -> None:
    assert adaptation(entry["message"], entry["authored"]) is not None


@pytest.mark.parametrize("entry", SETS["adaptation"]["passes"])
def test_a_light_adaptation(entry: dict[str, Any]) -> None:
    assert adaptation(entry["message"], entry["authored"]) is None
