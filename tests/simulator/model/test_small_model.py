"""A small real model, and a server that answers noise, take over a hundred recorded decisions with each policy.

What counts as valid, rescued, error and crash is said in ``tests.bench.small_model``.
"""

import json
import random
import string
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from swe_together.simulator.model import ModelSettings
from tests.bench.small_model import WANTED_DECISIONS, WANTED_VALID, Taken, settings, summary, take_all
from tests.simulator.model.recordings import POLICIES
from tests.support import small_model
from tests.support.fault_server import Fault, FaultServer

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def served_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with small_model.served(tmp_path_factory.mktemp("model") / "server.log") as base_url:
        yield base_url


@pytest.mark.parametrize("policy", POLICIES)
def test_a_small_model_decides(policy: str, served_model: str, capsys: pytest.CaptureFixture[str]) -> None:
    taken = take_all(policy, settings(served_model))
    told = summary(taken)
    with capsys.disabled():
        print(f"\n{policy}: {json.dumps(told)}")
    assert told["decisions"] >= WANTED_DECISIONS
    assert told["crash"] == 0, [one for one in taken if one.kind == "crash"]
    assert told["valid"] >= WANTED_VALID * told["decisions"], told
    assert told["valid"] + told["rescued"] + told["error"] == told["decisions"]
    assert all(one.detail for one in taken), "an error says why"


class Noise:
    """Arguments of a call: letters, or objects whose fields are right at times and whose values never are."""

    def __init__(self) -> None:
        self._random = random.Random(5)

    def __call__(self, body: Mapping[str, Any]) -> dict[str, Any]:
        names = ["reason", "decision", "choice", "words", "action", "message", "points", "quote", self._letters()]
        chosen = self._random.sample(names, self._random.randint(0, len(names)))
        return {name: self._value() for name in chosen}

    def _letters(self) -> str:
        return "".join(self._random.choices(string.printable, k=self._random.randint(0, 40)))

    def _value(self, depth: int = 0) -> Any:
        plain = [self._letters(), self._random.random(), None, True]
        nested = [{self._letters(): self._value(depth + 1)}, [self._letters()]] if depth < 2 else []
        return self._random.choice([*plain, *nested])


@pytest.mark.parametrize("calls", [False, True], ids=["letters", "calls"])
@pytest.mark.parametrize("policy", POLICIES)
def test_noise_is_never_a_decision(policy: str, calls: bool) -> None:
    plan = {} if calls else dict.fromkeys(range(1, 2_000), Fault.NOISE)
    with FaultServer(plan, answer=Noise(), seed=7) as server:
        taken: list[Taken] = take_all(policy, ModelSettings("openai/noise", base_url=server.base_url))
        asked = len(server.bodies)
    assert len(taken) >= WANTED_DECISIONS
    assert Counter(one.kind for one in taken) == {"error": len(taken)}
    assert asked == 3 * len(taken), "each was asked for three times, and none was made up"
    assert all("gave no usable answer in 3 tries" in one.detail for one in taken)
