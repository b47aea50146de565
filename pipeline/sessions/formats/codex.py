"""Codex's rollouts: one JSON object a line, or the single JSON document of the first versions."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from swe_together.pipeline.sessions._codex import Rollout
from swe_together.pipeline.sessions._model import Format, Session
from swe_together.pipeline.sessions._source import Head, Source
from swe_together.pipeline.sessions._values import as_dict, as_list

NAME: Final[Format] = "codex"

_KINDS: Final = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_ITEMS: Final = frozenset(
    {"message", "reasoning", "function_call", "function_call_output", "local_shell_call", "custom_tool_call"}
    | {"custom_tool_call_output", "web_search_call"}
)


def sniff(head: Head) -> bool:
    """Whether a record of a rollout, wrapped or bare, or the document of the first versions stands at the beginning."""
    return any(_is_record(record) for record in head.records)


def read(source: Source) -> Iterator[Session]:
    """The file's session; none where nothing happened in it."""
    rollout = Rollout(source)
    if _is_document(source):
        document = as_dict(source.document())
        rollout.take(1, {"type": "session_meta", "payload": document.get("session")})
        for number, item in enumerate(as_list(document.get("items")), 1):
            rollout.take(number, {"type": "response_item", "payload": item})
    else:
        for number, record in source.records():
            rollout.take(number, _wrapped(record))
    session = rollout.session()
    if session is not None:
        yield session


def _is_record(record: Mapping[str, Any]) -> bool:
    if "payload" in record:
        return record.get("type") in _KINDS
    return _is_bare_header(record) or (
        isinstance(record.get("session"), dict) and isinstance(record.get("items"), list)
    )


def _is_bare_header(record: Mapping[str, Any]) -> bool:
    return "type" not in record and {"id", "timestamp", "instructions"} <= record.keys()


def _is_document(source: Source) -> bool:
    records = source.head().records
    return len(records) == 1 and isinstance(records[0].get("items"), list)


def _wrapped(record: dict[str, Any]) -> dict[str, Any]:
    """A record of the versions that wrote items as they are, in the form of the later ones."""
    if "payload" in record:
        return record
    if record.get("type") in _ITEMS:
        return {"type": "response_item", "payload": record, "timestamp": record.get("timestamp")}
    if _is_bare_header(record):
        return {"type": "session_meta", "payload": record, "timestamp": record.get("timestamp")}
    return record
