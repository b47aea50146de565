"""ATIF's steps, turned into events. The file itself is read by ``formats/atif.py``."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, cast, get_args

from swe_together.pipeline.sessions import _codex_text, _gemini_text
from swe_together.pipeline.sessions._gather import Gathered
from swe_together.pipeline.sessions._model import Call, Channel, NoticeKind, Origin, Outcome, Session, Tokens
from swe_together.pipeline.sessions._patch import as_patch
from swe_together.pipeline.sessions._source import Source
from swe_together.pipeline.sessions._times import parse_time
from swe_together.pipeline.sessions._tools import make_call
from swe_together.pipeline.sessions._usertext import UserText, take_apart
from swe_together.pipeline.sessions._values import (
    as_count,
    as_dict,
    as_exit,
    as_list,
    as_text,
    dicts,
    fingerprint,
    joined_text,
    plus,
)

_TERMINUS: Final = re.compile(r"\nTask Description:\n(.*)\n\nCurrent terminal state:\n", re.DOTALL)
"""The place of the person's words in the prompt of Harbor's own agent."""
_CHANNELS: Final = frozenset(get_args(Channel))


class AtifReader:
    """Makes a session of a trajectory's steps.

    Steps that are copied from an earlier run of the same session belong to it, but count once.
    """

    def __init__(self, source: Source, document: Mapping[str, Any]) -> None:
        self._source = source
        self._document = document
        self._agent = as_dict(document.get("agent"))
        self._name = as_text(self._agent.get("name")) or ""
        self._ours = "swe_together" in as_dict(document.get("extra"))
        self._gathered = Gathered()
        self._seen: set[str] = set()
        self._metrics: list[tuple[bool, Mapping[str, Any]]] = []

    def session(self) -> Session | None:
        """The session; None where nothing happened in it."""
        self._gathered.model(self._agent.get("model_name"))
        for number, step in enumerate(as_list(self._document.get("steps")), 1):
            if not isinstance(step, dict):
                self._source.problem(number, f"a step that is a JSON {type(step).__name__}")
            elif self._is_new(step):
                self._take(number, step)
        if not self._gathered.events:
            return None
        origin = Origin(
            format="atif",
            file=self._source.name,
            session_id=as_text(self._document.get("session_id")) or self._source.path.stem,
            version=as_text(self._agent.get("version")),
            agent=self._name or None,
            models=tuple(self._gathered.models),
        )
        return Session(
            origin=origin,
            events=tuple(self._gathered.events),
            tokens=self._tokens(),
            problems=tuple(self._source.problems),
        )

    def _is_new(self, step: Mapping[str, Any]) -> bool:
        """Whether the step is neither the same one again nor a copy of one in this document."""
        copied = step.get("is_copied_context") is True
        calls = [call.get("tool_call_id") for call in dicts(step.get("tool_calls"))]
        core = fingerprint([step.get("source"), step.get("message"), calls])
        whole = f"{step.get('step_id')} {core}"
        if whole in self._seen or (copied and core in self._seen):
            return False
        if "step_id" in step:
            self._seen.add(whole)
        self._seen.add(core)
        return True

    def _take(self, number: int, step: Mapping[str, Any]) -> None:
        at = parse_time(step.get("timestamp"))
        source = step.get("source")
        if source == "user":
            self._take_user(number, at, step)
        elif source == "agent":
            self._take_agent(number, at, step)
        elif source == "system":
            by_agent = as_dict(step.get("extra")).get("original_source") == "user"
            if by_agent or step.get("is_copied_context") is True:
                kind: NoticeKind = "synthetic" if by_agent else "summary"
                self._gathered.notice(number, at, kind, joined_text(step.get("message")))

    # --- the person -----------------------------------------------------------------------------

    def _take_user(self, number: int, at: datetime | None, step: Mapping[str, Any]) -> None:
        text = joined_text(step.get("message"))
        images = sum(part.get("type") == "image" for part in dicts(step.get("message")))
        extra = as_dict(step.get("extra"))
        marked = isinstance(extra.get("swe_together"), dict)
        channel = extra.get("channel")
        if marked or channel in _CHANNELS:
            channel = cast(Channel, channel if channel in _CHANNELS else "typed")
            self._gathered.human(number, at, text, channel, images=images, command=as_text(extra.get("command")))
        elif self._ours:
            # In a whole session of ours each step of the user's is marked: another is the agent's own.
            self._gathered.notice(number, at, "synthetic", text)
        else:
            self._take_unmarked(number, at, text, images)

    def _take_unmarked(self, number: int, at: datetime | None, text: str, images: int) -> None:
        said = self._apart(text)
        if said.interrupt:
            self._gathered.interrupt(number, at)
        for kind, notice in said.notices:
            self._gathered.notice(number, at, kind, notice)
        channel: Channel = "command" if said.command else "typed"
        self._gathered.human(number, at, said.text, channel, images=images, command=said.command)
        if images and not text.strip():
            self._gathered.notice(number, at, "other", "[image]")

    def _apart(self, text: str) -> UserText:
        """What was typed and what a program wrote, by the agent's own rules."""
        if self._name.startswith("terminus"):
            task = _TERMINUS.search(text)
            return UserText(task.group(1)) if task else UserText(notices=(("summary", text),))
        if self._name == "codex":
            told = _codex_text.take_apart(text)
            return UserText(told.text, None, told.aborted, told.notices)
        if self._name == "gemini-cli":
            said = _gemini_text.take_apart(text)
            return UserText(said.text, said.command, False, said.notices)
        return take_apart(text)

    # --- the agent ------------------------------------------------------------------------------

    def _take_agent(self, number: int, at: datetime | None, step: Mapping[str, Any]) -> None:
        model = self._gathered.model(step.get("model_name"))
        self._gathered.reply(number, at, joined_text(step.get("message")), model)
        calls: list[Call] = []
        for given in dicts(step.get("tool_calls")):
            call_id, name = as_text(given.get("tool_call_id")), as_text(given.get("function_name"))
            if call_id is None or name is None:
                self._source.problem(number, "a call without a name or an id")
                continue
            call = _call(number, at, call_id, name, given.get("arguments"))
            calls.append(call)
            self._gathered.call(call)
        self._take_results(number, at, step, calls)
        if as_dict(step.get("extra")).get("interrupted") is True:
            self._gathered.interrupt(number, at)
        metrics = as_dict(step.get("metrics"))
        if metrics:
            self._metrics.append((step.get("is_copied_context") is True, metrics))

    def _take_results(self, number: int, at: datetime | None, step: Mapping[str, Any], calls: list[Call]) -> None:
        unnamed = 0
        for result in dicts(as_dict(step.get("observation")).get("results")):
            call_id = as_text(result.get("source_call_id"))
            if call_id is None:
                # Results that name no call come in the order of the calls.
                call_id = calls[unnamed].call_id if unnamed < len(calls) else f"step {number}.{unnamed + 1}"
                unnamed += 1
            self._gathered.outcome(_outcome(number, at, call_id, result))

    # --- tokens ---------------------------------------------------------------------------------

    def _tokens(self) -> Tokens:
        """The totals; of a session that goes on from an earlier run the sum over its steps, which those leave out."""
        final = as_dict(self._document.get("final_metrics"))
        if "total_prompt_tokens" in final and (self._ours or not any(copied for copied, _ in self._metrics)):
            return Tokens(
                input=as_count(final.get("total_prompt_tokens")),
                cached=as_count(final.get("total_cached_tokens")),
                output=as_count(final.get("total_completion_tokens")),
                reasoning=_reasoning(final),
            )
        tokens = Tokens()
        for _, metrics in self._metrics:
            tokens = Tokens(
                input=plus(tokens.input, as_count(metrics.get("prompt_tokens"))),
                cached=plus(tokens.cached, as_count(metrics.get("cached_tokens"))),
                output=plus(tokens.output, as_count(metrics.get("completion_tokens"))),
                reasoning=plus(tokens.reasoning, _reasoning(metrics)),
            )
        return tokens


def _call(number: int, at: datetime | None, call_id: str, name: str, arguments: object) -> Call:
    call = make_call(number, at, call_id, name, arguments)
    for value in (call.command, *call.input.values()):
        call = as_patch(call, value)
    return call


def _outcome(number: int, at: datetime | None, call_id: str, result: Mapping[str, Any]) -> Outcome:
    said = _codex_text.read_output(result.get("content"))
    extra = as_dict(result.get("extra"))
    code = said.exit_code if said.exit_code is not None else as_exit(extra.get("exit_code"))
    status = said.status
    failed = extra.get("is_error", extra.get("tool_result_is_error"))
    if status is None and code is not None:
        status = "ok" if code == 0 else "failed"
    elif status is None and isinstance(failed, bool):
        status = "failed" if failed else "ok"
    return Outcome(record=number, at=at, call_id=call_id, status=status, text=said.text, exit_code=code)


def _reasoning(metrics: Mapping[str, Any]) -> int | None:
    return as_count(as_dict(metrics.get("extra")).get("reasoning_tokens"))
