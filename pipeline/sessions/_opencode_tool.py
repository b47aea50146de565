"""opencode's tool parts: a call and what came of it in one."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from swe_together.pipeline.sessions._model import Call, Outcome, OutcomeStatus
from swe_together.pipeline.sessions._opencode_text import is_aborted, rejection
from swe_together.pipeline.sessions._patch import as_patch
from swe_together.pipeline.sessions._times import parse_time
from swe_together.pipeline.sessions._tools import make_call
from swe_together.pipeline.sessions._values import as_dict, as_exit, as_list, as_text, dicts


def call_of(number: int, at: datetime | None, call_id: str, part: Mapping[str, Any]) -> Call | None:
    """The call of a tool part; None where it names no tool."""
    tool = as_text(part.get("tool"))
    if tool is None:
        return None
    state = as_dict(part.get("state"))
    given = as_dict(state.get("input"))
    call = make_call(number, _time(state, "start") or at, call_id, tool, given)
    return as_patch(call, given.get("patchText") or call.command)


def outcome_of(call: Call, part: Mapping[str, Any]) -> Outcome | None:
    """The outcome of a tool part; None where the call was never done."""
    state = as_dict(part.get("state"))
    facts = as_dict(state.get("metadata"))
    before = after = None
    code: int | None = None
    status: OutcomeStatus
    if state.get("status") == "completed":
        text = as_text(state.get("output")) or ""
        code = as_exit(facts.get("exit")) if call.action == "run" else None
        stopped = call.action == "run" and is_aborted(text)
        status = "aborted" if stopped else "failed" if code else "ok"
        if status == "ok":
            before, after = _contents(call, facts)
    elif state.get("status") == "error":
        text = as_text(state.get("error")) or ""
        status = "rejected" if rejection(text) is not None else "aborted" if is_aborted(text) else "failed"
    else:
        return None
    return Outcome(
        record=call.record,
        at=_time(state, "end") or call.at,
        call_id=call.call_id,
        status=status,
        text=text,
        exit_code=code,
        before=before,
        after=after,
    )


def said_in(outcome: Outcome, part: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What the person said by way of the call, each with its channel: ``answer`` or ``rejection``."""
    if outcome.status == "rejected":
        yield "rejection", rejection(outcome.text) or ""
    elif part.get("tool") == "question":
        facts = as_dict(as_dict(part.get("state")).get("metadata"))
        # Two questions may well have the same answer.
        said = [text for answer in as_list(facts.get("answers")) for text in as_list(answer) if isinstance(text, str)]
        yield "answer", "\n".join(text.strip() for text in said if text.strip())


def _contents(call: Call, facts: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The whole file before and after, where it is recorded. A file that is new had none before."""
    files = [as_dict(facts.get("filediff")), *dicts(facts.get("files"))]
    files = [file for file in files if "after" in file or "before" in file]
    if len(files) == 1:
        before, after = files[0].get("before"), files[0].get("after")
        removed = files[0].get("type") == "delete"
        return as_text(before), after if isinstance(after, str) and not removed else None
    content = call.input.get("content")
    return None, content if call.action == "write" and isinstance(content, str) else None


def _time(state: Mapping[str, Any], name: str) -> datetime | None:
    return parse_time(as_dict(state.get("time")).get(name))
