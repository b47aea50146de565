"""Plays three turns of a built-in agent through the real adapter, in a box that records."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from harbor.models.agent.context import AgentContext

from swe_together.adapter.agents import wrap
from swe_together.adapter.continuation import restate
from swe_together.adapter.driver import HarborDriver
from swe_together.adapter.processes import Processes
from swe_together.adapter.recorder import SessionRecorder
from swe_together.adapter.settings import Settings
from swe_together.adapter.trial import continuation_of
from swe_together.adapter.turn import Turn
from tests.support.contract.box import Handed, RecordingBox, words_of
from tests.support.contract.cases import Case
from tests.support.contract.said import MESSAGES, Played, played


@dataclass(frozen=True)
class Session:
    """What came of three turns: per turn what was played, what the adapter made of it, and what the box was handed."""

    driver: HarborDriver
    context: AgentContext
    played: Sequence[Played]
    turns: Sequence[Turn]
    handed: Sequence[Sequence[Handed]]
    folder: Path


def construct(name: str, case: Case, root: Path) -> Any:
    """The agent below our dynamic subclass."""
    logs = root / "trial" / "agent"
    logs.mkdir(parents=True)
    more = case.prepare(root / "project") if case.prepare is not None else {}
    return wrap(name)(logs_dir=logs, model_name=case.model, together={"user": "scripted"}, **case.kwargs, **more)


async def play(
    name: str, case: Case, root: Path, *, reports: bool = True, asked: Literal["restated", "fresh"] | None = None
) -> Session:
    """Play the made-up session.

    Args:
        name: Harbor's name of the agent.
        case: What it needs.
        root: A folder of the test.
        reports: Whether its logs hold any usage.
        asked: How to continue, where it isn't left to the agent.
    """
    agent = construct(name, case, root)
    box: Any = RecordingBox(root, case.answers)
    if case.set_up is not None:
        await getattr(agent, case.set_up)(box)
    context = AgentContext()
    recorder = SessionRecorder(root / "trial" / "user-agent", {}, Settings())
    driver = HarborDriver(agent, box, context, continuation_of(agent, asked), Processes(box), recorder)
    done: list[Played] = []
    turns: list[Turn] = []
    handed: list[list[Handed]] = []
    for number, message in enumerate(MESSAGES, 1):
        resumed = number > 1 and driver.continuation == "native"
        exchanges = [(MESSAGES[one.number - 1], one.reply if case.replies else "") for one in done]
        restated = number > 1 and driver.continuation == "restated"
        done.append(played(number, restate(exchanges, message) if restated else message, reports=reports))
        box.handed = []
        box.later = lambda resumed=resumed: case.logs(agent, done, resumed)
        turns.append(await driver.turn(message, number, 60))
        handed.append(box.handed)
    return Session(driver, context, done, turns, handed, root)


def reached(handed: Sequence[Handed], text: str, framed: bool = False) -> bool:
    """Whether ``text`` was handed over as it is: as a word of its own, or as the value of an option.

    Args:
        handed: What the agent handed over in a turn.
        text: What it was sent.
        framed: Whether words of its own may stand before.
    """
    words = [word for one in handed for word in words_of(one)]
    if any(word == text or word.endswith(f"={text}") or (framed and word.endswith(text)) for word in words):
        return True
    # A script that no reader of words gets through: a shell takes what stands in these quotes for just this text.
    return any(f" {shlex.quote(text)} " in one.command for one in handed)
