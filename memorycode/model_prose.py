"""Sessions as prose that a model writes, each kept under the digest of everything it was asked.

With a full cache nothing is asked, and the dialogues are the same bytes again.
"""

import asyncio
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from pydantic import Field, ValidationError

from swe_together import defaults
from swe_together.errors import TogetherError
from swe_together.files import write_atomically
from swe_together.memorycode._dialogue import Item, Kind, Meeting, People
from swe_together.memorycode._prose import sentence
from swe_together.providers import (
    Completion,
    Form,
    Provider,
    ProviderSettings,
    Refused,
    Role,
    Structure,
    object_in,
    read_form,
    refuse_unfinished,
)
from swe_together.schema import Strict

SECONDS: Final = 300.0
_TELL: Final = {
    Kind.RULE: "{mentor} gives this rule about code, which is binding: {text}",
    Kind.RULE_UPDATE: "{mentor} changes what was agreed earlier about this; from now on, instead: {text}",
    Kind.SMALL_TALK: "They chat about {topic}.",
    Kind.SMALL_TALK_AGAIN: "They chat once more about {topic}; something has happened since the last time.",
    Kind.DISTRACTOR: "{mentor} gives this rule of the office, which has nothing to do with code: {text}",
    Kind.DISTRACTOR_UPDATE: "{mentor} changes an earlier rule of the office; from now on, instead: {text}",
}
_SYSTEM: Final = (
    "You write the records of meetings between a mentor and the person they mentor. Answer with one JSON object "
    '{"turns": [{"speaker": "…", "text": "…"}, …]} and nothing else. Only the two speak, in turns, in natural spoken '
    "English. The mentor says the sentences of a rule word for word, backticks included. No code, no examples of code, "
    "and no rule beyond those that you are given: the mentee only acknowledges them."
)


class ProseError(TogetherError):
    """No usable prose could be had from a model."""


def _error(message: str, remedy: str, _: Completion) -> ProseError:
    return ProseError(message, remedy)


PROSE: Final = Role("prose", "session", _error, "Generate again: what was written so far is kept.")


class _Turn(Form):
    speaker: str
    text: str = Field(min_length=1)


class _Written(Form):
    turns: list[_Turn] = Field(min_length=2)


class Kept(Strict):
    """One session in the cache."""

    key: str
    model: str
    text: str


class ModelWriter:
    """Has the sessions of dialogues written by a model.

    Args:
        settings: Which model.
        cache: Folder of what it has written; ``<digest>.json`` each.

    Raises:
        MisuseError: The host variable with the model's key isn't set.
    """

    def __init__(self, settings: ProviderSettings, cache: Path) -> None:
        self._settings = settings
        self._cache = cache
        self._provider = Provider(settings, PROSE)

    @property
    def name(self) -> str:
        """Who is recorded as the writer."""
        return self._settings.model

    def write(self, people: People, number: int, meeting: Meeting, words: int, dialogue: str) -> str:
        """The prose of a session, from the cache or from the model.

        Args:
            people: Who meets.
            number: Of the session, from 1.
            meeting: What it holds.
            words: About how many it should have.
            dialogue: Says which dialogue it is: two that hold the same get texts of their own.

        Raises:
            ProseError: No usable text could be had, or the cache holds something else.
        """
        asked = _asked(people, number, meeting, words)
        settings = [self._settings.model, self._settings.temperature, self._settings.max_tokens]
        key = hashlib.sha256(json.dumps([settings, _SYSTEM, asked, dialogue]).encode()).hexdigest()
        path = self._cache / f"{key}.json"
        if path.is_file():
            return _kept(path, key)
        text = asyncio.run(self._ask(people, meeting.items, asked))
        write_atomically(path, Kept(key=key, model=self.name, text=text).model_dump_json(indent=1) + "\n")
        return text

    async def _ask(self, people: People, items: Sequence[Item], asked: str) -> str:
        notes: list[str] = []
        for _ in range(defaults.MAX_ANSWERS):
            completion = await self._provider.ask(lambda structure: self._body(structure, asked, notes), SECONDS)
            try:
                return _read(completion, people, items)
            except Refused as refused:
                notes.append(refused.reason)
        raise ProseError(
            f"The model {self.name!r} wrote no usable session in {defaults.MAX_ANSWERS} answers: {notes[-1]}",
            "Generate again, or take another model.",
        )

    def _body(self, structure: Structure, asked: str, notes: Sequence[str]) -> dict[str, Any]:
        told = "".join(f"\n\nYour last answer could not be used. {note}" for note in notes[-1:])
        return {"messages": [self._provider.system(_SYSTEM), {"role": "user", "content": asked + told}]}


def _asked(people: People, number: int, meeting: Meeting, words: int) -> str:
    first = "They meet for the first time." if number == 1 else f"It is their meeting number {number}."
    lines = [
        f"{people.mentor} ({people.mentor_character}) mentors {people.mentee} ({people.mentee_character}), a new "
        f"programmer at {people.firm}, which makes {people.product} in Python. {first} Write about {words} words.",
        "What comes up, in this order:",
        *(
            "- " + _TELL[item.kind].format(mentor=people.mentor, topic=item.topic, text=sentence(item.text))
            for item in meeting.items
        ),
    ]
    return "\n".join(lines if meeting.items else [*lines[:1], "They speak about the work of the week, and of no rule."])


def _read(completion: Completion, people: People, items: Sequence[Item]) -> str:
    refuse_unfinished(completion, "Write the meeting.")
    written = read_form(object_in(completion.content, "list of turns"), _Written)
    strangers = sorted({turn.speaker for turn in written.turns} - {people.mentor, people.mentee})
    if strangers:
        raise Refused(f"Only {people.mentor} and {people.mentee} may speak, not {', '.join(strangers)}.")
    text = "\n".join(f"{turn.speaker}: {' '.join(turn.text.split())}" for turn in written.turns)
    if "```" in text:
        raise Refused("It holds code.")
    said = "\n".join(" ".join(turn.text.split()) for turn in written.turns if turn.speaker == people.mentor)
    for item in items:
        if item.text and _plain(item.text) not in _plain(said):
            raise Refused(f"{people.mentor} doesn't say word for word: {item.text}")
    return text


def _plain(text: str) -> str:
    """Words as they are, whatever their capitals and the sign at their end."""
    return text.lower().rstrip(".!")


def _kept(path: Path, key: str) -> str:
    try:
        kept = Kept.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise ProseError(f"{path} can't be used: {error}", "Delete it to have it written again.") from error
    if kept.key != key:
        raise ProseError(f"{path} holds another session than its name says.", "Delete it to have it written again.")
    return kept.text
