"""Labels of follow-ups by plain rules: what a reader would say at first sight. A person or a model reads them again."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from swe_together.pipeline.base import Turn
from swe_together.schema import Action, IntentKind, Tag

_CORRECTS: Final = re.compile(
    r"^(?:no\b(?! problem)|nope\b|wrong\b|that'?s (?:not|wrong)|not what\b|don'?t\b|stop\b|undo\b|revert\b|wait\b|"
    r"actually\b|instead\b|still\b|why (?:did|are|do) you\b|hm+\b)|"
    r"\b(?:still (?:not|fails?|broken|wrong|missing|the same|there|doesn'?t|does not)|doesn'?t work|does not work|"
    r"didn'?t work|not working|is broken|is wrong|are wrong|you (?:broke|forgot|missed|removed|deleted)|"
    r"shouldn'?t|should not|i (?:didn'?t|did not) (?:ask|want)|you were (?:not )?supposed)\b",
    re.IGNORECASE,
)
_VERIFIES: Final = re.compile(
    r"^(?:(?:ok(?:ay)?|and|now|please|pls|then|also|so|can you|could you)[,\s]+)*"
    r"(?:re-?run|run|check|verify|test|try|confirm|double[- ]check|make sure|validate)\b",
    re.IGNORECASE,
)
_WORKFLOW: Final = re.compile(
    r"^(?:(?:ok(?:ay)?|great|good|nice|perfect|yes|yep|sure|now|please|and|then|let'?s|lets|so)[,.!\s]+)*"
    r"(?:continue|go ahead|go on|go for it|proceed|resume|keep going|do it|do that|do so|yes|yep|yeah|y|sure|commit|"
    r"push|merge|rebase|open a pr|create a pr|make a pr)\b",
    re.IGNORECASE,
)
_APPROVES: Final = re.compile(
    r"^(?:ok(?:ay)?|great|perfect|nice|thanks?|thank you|lgtm|looks good|good(?: job| work)?|awesome|excellent|cool|"
    r"wow|love it|works|that works|well done)\b[\s.!,:)]*",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    r"^(?:(?:and|but|so|ok(?:ay)?|hm+|also)[,\s]+)*(?:what|why|how|where|when|which|who|is|are|was|were|does|do|did|has|have|"
    r"should|would|will)\b",
    re.IGNORECASE,
)
_REQUESTS: Final = re.compile(r"^(?:(?:and|so|ok(?:ay)?)[,\s]+)*(?:can|could|would|will) (?:you|we)\b", re.IGNORECASE)
_SHORT: Final = 60


@dataclass(frozen=True, slots=True)
class Label:
    """What a follow-up is.

    Attributes:
        action: One of the user's actions.
        tags: The first says best what it is.
        kind: Of the intent behind it.
        why: Which rule said so.
    """

    action: Action
    tags: tuple[Tag, ...]
    kind: IntentKind
    why: str


def label_of(turn: Turn) -> Label:
    """The label of a follow-up, by its own words and by how it reached the agent."""
    text = turn.text.strip()
    channels = {human.channel for human in turn.humans}
    if "answer" in channels:
        return Label(Action.NEW_REQUIREMENT, (Tag.WORKFLOW,), IntentKind.WORKFLOW, "it answers a question of the agent")
    if turn.stopped or "rejection" in channels:
        return Label(Action.REDIRECT, (Tag.CORRECTION,), IntentKind.CORRECTION, "the person had stopped the agent")
    for pattern, label in _RULES:
        if pattern.search(text):
            return _with_request(label, text) if label.kind is IntentKind.CORRECTION else label
    if _APPROVES.search(text) and len(text) <= _SHORT and "?" not in text:
        return Label(Action.NEW_REQUIREMENT, (Tag.APPROVAL,), IntentKind.CONTEXT, "it is praise alone")
    if (text.endswith("?") or _ASKS.search(text)) and not _REQUESTS.search(text):
        return Label(Action.QUESTION, (Tag.QUESTION,), IntentKind.QUESTION, "it is a question")
    return Label(Action.NEW_REQUIREMENT, (Tag.REQUEST,), IntentKind.REQUEST, "no rule says otherwise")


_WRONG: Final = Label(
    Action.REDIRECT, (Tag.CORRECTION,), IntentKind.CORRECTION, "its words say that something is wrong"
)
_RULES: Final[Sequence[tuple[re.Pattern[str], Label]]] = (
    (_CORRECTS, _WRONG),
    (_VERIFIES, Label(Action.CHECK_EXTERNAL, (Tag.VERIFICATION,), IntentKind.VERIFICATION, "it asks to run or check")),
    (_WORKFLOW, Label(Action.NEW_REQUIREMENT, (Tag.WORKFLOW,), IntentKind.WORKFLOW, "it is about how to go on")),
)  # fmt: skip


def _with_request(label: Label, text: str) -> Label:
    return replace(label, tags=(Tag.CORRECTION, Tag.QUESTION)) if text.endswith("?") else label
