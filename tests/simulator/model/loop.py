"""The session loop with an agent that echoes, for tests of what a session records and replays."""

from collections.abc import Callable
from dataclasses import dataclass, field

from swe_together.adapter.session import Limits, Outcome, run_session
from swe_together.adapter.turn import Turn
from swe_together.schema import DecisionRecord, Observation, TurnRecord
from swe_together.simulator import User, World, asks
from swe_together.simulator.fake import FakeWorld


@dataclass
class Clock:
    """Seconds that pass only when somebody sleeps or works."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


@dataclass
class EchoAgent:
    """Says how much it heard; the user must be the only source of its words."""

    clock: Clock
    heard: list[str] = field(default_factory=list)

    async def turn(self, message: str, number: int, deadline_sec: float) -> Turn:
        self.heard.append(message)
        self.clock.now += 10
        return Turn(f"I heard {len(message)} characters.", (), 10, "first" if number == 1 else "native")


@dataclass
class PlainEyes:
    """Sees the reply, and a world of its own for every turn."""

    world: Callable[[], World]

    async def look(self, turn: Turn, number: int, elapsed_sec: float) -> tuple[Observation, World]:
        observation = Observation(
            turn=number, reply=turn.reply, reply_chars=len(turn.reply), agent_asks=asks(turn.reply),
            turn_sec=turn.seconds, elapsed_sec=elapsed_sec,
        )  # fmt: skip
        return observation, self.world()


@dataclass
class Memory:
    """A recorder that keeps everything."""

    turns: list[TurnRecord] = field(default_factory=list)
    decisions: list[DecisionRecord] = field(default_factory=list)

    def turn(self, record: TurnRecord) -> None:
        self.turns.append(record)

    def decision(self, record: DecisionRecord) -> None:
        self.decisions.append(record)


@dataclass(frozen=True)
class Session:
    """How a session went."""

    outcome: Outcome
    heard: list[str]
    decisions: list[DecisionRecord]


async def play_session(
    instruction: str, user: User, clock: Clock | None = None, *, world: Callable[[], World] = FakeWorld
) -> Session:
    """One session with the echoing agent."""
    clock = clock or Clock()
    agent, memory = EchoAgent(clock), Memory()
    outcome = await run_session(
        instruction,
        user=user,
        agent=agent,
        eyes=PlainEyes(world),
        recorder=memory,
        limits=Limits(3_000, 100),
        clock=clock,
    )
    return Session(outcome, agent.heard, memory.decisions)
