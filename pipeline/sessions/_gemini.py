"""Gemini CLI's messages, turned into events. The file itself is read by ``formats/gemini.py``."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from swe_together.pipeline.sessions._gather import Gathered
from swe_together.pipeline.sessions._gemini_log import GeminiLog, Message
from swe_together.pipeline.sessions._gemini_project import working_directory
from swe_together.pipeline.sessions._gemini_text import (
    STOPPED,
    answers,
    exit_code,
    feedback,
    result_text,
    status_of,
    steering,
    take_apart,
)
from swe_together.pipeline.sessions._model import Call, Origin, Outcome, Session, Tokens
from swe_together.pipeline.sessions._source import Source
from swe_together.pipeline.sessions._times import parse_time
from swe_together.pipeline.sessions._tools import make_call
from swe_together.pipeline.sessions._values import as_count, as_dict, as_list, as_text, dicts, joined_text, plus

_TYPED: Final = frozenset({"text", "inlineData", "fileData"})
"""What the parts of a person's message are."""


class GeminiReader:
    """Makes a session of a chat's messages."""

    def __init__(self, source: Source, log: GeminiLog) -> None:
        self._source = source
        self._log = log
        self._parent = _parent(source, log.meta)
        self._gathered = Gathered(delegated=self._parent is not None)

    def session(self) -> Session | None:
        """The session; None where nothing happened in it."""
        for message in self._log.messages.values():
            self._take(message)
        self._note_taken_back()
        gathered, meta = self._gathered, self._log.meta
        if not gathered.events:
            return None
        origin = Origin(
            format="gemini-cli",
            file=self._source.name,
            session_id=as_text(meta.get("sessionId")) or self._source.path.stem,
            parent=self._parent,
            cwd=working_directory(self._source, meta, gathered.calls.values()),
            models=tuple(gathered.models),
        )
        return Session(
            origin=origin,
            events=tuple(gathered.events),
            tokens=self._tokens(),
            problems=tuple(self._source.problems),
        )

    def _take(self, message: Message) -> None:
        number, record = message.number, message.record
        at = parse_time(record.get("timestamp"))
        kind = record.get("type")
        if kind == "user":
            self._take_user(number, at, record)
        elif kind == "gemini":
            self._take_agent(number, at, record)
        elif kind == "info" and joined_text(record.get("content"), "").strip() in STOPPED:
            self._gathered.interrupt(number, at)

    # --- the person -----------------------------------------------------------------------------

    def _take_user(self, number: int, at: datetime | None, record: Mapping[str, Any]) -> None:
        content = record.get("content")
        parts = [content] if isinstance(content, dict) else as_list(content)
        if any("functionResponse" in part for part in dicts(parts)):
            self._take_responses(number, at, parts)
            return
        if not all(isinstance(part, str) or _TYPED & as_dict(part).keys() for part in parts):
            # What the part was that is missing can't be told: it may have been a tool's result.
            self._source.problem(number, "a part that is neither a text nor an attachment")
            self._gathered.notice(number, at, "other", joined_text(parts, ""))
            return
        text = joined_text([content] if isinstance(content, dict) else content, "")
        shown = record.get("displayContent")
        if shown is not None:
            shown_text = joined_text([shown] if isinstance(shown, dict) else shown, "")
            if shown_text.strip() and shown_text != text:
                self._gathered.notice(number, at, "context", text)
                text = shown_text
        said = take_apart(text)
        steered = steering(text)
        images = sum("inlineData" in part or "fileData" in part for part in dicts(parts))
        for kind, notice in said.notices:
            self._gathered.notice(number, at, kind, notice)
        if steered:
            self._gathered.human(number, at, steered, "queued")
        elif said.text.strip():
            channel = "command" if said.command else "typed"
            text = said.text.rstrip("\n") if said.notices else said.text
            self._gathered.human(number, at, text, channel, images=images, command=said.command)  # type: ignore[arg-type]
        elif images and not said.notices:
            self._gathered.notice(number, at, "other", "[image]")

    def _take_responses(self, number: int, at: datetime | None, parts: list[Any]) -> None:
        """A message that passes results on to the model: of words, it holds at most what was typed meanwhile."""
        for part in dicts(parts):
            response = part.get("functionResponse")
            if isinstance(response, dict):
                call_id = as_text(response.get("id"))
                if call_id in self._gathered.calls and call_id not in self._gathered.outcomes:
                    text = result_text([part])
                    self._gathered.outcome(Outcome(record=number, at=at, call_id=str(call_id), status=None, text=text))
                continue
            text = as_text(part.get("text")) or ""
            steered = steering(text)
            if steered:
                self._gathered.human(number, at, steered, "queued")
            else:
                self._gathered.notice(number, at, "other", text)

    def _note_taken_back(self) -> None:
        for number, messages in self._log.taken_back:
            if messages:
                self._gathered.notice(number, None, "other", f"messages taken back: {messages}")

    # --- the agent ------------------------------------------------------------------------------

    def _take_agent(self, number: int, at: datetime | None, record: Mapping[str, Any]) -> None:
        gathered = self._gathered
        model = gathered.model(record.get("model"))
        content = record.get("content")
        parts = [content] if isinstance(content, dict) else as_list(content)
        text = content if isinstance(content, str) else "".join(_spoken(parts))
        gathered.reply(number, at, text, model)
        for place, call in enumerate(dicts(record.get("toolCalls")), 1):
            self._take_call(number, at, f"{record.get('id')}.{place}", call)
        for part in dicts(parts):
            made = as_dict(part.get("functionCall"))
            call_id, name = as_text(made.get("id")), as_text(made.get("name"))
            if call_id and name:
                gathered.call(make_call(number, at, call_id, name, made.get("args")))

    def _take_call(self, number: int, at: datetime | None, key: str, record: Mapping[str, Any]) -> None:
        name = as_text(record.get("name"))
        if name is None:
            self._source.problem(number, "a call without the name of its tool")
            return
        call_id = as_text(record.get("id")) or key
        done = parse_time(record.get("timestamp")) or at
        call = make_call(number, at, call_id, name, as_dict(record.get("args")))
        self._gathered.call(call)
        outcome = _outcome(call, done, record)
        if outcome is None or not self._gathered.outcome(outcome):
            return
        if call.action == "ask":
            self._gathered.human(number, done, "\n".join(answers(outcome.text)), "answer")
        elif outcome.status == "rejected":
            self._gathered.human(number, done, feedback(outcome.text), "rejection")

    def _tokens(self) -> Tokens:
        tokens = Tokens()
        for usage in self._log.tokens.values():
            thoughts = as_count(usage.get("thoughts"))
            tokens = Tokens(
                input=plus(tokens.input, plus(as_count(usage.get("input")), as_count(usage.get("tool")))),
                cached=plus(tokens.cached, as_count(usage.get("cached"))),
                output=plus(tokens.output, plus(as_count(usage.get("output")), thoughts)),
                reasoning=plus(tokens.reasoning, thoughts),
            )
        return tokens


