"""The policy ``human``: a person says what they like, typed as the session goes or written down before it."""

import asyncio
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import yaml

from swe_together import defaults
from swe_together.errors import MisuseError, SimulatorError
from swe_together.files import write_atomically
from swe_together.mailbox import POLL_SEC, Mailbox, read_request
from swe_together.schema import (
    Action,
    Decision,
    EndReason,
    MessageKind,
    Observation,
    PersonsTurn,
    Settlement,
    SimulatorScript,
)
from swe_together.simulator._user import policy_faults
from swe_together.simulator._world import World

PLAYED_BY = "SWE_TOGETHER_PLAYED_BY"
"""Variable that ``swe-together play`` gives its Harbor: its own process id."""
HUMAN_FOLDER = "human"
"""Of a trial's ``user-agent`` folder: where the person is asked."""


class Person(Protocol):
    """Whoever speaks for the user."""

    source: str

    async def message(self, turn: int) -> str | None:
        """What they say after the turn of this number; None if they leave.

        Raises:
            SimulatorError: Nobody answered.
        """
        ...


class HumanUser:
    """Says what a person says. Anchors and guards don't hold for people; budgets of messages and of time do.

    Args:
        script: Its anchors are recorded as dismissed, its budget holds.
        person: Who speaks.
        folder: Where ``turn-N.json`` (``PersonsTurn``) appears for the person, and for whoever looks on.
        session_sec: The session's budget where it isn't the script's.
    """

    name = "human"
    stops_clock = True

    def __init__(
        self, script: SimulatorScript, person: Person, folder: Path, *, session_sec: float | None = None
    ) -> None:
        self._person = person
        self._folder = folder
        self._left = script.message_budget
        self._session_sec = session_sec or script.budget.session_sec
        self._pending = sorted(script.anchors, key=lambda anchor: anchor.source_turn)

    async def decide(self, observation: Observation, world: World, *, yielded: bool = True) -> Decision:
        """What the person does now; see ``User.decide``."""
        if not yielded:
            return Decision(action=Action.NO_OP, reason="a person is asked when the agent waits")
        with policy_faults(self.name):
            end = self._end(observation)
            turn = PersonsTurn(turn=observation.turn, observation=observation, messages_left=self._left, end=end)
            write_atomically(self._folder / f"turn-{turn.turn}.json", turn.model_dump_json())
            if end is not None:
                return self._leave(end, "the budget is spent, so the person was not asked")
            message = await self._person.message(turn.turn)
            if message is None:
                return self._leave(EndReason.USER_LEFT, f"left, {self._person.source}")
            self._left -= 1
            return Decision(
                action=None,
                message=message,
                kind=MessageKind.FREE,
                reason=f"the words of a person, {self._person.source}",
            )

    def dismiss(self, reason: str) -> list[Settlement]:
        """Dismiss every anchor, once; see ``User.dismiss``."""
        dismissed, self._pending = self._pending, []
        return [Settlement(anchor=anchor.id, how="dismissed", reason=reason) for anchor in dismissed]

    def _end(self, observation: Observation) -> EndReason | None:
        if observation.elapsed_sec >= self._session_sec:
            return EndReason.TIME_BUDGET
        return EndReason.MESSAGE_BUDGET if self._left <= 0 else None

    def _leave(self, end: EndReason, reason: str) -> Decision:
        return Decision(
            action=Action.NO_OP, end=end, reason=reason, settled=self.dismiss("people don't follow anchors")
        )


class Typist:
    """A person who answers while the session goes, through a mailbox.

    A request answers a turn: ``{"turn": N, "message": …}`` or ``{"turn": N, "leave": true}``. What can't be used is
    refused, and asked again.

    Args:
        folder: The mailbox; it is made.
        wait_sec: How long one message may take.
        present: Whether somebody can still answer.
        clock: Seconds, monotonic.
    """

    source = "typed during the session"

    def __init__(
        self,
        folder: Path,
        *,
        wait_sec: float = defaults.PERSON_WAIT_SEC,
        present: Callable[[], bool] = lambda: True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._mailbox = Mailbox(folder)
        self._mailbox.open()
        self._wait_sec = wait_sec
        self._present = present
        self._clock = clock

    async def message(self, turn: int) -> str | None:
        """Wait for a request that answers the turn; see ``Person.message``."""
        deadline = self._clock() + self._wait_sec
        while self._clock() < deadline:
            for request in self._mailbox.requests():
                try:
                    message = _said(read_request(request), turn)
                except ValueError as problem:
                    self._mailbox.answer(request, {"error": str(problem)})
                    continue
                self._mailbox.answer(request, {"turn": turn})
                return message
            if not self._present():
                raise SimulatorError(f"The person's terminal was gone in turn {turn}.", "Play the session again.")
            await asyncio.sleep(POLL_SEC)
        raise SimulatorError(
            f"No person answered turn {turn} within {self._wait_sec / 3600:g} hours.",
            "Play with swe-together play, or give the messages by --pk human_answers=FILE.",
        )


def terminal_of_parent(environment: Mapping[str, str]) -> Callable[[], bool]:
    """Whether the process that started this one for a person is still there; true where none did.

    Args:
        environment: Variables of this process. ``swe-together play`` puts its own process id there.
    """
    started_by = environment.get(PLAYED_BY)
    # Another process takes over whose parent has died, so that a number that is used again deceives nobody.
    return lambda: started_by is None or str(os.getppid()) == started_by


class Writer:
    """A person who wrote all messages down before; after the last one they leave.

    Args:
        messages: What they say, one message a turn.
    """

    source = "written down before the session"

    def __init__(self, messages: Sequence[str]) -> None:
        self._messages = list(messages)

    async def message(self, turn: int) -> str | None:
        """The next message of the list; see ``Person.message``."""
        return self._messages.pop(0) if self._messages else None


def read_answers(path: Path) -> list[str]:
    """The messages of a file: a YAML or JSON list of texts.

    Raises:
        MisuseError: There is no such file, or it holds anything else.
    """
    remedy = "Write a YAML or JSON list of messages, each a text that isn't empty."
    try:
        value = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise MisuseError(f"{path}: the answers can't be read: {error.strerror}.", remedy) from None
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise MisuseError(
            f"{path}: the answers are neither YAML nor JSON: {' '.join(str(error).split())}.", remedy
        ) from None
    if not isinstance(value, list):
        raise MisuseError(f"{path}: the answers are no list.", remedy)
    for place, message in enumerate(value, start=1):
        try:
            usable(message)
        except ValueError as problem:
            raise MisuseError(f"{path}: message {place}: {problem} (found {message!r:.80}).", remedy) from None
    return [str(message) for message in value]


def usable(message: object) -> str:
    """A message as an agent can be told it.

    Raises:
        ValueError: It is none; the text says why.
    """
    if not isinstance(message, str):
        raise ValueError("a message is a text")
    if not message.strip():
        raise ValueError("an empty message is no message")
    if len(message) > defaults.PERSON_CHARS:
        raise ValueError(f"a message has at most {defaults.PERSON_CHARS} characters, this one {len(message)}")
    try:
        message.encode()
    except UnicodeEncodeError:
        raise ValueError("the message holds characters that are no text") from None
    return message


def _said(body: Any, turn: int) -> str | None:
    if not isinstance(body, dict) or body.get("turn") != turn:
        raise ValueError(f'it is turn {turn} that waits for an answer; say so: {{"turn": {turn}, …}}')
    if body.get("leave") is True:
        return None
    return usable(body.get("message"))
