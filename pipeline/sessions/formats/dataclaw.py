"""DataClaw's exports: one JSON object a session, one a line or one a file, from logs of several programs.

Marks of the logs are gone, so typed text is told by how a program's texts begin. Old exports hold the arguments of a
tool as one text and no outputs.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from swe_together.pipeline.sessions._expansions import Expansions
from swe_together.pipeline.sessions._model import (
    Event,
    Format,
    Human,
    Notice,
    Origin,
    Outcome,
    OutcomeStatus,
    Reply,
    Session,
    Tokens,
)
from swe_together.pipeline.sessions._repository import repository_of
from swe_together.pipeline.sessions._source import Head, Source, shape_told
from swe_together.pipeline.sessions._times import parse_time
from swe_together.pipeline.sessions._tools import make_call
from swe_together.pipeline.sessions._usertext import REJECTED, answer_text, events_of, rejection_text
from swe_together.pipeline.sessions._values import as_exit, as_text, is_repeated

NAME: Final[Format] = "dataclaw"
_SUBAGENTS: Final = ":subagents"
_STATUS: Final[dict[object, OutcomeStatus]] = {
    "success": "ok",
    "completed": "ok",
    "error": "failed",
    "failed": "failed",
    "cancelled": "aborted",
}
_REFERENCED: Final = "\n--- Content from referenced files ---"
_REFERENCED_END: Final = "--- End of content ---"


def sniff(head: Head) -> bool:
    """Whether the first record is an exported session of this kind."""
    return bool(head.records) and is_export(head.records[0])


def is_export(record: Mapping[str, Any]) -> bool:
    """Whether the object is one session of an export."""
    messages = record.get("messages")
    if not isinstance(messages, list) or not isinstance(record.get("stats"), dict) or "session_id" not in record:
        return False
    return not any(isinstance(message, dict) and isinstance(message.get("content"), list) for message in messages)


def read(source: Source) -> Iterator[Session]:
    """The file's sessions."""
    for number, record in source.objects():
        if not is_export(record):
            source.problem(number, "no exported session")
            continue
        yield _session(source, record)


def _session(source: Source, record: Mapping[str, Any]) -> Session:
    events: list[Event] = []
    expansions = Expansions()
    seen: set[str] = set()
    for number, message in enumerate(record["messages"], 1):
        if is_repeated(message, seen):
            continue
        try:
            events += expansions.told(_events(number, message))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            source.problem(number, f"a message of an impossible shape: {shape_told(error)}")
    problems = tuple(source.problems)
    source.problems.clear()
    origin = _origin(source, record, events)
    if origin.parent is not None:
        events = [_written_by_agent(event) for event in events]
    return Session(origin=origin, events=tuple(events), tokens=_tokens(record), problems=problems)


def _written_by_agent(event: Event) -> Event:
    if not isinstance(event, Human):
        return event
    return Notice(record=event.record, at=event.at, kind="synthetic", text=event.text)


def _origin(source: Source, record: Mapping[str, Any], events: list[Event]) -> Origin:
    session = str(record["session_id"])
    project = as_text(record.get("project"))
    agent, colon, name = (project or "").partition(":")
    model = as_text(record.get("model"))
    return Origin(
        format=NAME,
        file=source.name,
        session_id=session,
        parent=session.removesuffix(_SUBAGENTS) if session.endswith(_SUBAGENTS) else None,
        branch=as_text(record.get("git_branch")),
        repository=as_text(record.get("_github_repo")) or repository_of(events),
        project=name if colon else project,
        agent=as_text(record.get("source")) or (agent if colon else None),
        models=(model,) if model and model != "unknown" else (),
    )


def _tokens(record: Mapping[str, Any]) -> Tokens:
    stats = record["stats"]
    read, written = stats.get("input_tokens"), stats.get("output_tokens")
    # Zero stands where the log had no numbers: an agent that answered has read and written something.
    return Tokens(
        input=read if type(read) is int and read > 0 else None,
        output=written if type(written) is int and written > 0 else None,
    )


def _events(number: int, message: Mapping[str, Any]) -> list[Event]:
    at = parse_time(message.get("timestamp"))
    content = message.get("content")
    text = content if isinstance(content, str) else ""
    if message["role"] == "user":
        parts = message.get("content_parts") or ()
        images = sum(part.get("type") == "image" for part in parts)
        return events_of(number, at, [_without_files(text)], images)
    events: list[Event] = []
    if text.strip():
        events.append(Reply(record=number, at=at, text=text))
    for place, use in enumerate(message.get("tool_uses") or (), 1):
        events += _tool_events(number, at, f"{number}.{place}", use)
    return events


def _tool_events(number: int, at: datetime | None, call_id: str, use: Mapping[str, Any]) -> list[Event]:
    call = make_call(number, at, call_id, str(use["tool"]), use.get("input"))
    output, status = use.get("output"), _STATUS.get(use.get("status"))
    if output is None and status is None:
        return [call]
    facts: Mapping[str, Any] = output if isinstance(output, dict) else {"text": output}
    raw = facts.get("raw")
    text = next((value for key in ("text", "output", "raw") if isinstance(value := facts.get(key), str)), "")
    details: Mapping[str, Any] = raw if isinstance(raw, dict) else {}
    refused = text.startswith(REJECTED)
    outcome = Outcome(
        record=number,
        at=at,
        call_id=call_id,
        status="rejected" if refused else status,
        text=text,
        exit_code=as_exit(facts.get("exit_code")),
        before=as_text(details.get("originalFile")),
        user_modified=details.get("userModified") is True,
    )
    events: list[Event] = [call, outcome]
    said = rejection_text(text) if refused else None
    answer = answer_text(details) if call.action == "ask" else ""
    if said:
        events.append(Human(record=number, at=at, text=said, channel="rejection"))
    if answer:
        events.append(Human(record=number, at=at, text=answer, channel="answer"))
    return events


def _without_files(text: str) -> str:
    """A message without the files that its ``@`` mentions were replaced with."""
    before, found, rest = text.partition(_REFERENCED)
    if not found:
        return text
    return before + rest.rpartition(_REFERENCED_END)[2]
