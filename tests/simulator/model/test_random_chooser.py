"""``anchored`` with a seeded random chooser in place of the model keeps every rule and every guard, on every script.

The rules of the machine are those that the property test of the scripted user checks; here they are read from outside
again, for choices that are arbitrary.
"""

import asyncio
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import find, given, note, settings
from hypothesis import strategies as st

from swe_together import defaults
from swe_together.errors import TaskError
from swe_together.schema import Action, Decision, EndReason, MessageKind, Observation, ProbeCommand, SimulatorScript
from swe_together.simulator import ProbeOutcome, World
from swe_together.simulator.fake import FakeWorld
from swe_together.simulator.guards import examine
from swe_together.simulator.model import AnchoredUser, Background
from swe_together.simulator.model.fake import RandomChooser
from swe_together.tasks import load_task
from tests.simulator.cases import seen
from tests.simulator.maker import IDS, Maker

ROOT = Path(__file__).parents[3]
SESSIONS = 200
WILD = 0.5
REPLIES = ("Done.", "All tests pass.", "Shall I go on?", "I renamed it. Which name do you prefer?", "")
Step = tuple[Observation, World, bool]


def tasks() -> list[Path]:
    """Every task that loads, those in the making left out."""
    found = [ROOT / "tests" / "fixtures" / "tiny-task"]
    for path in sorted((ROOT / "tasks").glob("*/")):
        try:
            load_task(path)
        except TaskError:
            continue
        found.append(path)
    return found


def play(
    script: SimulatorScript, background: Background, steps: Iterable[Step], seed: int, wild: float
) -> list[Decision]:
    """One session; every message is shown to the guards again, with the words that it was chosen for."""
    user = AnchoredUser(script, background, RandomChooser(seed, wild=wild))

    async def session() -> list[Decision]:
        decisions: list[Decision] = []
        for observation, world, yielded in steps:
            before = dict(user.machine.statuses)
            decisions.append(await user.decide(observation, world, yielded=yielded))
            check(script, user, decisions, observation, yielded=yielded)
            assert {a for a, status in before.items() if status != "pending"} <= {
                a for a, status in user.machine.statuses.items() if status != "pending"
            }
            if decisions[-1].end is not None:
                break
        return decisions

    return asyncio.run(session())


def check(
    script: SimulatorScript, user: AnchoredUser, decisions: list[Decision], observation: Observation, *, yielded: bool
) -> None:
    """What must hold of the last decision."""
    decision = decisions[-1]
    said = [one.message for one in decisions if one.message is not None]
    how = {settled.anchor: settled.how for one in decisions for settled in one.settled}
    if decision.message is None:
        assert decision.action is Action.NO_OP
        assert (decision.end is not None) or not yielded
        return
    assert len(said) <= script.message_budget
    spoken = " ".join(decision.message.split()).casefold()
    earlier = [" ".join(one.split()).casefold() for one in said[:-1]]
    if decision.kind is MessageKind.ON_QUESTION:
        assert earlier[-1:] != [spoken]
        return
    assert spoken not in earlier, "no message twice"
    (anchor,) = [one for one in script.anchors if one.id == decision.anchors[0]]
    assert all(how.get(other) in ("said", "satisfied", "expired") for other in anchor.after), "order"
    authored = [anchor.message, *(variant.message for variant in anchor.variants)]
    if anchor.insist is not None and decision.kind is MessageKind.INSIST:
        authored = [anchor.insist.message]
    own_words = spoken not in [" ".join(words.split()).casefold() for words in authored]
    if own_words:
        call = user.last_call
        assert call is not None
        (option,) = [one for one in call.options if one.anchor == anchor.id]
        scene = user.scene([], observation, yielded=yielded, also=[option.message])
        others = [finding for finding in examine(decision.message, scene) if finding.guard != "repetition"]
        others = [finding for finding in others if f"{anchor.id!r}" not in finding.detail]
        assert others == [], "adapted words pass every guard"
    if decision.guards and decision.guards[-1] == "authored_words":
        assert not own_words


@settings(max_examples=SESSIONS, deadline=None, derandomize=True)
@given(size=st.integers(0, len(IDS)), seed=st.integers(0, 2**32))
def test_random_scripts(size: int, seed: int) -> None:
    script, turns = Maker(size, seed).session()
    note(script.model_dump_json(exclude_defaults=True, by_alias=True))
    steps = [(*turn.step(), turn.yielded) for turn in turns]
    background = Background("please fix it", "They find out step by step.")
    decisions = play(script, background, steps, seed, WILD)
    assert decisions[-1].end is not None
    assert sum(turn.yielded for turn in turns[: len(decisions)]) <= script.message_budget + 1
    assert {one.anchor for decision in decisions for one in decision.settled} == {one.id for one in script.anchors}
    again = play(script, background, steps, seed, WILD)
    assert decisions == again, "equal seeds, equal sessions"


@pytest.mark.parametrize("path", tasks(), ids=lambda path: path.name)
def test_every_task(path: Path) -> None:
    task = load_task(path)
    background = Background.of(task)
    ends, fired, adapted = set(), set(), 0
    for seed in range(SESSIONS):
        rng = Random(f"{path.name} {seed}")
        decisions = play(task.script, background, _session(task.script, rng), seed, WILD)
        assert decisions[-1].end is not None
        ends.add(decisions[-1].end)
        fired |= {guard.partition(":")[0] for one in decisions for guard in one.guards}
        adapted += sum("ok. " in (one.message or "") for one in decisions)
        replies = [one for one in decisions if one.kind is MessageKind.ON_QUESTION]
        assert len(replies) <= defaults.MAX_ON_QUESTION
    assert {"adaptation", "role_inversion", "authored_words"} <= fired, "the words were wild enough to be caught"
    assert adapted, "and tame enough to be sent"
    assert ends <= {EndReason.ANCHORS_EXHAUSTED, EndReason.USER_LEFT, EndReason.MESSAGE_BUDGET}


def _session(script: SimulatorScript, rng: Random) -> Iterable[Step]:
    """Turns in which every probe, file and reply is a matter of chance; outputs that a probe waits for come as well."""
    outputs = _awaited(script.model_dump())
    for turn in range(1, 3 * script.message_budget + 9):
        reply = rng.choice(REPLIES)
        outcomes: dict[str, ProbeOutcome] = {}

        def probe(command: ProbeCommand, outcomes: dict[str, ProbeOutcome] = outcomes) -> ProbeOutcome:
            printed = rng.choice(["", "ok", "Traceback", *outputs.get(command.run, [])])
            return outcomes.setdefault(command.run, ProbeOutcome(rng.choice([0, 0, 1]), printed))

        yielded = turn % 3 == 0 or rng.random() < 0.7
        yield seen(turn, reply=reply, agent_asks="?" in reply), FakeWorld(probes=probe), yielded


def _awaited(value: Any) -> dict[str, list[str]]:
    """By command: an output for each pattern that some probe of the script holds it against."""
    found: dict[str, list[str]] = {}
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if isinstance(value, dict) and value.get("run") and value.get("output"):
        found[value["run"]] = [_matching(value["output"])]
    for part in parts:
        for command, outputs in _awaited(part).items():
            found.setdefault(command, []).extend(outputs)
    return found


@cache
def _matching(pattern: str) -> str:
    quiet = settings(derandomize=True, database=None, deadline=None, max_examples=1000)
    return find(st.from_regex(pattern), lambda _: True, settings=quiet)
