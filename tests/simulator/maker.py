"""Random scripts and turns for the property test."""

from dataclasses import dataclass
from random import Random
from typing import Any

from swe_together.schema import SimulatorScript
from swe_together.simulator import ProbeOutcome
from swe_together.simulator.fake import FakeWorld
from tests.simulator.cases import ON_QUESTION, script, seen

IDS = ["a", "b", "c", "d", "e", "f"]
WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", ON_QUESTION]
SWITCHES = ["p", "q", "r"]


@dataclass(frozen=True)
class Turn:
    """What one turn holds: which switches are on, and whether the agent asks."""

    number: int
    on: frozenset[str]
    asks: bool
    yielded: bool

    def step(self) -> tuple[Any, FakeWorld]:
        return seen(self.number, agent_asks=self.asks, reply=" ".join(sorted(self.on))), FakeWorld(
            files={f"dir/{switch}.txt": "" for switch in self.on},
            changed=[f"dir/{switch}.txt" for switch in self.on],
            probes={switch: ProbeOutcome(0 if switch in self.on else 1, switch) for switch in SWITCHES},
        )


class Maker:
    """Random scripts and turns, a function of size and seed (drawing each value from Hypothesis takes minutes)."""

    def __init__(self, size: int, seed: int) -> None:
        self.random = Random(seed)
        self.ids = IDS[:size]

    def chance(self, odds: float) -> bool:
        return self.random.random() < odds

    def atom(self) -> dict[str, Any]:
        switch, anchor, turn = self.random.choice(SWITCHES), self.random.choice(self.ids), self.random.randint(1, 6)
        return self.random.choice(
            [
                {"path_changed": f"**/{switch}.txt"},
                {"path_exists": f"dir/{switch}.*"},
                {"response_matches": rf"\b{switch}\b"},
                {"probe": {"run": switch, "exit": 0}},
                {"agent_asks": self.chance(0.5)},
                {"turn": {"min": turn}},
                {"turn": {"max": turn}},
                {"elapsed_sec": {"min": 10 * turn}},
                {"said": anchor},
                {"settled": anchor},
            ]
        )

    def condition(self, depth: int = 2) -> dict[str, Any]:
        if depth == 0 or self.chance(0.6):
            return self.atom()
        if self.chance(0.4):
            return {"not": self.condition(depth - 1)}
        parts = [self.condition(depth - 1) for _ in range(self.random.randint(1, 3))]
        return {self.random.choice(["all", "any"]): parts}

    def anchor(self, name: str) -> dict[str, Any]:
        words = self.random.choice
        anchor: dict[str, Any] = {"id": name, "source_turn": self.random.randint(1, 4), "message": words(WORDS)}
        anchor["after"] = self.random.sample(self.ids, min(len(self.ids), self.random.choice([0, 0, 0, 1, 2])))
        anchor["required"] = self.chance(0.3)
        if self.chance(0.3):
            anchor["condition"] = {"turn": {"min": self.random.randint(2, 9)}}
        elif self.chance(0.4):
            anchor["condition"] = self.condition()
        if self.chance(0.6):
            anchor["satisfied"] = self.condition()
            if self.chance(0.8):
                anchor["insist"] = {"message": words(WORDS), "max": self.random.randint(1, 3)}
        if self.chance(0.3):
            anchor["expires"] = self.random.choice([self.condition(), self.random.choice(self.ids)])
        if self.chance(0.2):
            anchor["variants"] = [{"condition": self.condition(), "message": words(WORDS)} for _ in range(2)]
        return anchor

    def session(self) -> tuple[SimulatorScript, list[Turn]]:
        budget: dict[str, Any] = {}
        if self.chance(0.25):
            budget["messages"] = self.random.randint(0, 6)
        if self.chance(0.25):
            budget["session_sec"] = 10.0 * self.random.randint(1, 9)
        made = script(*(self.anchor(name) for name in self.ids), **budget)
        always_yields = self.chance(0.6)
        asks = self.random.choice([0.1, 0.5, 0.9])
        turns: list[Turn] = []
        yields = 0
        while yields <= made.message_budget + 1:
            # The agent yields at every third turn at the latest, so that the list is finite.
            yielded = always_yields or len(turns) % 3 == 2 or self.chance(0.5)
            on = frozenset(switch for switch in SWITCHES if self.chance(0.3))
            turns.append(Turn(len(turns) + 1, on, asks=self.chance(asks), yielded=yielded))
            yields += yielded
        return made, turns
