"""Gemini CLI's chats: one JSON document, or in later versions one JSON object a line that changes what came before."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from swe_together.errors import SessionFileError
from swe_together.pipeline.sessions._gemini import GeminiReader
from swe_together.pipeline.sessions._gemini_log import GeminiLog
from swe_together.pipeline.sessions._model import Format, Session
from swe_together.pipeline.sessions._source import Head, Source

NAME: Final[Format] = "gemini-cli"

_TYPES: Final = frozenset({"user", "gemini"})


def sniff(head: Head) -> bool:
    """Whether the chat's own record, or a message in Gemini CLI's form, stands at the beginning."""
    return any(_is_chat(record) or _is_message(record) for record in head.records)


def read(source: Source) -> Iterator[Session]:
    """The file's session; none where nothing happened in it."""
    log = GeminiLog(source)
    for number, record in _objects(source):
        log.take(number, record)
    session = GeminiReader(source, log).session()
    if session is not None:
        yield session


def _objects(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    records = source.head().records
    if len(records) == 1 and "messages" in records[0]:
        try:
            document = source.document()
        except SessionFileError:
            pass
        else:
            yield 1, document
            return
    yield from source.records()


def _is_chat(record: Mapping[str, Any]) -> bool:
    return "sessionId" in record and "projectHash" in record


def _is_message(record: Mapping[str, Any]) -> bool:
    return record.get("type") in _TYPES and {"id", "timestamp", "content"} <= record.keys() and "uuid" not in record
