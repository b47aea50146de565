"""Pi's session files: one JSON object a line, which form a tree in all versions but the first."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from swe_together.pipeline.sessions._model import Format, Origin, Session
from swe_together.pipeline.sessions._pi import PiReader
from swe_together.pipeline.sessions._pi_tree import Tree
from swe_together.pipeline.sessions._source import Head, Source
from swe_together.pipeline.sessions._values import as_text

NAME: Final[Format] = "pi"

_ENTRIES: Final = frozenset({"message", "compaction", "branch_summary", "custom_message", "model_change"})
_ROLES: Final = frozenset({"user", "assistant", "toolResult", "bashExecution"})


def sniff(head: Head) -> bool:
    """Whether the header of a session, or a message in Pi's form, stands at the beginning."""
    return any(_is_header(record) or _is_message(record) for record in head.records)


def read(source: Source) -> Iterator[Session]:
    """The file's session: what lies on the way from its first entry to its last, other branches being abandoned.

    Tokens are those of all branches, for they were spent.
    """
    header: Mapping[str, Any] = {}
    tree = Tree()
    for number, record in source.records():
        if record.get("type") == "session":
            header = header or record
        elif record.get("type") in _ENTRIES or "parentId" in record:
            tree.add(number, record)
    reader = PiReader(source, tree)
    reader.read()
    if not reader.gathered.events:
        return
    yield Session(
        origin=Origin(
            format=NAME,
            file=source.name,
            session_id=as_text(header.get("id")) or source.path.stem,
            cwd=as_text(header.get("cwd")),
            models=tuple(reader.gathered.models),
        ),
        events=tuple(reader.gathered.events),
        tokens=reader.tokens,
        problems=tuple(source.problems),
    )


def _is_header(record: Mapping[str, Any]) -> bool:
    return record.get("type") == "session" and "id" in record and "timestamp" in record and "cwd" in record


def _is_message(record: Mapping[str, Any]) -> bool:
    message = record.get("message")
    return record.get("type") == "message" and isinstance(message, dict) and message.get("role") in _ROLES
