"""The audit of one trial by code alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from swe_together import defaults
from swe_together.errors import SimulatorError
from swe_together.schema import AuditFinding, AuditKind, DecisionRecord, MessageAudit, SessionRecord, TrialAudit
from swe_together.simulator.audit._fabricated import fabricated_user
from swe_together.simulator.audit._families import family
from swe_together.simulator.audit._findings import found, quoted, shown
from swe_together.simulator.audit._input import AuditedTask, AuditedTrial
from swe_together.simulator.audit._moments import LEFT, moments
from swe_together.simulator.audit._rules import by_rules, left_unanswered
from swe_together.simulator.audit._speech import NEED_TASK, Overheard, by_guards
from swe_together.simulator.guards import Scene, early_end

_OF_THE_RULES = (AuditKind.ORDER, AuditKind.INVENTED_OBSERVATION, AuditKind.ADAPTATION, AuditKind.LENGTH)
_PERSON = "human"
"""The policy that simulates nobody."""


@dataclass
class Judged:
    """What was found in a trial, and what could not be looked for."""

    findings: list[AuditFinding] = field(default_factory=list)
    unchecked: dict[AuditKind, str] = field(default_factory=dict)


async def audit_trial(trial: AuditedTrial) -> TrialAudit:
    """Everything that code finds in a trial; its messages stand ready for a model to judge."""
    session = trial.session
    state, why = _state(trial)
    audit = TrialAudit(
        trial=trial.name,
        path=str(trial.path),
        task=trial.task,
        agent=trial.agent,
        agent_model=session.model if session else None,
        policy=session.policy if session else None,
        user_models=_models(trial.decisions),
        status=trial.status,
        reward=trial.reward,
        passed=None if trial.reward is None else trial.reward >= defaults.PASS_THRESHOLD,
        task_at_hand=_at_hand(trial),
        state=state,
        why=why,
    )
    if session is None or state != "read":
        return audit
    judged = await _judge(trial, session)
    judged.findings += [*_undelivered(trial, session), *_fabricated(trial, session), *_families(audit, session)]
    judged.findings.sort(key=lambda one: (one.turn is None, one.turn or 0))
    messages = [
        MessageAudit(
            turn=record.turn,
            kind=record.decision.kind,
            anchors=record.decision.anchors,
            message=record.decision.message,
            end=record.decision.end,
        )
        for record in trial.decided
    ]
    return audit.model_copy(update={"findings": judged.findings, "unchecked": judged.unchecked, "messages": messages})


async def _judge(trial: AuditedTrial, session: SessionRecord) -> Judged:
    if trial.bundle is None:
        return _without_task(trial, session, "the task isn't at hand")
    try:
        return await _with_task(trial, trial.bundle)
    except SimulatorError as error:
        return _without_task(trial, session, f"the records don't fit the task at hand: {error.message}")


async def _with_task(trial: AuditedTrial, task: AuditedTask) -> Judged:
    """Raises ``SimulatorError`` where the records are of another script."""
    judged = Judged()
    async for moment in moments(task, trial.decided):
        if moment.options is None:
            reason = f"after turn {moment.record.turn} the record doesn't say what could be said"
            judged.unchecked.setdefault(AuditKind.ORDER, reason)
            judged.unchecked.setdefault(AuditKind.PREMATURE_END, reason)
        judged.findings += by_rules(moment, task.session)
        judged.findings += by_guards(moment, trial.final_text)
    return judged


def _without_task(trial: AuditedTrial, session: SessionRecord, reason: str) -> Judged:
    judged = Judged(unchecked=dict.fromkeys([*sorted(NEED_TASK), *_OF_THE_RULES], reason))
    anchors = [settled.anchor for settled in session.settled]
    overheard = Overheard([session.turns[0].message] if session.turns else [""], anchors)
    for record in trial.decided:
        judged.findings += overheard.judge(record)
        if record.decision.end not in LEFT or early_end(None, Scene(record.observation)) is None:
            continue
        # The record names the rule that let the user go.
        let_go = any(guard in ("max_on_question", "already_sent: on_question") for guard in record.decision.guards)
        judged.findings.append(left_unanswered(record, owed=not let_go))
    return judged


def _undelivered(trial: AuditedTrial, session: SessionRecord) -> Iterator[AuditFinding]:
    """Turns of the agent that began with other words than were decided."""
    given = {turn.turn: turn.message for turn in session.turns}
    for record in trial.decided:
        heard = given.get(record.turn + 1)
        if heard is not None and heard != record.decision.message:
            detail = f"The agent was sent other words: {shown(heard)!r}."
            yield found(AuditKind.DELIVERY, record.turn, quoted(record), detail, about="run")


def _fabricated(trial: AuditedTrial, session: SessionRecord) -> Iterator[AuditFinding]:
    replies = {record.turn: record.observation.reply for record in trial.decisions} | dict(trial.said_by_agent)
    for turn, text in sorted(replies.items()):
        said = [one.message for one in session.turns if one.turn <= turn]
        quote = fabricated_user(text, said)
        if quote is not None:
            detail = "The agent wrote a turn of the user itself."
            yield found(AuditKind.FABRICATED_USER, turn, quote, detail, about="agent")


def _families(audit: TrialAudit, session: SessionRecord) -> Iterator[AuditFinding]:
    """A user and an agent of the same family may understand each other better than people and agents do."""
    agent = family(session.model)
    for model in audit.user_models:
        if agent is not None and family(model) == agent:
            detail = f"User and agent are of one family ({agent}): {model} and {session.model}."
            yield found(AuditKind.SAME_FAMILY, None, model, detail, about="run")


def _state(trial: AuditedTrial) -> tuple[Literal["read", "no_user", "unreadable"], str]:
    """Whether there is anything to audit, and why not."""
    if trial.unread is not None:
        return "unreadable", trial.unread
    if trial.session is None:
        return (
            ("unreadable", "it left no whole session.json") if trial.decisions else ("no_user", "it holds no session")
        )
    if trial.session.arm != "interactive":
        return "no_user", f"the arm {trial.session.arm} has none"
    return ("no_user", "a person played the user") if trial.session.policy == _PERSON else ("read", "")


def _models(decisions: Sequence[DecisionRecord]) -> list[str]:
    return list(dict.fromkeys(record.call.model for record in decisions if record.call is not None))


def _at_hand(trial: AuditedTrial) -> Literal["same", "differs", "absent"]:
    if trial.bundle is None:
        return "absent"
    same = trial.session is not None and trial.session.task_digest == trial.bundle.digest
    return "same" if same else "differs"
