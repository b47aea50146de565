"""Intent Coverage: how far a session followed the one that its task comes from. Exact for anchors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from swe_together import defaults
from swe_together.errors import TaggerError
from swe_together.judge._conversation import ChatModel
from swe_together.judge._matcher import Matched, ask_matches
from swe_together.schema import (
    Anchor,
    Dialogue,
    DialogueTurn,
    IntentCoverage,
    IntentMatch,
    Intents,
    MessageKind,
    MessageMatch,
    ModelQuestion,
)


async def intent_coverage(
    intents: Intents, anchors: Sequence[Anchor], dialogue: Dialogue, matcher: ChatModel | None = None
) -> IntentCoverage:
    """Match a session's follow-ups with the intents of its task.

    The first message takes no part. An anchor that was said covers its intents with confidence 1, and so does one
    that the agent satisfied unasked: then nobody had to say it. Free words are matched by a model.

    Args:
        intents: The task's intents.
        anchors: The task's anchors.
        dialogue: The session's dialogue.
        matcher: Matches free words; None leaves the coverage of a session with free words unknown.

    Raises:
        TaggerError: The matcher gave no usable answer, or the dialogue isn't of this task.
    """
    exact = _Exact.of(intents, anchors, dialogue)
    free = [turn for turn in dialogue.followups if turn.kind is MessageKind.FREE]
    if not intents.intents:
        return _coverage(exact.intents(), exact.messages, "the task has no intents: nothing to cover")
    if free and matcher is None:
        return _coverage(exact.intents(), exact.messages, f"{len(free)} messages in free words need a model")
    matched, question = await ask_matches(intents, dialogue, free, matcher) if free and matcher else (Matched(), None)
    matches = exact.intents(matched)
    messages = sorted([*exact.messages, *matched.messages], key=lambda message: message.turn)
    recall = sum(match.confidence for match in matches) / len(matches)
    if not messages:
        return _coverage(matches, messages, "no follow-ups: there is no precision, overall is recall alone", recall)
    precision = sum(message.scope == "intent" for message in messages) / len(messages)
    return _coverage(matches, messages, "", recall, precision, question)


def _coverage(
    matches: list[IntentMatch],
    messages: list[MessageMatch],
    why: str,
    recall: float | None = None,
    precision: float | None = None,
    question: ModelQuestion | None = None,
) -> IntentCoverage:
    overall = recall
    if recall is not None and precision is not None:
        overall = defaults.RECALL_WEIGHT * recall + (1 - defaults.RECALL_WEIGHT) * precision
    return IntentCoverage(
        intents=matches,
        messages=messages,
        recall=None if recall is None else round(recall, 12),
        precision=None if precision is None else round(precision, 12),
        overall=None if overall is None else round(overall, 12),
        why=why,
        question=question,
    )


@dataclass
class _Exact:
    """What anchors alone say: intents by turn, intents that the agent served unasked, messages in authored words."""

    ids: list[str]
    said: dict[str, list[int]] = field(default_factory=dict)
    unasked: set[str] = field(default_factory=set)
    messages: list[MessageMatch] = field(default_factory=list)

    @classmethod
    def of(cls, intents: Intents, anchors: Sequence[Anchor], dialogue: Dialogue) -> "_Exact":
        """Read a dialogue.

        Raises:
            TaggerError: It names an anchor, or an anchor an intent, that the task doesn't have.
        """
        ids = [intent.id for intent in intents.intents]
        known = {anchor.id: anchor.intents for anchor in anchors}
        found = cls(ids)
        for turn in dialogue.followups:
            if turn.kind is not MessageKind.FREE:
                found._say(turn, _of(turn.anchors, known, ids))
        satisfied = [one.anchor for one in dialogue.settled if one.how == "satisfied"]
        found.unasked.update(_of(satisfied, known, ids))
        return found

    def _say(self, turn: DialogueTurn, intents: Sequence[str]) -> None:
        for intent in intents:
            self.said.setdefault(intent, []).append(turn.turn)
        answer = turn.kind is MessageKind.ON_QUESTION
        scope = "answer" if answer else "intent" if intents else "extra"
        self.messages.append(
            MessageMatch.model_validate(
                {"turn": turn.turn, "intents": list(intents), "scope": scope, "source": "authored"}
            )
        )

    def intents(self, matched: Matched | None = None) -> list[IntentMatch]:
        """Every intent with the surest match."""
        free = matched.intents if matched is not None else {}
        return [self._intent(intent, free.get(intent)) for intent in self.ids]

    def _intent(self, intent: str, free: tuple[float, list[int]] | None) -> IntentMatch:
        confidence, turns = free or (0.0, [])
        turns = sorted({*self.said.get(intent, []), *turns})
        if intent in self.said:
            return IntentMatch(intent=intent, confidence=1.0, by="message", turns=turns)
        if intent in self.unasked:
            return IntentMatch(intent=intent, confidence=1.0, by="agent", turns=turns)
        return IntentMatch(intent=intent, confidence=confidence, by="message" if confidence else "none", turns=turns)


def _of(named: Sequence[str], known: Mapping[str, Sequence[str]], ids: Sequence[str]) -> list[str]:
    """The intents of anchors, each once."""
    for anchor in named:
        if anchor not in known:
            raise TaggerError(f"The session names the anchor {anchor!r}, which the task doesn't have.",
                              "Take the task in the version that was run.")  # fmt: skip
    found = list(dict.fromkeys(intent for anchor in named for intent in known[anchor]))
    for intent in found:
        if intent not in ids:
            raise TaggerError(f"An anchor names the intent {intent!r}, which intents.json doesn't hold.",
                              "Add it there, or mend the anchor.")  # fmt: skip
    return found
