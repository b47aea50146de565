"""opencode's messages and parts, turned into events. Where they come from tells ``formats/opencode.py``."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, cast

from swe_together.pipeline.sessions._gather import Gathered
from swe_together.pipeline.sessions._model import Channel, Origin, Session, Tokens
from swe_together.pipeline.sessions._opencode_diffs import fill_contents
from swe_together.pipeline.sessions._opencode_text import SHELL, expanded, mentions
from swe_together.pipeline.sessions._opencode_tool import call_of, outcome_of, said_in
from swe_together.pipeline.sessions._source import Source
from swe_together.pipeline.sessions._times import parse_time
from swe_together.pipeline.sessions._values import as_count, as_dict, as_list, as_text, dicts, fingerprint, plus

_Part = dict[str, Any]


class OpencodeReader:
    """Reads the messages of one session.

    Args:
        source: Takes what can't be read.
        info: The session's own record.
    """

    def __init__(self, source: Source, info: Mapping[str, Any]) -> None:
        self._source = source
        self._info = info
        self._parent = as_text(info.get("parentID"))
        self._known_problems = len(source.problems)
        self._gathered = Gathered(delegated=self._parent is not None)
        self._tokens = Tokens()
        self._seen: set[str] = set()
        self._cwd: str | None = None
        self._done: datetime | None = None
        """When the agent's last message was done."""
        self._shell = False
        self._compacted = False
        self._typed = ""
        self._diffs: list[tuple[int, list[dict[str, Any]]]] = []

    def read(self, messages: Iterable[tuple[int, object]]) -> Iterator[Session]:
        """The session; none where nothing happened in it."""
        for number, info, parts in self._kept(messages):
            at = parse_time(as_dict(info.get("time")).get("created"))
            if info.get("role") == "user":
                self._take_user(number, at, info, parts)
            elif info.get("role") == "assistant":
                self._take_assistant(number, at, info, parts)
        fill_contents(self._gathered.events, self._diffs)
        if self._gathered.events:
            yield self._session()

    def _session(self) -> Session:
        origin = Origin(
            format="opencode",
            file=self._source.name,
            session_id=as_text(self._info.get("id")) or self._source.path.stem,
            parent=self._parent,
            version=as_text(self._info.get("version")),
            cwd=as_text(self._info.get("directory")) or self._cwd,
            models=tuple(self._gathered.models),
        )
        return Session(
            origin=origin,
            events=tuple(self._gathered.events),
            tokens=self._tokens,
            problems=tuple(self._source.problems[self._known_problems :]),
        )

    def _kept(self, messages: Iterable[tuple[int, object]]) -> Iterator[tuple[int, dict[str, Any], list[_Part]]]:
        """Messages with their parts, each once, up to the place that the person went back to."""
        back = as_dict(self._info.get("revert"))
        first_gone, part_gone = as_text(back.get("messageID")), as_text(back.get("partID"))
        for number, message in messages:
            info = message.get("info") if isinstance(message, dict) else None
            if not isinstance(info, dict):
                self._source.problem(number, "a message without info")
                continue
            if not self._is_new(info, "msg_"):
                continue
            parts = self._parts(number, as_dict(message).get("parts"))
            if first_gone is not None and info.get("id") == first_gone:
                ids = [part.get("id") for part in parts]
                if part_gone in ids:
                    yield number, info, parts[: ids.index(part_gone)]
                at = parse_time(as_dict(info.get("time")).get("created"))
                self._gathered.notice(number, at, "other", "taken back from here on")
                return
            yield number, info, parts

    def _parts(self, number: int, parts: object) -> list[_Part]:
        found = []
        for part in as_list(parts):
            if not isinstance(part, dict):
                self._source.problem(number, f"a part that is a JSON {type(part).__name__}")
            elif self._is_new(part, "prt_"):
                found.append(part)
        return found

    def _is_new(self, record: dict[str, Any], prefix: str) -> bool:
        """Whether the record is no repetition. An id that was redacted says nothing."""
        key = record.get("id")
        if not isinstance(key, str) or not key.startswith(prefix):
            key = fingerprint(record)
        if key in self._seen:
            return False
        self._seen.add(key)
        return True

    # --- the person -----------------------------------------------------------------------------

    def _take_user(self, number: int, at: datetime | None, info: Mapping[str, Any], parts: list[_Part]) -> None:
        gathered = self._gathered
        self._diffs.append((len(gathered.events), list(dicts(as_dict(info.get("summary")).get("diffs")))))
        self._shell = False
        typed: list[str] = []
        for part in parts:
            text = as_text(part.get("text")) or ""
            if part.get("type") == "subtask":
                gathered.notice(number, at, "expansion", as_text(part.get("prompt")) or "")
            elif part.get("type") == "text" and text == SHELL and part.get("synthetic"):
                self._shell = True
            elif part.get("type") == "text" and (part.get("synthetic") or part.get("ignored")):
                gathered.notice(number, at, "synthetic", text)
            elif part.get("type") == "text" and text.strip():
                typed.append(text)
        images = sum(str(part.get("mime")).startswith("image/") for part in parts if part.get("type") == "file")
        if typed:
            self._say(number, at, "\n".join(typed), parts, images)
        elif images:
            gathered.notice(number, at, "other", "[image]")

    def _say(self, number: int, at: datetime | None, text: str, parts: list[_Part], images: int) -> None:
        again, self._compacted = self._compacted and text == self._typed, False
        self._typed = text
        if again:
            # Where a message made the context too long, opencode sends it once more after the summary.
            self._gathered.notice(number, at, "synthetic", text)
            return
        command = expanded(text, mentions(parts))
        if command is not None:
            self._gathered.notice(number, at, "expansion", text)
            name = command.command
            self._gathered.human(number, at, command.arguments, "command", images=images, command=name)
            return
        queued = at is not None and self._done is not None and at < self._done
        self._gathered.human(number, at, text, "queued" if queued else "typed", images=images)

    # --- the agent ------------------------------------------------------------------------------

    def _take_assistant(self, number: int, at: datetime | None, info: Mapping[str, Any], parts: list[_Part]) -> None:
        gathered = self._gathered
        self._cwd = self._cwd or as_text(as_dict(info.get("path")).get("cwd"))
        self._done = parse_time(as_dict(info.get("time")).get("completed")) or self._done
        summary = info.get("summary") is True or info.get("mode") == "compaction"
        model = None if self._shell else gathered.model(info.get("modelID"))
        for place, part in enumerate(parts, 1):
            if part.get("type") == "tool":
                self._take_tool(number, at, f"{number}.{place}", part)
            elif part.get("type") == "text":
                text = as_text(part.get("text")) or ""
                if summary:
                    gathered.notice(number, at, "summary", text)
                elif part.get("synthetic") or part.get("ignored"):
                    gathered.notice(number, at, "synthetic", text)
                else:
                    gathered.reply(number, at, text, model)
        self._compacted = self._compacted or summary
        if as_dict(info.get("error")).get("name") == "MessageAbortedError":
            gathered.interrupt(number, self._done or at)
        self._add_tokens(info, parts)

    def _take_tool(self, number: int, at: datetime | None, key: str, part: _Part) -> None:
        # A redacted export gives many calls one id.
        call_id = as_text(part.get("callID"))
        if call_id is None or call_id == "REDACTED" or call_id in self._gathered.calls:
            call_id = key
        call = call_of(number, at, call_id, part)
        if call is None:
            self._source.problem(number, "a call without the name of its tool")
            return
        outcome = outcome_of(call, part)
        if self._shell:
            lines = (f"$ {call.command or ''}", outcome.text if outcome else "")
            self._gathered.notice(number, call.at, "shell", "\n".join(lines))
            return
        self._gathered.call(call)
        if outcome is not None:
            self._gathered.outcome(outcome)
            for channel, text in said_in(outcome, part):
                self._gathered.human(number, outcome.at, text, cast(Channel, channel))

    def _add_tokens(self, info: Mapping[str, Any], parts: list[_Part]) -> None:
        steps = [as_dict(part.get("tokens")) for part in parts if part.get("type") == "step-finish"]
        # A message of several steps has the tokens of the last alone; one that never ended has zeros.
        ended = as_dict(info.get("time")).get("completed") is not None and not self._shell
        for usage in [usage for usage in steps if usage] or [as_dict(info.get("tokens"))] * ended:
            cache = as_dict(usage.get("cache"))
            cached = as_count(cache.get("read"))
            given = plus(plus(as_count(usage.get("input")), cached), as_count(cache.get("write")))
            reasoning = as_count(usage.get("reasoning"))
            self._tokens = Tokens(
                input=plus(self._tokens.input, given),
                cached=plus(self._tokens.cached, cached),
                output=plus(self._tokens.output, _output(usage, given, reasoning)),
                reasoning=plus(self._tokens.reasoning, reasoning),
            )


def _output(usage: Mapping[str, Any], given: int | None, reasoning: int | None) -> int | None:
    """The tokens that the model wrote, reasoning included: some versions count it apart, which the total tells."""
    output, total = as_count(usage.get("output")), as_count(usage.get("total"))
    if output is not None and reasoning and total == (given or 0) + output + reasoning:
        return output + reasoning
    return output
