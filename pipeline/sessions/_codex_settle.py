"""What a Codex rollout's records tell, put together when all of them are known."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from swe_together.pipeline.sessions._codex_text import answers_of, take_apart
from swe_together.pipeline.sessions._gather import Gathered
from swe_together.pipeline.sessions._model import Call, Notice, Outcome, Tokens
from swe_together.pipeline.sessions._values import as_count, as_dict, as_exit, plus


@dataclass(frozen=True, slots=True)
class Told:
    """A message, or the bounds of a turn."""

    kind: Literal["turn", "end", "stop", "user", "reply", "review"]
    record: int
    at: datetime | None
    text: str = ""
    images: int = 0
    model: str | None = None
    item: bool = False
    """Told by what the model got or gave, not by an event: it counts where the event is missing."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The person took the last turns back."""

    record: int
    at: datetime | None
    turns: int


Entry = Told | TakenBack | Call | Outcome | Notice


class Settling:
    """Adds a rollout's entries to a session.

    The same message stands in a rollout twice, as an event and as the item that the model got; tools' and programs'
    texts are items alone. So messages are taken from the events, and from items where a file has none, or where one
    may have been in a line that is broken.

    Args:
        gathered: Takes the events.
        ended: By call, what an event told about its end.
        damaged: Records of the file could not be read.
    """

    def __init__(self, gathered: Gathered, ended: Mapping[str, Mapping[str, Any]], *, damaged: bool) -> None:
        self._gathered = gathered
        self._ended = ended
        self._damaged = damaged
        self._starts: list[int] = []
        """Where the turns that the person began stand."""
        self._begun: int | None = None
        self._said = False

    def add(self, entries: Iterable[Entry]) -> None:
        """Add all entries, in order."""
        entries = list(entries)
        events = [entry for entry in entries if isinstance(entry, Told) and not entry.item]
        kinds = {entry.kind for entry in events}
        texts = Counter(entry.text.strip() for entry in events if entry.kind == "user")
        for entry in entries:
            if isinstance(entry, Told):
                if not entry.item or entry.kind not in kinds or self._is_lost(entry, texts):
                    self._tell(entry)
            elif isinstance(entry, TakenBack):
                self._take_back(entry)
            elif isinstance(entry, Call):
                self._gathered.call(entry)
            elif isinstance(entry, Outcome):
                self._end(entry)
            else:
                self._gathered.events.append(entry)

    def _is_lost(self, item: Told, texts: Counter[str]) -> bool:
        """Whether the event that told the same message is missing."""
        if item.kind != "user" or not self._damaged:
            return False
        text = item.text.strip()
        texts[text] -= 1
        return texts[text] < 0

    def _tell(self, entry: Told) -> None:
        gathered = self._gathered
        if entry.kind == "turn":
            self._begun, self._said = len(gathered.events), False
        elif entry.kind == "end":
            self._begun, self._said = None, False
        elif entry.kind == "stop":
            self._begun, self._said = None, False
            gathered.interrupt(entry.record, entry.at)
        elif entry.kind == "reply":
            gathered.reply(entry.record, entry.at, entry.text, entry.model)
        elif entry.kind == "review":
            gathered.human(entry.record, entry.at, entry.text, "command", command="/review")
        else:
            self._say(entry)

    def _say(self, entry: Told) -> None:
        gathered = self._gathered
        queued = self._said
        if not queued:
            self._starts.append(len(gathered.events) if self._begun is None else self._begun)
        # Only where turns are marked can a second message in one be told from the first of the next.
        self._said = self._begun is not None
        said = take_apart(entry.text)
        for kind, shown in said.notices:
            gathered.notice(entry.record, entry.at, kind, shown)
        if said.text.strip():
            gathered.human(entry.record, entry.at, said.text, "queued" if queued else "typed", images=entry.images)
        elif entry.images and not said.notices:
            gathered.notice(entry.record, entry.at, "other", "[image]")

    def _take_back(self, entry: TakenBack) -> None:
        turns = min(entry.turns, len(self._starts))
        if turns:
            del self._gathered.events[self._starts[-turns] :]
            del self._starts[-turns:]
            self._begun, self._said = None, False
            self._gathered.notice(entry.record, entry.at, "other", f"turns taken back: {turns}")

    def _end(self, outcome: Outcome) -> None:
        """Add an outcome, with what the event of the same call tells besides."""
        end = self._ended.get(outcome.call_id, {})
        success = end.get("success")
        code = as_exit(end.get("exit_code"))
        if outcome.status is None and code is not None:
            outcome = replace(outcome, status="ok" if code == 0 else "failed", exit_code=code)
        elif outcome.status is None and isinstance(success, bool):
            outcome = replace(outcome, status="ok" if success else "failed")
        changes = list(as_dict(end.get("changes")).values())
        if len(changes) == 1 and outcome.status == "ok":
            # A file that was added or deleted stands there whole.
            before, after = _content(changes[0], "delete"), _content(changes[0], "add")
            outcome = replace(outcome, before=before, after=after)
        call = self._gathered.calls.get(outcome.call_id)
        if self._gathered.outcome(outcome) and call is not None and call.action == "ask":
            self._gathered.human(outcome.record, outcome.at, "\n".join(answers_of(outcome.text)), "answer")


def parent_of(meta: Mapping[str, Any]) -> str | None:
    """The thread that started this one; None of a fork that a person made, for they went on typing in it."""
    source = meta.get("source")
    spawned = source.get("subagent") if isinstance(source, dict) else None
    if spawned is None and meta.get("thread_source") != "subagent":
        return None
    thread = as_dict(as_dict(spawned).get("thread_spawn"))
    known = (thread.get("parent_thread_id"), meta.get("parent_thread_id"), meta.get("forked_from_id"), spawned)
    return next((value for value in known if isinstance(value, str) and value), "not recorded")


def sum_tokens(usages: list[tuple[datetime | None, Mapping[str, Any]]]) -> Tokens:
    """The last of counts that grow; where they began anew, the last of each row."""
    ordered = [(str(at), usage) for at, usage in usages]
    if all(at is not None for at, _ in usages):
        ordered.sort(key=lambda one: one[0])
    closed = last = Tokens()
    for _, usage in ordered:
        count = Tokens(
            input=as_count(usage.get("input_tokens")),
            cached=as_count(usage.get("cached_input_tokens")),
            output=as_count(usage.get("output_tokens")),
            reasoning=as_count(usage.get("reasoning_output_tokens")),
        )
        if (count.input or 0) + (count.output or 0) < (last.input or 0) + (last.output or 0):
            closed = _plus(closed, last)
        last = count
    return _plus(closed, last)


def _plus(one: Tokens, other: Tokens) -> Tokens:
    return Tokens(
        input=plus(one.input, other.input),
        cached=plus(one.cached, other.cached),
        output=plus(one.output, other.output),
        reasoning=plus(one.reasoning, other.reasoning),
    )


def _content(change: object, kind: str) -> str | None:
    """The content in ``{"add": {"content": …}}`` or ``{"type": "add", "content": …}``."""
    given = as_dict(change)
    inner = given.get(kind) if kind in given else given if given.get("type") == kind else None
    content = as_dict(inner).get("content")
    return content if isinstance(content, str) else None
