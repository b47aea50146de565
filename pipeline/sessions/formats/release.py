"""The paper's released sessions: converted logs of three kinds, one JSON document each.

Logs of Claude Code as content blocks; sessions of Pi as content blocks without results; scripted runs in which calls
and results are written into the text, and that have one prompt and no person's follow-up.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

import orjson

from swe_together.pipeline.sessions._claude_results import outcome_of
from swe_together.pipeline.sessions._expansions import Expansions
from swe_together.pipeline.sessions._model import (
    Call,
    Event,
    Format,
    Human,
    Interrupt,
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
from swe_together.pipeline.sessions._usertext import INTERRUPT, events_of, rejection_text
from swe_together.pipeline.sessions._values import as_text, is_repeated

NAME: Final[Format] = "release"
_TOOL_USE: Final = re.compile(r'<tool_use id="([^"]*)">\s*(.*?)\s*(?:</tool_use>|\Z)', re.DOTALL)
_TOOL_RESULT: Final = re.compile(
    r'<tool_result id="([^"]*)">\n?(.*?)(?:\n?</tool_result>\s*(?=<tool_result id="|\Z)|\Z)', re.DOTALL
)
_THINKING: Final = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_CALL_NAME: Final = re.compile(r'\A\{\s*"name": "([^"]+)"')
_TOOL_ERROR: Final = "<tool_use_error>"
_BASE_COMMIT: Final = re.compile(r"^- Base commit: ([0-9a-f]{40})\b", re.MULTILINE)


def sniff(head: Head) -> bool:
    """Whether the file's first object is a converted session."""
    return bool(head.records) and _is_session(head.records[0])


def _is_session(record: Mapping[str, Any]) -> bool:
    messages = record.get("messages")
    if not isinstance(messages, list) or not isinstance(record.get("session_id"), str):
        return False
    return not messages or any(isinstance(message, dict) and "role" in message for message in messages)


def read(source: Source) -> Iterator[Session]:
    """The file's sessions."""
    for number, record in source.objects():
        if _is_session(record):
            yield _Conversion(source, record).session()
        else:
            source.problem(number, "no converted session")


class _Conversion:
    def __init__(self, source: Source, record: Mapping[str, Any]) -> None:
        self._source = source
        self._record = record
        self._calls: dict[str, Call] = {}
        self._answered: set[str] = set()

    def session(self) -> Session:
        events: list[Event] = []
        expansions = Expansions()
        seen: set[str] = set()
        for number, message in enumerate(self._record["messages"], 1):
            if is_repeated(message, seen):
                continue
            try:
                events += expansions.told(self._events(number, message))
            except (AttributeError, KeyError, TypeError, ValueError) as error:
                self._source.problem(number, f"a message of an impossible shape: {shape_told(error)}")
        problems = tuple(self._source.problems)
        self._source.problems.clear()
        return Session(origin=self._origin(events), events=tuple(events), tokens=Tokens(), problems=problems)

    def _origin(self, events: list[Event]) -> Origin:
        record = self._record
        prompt = next((event.text for event in events if isinstance(event, Human)), "")
        base = _BASE_COMMIT.search(prompt)
        model = as_text(record.get("model"))
        return Origin(
            format=NAME,
            file=self._source.name,
            session_id=str(record["session_id"]),
            branch=as_text(record.get("git_branch")),
            commit=base.group(1) if base else None,
            repository=as_text(record.get("_github_repo")) or repository_of(events),
            project=as_text(record.get("project")),
            models=(model,) if model and model != "unknown" else (),
        )

    def _events(self, number: int, message: Mapping[str, Any]) -> Iterator[Event]:
        at = parse_time(message.get("timestamp"))
        content = message.get("content")
        if message["role"] == "user":
            if isinstance(content, str) and content.lstrip().startswith('<tool_result id="'):
                yield from self._written_results(number, at, content)
            else:
                yield from self._user(number, at, content)
        elif isinstance(content, str):
            yield from self._written_reply(number, at, content)
        else:
            yield from self._assistant(number, at, content or ())

    # --- content blocks -------------------------------------------------------------------------

    def _assistant(self, number: int, at: datetime | None, blocks: Any) -> Iterator[Event]:
        for block in blocks:
            if block.get("type") == "text" and block["text"].strip():
                yield Reply(record=number, at=at, text=block["text"])
            elif block.get("type") == "tool_use" and str(block["id"]) not in self._calls:
                yield self._call(number, at, str(block["id"]), str(block["name"]), block.get("input"))

    def _user(self, number: int, at: datetime | None, content: Any) -> Iterator[Event]:
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content or ()
        results = [block for block in blocks if block.get("type") == "tool_result"]
        texts = [str(block.get("text") or "") for block in blocks if block.get("type") == "text"]
        for block in results:
            yield from self._result(number, at, block)
        if results:
            # Whether a person or a program wrote it can't be told any more.
            yield from (Notice(record=number, at=at, kind="other", text=text) for text in texts if text.strip())
            return
        yield from events_of(number, at, texts, sum(block.get("type") == "image" for block in blocks))

    def _result(self, number: int, at: datetime | None, block: Mapping[str, Any]) -> Iterator[Event]:
        call_id = str(block.get("tool_use_id"))
        if call_id in self._answered:
            return
        self._answered.add(call_id)
        outcome = outcome_of(number, at, call_id, self._calls.get(call_id), block, None)
        yield outcome
        said = rejection_text(outcome.text) if outcome.status == "rejected" else None
        if said:
            yield Human(record=number, at=at, text=said, channel="rejection")
        elif outcome.status == "aborted" and outcome.text.startswith(INTERRUPT):
            yield Interrupt(record=number, at=at)

    # --- calls and results written into the text ------------------------------------------------

    def _written_reply(self, number: int, at: datetime | None, content: str) -> Iterator[Event]:
        said = _THINKING.sub("", _TOOL_USE.sub("", content)).strip()
        if said and said.lstrip("(") != "no content)":
            yield Reply(record=number, at=at, text=said)
        for call_id, body in _TOOL_USE.findall(content):
            try:
                call = orjson.loads(body)
                name, arguments = str(call["name"]), call.get("arguments")
            except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
                named = _CALL_NAME.search(body)
                if named is None:
                    self._source.problem(number, f"a tool call that can't be read: {error}")
                    continue
                name, arguments = named.group(1), body  # cut off in the release itself
            if call_id not in self._calls:
                yield self._call(number, at, call_id, name, arguments)

    def _written_results(self, number: int, at: datetime | None, content: str) -> Iterator[Event]:
        for call_id, text in _TOOL_RESULT.findall(content):
            if call_id not in self._answered:
                self._answered.add(call_id)
                status: OutcomeStatus = "failed" if text.startswith((_TOOL_ERROR, "Exit code ")) else "ok"
                yield Outcome(record=number, at=at, call_id=call_id, status=status, text=text)

    def _call(self, number: int, at: datetime | None, call_id: str, tool: str, arguments: object) -> Call:
        call = make_call(number, at, call_id, tool, arguments)
        self._calls[call_id] = call
        return call
