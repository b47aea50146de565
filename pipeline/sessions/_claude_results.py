"""What came of a tool call, in Claude Code's logs."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from swe_together.pipeline.sessions._model import Call, Outcome, OutcomeStatus
from swe_together.pipeline.sessions._usertext import INTERRUPT, REJECTED

_EXIT: Final = re.compile(r"(?:Error: )?Exit code (\d+)")
_BEFORE: Final = ("originalFile", "originalFileContents", "original_file")
_CONTENT: Final = ("content",)
_UPDATED: Final = ("updated_file",)
_NOTHING: Final[Mapping[str, Any]] = {}


def outcome_of(
    record: int, at: datetime | None, call_id: str, call: Call | None, block: Mapping[str, Any], result: object
) -> Outcome:
    """The outcome that a ``tool_result`` block tells, with what ``toolUseResult`` beside it adds."""
    content = block.get("content")
    text = content if isinstance(content, str) else result_text(content)
    facts: Mapping[str, Any] = result if isinstance(result, dict) else _NOTHING
    status = _status(block, text, facts)
    action = call.action if call is not None else None
    exit_code = before = after = None
    if call is not None and action == "run":
        found = _EXIT.match(text) if status == "failed" else None
        # A command that failed is told as an error; one in the background has not ended.
        exit_code = int(found.group(1)) if found else 0 if status == "ok" and not _in_background(call, facts) else None
    elif action != "read" and action != "search":
        before = _first_text(facts, _BEFORE)
        after = _first_text(facts, _CONTENT if action == "write" else _UPDATED)
    return Outcome(
        record=record,
        at=at,
        call_id=call_id,
        status=status,
        text=text,
        exit_code=exit_code,
        before=before,
        after=after,
        user_modified=facts.get("userModified") is True,
    )


def result_text(content: object) -> str:
    """The text of a tool's result; images and references are left out."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [block.get("text") if isinstance(block, dict) else block for block in content]
    return "\n".join(text for text in texts if isinstance(text, str))


def _status(block: Mapping[str, Any], text: str, facts: Mapping[str, Any]) -> OutcomeStatus:
    if facts.get("interrupted") is True:
        return "aborted"
    if not block.get("is_error"):
        return "ok"
    if text.startswith(REJECTED):
        return "rejected"
    return "aborted" if text.startswith(INTERRUPT) else "failed"


def _in_background(call: Call, facts: Mapping[str, Any]) -> bool:
    return bool(facts.get("backgroundTaskId")) or call.input.get("run_in_background") is True


def _first_text(facts: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    for key in keys:
        value = facts.get(key)
        if isinstance(value, str):
            return value
    return None
