"""``session.json`` is held against instruction.md and simulator.md."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from swe_together.pipeline.check.telling import session_agrees
from swe_together.tasks import load_task

Session = dict[str, Any]


def change(task: Path, do: Callable[[Session], object]) -> Path:
    file = task / "session.json"
    session = json.loads(file.read_text())
    do(session)
    file.write_text(json.dumps(session))
    return task


def message(turn: int, **fields: object) -> Callable[[Session], object]:
    return lambda session: session["messages"][turn].update(fields)


WRONG: dict[str, tuple[Callable[[Session], object], str]] = {
    "a message less": (lambda s: s["messages"].pop(), "the message of turn 2 is missing: copy it from the anchor"),
    "a message more": (lambda s: s["messages"].append({"turn": 3, "text": "x"}), "turn 3 is no anchor of simulator.md"),
    "another order": (lambda s: s["messages"].reverse(), "messages must stand by turn, each once; they are 2, 1, 0"),
    "one twice": (lambda s: s["messages"].append(s["messages"][2]), "each once; they are 0, 1, 2, 2"),
    "another instruction": (message(0, text="x"), "turn 0: the text differs from instruction.md"),
    "another follow-up": (message(1, text="x"), "turn 1: the text differs from the anchor in simulator.md"),
    "another kind": (message(1, tags=["correction"]), "turn 1: the tags are correction, in simulator.md request"),
    "another length": (message(1, chars=3), "turn 1: chars is 3, but the text has 48"),
    "another length without words": (message(1, chars=3, text=None), "turn 1: chars is 3, but the anchor in simulator"),
    "another origin": (lambda s: s.update(provenance="recorded"), "provenance is recorded, but task.toml says auth"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_differs_is_named(task: Path, name: str) -> None:
    do, sentence = WRONG[name]
    verdict = session_agrees(load_task(change(task, do)))
    assert not verdict.passed
    assert verdict.detail.startswith("session.json: ") and sentence in verdict.detail


@pytest.mark.parametrize(
    "do",
    [
        message(1, tags=["request"], chars=48),
        message(1, text="some of my files use semicolons,\n split there too"),
        message(1, text=None, chars=48),
    ],
)
def test_what_agrees_passes(task: Path, do: Callable[[Session], object]) -> None:
    verdict = session_agrees(load_task(change(task, do)))
    assert verdict.passed, verdict.detail


def test_a_recorded_session_has_words_of_its_own(task: Path) -> None:
    toml = task / "task.toml"
    toml.write_text(toml.read_text().replace('provenance = "authored"', 'provenance = "recorded"'))

    def recorded(session: Session) -> None:
        session["provenance"] = "recorded"
        session["messages"][1] |= {"text": None, "chars": 400, "tags": ["context"]}
        session["messages"].append({"turn": 3, "chars": 2})

    assert session_agrees(load_task(change(task, recorded))).passed
    change(task, lambda session: session["messages"].pop(2))
    assert "the message of turn 2 is missing" in session_agrees(load_task(task)).detail
