"""Whole files before and after a turn, which opencode keeps with the message that began it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from swe_together.pipeline.sessions._model import Call, Event, Outcome
from swe_together.pipeline.sessions._values import as_text

_CHANGES: Final = ("write", "edit", "patch")


def fill_contents(events: list[Event], turns: Sequence[tuple[int, Sequence[Mapping[str, Any]]]]) -> None:
    """Give the first change of a file in a turn what it held before, and the last what it holds after.

    Contents that a call recorded itself stay.

    Args:
        events: A session's events; outcomes are replaced in it.
        turns: For each turn where its events begin and its ``{file, before, after}``.
    """
    for turn, (start, diffs) in enumerate(turns, 1):
        if diffs:
            end = turns[turn][0] if turn < len(turns) else len(events)
            _fill_turn(events, range(start, end), diffs)


def _fill_turn(events: list[Event], places: range, diffs: Sequence[Mapping[str, Any]]) -> None:
    paths = {
        event.call_id: event.path.replace("\\", "/")
        for place in places
        if isinstance(event := events[place], Call) and event.action in _CHANGES and event.path
    }
    for diff in diffs:
        file = as_text(diff.get("file"))
        if file is None:
            continue
        changes = [
            place
            for place in places
            if isinstance(event := events[place], Outcome)
            and event.status == "ok"
            and _is_same(paths.get(event.call_id), file)
        ]
        if changes:
            _set(events, changes[0], "before", as_text(diff.get("before")))
            _set(events, changes[-1], "after", as_text(diff.get("after")))


def _is_same(path: str | None, file: str) -> bool:
    return path is not None and (path == file or path.endswith(f"/{file}"))


def _set(events: list[Event], place: int, name: str, content: str | None) -> None:
    outcome = events[place]
    if isinstance(outcome, Outcome) and content is not None and getattr(outcome, name) is None:
        events[place] = replace(outcome, **{name: content})  # type: ignore[arg-type]