def _outcome(call: Call, at: datetime | None, record: Mapping[str, Any]) -> Outcome | None:
    display = as_dict(record.get("resultDisplay"))
    text = result_text(record.get("result"))
    status = status_of(record.get("status"), text)
    if status is None:
        return None
    outcome = Outcome(record=call.record, at=at, call_id=call.call_id, status=status, text=text)
    if call.action == "run":
        code = exit_code(text, status)
        outcome = replace(outcome, exit_code=code, status="failed" if status == "ok" and code else status)
    if "newContent" in display and status == "ok":
        after = display.get("newContent")
        outcome = replace(
            outcome,
            before=as_text(display.get("originalContent")),
            after=after if isinstance(after, str) else None,
            user_modified=any(
                as_count(value) for key, value in as_dict(display.get("diffStat")).items() if key.startswith("user_")
            ),
        )
    return outcome


def _spoken(parts: list[Any]) -> Iterator[str]:
    for part in parts:
        text = part if isinstance(part, str) else as_dict(part).get("text")
        if isinstance(text, str) and not as_dict(part).get("thought"):
            yield text


def _parent(source: Source, meta: Mapping[str, Any]) -> str | None:
    """The chat that started this one, in whose folder a subagent's lies."""
    if meta.get("kind") != "subagent":
        return None
    folder = source.path.parent.name
    return folder if folder and folder != "chats" else "not recorded"
