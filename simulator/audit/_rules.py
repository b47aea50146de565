"""Findings by the rules of the state machine: order, what isn't so, leaving too early, words that strayed, length."""

import json
from collections.abc import Iterator
from typing import Final

from swe_together.schema import AuditFinding, AuditKind, MessageKind, SourceSession
from swe_together.simulator._state import AnchorStatus, Option
from swe_together.simulator.audit._findings import found, quoted
from swe_together.simulator.audit._input import Decided
from swe_together.simulator.audit._moments import LEFT, Moment
from swe_together.simulator.guards import adaptation, early_end
from swe_together.simulator.model import Completion, FreeAnswer, Refused, ToolCall, parse
from swe_together.simulator.model._grounds import seen_part, ungrounded

LENGTH_FACTOR: Final = 3.0
"""A message is an outlier that is so many times longer or shorter than all that it is compared with …"""
LENGTH_CHARS: Final = 80
"""… and differs from it by more than so many characters."""
_TIED: Final = (MessageKind.ANCHOR, MessageKind.INSIST)
_AUTHORED_WORDS: Final = ("scripted", "anchored")
"""Policies that keep to the authored words."""


def by_rules(moment: Moment, source: SourceSession) -> Iterator[AuditFinding]:
    """Everything that the machine's rules find in one decision."""
    decision = moment.record.decision
    if decision.message is None:
        yield from _premature(moment)
        return
    if decision.kind in _TIED:
        yield from _order(moment)
        yield from _strayed(moment, decision.message)
        yield from _length(moment, decision.message, source)
    elif decision.kind is MessageKind.FREE:
        yield from _ungrounded(moment, decision.message)


def _order(moment: Moment) -> Iterator[AuditFinding]:
    machine, record = moment.user.recorded, moment.record
    options = moment.options or []
    offered = {option.anchor.id for option in options}
    insists = any(machine.is_insist(name) for name in record.decision.anchors)
    owed = [] if insists else [option.anchor.id for option in options if option.kind is MessageKind.INSIST]
    if owed:
        detail = f"The user owed an insist on {owed[0]!r}, which comes before new points."
        yield found(AuditKind.ORDER, record.turn, quoted(record), detail)
    for name in record.decision.anchors:
        waits = [] if machine.is_insist(name) else machine.unsettled(name)
        if waits:
            detail = f"{name!r} was said before {waits[0]!r}, which had to be settled first."
            yield found(AuditKind.ORDER, record.turn, quoted(record), detail)
        elif moment.options is not None and name not in offered and not owed:
            kind, detail = _why_not(moment, options, name)
            yield found(kind, record.turn, quoted(record), detail)


def _why_not(moment: Moment, options: list[Option], name: str) -> tuple[AuditKind, str]:
    """Why an anchor whose predecessors are settled could not be said."""
    machine = moment.user.recorded
    status = machine.statuses[name]
    if machine.is_insist(name) and machine.insisted_enough(name):
        return AuditKind.ORDER, f"{name!r} had been said already, and nothing was left to insist on."
    if machine.is_insist(name):
        return AuditKind.INVENTED_OBSERVATION, f"It insists on {name!r}, which was done or pointless by then."
    if status is not AnchorStatus.PENDING:
        return AuditKind.ORDER, f"{name!r} had left the list already: {status.value}."
    if options and moment.record.policy == "scripted":
        return AuditKind.ORDER, f"{options[0].anchor.id!r} came first in the order of the session."
    return AuditKind.INVENTED_OBSERVATION, f"{name!r} was said although its condition did not hold."


def _premature(moment: Moment) -> Iterator[AuditFinding]:
    record, machine = moment.record, moment.user.recorded
    if record.decision.end not in LEFT:
        return
    options = sorted(moment.options or [], key=lambda option: not option.anchor.required)
    if options:
        first = options[0].anchor
        what = "was required and could be said" if first.required else "could still be said"
        detail = f"The user left while {first.id!r} {what}."
        yield found(AuditKind.PREMATURE_END, record.turn, quoted(record), detail)
        return
    unanswered = early_end(None, moment.user.scene([], record.observation, yielded=True))
    if unanswered is not None:
        yield left_unanswered(record, owed=machine.owes_reply())


def left_unanswered(record: Decided, *, owed: bool) -> AuditFinding:
    """The user left an agent that awaits an answer.

    Args:
        record: The decision to leave.
        owed: Whether a reply could still be given; else the rules let the user go.
    """
    detail = "The user left while the agent awaited an answer"
    detail += "." if owed else "; its replies to questions were used up."
    return found(AuditKind.PREMATURE_END, record.turn, quoted(record), detail, minor=not owed)


def _strayed(moment: Moment, message: str) -> Iterator[AuditFinding]:
    expressed = moment.expressed
    if moment.record.policy not in _AUTHORED_WORDS or len(expressed) != 1:
        return
    problems = [adaptation(message, text) for text in _words(moment, expressed[0])]
    if all(problem is not None for problem in problems):
        detail = f"It is no light adaptation of the authored words of {expressed[0].anchor.id!r}: {problems[0]}."
        yield found(AuditKind.ADAPTATION, moment.record.turn, message, detail)


def _words(moment: Moment, option: Option) -> list[str]:
    """The authored words for an option: those that were offered, or all that the anchor has."""
    if option in moment.offered or option.kind is MessageKind.INSIST:
        return [option.message]
    return [option.message, *(variant.message for variant in option.anchor.variants)]


def _length(moment: Moment, message: str, source: SourceSession) -> Iterator[AuditFinding]:
    """Compared with the authored words and with the messages of the task's own session that they come from."""
    expressed = moment.expressed
    chars = {one.turn: len(one.text) if one.text is not None else one.chars for one in source.messages}
    compared = {"the authored words": sum(len(option.message) for option in expressed)}
    from_session = [chars.get(option.anchor.source_turn) for option in expressed if option.kind is MessageKind.ANCHOR]
    counted = [count for count in from_session if count is not None]
    if counted and len(counted) == len(expressed):
        compared["the session's message"] = sum(counted)
    size = len(message)
    if all(_outlier(size, other) for other in compared.values()):
        others = " and ".join(f"{other} in {what}" for what, other in compared.items())
        detail = f"{size} characters against {others}."
        yield found(AuditKind.LENGTH, moment.record.turn, message, detail)


def _outlier(size: int, other: int) -> bool:
    apart = abs(size - other) > LENGTH_CHARS
    return apart and (size > other * LENGTH_FACTOR or other > size * LENGTH_FACTOR)


def _ungrounded(moment: Moment, message: str) -> Iterator[AuditFinding]:
    """Words outside the anchors answer the agent, or point at a fact that stood before the user's eyes."""
    record = moment.record
    answer = _answer(record)
    if answer is None or answer.points:
        return
    if answer.quote is None or not answer.quote.strip():
        problem = None if record.observation.agent_asks else "The agent asked nothing, and no fact is pointed at."
    else:
        seen = seen_part(moment.user.shown(moment.offered, record.observation))
        problem = ungrounded(message, answer.quote, seen)
    if problem is not None:
        yield found(AuditKind.INVENTED_OBSERVATION, record.turn, message, problem)


def _answer(record: Decided) -> FreeAnswer | None:
    """The answer behind a message of the policy ``llm``, read as strictly as then; None where it isn't recorded."""
    if record.call is None:
        return None
    try:
        raw = json.loads(record.call.raw)
        calls = tuple(ToolCall(call["name"], call["arguments"]) for call in raw.get("calls", []))
        return parse(Completion(content=raw.get("content", ""), calls=calls), FreeAnswer)
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError, Refused):
        return None
