"""Claude Code's logs: one JSON object a line, of one session or of one of its subagents."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import orjson

from swe_together.pipeline.sessions._claude import ClaudeLog
from swe_together.pipeline.sessions._model import Format, Session
from swe_together.pipeline.sessions._source import Head, Source

NAME: Final[Format] = "claude-code"

_KINDS: Final = frozenset(
    {"user", "assistant", "progress", "system", "attachment", "queue-operation", "file-history-snapshot", "summary"}
    | {"last-prompt", "ai-title", "custom-title", "mode", "permission-mode", "pr-link", "worktree-state"}
    | {"bridge-session", "file-history-delta", "agent-name", "agent-color", "tag", "saved_hook_context"}
)
_GRAPH: Final = frozenset({"user", "assistant", "system", "attachment", "progress"})

_KINDS_UNREAD: Final = (
    "progress file-history-snapshot file-history-delta last-prompt ai-title custom-title mode permission-mode summary "
    "bridge-session system"
)
_UNREAD: Final = tuple(f'{space}"{kind}"'.encode() for space in ("", " ") for kind in _KINDS_UNREAD.split())
"""Records that hold nothing of a session's events, as they are written. A third of a log is of these kinds."""


def sniff(head: Head) -> bool:
    """Whether a record of the kinds that only these logs have stands at the beginning."""
    return any(_is_record(record) for record in head.records)


def read(source: Source) -> Iterator[Session]:
    """The file's session; none where it holds no event of one."""
    log = ClaudeLog(source)
    loads = orjson.loads
    take = log.take
    for number, line in source.lines():
        if _can_skip(line):
            continue
        try:
            record = loads(line)
        except orjson.JSONDecodeError:
            for record in source.salvage(number, line):
                take(number, record)
            continue
        if type(record) is dict:
            take(number, record)
        else:
            source.problem(number, f"a JSON {type(record).__name__} where an object belongs")
    session = log.session()
    if session is not None:
        yield session


def _is_record(record: Mapping[str, Any]) -> bool:
    kind = record.get("type")
    if kind not in _KINDS or ("sessionId" not in record and "leafUuid" not in record and "messageId" not in record):
        return False
    return kind not in _GRAPH or "uuid" in record


def _can_skip(line: bytes) -> bool:
    """Whether the line is surely a whole record of a kind that isn't read, told without parsing it.

    The quotation marks show that the name is no text inside a string, and with no second ``{`` before it, it is the
    record's own. A line that is cut off, or holds a second record, is parsed.
    """
    start = line.find(b'"type":')
    if not line.startswith(_UNREAD, start + 7) or start < 0 or line.find(b"{", 1, start) >= 0:
        return False
    return line.endswith((b"}\n", b"}", b"}\r\n")) and b"}{" not in line
