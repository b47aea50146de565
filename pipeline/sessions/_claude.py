"""Claude Code's records, turned into events. The file itself is read by ``formats/claude_code.py``."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from swe_together.pipeline.sessions._claude_results import outcome_of
from swe_together.pipeline.sessions._model import (
    Call,
    Channel,
    Event,
    Human,
    Interrupt,
    Notice,
    NoticeKind,
    Origin,
    Reply,
    Session,
)
from swe_together.pipeline.sessions._queue import Queue
from swe_together.pipeline.sessions._repository import repository_of
from swe_together.pipeline.sessions._source import Source, shape_told
from swe_together.pipeline.sessions._times import parse_time
from swe_together.pipeline.sessions._tools import make_call
from swe_together.pipeline.sessions._usage import Usage
from swe_together.pipeline.sessions._usertext import INTERRUPT, answer_text, events_of, rejection_text, take_apart

_ALLOWED: Final = frozenset({"edit", "write", "patch", "run", "web", "plan", "delegate", "other"})
"""Calls that a person can be asked to allow, and then may add a remark to."""
_NO_REMARK: Final = frozenset({"Skill", "ToolSearch"})
_PROGRAM_REMARKS: Final = ("Tool loaded.", "[", "<")
_NOTED: Final = ("version", "cwd", "gitBranch")
_ITSELF: Final = ("CronCreate", "ScheduleWakeup")
"""Tools by which the agent has a prompt entered later."""


class ClaudeLog:
    """Takes the records of one log and makes a session of them. A record that is seen again counts once."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._events: list[Event] = []
        self._seen: set[str] = set()
        self._calls: dict[str, Call] = {}
        self._answered: set[str] = set()
        self._usage = Usage()
        self._queue = Queue()
        self._remarks: list[tuple[int, datetime | None, str]] = []
        self._first: dict[str, str] = {}
        self._models: dict[str, None] = {}
        self._noted = False
        self._session = ""
        self._main = self._side = False
        self._agent = ""

    def take(self, number: int, record: Mapping[str, Any]) -> None:
        """Take one record; one of an unknown kind is passed over, one of an impossible shape is reported."""
        try:
            kind = record.get("type")
            if kind == "assistant" or kind == "user" or kind == "attachment":
                self._take_graph(number, record, kind)
            elif kind == "queue-operation":
                self._queue.add(number, record)
            elif kind == "pr-link":
                self._note("repository", record.get("prRepository"))
            elif kind == "worktree-state":
                for facts in (record, *(value for value in record.values() if isinstance(value, dict))):
                    self._note("commit", facts.get("originalHeadCommit"))
                    self._note("worktree branch", facts.get("originalBranch"))
        except (AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
            self._source.problem(number, f"a record of an impossible shape: {shape_told(error)}")

    def session(self) -> Session | None:
        """What all records make; None where nothing happened in them."""
        events = self._settled()
        if not events:
            return None
        # A file of a subagent's records alone: the session that they name is the one that started it.
        alone = self._side and not self._main
        origin = Origin(
            format="claude-code",
            file=self._source.name,
            session_id=(self._agent or self._source.path.stem) if alone else self._session or self._source.path.stem,
            parent=self._session or None if alone else None,
            version=self._first.get("version"),
            cwd=self._first.get("cwd"),
            branch=self._first.get("worktree branch") or self._first.get("gitBranch"),
            commit=self._first.get("commit"),
            repository=self._first.get("repository") or repository_of(events),
            models=tuple(self._models),
        )
        return Session(origin=origin, events=events, tokens=self._usage.tokens(), problems=tuple(self._source.problems))

    def _note(self, name: str, value: object) -> None:
        if isinstance(value, str) and value and name not in self._first:
            self._first[name] = value

    def _take_graph(self, number: int, record: Mapping[str, Any], kind: str) -> None:
        uuid = record.get("uuid")
        if uuid in self._seen:
            return
        if uuid is not None:
            self._seen.add(uuid)
        side = record.get("isSidechain") is True
        session = record.get("sessionId")
        if side or not self._main or session != self._session:
            self._note_session(session, side, record)
        if not self._noted:
            for name in _NOTED:
                self._note(name, record.get(name))
            self._noted = all(name in self._first for name in _NOTED)
        at = parse_time(record.get("timestamp"))
        if kind == "assistant":
            self._take_assistant(number, at, record, side)
        elif kind == "user":
            self._take_user(number, at, record, side)
        elif not side:
            self._take_attachment(number, at, record["attachment"])

    def _note_session(self, session: object, side: bool, record: Mapping[str, Any]) -> None:
        if side:
            self._side = True
            agent = record.get("agentId")
            if not self._agent and isinstance(agent, str):
                self._agent = agent
        else:
            self._main = True
        if isinstance(session, str) and not (side and self._main):
            self._session = session

    # --- the agent ------------------------------------------------------------------------------

    def _take_assistant(self, number: int, at: datetime | None, record: Mapping[str, Any], side: bool) -> None:
        message = record["message"]
        model = message.get("model")
        made_up = model == "<synthetic>" or record.get("isApiErrorMessage") is True
        if isinstance(model, str) and not made_up:
            self._models[model] = None
        else:
            model = None
        if not made_up:
            self._usage.add(message.get("id") or record.get("uuid") or f"line {number}", message.get("usage"))
        content = message.get("content")
        for block in _as_blocks(content):
            kind = block.get("type")
            if kind == "text":
                text = block["text"]
                if not text or text.isspace():
                    continue
                if made_up:
                    self._notice(number, at, "synthetic", text)
                elif not side:
                    self._events.append(Reply(record=number, at=at, text=text, model=model))
            elif kind == "tool_use" and block["id"] not in self._calls:
                call = make_call(number, at, str(block["id"]), str(block["name"]), block.get("input"))
                self._calls[call.call_id] = call
                self._events.append(call)

    # --- the user's place -----------------------------------------------------------------------

    def _take_user(self, number: int, at: datetime | None, record: Mapping[str, Any], side: bool) -> None:
        content = record["message"]["content"]
        blocks = _as_blocks(content)
        if len(blocks) == 1 and blocks[0].get("type") == "tool_result":  # nine of ten
            self._take_result(number, at, record, blocks[0], side)
            return
        results = [block for block in blocks if block.get("type") == "tool_result"]
        for block in results:
            self._take_result(number, at, record, block, side)
        texts = [str(block.get("text") or "") for block in blocks if block.get("type") == "text"]
        if results or record.get("sourceToolAssistantUUID"):
            self._take_beside(number, at, record, results, texts, side)
            return
        kind = _kind_of_program(record, side)
        if kind is not None:
            text = "\n".join(texts)
            if kind == "other":
                kind = _told_by_text(text) or kind
            if text.strip():
                self._notice(number, at, kind, text)
            return
        images = sum(block.get("type") == "image" for block in blocks)
        self._events += events_of(number, at, texts, images)

    def _take_result(
        self, number: int, at: datetime | None, record: Mapping[str, Any], block: Mapping[str, Any], side: bool
    ) -> None:
        call_id = str(block.get("tool_use_id"))
        if call_id in self._answered:
            return
        self._answered.add(call_id)
        call = self._calls.get(call_id)
        outcome = outcome_of(number, at, call_id, call, block, record.get("toolUseResult"))
        self._events.append(outcome)
        if side:
            return
        if outcome.status == "rejected":
            feedback = record.get("userFeedback")
            said = feedback.strip() if isinstance(feedback, str) else rejection_text(outcome.text)
            if said:
                self._events.append(Human(record=number, at=at, text=said, channel="rejection"))
        elif outcome.status == "aborted" and outcome.text.startswith(INTERRUPT):
            self._events.append(Interrupt(record=number, at=at))
        if call is None or call.action == "ask":
            answer = answer_text(record.get("toolUseResult"))
            if answer:
                self._events.append(Human(record=number, at=at, text=answer, channel="answer"))

    def _take_beside(
        self,
        number: int,
        at: datetime | None,
        record: Mapping[str, Any],
        results: list[dict[str, Any]],
        texts: list[str],
        side: bool,
    ) -> None:
        """Texts beside a tool's result: a person's remark on a call that they allowed, or a program's."""
        calls = [self._calls.get(str(block.get("tool_use_id"))) for block in results]
        asked = [call for call in calls if call and call.action in _ALLOWED and call.tool not in _NO_REMARK]
        failed = any(block.get("is_error") for block in results)
        for text in texts:
            if not text or text.isspace():
                continue
            if asked and not failed and not side and not record.get("isMeta") and not text.startswith(_PROGRAM_REMARKS):
                self._remarks.append((number, at, text))
            else:
                self._notice(number, at, "other", text)

    def _take_attachment(self, number: int, at: datetime | None, attachment: Mapping[str, Any]) -> None:
        if attachment.get("type") != "queued_command":
            return
        prompt = attachment["prompt"]
        blocks = _as_blocks(prompt)
        texts = [str(block.get("text") or "") for block in blocks if block.get("type") == "text"]
        if attachment.get("commandMode") != "prompt" or _kind_of_program(attachment, False) is not None:
            self._notice(number, at, "notification", "\n".join(texts))
            return
        images = sum(block.get("type") == "image" for block in blocks)
        text = "\n".join(filter(None, (take_apart(text).text for text in texts)))
        if text.strip():
            self._events.append(Human(record=number, at=at, text=text, channel="queued", images=images))

    def _notice(self, number: int, at: datetime | None, kind: NoticeKind, text: str) -> None:
        self._events.append(Notice(record=number, at=at, kind=kind, text=text))

    # --- all of it ------------------------------------------------------------------------------

    def _settled(self) -> tuple[Event, ...]:
        events = self._events
        entered = self._queue.entered()
        for number, at, text in self._remarks:
            channel: Channel = "queued" if text.strip() in entered else "approval"
            events.append(Human(record=number, at=at, text=text, channel=channel))
        itself = {str(call.input.get("prompt")).strip() for call in self._calls.values() if call.tool in _ITSELF}
        humans = [event for event in events if isinstance(event, Human)]
        alone, twice = self._queue.settle(humans, frozenset(itself) | _program_texts(events))
        kept: list[Event] = [event for event in events if id(event) not in twice] if twice else events
        kept += alone
        # In order already, but for what was only known at the end.
        kept.sort(key=_order)
        return tuple(kept)


def _as_blocks(content: Any) -> list[Any]:
    """The blocks of a message's content, which may be one text.

    Raises:
        TypeError: It is neither.
    """
    if isinstance(content, list):
        return content
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    raise TypeError(f"content is of type {type(content).__name__}")


def _order(event: Event) -> tuple[int, bool]:
    """By record; what a person said beside a tool's result comes after it."""
    return event.record, isinstance(event, Human)


def _program_texts(events: Iterable[Event]) -> frozenset[str]:
    return frozenset(event.text.strip() for event in events if isinstance(event, Notice))


def _kind_of_program(record: Mapping[str, Any], side: bool) -> NoticeKind | None:
    """What the record's own marks say it is; None where a person may have typed it."""
    if record.get("isCompactSummary"):
        return "summary"
    if side or record.get("isMeta") or record.get("isVisibleInTranscriptOnly"):
        return "other"
    origin = record.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else None
    if kind is not None and kind != "human":
        return "notification" if "notification" in str(kind) else "other"
    return None


def _told_by_text(text: str) -> NoticeKind | None:
    notices = take_apart(text).notices
    if notices:
        return notices[0][0]
    return "expansion" if text.startswith("#") else None
