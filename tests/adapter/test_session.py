"""The session loop with a made-up agent and user: order, budgets, typed ends. No Harbor, no Docker."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from pydantic import ValidationError

from swe_together.adapter.session import Limits, Outcome, run_session
from swe_together.adapter.turn import AgentFailure, Turn
from swe_together.errors import EnvironmentFault, SimulatorError
from swe_together.schema import (
    Action,
    Decision,
    DecisionRecord,
    EndReason,
    MessageKind,
    ModelCall,
    Observation,
    RefusedAnswer,
    Settlement,
    TurnRecord,
)
from swe_together.simulator import World
from swe_together.simulator._settling import SettlingMachine
from swe_together.simulator.fake import FakeWorld
from tests.simulator.cases import script, seen


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class EchoAgent:
    """Replies with what it was sent; each turn takes ``seconds`` of the fake clock."""

    clock: Clock
    seconds: float = 10.0
    heard: list[str] = field(default_factory=list)
    deadlines: list[float] = field(default_factory=list)
    fail_at: int | None = None
    lose_at: int | None = None

    async def turn(self, message: str, number: int, deadline_sec: float) -> Turn:
        self.heard.append(message)
        self.deadlines.append(deadline_sec)
        spent = min(self.seconds, deadline_sec)
        self.clock.now += spent
        turn = Turn(message, (), spent, "first" if number == 1 else "native", timed_out=self.seconds > deadline_sec)
        if number == self.fail_at:
            raise AgentFailure(ValueError("boom"), turn)
        if number == self.lose_at:
            raise EnvironmentFault("container gone")
        return turn


@dataclass
class ListUser:
    """Says its lines one after the other, then leaves."""

    lines: Sequence[str]
    fault: Exception | None = None
    mute: bool = False
    name: str = "list"
    seen: list[Observation] = field(default_factory=list)
    dismissed: list[str] = field(default_factory=list)

    async def decide(self, observation: Observation, world: World, *, yielded: bool = True) -> Decision:
        self.seen.append(observation)
        if self.fault:
            raise self.fault
        turn = observation.turn
        if turn <= len(self.lines):
            return Decision(
                action=Action.QUESTION,
                message=self.lines[turn - 1],
                kind=MessageKind.ANCHOR,
                anchors=[f"a{turn}"],
                reason="",
            )
        return Decision(action=Action.NO_OP, end=None if self.mute else EndReason.ANCHORS_EXHAUSTED, reason="done")

    def dismiss(self, reason: str) -> list[Settlement]:
        self.dismissed.append(reason)
        return [Settlement(anchor="left", how="dismissed", reason=reason)]


class PlainEyes:
    async def look(self, turn: Turn, number: int, elapsed_sec: float) -> tuple[Observation, World]:
        observation = Observation(
            turn=number, reply=turn.reply, reply_chars=len(turn.reply), timed_out=turn.timed_out,
            turn_sec=turn.seconds, elapsed_sec=elapsed_sec,
        )  # fmt: skip
        return observation, FakeWorld()


class Blind(PlainEyes):
    async def look(self, turn: Turn, number: int, elapsed_sec: float) -> tuple[Observation, World]:
        raise EnvironmentFault("no eyes")


@dataclass
class Memory:
    turns: list[TurnRecord] = field(default_factory=list)
    decisions: list[DecisionRecord] = field(default_factory=list)

    def turn(self, record: TurnRecord) -> None:
        self.turns.append(record)

    def decision(self, record: DecisionRecord) -> None:
        self.decisions.append(record)


ROOMY = Limits(1000, 100)


async def play(
    agent: EchoAgent, user: ListUser, limits: Limits = ROOMY, eyes: PlainEyes | None = None
) -> tuple[Outcome, Memory]:
    memory = Memory()
    outcome = await run_session(
        "start", user=user, agent=agent, eyes=eyes or PlainEyes(), recorder=memory, limits=limits, clock=agent.clock
    )
    return outcome, memory


async def test_agent_hears_exactly_what_was_decided() -> None:
    agent, user = EchoAgent(Clock()), ListUser(["Zwei  \n spaces kept ", "drei"])
    outcome, memory = await play(agent, user)
    assert agent.heard == ["start", "Zwei  \n spaces kept ", "drei"]
    assert outcome.end is EndReason.ANCHORS_EXHAUSTED
    assert [turn.kind for turn in memory.turns] == [None, MessageKind.ANCHOR, MessageKind.ANCHOR]
    assert [turn.anchors for turn in memory.turns] == [[], ["a1"], ["a2"]]
    assert [turn.continuation for turn in memory.turns] == ["first", "native", "native"]
    assert outcome.agent_seconds == 30
    assert len(memory.decisions) == 3
    assert user.dismissed == []


async def test_session_budget_ends_with_its_own_reason() -> None:
    agent = EchoAgent(Clock(), seconds=40)
    outcome, memory = await play(agent, ListUser(["x"] * 50), Limits(100, 60))
    assert outcome.end is EndReason.TIME_BUDGET
    assert agent.deadlines == [60, 60, 20]
    assert [turn.timed_out for turn in memory.turns] == [False, False, True]
    assert outcome.settled[0].anchor == "left"


async def test_turn_deadline_does_not_end_the_session() -> None:
    agent, user = EchoAgent(Clock(), seconds=500), ListUser(["go on"])
    outcome, _ = await play(agent, user, Limits(1000, 100))
    assert outcome.end is EndReason.ANCHORS_EXHAUSTED
    assert [seen.timed_out for seen in user.seen] == [True, True]


async def test_agent_failure_keeps_the_exception_and_the_turn() -> None:
    agent = EchoAgent(Clock(), fail_at=2)
    outcome, memory = await play(agent, ListUser(["more"]))
    assert outcome.end is EndReason.AGENT_ERROR
    assert isinstance(outcome.failure, ValueError)
    assert outcome.error == "ValueError: boom"
    assert len(memory.turns) == 2
    assert outcome.agent_seconds == 20


async def test_lost_container_is_an_environment_error() -> None:
    outcome, _ = await play(EchoAgent(Clock(), lose_at=1), ListUser([]))
    assert outcome.end is EndReason.ENVIRONMENT_ERROR
    assert "container gone" in str(outcome.error)
    assert not outcome.end.valid


async def test_blind_instrument_is_an_environment_error() -> None:
    outcome, memory = await play(EchoAgent(Clock()), ListUser([]), eyes=Blind())
    assert outcome.end is EndReason.ENVIRONMENT_ERROR
    assert memory.decisions == []


@pytest.mark.parametrize("fault", [SimulatorError("no answer"), KeyError("a defect of ours")])
async def test_faults_of_the_user_are_simulator_errors(fault: Exception) -> None:
    outcome, memory = await play(EchoAgent(Clock()), ListUser(["never"], fault=fault))
    assert outcome.end is EndReason.SIMULATOR_ERROR
    assert outcome.error
    assert outcome.settled[0].anchor == "left"
    (record,) = memory.decisions
    assert record.decision is None
    assert record.error == outcome.error
    assert record.observation.turn == 1


def call(tokens: int) -> ModelCall:
    refused = [RefusedAnswer(raw='{"choice": 1}', problem="choice is no text")]
    return ModelCall(model="m", prompt_sha256="0" * 64, input_tokens=tokens, seconds=4, raw="{}", refused=refused)


@dataclass
class CostlyUser(ListUser):
    """Its model is paid for every decision; after the listed lines it answers nothing usable."""

    clock: Clock = field(default_factory=Clock)
    last_call: ModelCall | None = None
    machine: SettlingMachine | None = None

    async def decide(self, observation: Observation, world: World, *, yielded: bool = True) -> Decision:
        self.clock.now += 4
        self.last_call = call(100 * observation.turn)
        if observation.turn > len(self.lines):
            raise SimulatorError("the model gave no usable answer")
        return await super().decide(observation, world, yielded=yielded)


async def test_a_failed_decision_keeps_what_it_cost_and_what_was_refused() -> None:
    clock = Clock()
    outcome, memory = await play(EchoAgent(clock), CostlyUser(["more"], clock=clock))
    assert outcome.end is EndReason.SIMULATOR_ERROR
    assert outcome.user_seconds == 8
    good, failed = memory.decisions
    assert (good.error, failed.decision, failed.error) == (None, None, "the model gave no usable answer")
    assert (failed.turn, failed.policy, failed.seconds) == (2, "list", 4)
    assert failed.call == call(200)


async def test_a_failed_decision_keeps_what_was_settled_and_evaluated_on_the_way() -> None:
    anchors = script({"id": "done", "satisfied": {"response_matches": "start"}}, {"id": "open"})
    machine = SettlingMachine(anchors)
    await machine.settle(FakeWorld(), seen(1, reply="start"))
    _, memory = await play(EchoAgent(Clock()), CostlyUser([], machine=machine))
    (failed,) = memory.decisions
    assert [(one.anchor, one.how) for one in failed.settled] == [("done", "satisfied")]
    assert [(one.anchor, one.value) for one in failed.facts] == [("done", True)]
    assert failed.known_settled == failed.settled


async def test_a_world_that_fails_under_a_decision_is_recorded_too() -> None:
    outcome, memory = await play(EchoAgent(Clock()), ListUser([], fault=EnvironmentFault("the desk is gone")))
    assert outcome.end is EndReason.ENVIRONMENT_ERROR
    assert [record.error for record in memory.decisions] == ["the desk is gone"]


async def test_a_decision_that_is_cut_off_is_recorded_and_the_cancellation_goes_on() -> None:
    class Ponderer(CostlyUser):
        async def decide(self, observation: Observation, world: World, *, yielded: bool = True) -> Decision:
            self.last_call = call(7)
            raise asyncio.CancelledError

    memory, agent = Memory(), EchoAgent(Clock())
    with pytest.raises(asyncio.CancelledError):
        await run_session(
            "start", user=Ponderer([]), agent=agent, eyes=PlainEyes(), recorder=memory, limits=ROOMY, clock=agent.clock
        )
    (record,) = memory.decisions
    assert "cut off" in str(record.error)
    assert record.call == call(7)


async def test_an_answer_that_is_no_decision_is_a_failed_one() -> None:
    class Odd(ListUser):
        async def decide(self, observation: Observation, world: World, *, yielded: bool = True) -> Decision:
            return None  # type: ignore[return-value]

    outcome, memory = await play(EchoAgent(Clock()), Odd([]))
    assert outcome.end is EndReason.SIMULATOR_ERROR
    assert memory.decisions[0].decision is None


@pytest.mark.parametrize("both", [True, False])
def test_a_record_holds_a_decision_or_an_error(both: bool) -> None:
    parts = {
        "turn": 1, "policy": "p", "seconds": 0.0,
        "observation": {"turn": 1, "reply": "", "reply_chars": 0, "turn_sec": 0, "elapsed_sec": 0},
    }  # fmt: skip
    decided = {"decision": {"action": "no_op", "end": "user_left", "reason": ""}, "error": "x"} if both else {}
    with pytest.raises(ValidationError, match="exactly one"):
        DecisionRecord.model_validate(parts | decided)


@pytest.mark.parametrize("stops", [True, False])
async def test_the_clock_stops_for_a_user_who_says_so_and_for_no_other(stops: bool) -> None:
    @dataclass
    class Slow(CostlyUser):
        stops_clock: bool = False

        async def decide(self, observation: Observation, world: World, *, yielded: bool = True) -> Decision:
            self.clock.now += 5_000
            return await super().decide(observation, world, yielded=yielded)

    clock = Clock()
    user = Slow(["more", "and more"], clock=clock, stops_clock=stops)
    user.lines = ["more", "and more", "enough"]
    agent = EchoAgent(clock)
    outcome, memory = await play(agent, user, Limits(100, 60))
    if not stops:
        assert (outcome.end, agent.heard) == (EndReason.TIME_BUDGET, ["start"])
        return
    assert agent.heard == ["start", "more", "and more", "enough"]
    assert agent.deadlines == [60, 60, 60, 60]
    assert [record.observation.elapsed_sec for record in memory.decisions] == [10, 20, 30, 40]
    assert outcome.user_seconds == 4 * 5_004


async def test_silence_towards_a_yielded_agent_is_never_a_no_op() -> None:
    outcome, _ = await play(EchoAgent(Clock()), ListUser([], mute=True))
    assert outcome.end is EndReason.SIMULATOR_ERROR
