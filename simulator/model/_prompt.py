"""The prompt of one turn: the stable part, own messages, one line per anchor, one observation, what may be said."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from swe_together import defaults
from swe_together.errors import SimulatorError
from swe_together.providers import clean, cut, cut_line, fenced, fit
from swe_together.schema import Fact, MessageKind, Observation, SimulatorScript
from swe_together.simulator._state import AnchorStatus, Option, Sent
from swe_together.simulator.model._answers import Ground, chosen_schema, free_schema
from swe_together.simulator.model._observed import Interest, observed
from swe_together.simulator.model._prefix import Policy, in_order, quoted
from swe_together.simulator.model._requests import Request

_WRITTEN_TWICE_CHARS = 80
_ANYTHING = "What the session holds for this moment."
_STANDING = {
    AnchorStatus.PENDING: "open",
    AnchorStatus.SAID: "said",
    AnchorStatus.SATISFIED: "done by the agent unasked",
    AnchorStatus.EXPIRED: "pointless by now",
    AnchorStatus.DISMISSED: "dropped",
}


@dataclass(frozen=True)
class Moment:
    """Everything that a turn's prompt is made of.

    Attributes:
        observation: The turn.
        sent: The user's messages so far, without the instruction.
        statuses: Where each anchor stands, by id.
        options: What may be said now.
        facts: Values of predicates in this turn.
        yielded: Whether the agent waits.
        session_sec: The session's budget.
    """

    observation: Observation
    sent: Sequence[Sent]
    statuses: Mapping[str, AnchorStatus]
    options: Sequence[Option]
    facts: Sequence[Fact] = ()
    yielded: bool = True
    session_sec: float = 0.0


def request_of(policy: Policy, stable: str, script: SimulatorScript, moment: Moment) -> Request:
    """The whole request.

    Raises:
        SimulatorError: It is larger than ``PROMPT_CHARS``; its parts are limited so that it can't be.
    """
    choices = {option.anchor.id: option.message for option in moment.options}
    whole, *narrower = _forms(policy, script, moment)
    request = Request(stable, _turn(script, moment), whole, choices, narrower=narrower)
    if request.chars > defaults.PROMPT_CHARS:
        raise SimulatorError(f"The prompt of turn {moment.observation.turn} has {request.chars} characters.")
    return request


def _forms(policy: Policy, script: SimulatorScript, moment: Moment) -> list[dict[str, Any]]:
    """The form of the first answer, then those of its repetitions.

    First, all points of the session stand in it: a form that changes would spoil the provider's cache of the stable
    part, which comes after it. Then only those that may be said now. The last time there is no quoting of facts any
    more: say one of these, answer a question that was asked, or say nothing.
    """
    ids = [anchor.id for anchor in in_order(script.anchors)]
    allowed = [option.anchor.id for option in moment.options]
    if policy == "anchored":
        return [chosen_schema(ids), chosen_schema(allowed)]
    last = Ground.QUESTION if moment.observation.agent_asks and moment.yielded else Ground.NONE
    if not ids:
        whole = free_schema(ids, wishes=True)
        return [whole, whole, free_schema(ids, last)]
    return [free_schema(ids), free_schema(allowed), free_schema(allowed, last)]


def _turn(script: SimulatorScript, moment: Moment) -> str:
    pending = [anchor for anchor in script.anchors if moment.statuses.get(anchor.id) is AnchorStatus.PENDING]
    offered = [option.anchor for option in moment.options]
    interest = Interest.of([*pending, *(anchor for anchor in offered if anchor not in pending)])
    parts = [_situation(moment)]
    if moment.sent:
        parts.append(f"# What you have said\n{_said(script, moment.sent)}")
    if script.anchors:
        parts.append(f"# Where your points stand\n{_standings(script, moment)}")
    parts.append(f"# What you see\n{observed(moment.observation, interest)}")
    tried = _tried(moment)
    if tried:
        parts.append(f"## You tried it yourself\n{fenced('tried', tried)}")
    parts.append(f"# You may say now\n{_options(moment) if script.anchors else _ANYTHING}")
    return "\n\n".join(parts)


def _situation(moment: Moment) -> str:
    seen = moment.observation
    budget = f" of {moment.session_sec:.0f}" if moment.session_sec else ""
    elapsed = f"{seen.elapsed_sec:.0f}{budget} s into the session"
    lines = [f"Turn {seen.turn}, {elapsed}; this turn took {seen.turn_sec:.0f} s."]
    if seen.timed_out:
        lines.append("The agent was cut off in the middle of its work.")
    if not moment.yielded:
        lines.append("The agent works on.")
    elif seen.agent_asks:
        lines.append("The agent waits, and asks you something.")
    else:
        lines.append("The agent waits.")
    return " ".join(lines)


def _said(script: SimulatorScript, sent: Sequence[Sent]) -> str:
    """Own messages in full; a long one that stands word for word among the points isn't written out twice."""
    written = {anchor.id: anchor.message for anchor in script.anchors if len(anchor.message) > _WRITTEN_TWICE_CHARS}
    kinds = {MessageKind.INSIST: "again on ", MessageKind.ON_QUESTION: "an answer", MessageKind.FREE: "free"}
    heads = [f"after turn {one.turn} ({kinds.get(one.kind, '')}{', '.join(one.anchors)}): " for one in sent]
    room = defaults.SAID_CHARS - sum(map(len, heads)) - 3 * len(sent)
    same = [one.kind is MessageKind.ANCHOR and written.get(one.anchors[0]) == one.text for one in sent]
    texts = ["as written above" if above else clean(one.text) for one, above in zip(sent, same, strict=True)]
    lines = [
        head + (text if above else quoted(text))
        for head, text, above in zip(heads, fit(texts, max(room, 0)), same, strict=True)
    ]
    return cut("\n".join(lines), defaults.SAID_CHARS)


def _standings(script: SimulatorScript, moment: Moment) -> str:
    kept = {
        fact.anchor: ", done now" if fact.value else ", not done yet"
        for fact in moment.facts
        if fact.field == "satisfied"
    }
    lines = []
    for anchor in in_order(script.anchors):
        status = moment.statuses.get(anchor.id, AnchorStatus.PENDING)
        line = f"{anchor.id}: {_STANDING[status]}"
        if status is AnchorStatus.SAID:
            line += kept.get(anchor.id, "")
        lines.append(line)
    return cut("\n".join(lines), defaults.STANDING_CHARS)


def _tried(moment: Moment) -> str:
    """What came of the user's own tries that speak for the options. The commands stay away: they hold the answer."""
    offered = {option.anchor.id for option in moment.options}
    tries = dict.fromkeys(
        f"{fact.anchor}: {cut_line(clean(fact.detail), defaults.PROMPT_OUTPUT_CHARS * 2)}"
        for fact in moment.facts
        if fact.anchor in offered and "probe" in fact.predicate and fact.detail
    )
    return cut("\n".join(tries), defaults.TRIED_CHARS)


def _options(moment: Moment) -> str:
    lines = []
    for option in moment.options:
        again = "again on " if option.kind is MessageKind.INSIST else ""
        same = option.kind is MessageKind.ANCHOR and option.message == option.anchor.message
        lines.append(f"- {again}{option.anchor.id}: {'as written above' if same else quoted(clean(option.message))}")
    if not lines:
        return "No point."
    return cut("\n".join(fit(lines, defaults.OPTIONS_CHARS - len(lines))), defaults.OPTIONS_CHARS)
