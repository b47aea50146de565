"""A Gemini CLI chat as its lines leave it: messages by id, which later lines replace, add to or take back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from swe_together.pipeline.sessions._source import Source
from swe_together.pipeline.sessions._values import as_list, joined_text


@dataclass(slots=True)
class Message:
    """A message, with the line or index at which it stands last."""

    number: int
    record: dict[str, Any]


class GeminiLog:
    """Takes the records of one chat; the document of an early version counts as one.

    ``messages`` are those that were not taken back, in the order in which they were first written. When a chat is
    compressed, the program writes its shortened history over the former: the messages that are no longer in it did
    happen and stay.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self.meta: dict[str, Any] = {}
        self.messages: dict[str, Message] = {}
        self.tokens: dict[str, Mapping[str, Any]] = {}
        """By message, those taken back included, for they were spent."""
        self.taken_back: list[tuple[int, int]] = []
        """Line, and number of the person's messages that were taken back there."""

    def take(self, number: int, record: dict[str, Any]) -> None:
        """Take one record; one of an unknown kind is passed over."""
        changes = record.get("$set")
        if isinstance(record.get("$rewindTo"), str):
            self._rewind(number, record["$rewindTo"])
        elif isinstance(changes, dict):
            self._note(changes)
            self._rewrite(number, as_list(changes.get("messages")))
        elif isinstance(record.get("id"), str):
            self._put(number, record)
        elif "sessionId" in record:
            self._note(record)
            for place, message in enumerate(as_list(record.get("messages")), 1):
                if isinstance(message, dict):
                    self._put(place, message, whole=True)
                else:
                    self._source.problem(place, f"a message that is a JSON {type(message).__name__}")

    def _note(self, record: Mapping[str, Any]) -> None:
        # What is known from the beginning stays: a resumed chat goes on under its first name.
        for key, value in record.items():
            if key != "messages" and value is not None and self.meta.get(key) is None:
                self.meta[key] = value

    def _put(self, number: int, message: dict[str, Any], *, whole: bool = False) -> None:
        key = message.get("id")
        if not isinstance(key, str):
            # The first versions gave no ids.
            key = f"message {number}" if whole else ""
        if not key:
            return
        known = self.messages.get(key)
        if known is None:
            self.messages[key] = Message(number, message)
        else:
            known.number, known.record = number, message
        if isinstance(message.get("tokens"), dict):
            self.tokens[key] = message["tokens"]

    def _rewind(self, number: int, key: str) -> None:
        if key not in self.messages:
            # Written only for a message of the chat: its line is broken, or this one is a repetition.
            self._source.problem(number, f"a rewind to a message that is not there: {key}")
            return
        keys = list(self.messages)
        gone = [self.messages.pop(one) for one in keys[keys.index(key) :]]
        self.taken_back.append((number, sum(message.record.get("type") == "user" for message in gone)))

    def _rewrite(self, number: int, messages: list[Any]) -> None:
        named = {
            message["id"] for message in messages if isinstance(message, dict) and isinstance(message.get("id"), str)
        }
        unnamed = {_words(known.record): key for key, known in self.messages.items() if key not in named}
        for message in messages:
            if not isinstance(message, dict) or not isinstance(message.get("id"), str):
                continue
            if message["id"] in self.messages:
                continue
            # The same message under another id, or a new one: a summary.
            if _words(message) not in unnamed:
                self._put(number, message)


def _words(message: Mapping[str, Any]) -> tuple[str, str]:
    return str(message.get("type")), joined_text(message.get("content"), "").strip()
