"""What a task says, arm by arm: the same final request, and before it the same instructions, delivered otherwise."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from swe_together.memorycode._dialogue import Dialogue, Item, Kind
from swe_together.memorycode._prose import sentence
from swe_together.memorycode.queries import QUERIES
from swe_together.memorycode.rules import RULES

NOTES: Final = "NOTES.md"
"""The agent's own notes: nothing in it counts as something that was asked for."""

REQUEST: Final = "request"
"""Id of the anchor that asks for the code, where it isn't the first message."""


class Arm(StrEnum):
    """How the instructions of a dialogue reach the agent."""

    ISOLATED = "isolated"
    CHAIN = "chain"
    SESSIONS = "sessions"
    HISTORY = "history"
    MEMORY = "memory"


@dataclass(frozen=True)
class Script:
    """The user messages of a task.

    Attributes:
        instruction: The first one.
        followups: The later ones; the last one of all asks for the code.
        spec: Everything that counts in one message: the rules as a list, and the request.
    """

    instruction: str
    followups: Sequence[str]
    spec: str

    @property
    def messages(self) -> list[str]:
        """All of them."""
        return [self.instruction, *self.followups]


def script(dialogue: Dialogue, arm: Arm, rule: str | None = None) -> Script:
    """The messages of one task.

    Args:
        dialogue: Whose instructions they are.
        arm: How they are delivered.
        rule: The one rule of the arm ``isolated``; None in the others.
    """
    people, request = dialogue.people, _request(dialogue)
    listed = _listed(dialogue, rule)
    spec = f"{listed}\n\n{request}"
    records = [_record(dialogue, number) for number in range(1, dialogue.size + 1)]
    firm = f"{people.firm} ({people.product})"
    head = f"You are {people.mentee}, a new programmer at {firm}. {people.mentor} is your mentor."
    match arm:
        case Arm.ISOLATED | Arm.CHAIN:
            return Script(spec, [], spec)
        case Arm.HISTORY:
            told = f"{head} Here are the records of all your meetings so far, in their order."
            return Script("\n\n".join([told, *records, request]), [], spec)
        case Arm.SESSIONS:
            told = (
                f"{head} I will give you the records of your meetings one after another. There is nothing to do for "
                "now but to take in what was said: answer each with a short acknowledgement and write no code yet."
            )
            return Script(f"{told}\n\n{records[0]}", [*records[1:], request], spec)
        case Arm.MEMORY:
            told = (
                f"{head} You won't remember this conversation the next time we talk: all that you keep is the file "
                f"{NOTES} in your workspace. Read it, take in the record of today's meeting below, and write down "
                "in the file whatever you will need later. Answer with a short acknowledgement and write no code yet."
            )
            asked = (
                f"{head} You don't remember your meetings with {people.mentor}; the file {NOTES} in your workspace "
                f"holds what you noted of them. Read it first.\n\n{request}"
            )
            first, *rest = [f"{told}\n\n{record}" for record in records]
            return Script(first, [*rest, asked], spec)


def _record(dialogue: Dialogue, number: int) -> str:
    return f"# Meeting {number}\n\n{dialogue.sessions[number - 1].text}"


def _listed(dialogue: Dialogue, rule: str | None) -> str:
    """The rules as a bare list: all that were told, in their order; or the one rule, as it holds at the end."""
    people = dialogue.people
    who = f"You are a programmer at {people.firm} ({people.product})."
    if rule is not None:
        text = RULES[rule].variant(dialogue.active[rule]).text
        return f"{who} This rule holds for the code that you write:\n\n- {sentence(text)}"
    told = [item for meeting in dialogue.sessions for item in meeting.items if item.kind.is_rule]
    lines = [f"{number}. {_said(item)}" for number, item in enumerate(told, 1)]
    order = (
        "These rules were given to you one after another; where a later one changes an earlier one, the later one holds"
    )
    return "\n".join([f"{who} {order}:", "", *lines])


def _said(item: Item) -> str:
    return f"{sentence(item.text)} (a change)" if item.kind is Kind.RULE_UPDATE else sentence(item.text)


def _request(dialogue: Dialogue) -> str:
    """What is asked for at the end: the same words in every arm."""
    asked = [QUERIES[query].text.strip() for query in dialogue.requests]
    parts = [f"## Task {number}\n\n{text}" for number, text in enumerate(asked, 1)]
    head = (
        f"Now please write code, in the repository in the current directory. There {_are(len(asked))} to do. Follow "
        "every rule about code that holds for you by now, in all that you write."
    )
    return "\n\n".join([head, *parts])


def _are(count: int) -> str:
    return "is one task" if count == 1 else f"are {count} tasks"
