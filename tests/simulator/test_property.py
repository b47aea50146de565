"""Random anchors (cycles and expiry included), random turns: what holds for every session whatever the script.

The checks read the decisions from outside. They evaluate predicates anew and by other means than the package does.
"""

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import event, given, note, settings
from hypothesis import strategies as st

from swe_together import defaults
from swe_together.schema import Anchor, Decision, EndReason, MessageKind, SimulatorScript
from swe_together.simulator import ScriptedUser
from tests.simulator.maker import IDS, Maker, Turn


@dataclass
class Ledger:
    """The session as its decisions tell it."""

    how: dict[str, str] = field(default_factory=dict)
    said_at: dict[str, int] = field(default_factory=dict)
    insisted: dict[str, int] = field(default_factory=dict)
    satisfied_later: set[str] = field(default_factory=set)
    texts: list[tuple[str, MessageKind | None]] = field(default_factory=list)


def truth(predicate: dict[str, Any], turn: Turn, how: dict[str, str]) -> bool:
    ((key, value),) = predicate.items()
    plain: dict[str, Callable[[], bool]] = {
        "path_changed": lambda: value[3] in turn.on,
        "path_exists": lambda: value[4] in turn.on,
        "response_matches": lambda: value[2] in turn.on,
        "probe": lambda: value["run"] in turn.on,
        "agent_asks": lambda: value == turn.asks,
        "turn": lambda: value.get("min", 0) <= turn.number <= value.get("max", 99),
        "elapsed_sec": lambda: turn.number * 10 >= value["min"],
        "said": lambda: how.get(value) == "said",
        "settled": lambda: how.get(value) in ("said", "satisfied", "expired"),
        "not": lambda: not truth(value, turn, how),
        "all": lambda: all(truth(part, turn, how) for part in value),
        "any": lambda: any(truth(part, turn, how) for part in value),
    }
    return plain[key]()


def raw(predicate: Any) -> dict[str, Any]:
    if isinstance(predicate, str):
        return {"said": predicate}
    return dict(predicate.model_dump(mode="json", by_alias=True, exclude_none=True))


def key(text: str) -> str:
    return " ".join(text.lower().split())


def eligible(anchor: Anchor, turn: Turn, how: dict[str, str]) -> bool:
    free = all(how.get(other) in ("said", "satisfied", "expired") for other in anchor.after)
    return free and (anchor.condition is None or truth(raw(anchor.condition), turn, how))


def words_of(anchor: Anchor, turn: Turn, how: dict[str, str]) -> str:
    for variant in anchor.variants:
        if truth(raw(variant.condition), turn, how):
            return variant.message
    return anchor.message


def leaves(anchor: Anchor, turn: Turn, how: dict[str, str]) -> bool:
    met = anchor.satisfied is not None and truth(raw(anchor.satisfied), turn, how)
    return met or (anchor.expires is not None and truth(raw(anchor.expires), turn, how))


def check_turn(made: SimulatorScript, turn: Turn, decision: Decision, ledger: Ledger) -> None:
    in_order = sorted(made.anchors, key=lambda anchor: anchor.source_turn)
    by_id = {anchor.id: anchor for anchor in made.anchors}
    spoken = decision.anchors[0] if decision.kind is MessageKind.ANCHOR else None
    for settlement in decision.settled:
        assert settlement.anchor not in ledger.how, "an anchor leaves the list once"
        ledger.how[settlement.anchor] = settlement.how
        anchor = by_id[settlement.anchor]
        others = {i: h for i, h in ledger.how.items() if i != settlement.anchor}
        if settlement.how == "said":
            ledger.said_at[settlement.anchor] = turn.number
            repeats = key(words_of(anchor, turn, others)) in {key(text) for text, _ in ledger.texts}
            assert settlement.anchor == spoken or repeats, "only what was said counts as said"
            assert eligible(anchor, turn, others)
        elif settlement.how == "satisfied":
            assert anchor.satisfied is not None
            assert truth(raw(anchor.satisfied), turn, others)
        elif settlement.how == "expired":
            assert anchor.expires is not None
            assert truth(raw(anchor.expires), turn, others)
    assert spoken is None or ledger.how[spoken] == "said", "what is said leaves the list"
    # The state in which the choice was made: everything of this turn but the message itself and the leaving.
    how = {i: h for i, h in ledger.how.items() if i != spoken and h != "dismissed"}
    pending = [anchor for anchor in in_order if anchor.id not in how]
    assert not any(leaves(anchor, turn, how) for anchor in pending), "settling is complete"

    for anchor in made.anchors:
        met = anchor.satisfied is not None and truth(raw(anchor.satisfied), turn, how)
        gone = anchor.expires is not None and truth(raw(anchor.expires), turn, how)
        if ledger.said_at.get(anchor.id, turn.number) < turn.number and (met or gone):
            ledger.satisfied_later.add(anchor.id)
    sent = {key(text) for text, _ in ledger.texts}
    owed = [
        anchor
        for anchor in in_order
        if anchor.insist is not None
        and turn.yielded
        and ledger.said_at.get(anchor.id, turn.number) < turn.number
        and anchor.id not in ledger.satisfied_later
        and ledger.insisted.get(anchor.id, 0) < anchor.insist.max
        and key(anchor.insist.message) not in sent
    ]
    options = [anchor for anchor in pending if eligible(anchor, turn, how)]
    if options and not owed:
        assert key(words_of(options[0], turn, how)) not in sent, "repeated words count as said"
    over_time = 10 * turn.number >= made.budget.session_sec
    spent = len(ledger.texts) >= made.message_budget
    check_words(made, turn, decision, ledger, owed, options)
    speaks = bool(owed or options or (turn.asks and reply_left(made, ledger)))

    if decision.message is not None:
        assert not over_time
        assert not spent
        assert decision.end is None
        ledger.texts.append((decision.message, decision.kind))
        if decision.kind is MessageKind.INSIST:
            ledger.insisted[decision.anchors[0]] = ledger.insisted.get(decision.anchors[0], 0) + 1
        return
    dismissed = {s.anchor for s in decision.settled if s.how == "dismissed"}
    if decision.end is None:
        assert not turn.yielded, "silence towards an agent that waits is leaving"
        assert dismissed == set()
        assert spent or not (owed or options)
        return
    assert dismissed == {anchor.id for anchor in pending}, "who leaves dismisses all that is pending"
    match decision.end:
        case EndReason.TIME_BUDGET:
            assert over_time
            assert speaks or not turn.yielded, "time ends only what would have gone on"
        case EndReason.MESSAGE_BUDGET:
            assert spent
            assert speaks, "a budget ends only what would have gone on"
        case EndReason.USER_LEFT:
            assert not speaks
            assert pending
        case EndReason.ANCHORS_EXHAUSTED:
            assert not speaks
            assert not pending
        case _:
            raise AssertionError(f"a user can't end a session with {decision.end}")


