"""Plays the cases in ``golden`` and shows the exact prompts.

``python -m tests.simulator.model.goldens`` rewrites them.
"""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from swe_together.schema import Decision, SimulatorScript
from swe_together.simulator import ProbeOutcome
from swe_together.simulator.fake import FakeWorld
from swe_together.simulator.model import AnchoredUser, Background, FreeUser
from swe_together.simulator.model.fake import ListedModel
from swe_together.tasks import load_task
from tests.simulator.cases import seen

FOLDER = Path(__file__).parent / "golden"
ROOT = Path(__file__).parents[3]
POLICIES = {"anchored": AnchoredUser, "llm": FreeUser}
OBSERVED = ("reply", "commands", "changes", "diff", "agent_asks", "timed_out")


@dataclass(frozen=True)
class Played:
    """One case with one policy: what the model was asked, and what the user did."""

    name: str
    text: str
    decisions: list[Decision]


def cases() -> list[str]:
    """Names of the cases."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def play(case: str, policy: str) -> Played:
    """Play a case; every answer of its list must be used."""
    spec = yaml.safe_load((FOLDER / f"{case}.yaml").read_text(encoding="utf-8"))
    script, background = _task(spec)
    answers = [turn[policy] for turn in spec["turns"] if turn[policy] is not None]
    model = ListedModel(answers)
    user = POLICIES[policy](script, background, model)

    async def session() -> list[Decision]:
        decisions = []
        for number, turn in enumerate(spec["turns"], start=1):
            observation, world = _step(number, turn)
            decisions.append(await user.decide(observation, world, yielded=turn.get("yielded", True)))
        return decisions

    decisions = asyncio.run(session())
    assert len(model.requests) == len(answers), "every answer was wanted, and no other"
    first, *_ = model.requests
    assert all(request.system == first.system for request in model.requests), "the first part never changes"
    parts = [first.system, *(f"{'=' * 40} request {n}\n{r.text}" for n, r in enumerate(model.requests, start=1))]
    schema = json.dumps(first.schema, indent=1)
    return Played(f"{case}.{policy}.txt", "\n\n".join([*parts, f"{'=' * 40} form\n{schema}"]) + "\n", decisions)


def all_played() -> Iterator[Played]:
    """Every case with every policy."""
    for case in cases():
        for policy in POLICIES:
            yield play(case, policy)


def _task(spec: dict[str, Any]) -> tuple[SimulatorScript, Background]:
    if "task" in spec:
        task = load_task(ROOT / spec["task"])
        return task.script, Background.of(task)
    script = SimulatorScript.model_validate({"persona": spec["persona"], "anchors": spec["anchors"]})
    return script, Background(spec["instruction"], spec["analysis"])


def _step(number: int, turn: dict[str, Any]) -> tuple[Any, FakeWorld]:
    values = {name: turn[name] for name in OBSERVED if name in turn}
    commands, changes = values.get("commands", []), values.get("changes", [])
    observation = seen(number, **values, commands_total=len(commands), changes_total=len(changes))
    outcome = turn.get("probes", {"exit": 0, "output": ""})
    world = FakeWorld(
        files=turn.get("files", {}),
        diff=turn.get("world_diff", ""),
        probes=lambda command: ProbeOutcome(outcome["exit"], outcome["output"]),
    )
    return observation, world


if __name__ == "__main__":
    for played in all_played():
        (FOLDER / played.name).write_text(played.text, encoding="utf-8")
        print(played.name, len(played.text))
