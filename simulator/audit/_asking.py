"""Asking a model about every message of a trial: judged, or not audited with the reason, and nothing between."""

import time
from collections.abc import Callable
from typing import Final

from swe_together.errors import AuditError, SimulatorError
from swe_together.providers import Role
from swe_together.schema import MessageAudit, ModelCall, TaggedFault, TrialAudit
from swe_together.simulator.audit._input import AuditedTask, AuditedTrial
from swe_together.simulator.audit._moments import Moment, moments
from swe_together.simulator.audit._tagging import audit_request, is_judged, read_judgement
from swe_together.simulator.model import Completion, Model
from swe_together.simulator.model._asking import Exchange, Unusable
from swe_together.simulator.model._requests import NoAnswer

AUDITOR: Final = Role("audit", "judgement", NoAnswer, "Look at the provider's status and limits, then audit again.")
"""Whose model it is."""
MESSAGE_SEC: Final = 600.0
"""All the time for one message, waiting for a provider included."""


async def judge_messages(
    trial: AuditedTrial, audit: TrialAudit, model: Model, *, clock: Callable[[], float] = time.monotonic
) -> TrialAudit:
    """The audit with a model's judgement of each message, and of leaving.

    Args:
        trial: The trial.
        audit: What code found in it.
        model: Who judges.
        clock: Seconds, monotonic.
    """
    if audit.state != "read":
        return audit
    wanted = {record.turn for record in trial.decided if is_judged(record)}
    if trial.bundle is None:
        return _none_judged(audit, wanted, "The task isn't at hand.")
    done: dict[int, MessageAudit] = {}
    pending = {message.turn: message for message in audit.messages}
    try:
        async for moment in moments(trial.bundle, trial.decided):
            turn = moment.record.turn
            if turn in wanted:
                done[turn] = await _judge(moment, trial.bundle, pending[turn], model, clock)
    except SimulatorError as error:
        audit = _none_judged(audit, wanted - set(done), f"The records don't fit the task at hand: {error.message}")
    messages = [done.get(message.turn, message) for message in audit.messages]
    return audit.model_copy(update={"messages": messages})


async def _judge(
    moment: Moment, task: AuditedTask, message: MessageAudit, model: Model, clock: Callable[[], float]
) -> MessageAudit:
    began = clock()
    exchange: Exchange | None = None
    tags: list[TaggedFault] = []
    error: AuditError | None = None
    try:
        request = audit_request(moment, task.script, task.background)
        exchange = Exchange(request, moment.offered, MESSAGE_SEC)

        async def accept(completion: Completion) -> list[TaggedFault]:
            return read_judgement(completion, moment, request)

        tags = await exchange.ask(model, accept, lambda: MESSAGE_SEC - (clock() - began), lambda guard: None)
    except Unusable as unusable:
        told = f"{model.name!r} gave no usable judgement in {len(unusable.refusals)} tries: {unusable}"
        error = AuditError(told, "Take a model that follows the form.")
    except SimulatorError as failure:
        error = AuditError(failure.message, AUDITOR.remedy)
    call: ModelCall | None = exchange.record(model, clock() - began) if exchange is not None else None
    if error is not None:
        return _not_judged(message, f"{type(error).__name__}: {error.message}", call)
    return message.model_copy(update={"judged": "audited", "tags": tags, "call": call})


def _none_judged(audit: TrialAudit, turns: set[int], why: str) -> TrialAudit:
    messages = [
        _not_judged(message, f"{AuditError.__name__}: {why}", None) if message.turn in turns else message
        for message in audit.messages
    ]
    return audit.model_copy(update={"messages": messages})


def _not_judged(message: MessageAudit, error: str, call: ModelCall | None) -> MessageAudit:
    return message.model_copy(update={"judged": "not_audited", "error": error, "call": call})
