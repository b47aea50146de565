"""Codex's records, one by one. The file itself is read by ``formats/codex.py``."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

import orjson

from swe_together.pipeline.sessions._codex_settle import Entry, Settling, TakenBack, Told, parent_of, sum_tokens
from swe_together.pipeline.sessions._codex_text import read_output, take_apart
from swe_together.pipeline.sessions._gather import Gathered
from swe_together.pipeline.sessions._model import Notice, NoticeKind, Origin, Outcome, Session
from swe_together.pipeline.sessions._patch import as_patch
from swe_together.pipeline.sessions._source import Source
from swe_together.pipeline.sessions._times import parse_time
from swe_together.pipeline.sessions._tools import make_call
from swe_together.pipeline.sessions._values import as_count, as_dict, as_list, as_text, dicts

_STOPS: Final = (None, "interrupted", "replaced")
"""Reasons of a ``turn_aborted`` that are the person's doing."""
_KINDS: Final = ("session_meta", "turn_context", "event_msg", "response_item", "compacted")


class Rollout:
    """Takes the records of one rollout and makes a session of them. A record that is seen again counts once."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._entries: list[Entry] = []
        self._meta: dict[str, Any] = {}
        self._cwd: str | None = None
        self._model: str | None = None
        self._models: dict[str, None] = {}
        self._ended: dict[str, Mapping[str, Any]] = {}
        self._usages: list[tuple[datetime | None, Mapping[str, Any]]] = []
        self._seen: set[tuple[str, datetime, str]] = set()

    def take(self, number: int, record: Mapping[str, Any]) -> None:
        """Take one record; one of an unknown kind is passed over, one of an impossible shape is reported."""
        kind = record.get("type")
        payload = record.get("payload")
        if kind not in _KINDS:
            return
        if not isinstance(payload, dict):
            self._source.problem(number, f"a {kind} without payload")
            return
        at = parse_time(record.get("timestamp"))
        if kind == "event_msg":
            self._take_event(number, at, payload)
        elif kind == "response_item":
            self._take_item(number, at, payload)
        elif kind == "session_meta":
            # A fork repeats the records of the session that it comes from, with their header: the first is its own.
            self._meta = self._meta or payload
        elif kind == "turn_context":
            self._cwd = self._cwd or as_text(payload.get("cwd"))
            if name := as_text(payload.get("model")):
                self._model = name
                self._models[name] = None
        else:
            self._notice(number, at, "summary", as_text(payload.get("message")) or "")

    def session(self) -> Session | None:
        """What all records make; None where nothing happened in them."""
        meta, git = self._meta, as_dict(self._meta.get("git"))
        parent = parent_of(meta)
        gathered = Gathered(delegated=parent is not None)
        Settling(gathered, self._ended, damaged=bool(self._source.problems)).add(self._entries)
        if not gathered.events:
            return None
        origin = Origin(
            format="codex",
            file=self._source.name,
            session_id=as_text(meta.get("id")) or self._source.path.stem,
            parent=parent,
            version=as_text(meta.get("cli_version")),
            cwd=as_text(meta.get("cwd")) or self._cwd,
            branch=as_text(git.get("branch")),
            commit=as_text(git.get("commit_hash")),
            repository=as_text(git.get("repository_url")),
            models=tuple(self._models),
        )
        return Session(
            origin=origin,
            events=tuple(gathered.events),
            tokens=sum_tokens(self._usages),
            problems=tuple(self._source.problems),
        )

    # --- events ---------------------------------------------------------------------------------

    def _take_event(self, number: int, at: datetime | None, payload: Mapping[str, Any]) -> None:
        kind = payload.get("type")
        text = as_text(payload.get("message")) or ""
        if kind == "user_message":
            images = len(as_list(payload.get("images"))) + len(as_list(payload.get("local_images")))
            if payload.get("kind") not in ("user_instructions", "environment_context"):
                self._tell(Told("user", number, at, text, images))
        elif kind == "agent_message":
            self._tell(Told("reply", number, at, text, model=self._model))
        elif kind in ("task_started", "turn_started"):
            self._tell(Told("turn", number, at))
        elif kind in ("task_complete", "turn_complete"):
            self._tell(Told("end", number, at))
        elif kind == "turn_aborted":
            self._tell(Told("stop" if payload.get("reason") in _STOPS else "end", number, at))
        elif kind == "entered_review_mode":
            self._tell(Told("review", number, at, as_text(as_dict(payload.get("target")).get("instructions")) or ""))
        elif kind == "thread_rolled_back":
            if self._once(kind, at, ""):
                self._entries.append(TakenBack(number, at, as_count(payload.get("num_turns")) or 0))
        elif kind == "token_count":
            if usage := as_dict(as_dict(payload.get("info")).get("total_token_usage")):
                self._usages.append((at, usage))
        elif kind in ("patch_apply_end", "exec_command_end"):
            self._ended[str(payload.get("call_id"))] = payload

    # --- items ----------------------------------------------------------------------------------

    def _take_item(self, number: int, at: datetime | None, payload: Mapping[str, Any]) -> None:
        kind = payload.get("type")
        call_id = payload.get("call_id") or payload.get("id")
        if kind == "message":
            self._take_message(number, at, payload)
        elif kind == "function_call":
            self._call(number, at, call_id, payload.get("name"), _arguments(payload.get("arguments")))
        elif kind == "custom_tool_call":
            self._call(number, at, call_id, payload.get("name"), payload.get("input"))
        elif kind == "local_shell_call":
            self._call(number, at, call_id, "local_shell", payload.get("action"))
        elif kind == "web_search_call":
            self._call(number, at, call_id or f"web-search-{number}", "web_search", payload.get("action"))
        elif kind in ("function_call_output", "custom_tool_call_output"):
            self._outcome(number, at, call_id, payload.get("output"))

    def _take_message(self, number: int, at: datetime | None, payload: Mapping[str, Any]) -> None:
        content = payload.get("content")
        parts = [{"text": content}] if isinstance(content, str) else list(dicts(content))
        texts = [text for part in parts if (text := as_text(part.get("text")))]
        if payload.get("role") == "assistant":
            self._tell(Told("reply", number, at, "\n".join(texts), model=self._model, item=True))
        elif payload.get("role") == "user":
            typed = [text for text in texts if self._is_typed(number, at, text)]
            images = sum(part.get("type") == "input_image" for part in parts)
            if typed or images:
                self._tell(Told("user", number, at, "\n".join(typed), images, item=True))

    def _is_typed(self, number: int, at: datetime | None, text: str) -> bool:
        """Whether the person typed some of the text; all of a program's is noted."""
        said = take_apart(text)
        if said.text:
            return not said.text.startswith(("<image", "</image>"))
        if said.aborted:
            self._tell(Told("stop", number, at, item=True))
        for kind, shown in said.notices:
            self._notice(number, at, kind, shown)
        return False

    def _call(self, number: int, at: datetime | None, call_id: object, name: object, arguments: object) -> None:
        if not isinstance(call_id, str) or not isinstance(name, str):
            self._source.problem(number, "a call without a name or an id")
            return
        call = make_call(number, at, call_id, name, arguments)
        self._entries.append(as_patch(call, call.command or call.input.get("input")))

    def _outcome(self, number: int, at: datetime | None, call_id: object, output: object) -> None:
        if not isinstance(call_id, str):
            self._source.problem(number, "an output without the id of its call")
            return
        said = read_output(output)
        self._entries.append(
            Outcome(record=number, at=at, call_id=call_id, status=said.status, text=said.text, exit_code=said.exit_code)
        )

    # --- entries --------------------------------------------------------------------------------

    def _tell(self, told: Told) -> None:
        if self._once(f"{told.kind} {told.item}", told.at, told.text):
            self._entries.append(told)

    def _notice(self, number: int, at: datetime | None, kind: NoticeKind, text: str) -> None:
        if text.strip() and self._once(kind, at, text):
            self._entries.append(Notice(record=number, at=at, kind=kind, text=text))

    def _once(self, kind: str, at: datetime | None, text: str) -> bool:
        """Whether this is no repetition of a record: of one kind, at one time, with one text."""
        if at is None:
            return True
        key = (kind, at, text)
        if key in self._seen:
            return False
        self._seen.add(key)
        return True


def _arguments(text: object) -> object:
    if not isinstance(text, str):
        return text
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text
