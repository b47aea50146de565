"""Recorded sessions for the tests of the audit: played by the real users, then tampered with where a test says so."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from swe_together.schema import (
    Action,
    AuditFinding,
    Decision,
    DecisionRecord,
    EndReason,
    SessionRecord,
    SimulatorScript,
    SourceSession,
    TrialAudit,
    TurnRecord,
)
from swe_together.simulator import ScriptedUser, User, World
from swe_together.simulator.audit import AuditedTask, AuditedTrial, audit_trial
from swe_together.simulator.fake import FakeWorld
from swe_together.simulator.model import Background
from tests.simulator.cases import Step, seen
from tests.simulator.model.users import BACKGROUND

DIGEST = "d" * 64


def records(user: User, steps: Iterable[Step]) -> list[DecisionRecord]:
    """What a session of this user leaves in ``decisions.jsonl``."""

    async def session() -> list[DecisionRecord]:
        made: list[DecisionRecord] = []
        for observation, world in steps:
            decision = await user.decide(observation, world)
            made.append(
                DecisionRecord(
                    turn=observation.turn,
                    policy=user.name,
                    observation=observation,
                    decision=decision,
                    seconds=0.1,
                    call=getattr(user, "last_call", None),
                )
            )
            if decision.end is not None:
                break
        return made

    return asyncio.run(session())


def scripted(
    script: SimulatorScript, turns: int = 9, world: Callable[[], World] = FakeWorld, **seeing: Any
) -> list[DecisionRecord]:
    """A session of the scripted user on turns that are all alike."""
    return records(ScriptedUser(script), [(seen(turn, **seeing), world()) for turn in range(1, turns + 1)])


def session_of(made: Sequence[DecisionRecord], **values: Any) -> SessionRecord:
    """The session record around decisions."""
    decided = [record for record in made if record.decision is not None]
    sent = [(record.turn + 1, record.decision) for record in decided if record.decision and record.decision.message]
    first = Decision(action=Action.NO_OP, message=values.pop("instruction", BACKGROUND.instruction), reason="")
    turns = [
        TurnRecord(
            turn=turn, message=said.message or "", kind=said.kind, anchors=said.anchors, tags=said.tags,
            continuation="first" if turn == 1 else "native", seconds=1,
        )
        for turn, said in [(1, first), *sent]
    ]  # fmt: skip
    last = decided[-1].decision if decided else None
    base: dict[str, Any] = {
        "task": "swe-together/made-up", "task_digest": DIGEST, "agent": "echo", "continuation": "native",
        "policy": made[0].policy if made else "scripted", "started": "2026-01-01T00:00:00+00:00",
        "finished": "2026-01-01T00:01:00+00:00", "seconds": 60, "agent_seconds": 50, "user_seconds": 1,
        "end": (last.end if last else None) or EndReason.USER_LEFT, "turns": turns, "messages": len(turns) - 1,
        "settled": [one for record in made for one in record.known_settled],
    }  # fmt: skip
    return SessionRecord.model_validate(base | values)


def task_of(
    script: SimulatorScript, background: Background = BACKGROUND, messages: Sequence[Mapping[str, Any]] = ()
) -> AuditedTask:
    """A task at hand; its own session holds the given messages, or each anchor's words."""
    first = [{"turn": 0, "text": background.instruction}]
    own = messages or [
        {"turn": anchor.source_turn, "text": anchor.message, "tags": list(anchor.tags)} for anchor in script.anchors
    ]
    source = {"provenance": "authored", "origin": "Made for a test.", "messages": [*first, *own]}
    return AuditedTask(script, background, SourceSession.model_validate(source), DIGEST)


def trial_of(
    made: Sequence[DecisionRecord], task: AuditedTask | None, *, name: str = "made-up__1", reward: float | None = 1.0,
    session: SessionRecord | None = None, **values: Any,
) -> AuditedTrial:  # fmt: skip
    """A trial around decisions."""
    status = "ok" if reward is not None else "verifier_error"
    base: dict[str, Any] = {
        "name": name, "path": Path(name), "task": "swe-together/made-up", "agent": "echo", "status": status,
        "reward": reward, "session": session or session_of(made), "decisions": made, "bundle": task,
    }  # fmt: skip
    return AuditedTrial(**(base | values))


def audited(trial: AuditedTrial) -> TrialAudit:
    """The audit by code."""
    return asyncio.run(audit_trial(trial))


def findings(trial: AuditedTrial) -> list[AuditFinding]:
    """What code finds in a trial."""
    return audited(trial).findings


def kinds(trial: AuditedTrial) -> list[tuple[str, int | None, str]]:
    """Kind, turn and severity of what code finds."""
    return [(finding.kind.value, finding.turn, finding.severity) for finding in findings(trial)]


def changed(made: Sequence[DecisionRecord], turn: int, **values: Any) -> list[DecisionRecord]:
    """The records with another decision after one turn."""
    return [
        record.model_copy(update={"decision": record.decision.model_copy(update=values)})
        if record.turn == turn and record.decision is not None
        else record
        for record in made
    ]
