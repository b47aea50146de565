"""Short ways to write scripts, observations and sessions for the tests of the simulator."""

import asyncio
from collections.abc import Iterable
from typing import Any

from swe_together.schema import Decision, Observation, SimulatorScript
from swe_together.simulator import ScriptedUser, User, World
from swe_together.simulator.fake import FakeWorld

NEVER = {"turn": {"min": 99}}
"""A condition that doesn't hold in any test."""
ON_QUESTION = "whatever you think is best, go ahead"


def script(*anchors: dict[str, Any], **budget: Any) -> SimulatorScript:
    """A script whose anchors get a source turn, an action and a message where none is given."""
    filled = [
        {"source_turn": place, "action": "question", "message": f"words of {anchor['id']}"} | anchor
        for place, anchor in enumerate(anchors, start=1)
    ]
    persona = {"description": "a developer", "on_question": ON_QUESTION}
    return SimulatorScript.model_validate({"persona": persona, "anchors": filled, "budget": budget})


def seen(turn: int, **values: Any) -> Observation:
    """What the user sees after a turn; ten seconds a turn unless told otherwise."""
    reply = values.pop("reply", "Done.")
    base = {"turn": turn, "reply": reply, "reply_chars": len(reply), "turn_sec": 10.0, "elapsed_sec": 10.0 * turn}
    return Observation.model_validate(base | values)


Step = tuple[Observation, World]


def play(user: User, steps: Iterable[Step], *, yielded: bool = True) -> list[Decision]:
    """The user's decisions until one ends the session or the steps run out."""

    async def session() -> list[Decision]:
        decisions: list[Decision] = []
        for observation, world in steps:
            decisions.append(await user.decide(observation, world, yielded=yielded))
            if decisions[-1].end is not None:
                break
        return decisions

    return asyncio.run(session())


def idle(turns: int, **values: Any) -> list[Step]:
    """Turns in which nothing can be observed but the reply."""
    return [(seen(turn, **values), FakeWorld()) for turn in range(1, turns + 1)]


def said(decisions: list[Decision]) -> list[str]:
    """The messages, in order."""
    return [decision.message for decision in decisions if decision.message is not None]


def left(decisions: list[Decision]) -> dict[str, str]:
    """How each anchor left the list."""
    return {settlement.anchor: settlement.how for decision in decisions for settlement in decision.settled}


def reasons(decisions: list[Decision]) -> dict[str, str]:
    """Why each anchor left the list."""
    return {settlement.anchor: settlement.reason for decision in decisions for settlement in decision.settled}


def run(*anchors: dict[str, Any], turns: int = 9, **budget: Any) -> list[Decision]:
    """The scripted user's decisions on idle turns."""
    return play(ScriptedUser(script(*anchors, **budget)), idle(turns))


def insisting(**values: Any) -> dict[str, Any]:
    """An anchor ``a`` that is satisfied where ``done`` exists, with an insist."""
    return {"id": "a", "satisfied": {"path_exists": "done"}, "insist": {"message": "still not"}} | values
