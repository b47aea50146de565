"""What an audit is given: one trial as plain values, wherever they were read from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from swe_together.schema import (
    Decision,
    DecisionRecord,
    ModelCall,
    Observation,
    SessionRecord,
    SimulatorScript,
    SourceSession,
)
from swe_together.simulator.model import Background

if TYPE_CHECKING:
    from swe_together.tasks import TaskBundle


@dataclass(frozen=True)
class AuditedTask:
    """The task of a trial, as far as the user is judged against it.

    Attributes:
        script: Persona, anchors and budget.
        background: Instruction, session analysis and secrets.
        session: The session that the task comes from.
        digest: Of the directory as it is now.
    """

    script: SimulatorScript
    background: Background
    session: SourceSession
    digest: str

    @classmethod
    def of(cls, task: "TaskBundle") -> "AuditedTask":
        """Read it from a task directory that was found sound."""
        return cls(task.script, Background.of(task), task.session, task.digest)


@dataclass(frozen=True)
class Decided:
    """A turn of the user that came to a decision.

    Attributes:
        turn: The agent turn before it.
        policy: Who decided.
        observation: What the user saw.
        decision: What it did.
        call: The model's part in it; None where no model took part.
    """

    turn: int
    policy: str
    observation: Observation
    decision: Decision
    call: ModelCall | None = None


def _nothing(paths: Sequence[str]) -> str:
    return ""


@dataclass(frozen=True)
class AuditedTrial:
    """One trial.

    Attributes:
        name: Of its folder.
        path: Of its folder; only shown.
        task: Name of the task.
        agent: Name of the agent.
        status: ``ok`` with a reward, else why there is none.
        reward: None unless the trial counts as a session with a valid reward.
        session: The whole session; None where the trial left none.
        decisions: The user's decisions in order, failed ones included.
        said_by_agent: All that the agent said, by turn; where a turn is missing, its recorded reply counts.
        bundle: The task; None where it isn't at hand.
        unread: Why the records couldn't be read; None where they could.
        final_text: Content of the given paths in the final state, as far as it is known.
    """

    name: str
    path: Path
    task: str
    agent: str
    status: str
    reward: float | None
    session: SessionRecord | None
    decisions: Sequence[DecisionRecord] = ()
    said_by_agent: Mapping[int, str] = field(default_factory=dict)
    bundle: AuditedTask | None = None
    unread: str | None = None
    final_text: Callable[[Sequence[str]], str] = _nothing

    @property
    def decided(self) -> list[Decided]:
        """The decisions that were come to; one that failed has said nothing that could be judged."""
        return [
            Decided(record.turn, record.policy, record.observation, record.decision, record.call)
            for record in self.decisions
            if record.decision is not None
        ]
