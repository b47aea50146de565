"""Labels of follow-ups by plain rules: what a reader would say at first sight. A person or a model reads them again."""

import re
from dataclasses import dataclass, replace
from typing import Final

from swe_together.pipeline.base import Turn
from swe_together.pipeline.build._phrases import ENGLISH, phrases_for
from swe_together.schema import Action, IntentKind, Tag

_SHORT: Final = 60
_QUESTION: Final = re.compile(r"[?？؟⁇](?:[\s)\]」』”\"'。.!！~～]|[?？！])*$|^¿")
"""A question by its signs, whatever the language."""


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


def label_of(turn: Turn, language: str = ENGLISH) -> Label:
    """The label of a follow-up, by its own words and by how it reached the agent.

    Args:
        turn: The follow-up.
        language: Two letters of the session's.
    """
    text = turn.text.strip()
    channels = {human.channel for human in turn.humans}
    if "answer" in channels:
        return Label(Action.NEW_REQUIREMENT, (Tag.WORKFLOW,), IntentKind.WORKFLOW, "it answers a question of the agent")
    if turn.stopped or "rejection" in channels:
        return Label(Action.REDIRECT, (Tag.CORRECTION,), IntentKind.CORRECTION, "the person had stopped the agent")
    known = phrases_for(text, language)
    for one in known:
        for pattern, label in zip((one.corrects, one.verifies, one.workflow), _RULES, strict=True):
            if pattern.search(text):
                return _with_request(label, text) if label.kind is IntentKind.CORRECTION else label
    signed = _QUESTION.search(text) is not None
    if len(text) <= _SHORT and not signed and any(one.approves.search(text) for one in known):
        return Label(Action.NEW_REQUIREMENT, (Tag.APPROVAL,), IntentKind.CONTEXT, "it is praise alone")
    asked = signed or any(one.asks.search(text) for one in known)
    if asked and not any(one.requests.search(text) for one in known):
        return Label(Action.QUESTION, (Tag.QUESTION,), IntentKind.QUESTION, "it is a question")
    return Label(Action.NEW_REQUIREMENT, (Tag.REQUEST,), IntentKind.REQUEST, "no rule says otherwise")


_WRONG: Final = Label(
    Action.REDIRECT, (Tag.CORRECTION,), IntentKind.CORRECTION, "its words say that something is wrong"
)
_RULES: Final = (
    _WRONG,
    Label(Action.CHECK_EXTERNAL, (Tag.VERIFICATION,), IntentKind.VERIFICATION, "it asks to run or check"),
    Label(Action.NEW_REQUIREMENT, (Tag.WORKFLOW,), IntentKind.WORKFLOW, "it is about how to go on"),
)
"""In the order of the phrases that say so."""


def _with_request(label: Label, text: str) -> Label:
    return replace(label, tags=(Tag.CORRECTION, Tag.QUESTION)) if _QUESTION.search(text) else label
