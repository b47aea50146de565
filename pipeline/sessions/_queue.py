"""Messages that a person typed while the agent worked, in Claude Code's logs.

Such a message is entered into a queue. It leaves it in one of three ways: it becomes a user record when the turn ends
(``dequeue``), it is shown to the agent in the middle of a turn (``remove``, with an attachment in newer versions and
with nothing else in older ones), or it goes back into the input line (``popAll``) and was not said. So what the queue
alone knows about is a removal, and that only where no other record has the same words. A program enters notifications
into the same queue, and not all versions say when those leave it; most steps don't name what they take out.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from swe_together.pipeline.sessions._model import Human
from swe_together.pipeline.sessions._times import parse_time
from swe_together.pipeline.sessions._usertext import take_apart

Fate = Literal["recorded", "attached", "alone", "program"]
"""What else has an entry's words: a user record, an attachment, nothing; or they are a program's."""
_LEAVES_AT: Final[dict[str, tuple[Fate, ...]]] = {
    "dequeue": ("recorded", "program", "attached", "alone"),
    "remove": ("attached", "alone", "program", "recorded"),
}
_NO_MESSAGE: Final = re.compile(r'/[\w:-]+\Z|\{"task_id"')
"""A command without arguments, and how old versions told of a background task."""


@dataclass(frozen=True, slots=True)
class _Step:
    record: int
    at: datetime | None
    operation: str
    text: str


class Queue:
    """The queue operations of one session, looked at when all of it is known: records may lie in another order."""

    def __init__(self) -> None:
        self._steps: list[_Step] = []

    def add(self, number: int, record: Mapping[str, Any]) -> None:
        """Take a ``queue-operation`` record."""
        content = record.get("content")
        operation = record.get("operation")
        if isinstance(operation, str):
            text = content if isinstance(content, str) else ""
            self._steps.append(_Step(number, parse_time(record.get("timestamp")), operation, text))

    def entered(self) -> frozenset[str]:
        """All that was ever entered, without the space around it."""
        return frozenset(step.text.strip() for step in self._steps if step.operation == "enqueue")

    def settle(self, humans: Iterable[Human], of_program: frozenset[str]) -> tuple[list[Human], set[int]]:
        """What was said and is told by the queue alone, and the ``id`` of those of ``humans`` that say it twice.

        Args:
            humans: What the session's records hold, of every channel.
            of_program: Prompts that the program itself enters at a set time, without the space around them.
        """
        recorded: dict[str, list[Human]] = defaultdict(list)
        attached: dict[str, list[Human]] = defaultdict(list)
        for human in humans:
            if human.channel in ("typed", "command"):
                recorded[human.text.strip()].append(human)
            elif human.channel == "queued":
                attached[human.text.strip()].append(human)
        steps = self._ordered()
        entered = [step for step in steps if step.operation == "enqueue"]
        twice = {
            id(human)
            for text, said in attached.items()
            for others in [list(recorded[text])]
            for human in said
            if _use_up(others, _since(entered, human), human.record)
        }
        fates = {id(step): _fate(step, recorded, attached, of_program) for step in entered}
        return list(_shown_alone(steps, fates)), twice

    def _ordered(self) -> list[_Step]:
        if all(step.at is not None for step in self._steps):
            return sorted(self._steps, key=lambda step: (step.at, step.record))
        return self._steps


def _fate(
    step: _Step, recorded: dict[str, list[Human]], attached: dict[str, list[Human]], of_program: frozenset[str]
) -> Fate:
    text = step.text.strip()
    if text in of_program or _NO_MESSAGE.match(text) or not take_apart(text).text:
        return "program"
    if _use_up(recorded[text], step.at, step.record):
        return "recorded"
    return "attached" if _use_up(attached[text], step.at, step.record) else "alone"


def _shown_alone(steps: list[_Step], fates: Mapping[int, Fate]) -> Iterable[Human]:
    waiting: list[_Step] = []
    for step in steps:
        if step.operation == "enqueue":
            waiting.append(step)
        elif step.operation == "popAll":
            waiting.clear()
        elif step.operation in _LEAVES_AT:
            order = _LEAVES_AT[step.operation]
            fitting = [entry for entry in waiting if not step.text or entry.text == step.text]
            if not fitting:
                continue
            # The first that fits, of those that leave in this way.
            entry = min(fitting, key=lambda entry: _rank(order, fates[id(entry)]))
            waiting.remove(entry)
            if step.operation == "remove" and fates[id(entry)] == "alone":
                yield Human(record=step.record, at=entry.at, text=take_apart(entry.text).text, channel="queued")


def _rank(order: tuple[Fate, ...], fate: Fate) -> int:
    """Attached and alone are one: both are a person's, and are shown in the order in which they were entered."""
    return order.index("attached") if fate == "alone" else order.index(fate)


def _since(entered: list[_Step], human: Human) -> datetime | None:
    """When the words were entered: the last time before they were shown."""
    text = human.text.strip()
    times = [step.at for step in entered if step.at is not None and step.text.strip() == text]
    before = [at for at in times if human.at is not None and at <= human.at]
    return before[-1] if before else human.at


def _use_up(others: list[Human], since: datetime | None, record: int) -> bool:
    """Whether one of ``others`` is the same message, said since; that one is used up."""
    for number, other in enumerate(others):
        if other.record >= record if since is None or other.at is None else other.at >= since:
            del others[number]
            return True
    return False
