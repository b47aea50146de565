"""Pi's entries, turned into events. The file itself is read by ``formats/pi.py``."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from swe_together.pipeline.sessions._gather import Gathered
from swe_together.pipeline.sessions._model import Outcome, OutcomeStatus, Tokens
from swe_together.pipeline.sessions._pi_tree import Entry, Tree
from swe_together.pipeline.sessions._source import Source
from swe_together.pipeline.sessions._times import parse_time
from swe_together.pipeline.sessions._tools import make_call
from swe_together.pipeline.sessions._values import as_count, as_dict, as_exit, as_text, dicts, joined_text, plus

_SKILL: Final = re.compile(r'<skill name="([^"]+)" location="[^"]*">\n.*?\n</skill>(?:\n\n(.+))?', re.DOTALL)
_EXIT: Final = re.compile(r"Command exited with code (\d+)\s*\Z")
_ABORTED: Final = ("Command aborted", "Operation aborted", "Skipped due to queued user message.")


class PiReader:
    """Reads the entries on a tree's path into ``gathered``."""

    def __init__(self, source: Source, tree: Tree) -> None:
        self.gathered = Gathered()
        self.tokens = Tokens()
        self._source = source
        self._tree = tree
        self._before: datetime | None = None
        """When the message before was written down."""

    def read(self) -> None:
        """Read all; an entry of an impossible shape is reported and skipped."""
        path = self._tree.path()
        gone: dict[str | None, list[Entry]] = {}
        for home, entry in self._tree.abandoned(path):
            if as_dict(entry.record.get("message")).get("role") == "user":
                gone.setdefault(home, []).append(entry)
        for key in (None, *path):
            if key is not None:
                self._take(self._tree.entries[key])
            if key in gone:
                first = gone[key][0]
                at = parse_time(first.record.get("timestamp"))
                self.gathered.notice(first.number, at, "other", f"messages taken back: {len(gone[key])}")
        for entry in self._tree.entries.values():
            usage = as_dict(as_dict(entry.record.get("message")).get("usage"))
            if usage:
                self._add_usage(usage)

    def _take(self, entry: Entry) -> None:
        number, record = entry.number, entry.record
        at = parse_time(record.get("timestamp"))
        kind = record.get("type")
        if kind == "message":
            message = record.get("message")
            if isinstance(message, dict):
                self._take_message(number, at, message)
                self._before = at
            else:
                self._source.problem(number, "a message entry without message")
        elif kind in ("compaction", "branch_summary"):
            self.gathered.notice(number, at, "summary", as_text(record.get("summary")) or "")
        elif kind == "custom_message":
            self.gathered.notice(number, at, "other", joined_text(record.get("content")))

    def _take_message(self, number: int, at: datetime | None, message: Mapping[str, Any]) -> None:
        role = message.get("role")
        text = "" if role == "assistant" else joined_text(message.get("content"))
        if role == "user":
            images = sum(block.get("type") == "image" for block in dicts(message.get("content")))
            self._take_user(number, at, message, text, images)
        elif role == "assistant":
            self._take_assistant(number, at, message)
        elif role == "toolResult":
            self._take_result(number, at, message, text)
        elif role == "bashExecution":
            lines = (f"$ {message.get('command')}", as_text(message.get("output")) or "")
            self.gathered.notice(number, at, "shell", "\n".join(lines))
        elif role in ("compactionSummary", "branchSummary"):
            self.gathered.notice(number, at, "summary", as_text(message.get("summary")) or "")
        elif role in ("custom", "hookMessage"):
            self.gathered.notice(number, at, "other", text)

    def _take_user(self, number: int, at: datetime | None, message: Mapping[str, Any], text: str, images: int) -> None:
        skill = _SKILL.fullmatch(text.strip())
        if skill is not None:
            self.gathered.notice(number, at, "expansion", text)
            command = f"/skill:{skill.group(1)}"
            self.gathered.human(number, at, skill.group(2) or "", "command", images=images, command=command)
        elif text.strip():
            typed = parse_time(message.get("timestamp"))
            # Typed before the message above it was done: it waited until the agent took it.
            queued = typed is not None and self._before is not None and typed < self._before
            self.gathered.human(number, at, text, "queued" if queued else "typed", images=images)
        elif images:
            self.gathered.notice(number, at, "other", "[image]")

    def _take_assistant(self, number: int, at: datetime | None, message: Mapping[str, Any]) -> None:
        model = self.gathered.model(message.get("model"))
        content = message.get("content")
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else dicts(content):
            if block.get("type") == "text":
                self.gathered.reply(number, at, as_text(block.get("text")) or "", model)
            elif block.get("type") == "toolCall":
                call_id, name = block.get("id"), block.get("name")
                if isinstance(call_id, str) and isinstance(name, str):
                    self.gathered.call(make_call(number, at, call_id, name, block.get("arguments")))
                else:
                    self._source.problem(number, "a call without a name or an id")
        if message.get("stopReason") == "aborted":
            self.gathered.interrupt(number, at)

    def _take_result(self, number: int, at: datetime | None, message: Mapping[str, Any], text: str) -> None:
        call_id = message.get("toolCallId")
        if not isinstance(call_id, str):
            self._source.problem(number, "a result without the id of its call")
            return
        call = self.gathered.calls.get(call_id)
        failed = message.get("isError")
        status: OutcomeStatus | None = None
        if isinstance(failed, bool):
            status = "ok" if not failed else "aborted" if text.rstrip().endswith(_ABORTED) else "failed"
        code = None
        if call is not None and call.action == "run":
            found = _EXIT.search(text) if status == "failed" else None
            code = int(found.group(1)) if found else 0 if status == "ok" else None
            code = as_exit(as_dict(message.get("details")).get("exitCode")) if code is None else code
        written = call.input.get("content") if call is not None and call.action == "write" else None
        after = written if status == "ok" and isinstance(written, str) else None
        self.gathered.outcome(
            Outcome(record=number, at=at, call_id=call_id, status=status, text=text, exit_code=code, after=after)
        )

    def _add_usage(self, usage: Mapping[str, Any]) -> None:
        read = as_count(usage.get("cacheRead"))
        given = plus(plus(as_count(usage.get("input")), read), as_count(usage.get("cacheWrite")))
        self.tokens = Tokens(
            input=plus(self.tokens.input, given),
            cached=plus(self.tokens.cached, read),
            output=plus(self.tokens.output, as_count(usage.get("output"))),
        )