def reply_left(made: SimulatorScript, ledger: Ledger) -> bool:
    """Whether a question may be answered: not too often, not in the words just sent, nor in those of an anchor."""
    reply = key(made.persona.on_question)
    kinds = [kind for text, kind in ledger.texts if key(text) == reply]
    just_sent = bool(ledger.texts) and key(ledger.texts[-1][0]) == reply
    return len(kinds) < defaults.MAX_ON_QUESTION and set(kinds) <= {MessageKind.ON_QUESTION} and not just_sent


def check_words(
    made: SimulatorScript, turn: Turn, decision: Decision, ledger: Ledger, owed: list[Anchor], options: list[Anchor]
) -> None:
    how = {i: h for i, h in ledger.how.items() if i not in decision.anchors or decision.kind is MessageKind.INSIST}
    sent = [key(text) for text, _ in ledger.texts]
    match decision.kind:
        case MessageKind.INSIST:
            assert decision.anchors == [owed[0].id]
            assert owed[0].insist is not None
            assert decision.message == owed[0].insist.message
            assert key(decision.message) not in sent
        case MessageKind.ANCHOR:
            assert not owed, "an owed insist comes first"
            assert decision.anchors == [options[0].id], "first in the order of the session among the eligible"
            assert decision.message == words_of(options[0], turn, how)
            assert key(decision.message) not in sent
        case MessageKind.ON_QUESTION:
            assert turn.asks
            assert turn.yielded
            assert not owed
            assert not options
            assert decision.message == made.persona.on_question
            assert reply_left(made, ledger)
        case _:
            assert decision.message is None


def decide_all(made: SimulatorScript, turns: list[Turn]) -> list[Decision]:
    async def session() -> list[Decision]:
        user = ScriptedUser(made)
        decisions: list[Decision] = []
        for turn in turns:
            observation, world = turn.step()
            decisions.append(await user.decide(observation, world, yielded=turn.yielded))
            if decisions[-1].end is not None:
                break
        return decisions

    return asyncio.run(session())


@settings(max_examples=int(os.environ.get("SWE_TOGETHER_EXAMPLES", "600")), deadline=None, derandomize=True)
@given(size=st.integers(0, len(IDS)), seed=st.integers(0, 2**32))
def test_every_session_keeps_every_rule_and_ends(size: int, seed: int) -> None:
    made, turns = Maker(size, seed).session()
    note(made.model_dump_json(exclude_defaults=True, by_alias=True))
    decisions = decide_all(made, turns)
    ledger = Ledger()
    for turn, decision in zip(turns, decisions, strict=False):
        note(f"{turn} → {decision.kind} {decision.anchors} {decision.message} {decision.end} {decision.settled}")
        check_turn(made, turn, decision, ledger)
        event(f"{decision.kind or decision.end}")

    assert decisions[-1].end is not None, "one yield for each message, and one to leave"
    assert sum(turn.yielded for turn in turns[: len(decisions)]) <= made.message_budget + 1
    assert set(ledger.how) == {anchor.id for anchor in made.anchors}, "each anchor is accounted for"
    for anchor in made.anchors:
        assert ledger.insisted.get(anchor.id, 0) <= (anchor.insist.max if anchor.insist else 0)
    texts = [key(text) for text, kind in ledger.texts if kind is not MessageKind.ON_QUESTION]
    assert len(texts) == len(set(texts)), "nothing is said twice"
    assert all(one != two for (one, _), (two, _) in zip(ledger.texts, ledger.texts[1:], strict=False))
    assert decisions == decide_all(made, turns), "equal sessions, equal decisions"
