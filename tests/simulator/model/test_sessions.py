"""Whole sessions over real HTTP with faults at random calls: the right dialogue or the typed error, no silent no-op."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from swe_together.schema import Action, EndReason, MessageKind
from swe_together.simulator.model import AnchoredUser, FreeUser, LiteLLMModel, ModelSettings
from tests.simulator.cases import script
from tests.simulator.model.loop import Clock, Session, play_session
from tests.simulator.model.users import BACKGROUND, INSTRUCTION
from tests.support.fault_server import Fault, FaultServer

SCRIPT = script(
    {"id": "cache", "message": "why do we need a cache here", "required": True},
    {"id": "semicolons", "message": "some of my files use semicolons, split there too", "after": ["cache"]},
    {"id": "longest", "message": "now the longest word, the first of several", "after": ["semicolons"]},
)
DIALOGUE = [INSTRUCTION, *(anchor.message for anchor in SCRIPT.anchors)]
POLICIES = {"anchored": AnchoredUser, "llm": FreeUser}
PASSING = [fault for fault in Fault if fault.of_provider and fault not in (Fault.UNAUTHORIZED, Fault.NO_CHOICES)]
WRONG = [fault for fault in Fault if not fault.of_provider] + [Fault.NO_CHOICES]
ANY = [fault for fault in Fault if fault is not Fault.SLOW]
"""Slow answers have sessions of their own: each costs a second."""


# One loop and one address for all of them: the client behind LiteLLM is dear to make.
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def server() -> Iterator[FaultServer]:
    with FaultServer() as running:
        yield running


@dataclass(frozen=True)
class Played:
    """A session, and the faults that its calls met."""

    session: Session
    used: list[Fault | None]


async def play(server: FaultServer, policy: str, plan: dict[int, Fault], seed: int = 0) -> Played:
    clock = Clock()
    server.restart(plan, seed=seed)
    settings = ModelSettings("openai/fault", base_url=server.base_url)
    # Only a slow answer is to run out of time, not a busy machine.
    call_sec = 1.0 if Fault.SLOW in plan.values() else 60.0
    model = LiteLLMModel(settings, clock=clock, sleep=clock.sleep, rng=random.Random(seed), call_sec=call_sec)
    user = POLICIES[policy](SCRIPT, BACKGROUND, model, session_sec=3_000, clock=clock)
    return Played(await play_session(INSTRUCTION, user, clock), list(server.used))


def check(played: Played) -> None:
    """Either the whole dialogue in the authored words, or the typed error with a reason that the server bears out."""
    session = played.session
    heard, end = session.heard, session.outcome.end
    assert heard == DIALOGUE[: len(heard)], "the agent hears what was decided, and nothing else"
    decided = [record.decision for record in session.decisions if record.decision is not None]
    for decision in decided:
        spoke = decision.message is not None
        assert spoke is (decision.kind is MessageKind.ANCHOR)
        assert spoke is (decision.action is not Action.NO_OP)
        assert spoke is (decision.end is None)
        if not spoke:
            assert decision.end is EndReason.ANCHORS_EXHAUSTED, "silence only where nothing is left"
    if end is EndReason.ANCHORS_EXHAUSTED:
        assert heard == DIALOGUE
        return
    assert end is EndReason.SIMULATOR_ERROR
    assert not end.valid
    assert len(decided) == len(heard) - 1, "the turn that failed has no decision"
    failed = session.decisions[-1]
    assert (len(session.decisions), failed.decision, failed.error) == (len(heard), None, session.outcome.error)
    assert failed.call is not None
    assert len(failed.call.faults) + len(failed.call.refused) > 0, "what it cost is kept"
    error = str(session.outcome.error)
    answers = [fault for fault in played.used if fault in (None, *WRONG)]
    if "gave no usable answer in 3 tries" in error:
        assert all(fault in WRONG for fault in answers[-3:])
    elif "failed 6 times" in error:
        rejections = (Fault.NO_TEMPERATURE, Fault.NO_TOOLS)
        assert all(fault in PASSING for fault in [f for f in played.used if f not in rejections][-6:])
    else:
        assert "refused the request" in error
        assert played.used[-1] is Fault.UNAUTHORIZED


@pytest.mark.parametrize("policy", POLICIES)
async def test_a_session_without_faults(server: FaultServer, policy: str) -> None:
    played = await play(server, policy, {})
    check(played)
    session = played.session
    assert session.heard == DIALOGUE
    calls = [record.call for record in session.decisions]
    assert all(call is not None and call.retries == 0 for call in calls[:3])
    assert {call.model for call in calls if call is not None} == {"openai/fault"}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("fault", [fault for fault in Fault if fault is not Fault.UNAUTHORIZED])
async def test_a_fault_now_and_then_never_changes_the_dialogue(server: FaultServer, policy: str, fault: Fault) -> None:
    played = await play(server, policy, {1: fault} if fault is Fault.SLOW else {1: fault, 3: fault})
    check(played)
    assert fault in played.used
    assert played.session.heard == DIALOGUE


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("density", [0.3, 0.7, 0.95])
@pytest.mark.parametrize("seed", range(4))
async def test_random_faults_at_random_calls(server: FaultServer, policy: str, density: float, seed: int) -> None:
    rng = random.Random(f"{policy} {density} {seed}")
    plan = {call: rng.choice(ANY) for call in range(1, 80) if rng.random() < density}
    check(await play(server, policy, plan, seed))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("faults", [WRONG, PASSING[:5], [Fault.NOISE], [Fault.UNAUTHORIZED]])
async def test_nothing_but_faults_is_always_the_typed_error(
    server: FaultServer, policy: str, faults: list[Fault]
) -> None:
    rng = random.Random(1)
    wrong = [fault for fault in faults if fault is not Fault.REASONING_LEAK]
    played = await play(server, policy, {call: rng.choice(wrong) for call in range(1, 80)})
    check(played)
    session = played.session
    assert session.outcome.end is EndReason.SIMULATOR_ERROR
    assert session.heard == [INSTRUCTION]
    (record,) = session.decisions
    assert record.decision is None
    if faults == [Fault.UNAUTHORIZED]:
        assert record.call is not None
        assert (record.call.input_tokens, record.call.output_tokens, record.call.cost_usd) == (None, None, None)
        assert (record.call.retries, record.call.raw) == (0, "")
