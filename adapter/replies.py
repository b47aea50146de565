"""The last words of an agent that leaves no trajectory, from its logs."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from swe_together.adapter.agent_facts import ReplyLog
from swe_together.adapter.trajectory import strip_reasoning, text_of

TAIL_BYTES: Final = 4_000
"""Of a log of unknown form."""
READ_BYTES: Final = 1_000_000
"""Of a log of known form."""


def logged_reply(logs: Path, known: ReplyLog | None, sent: str) -> str:
    """The agent's last words; empty where nothing of it is found.

    Args:
        logs: The agent's log folder on the host.
        known: Where they stand; the end of the newest text log if None.
        sent: What the agent was sent: a file that holds just this is no reply.
    """
    if known is None:
        return _newest(logs, sent)
    text = _end_of(logs / known.file, READ_BYTES)
    return strip_reasoning(_last_line(text, known) if known.text else _lines(text, known))


def _newest(logs: Path, sent: str) -> str:
    for path in sorted(logs.glob("*.txt"), key=lambda path: path.stat().st_mtime, reverse=True):
        text = _end_of(path, max(TAIL_BYTES, len(sent.encode()) + 1))
        if text.strip() != sent.strip():
            return strip_reasoning(text[-TAIL_BYTES:])
    return ""


def _lines(text: str, known: ReplyLog) -> str:
    if known.after is not None:
        found = list(re.finditer(known.after, text))
        text = text[found[-1].end() :] if found else ""
    kept = [line for line in text.splitlines() if known.drop is None or not re.match(known.drop, line)]
    return "\n".join(kept).strip()


def _last_line(text: str, known: ReplyLog) -> str:
    for line in reversed(text.splitlines()):
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue
        if all(_at(row, tuple(key.split("."))) == value for key, value in known.where.items()):
            words = text_of(_at(row, known.text))
            if words.strip():
                return words.strip()
    return ""


def _at(row: Any, keys: tuple[str, ...]) -> Any:
    for key in keys:
        if key == "-1" and isinstance(row, list):
            row = row[-1] if row else None
        else:
            row = row.get(key) if isinstance(row, Mapping) else None
    return row


def _end_of(path: Path, size: int) -> str:
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - size))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""
