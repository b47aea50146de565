"""Our own form of a session, as it is stored: one JSON object a line.

The first line of a session has its origin, tokens and problems, and the version; each further line is an event. A file
may hold several sessions, one after the other.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import orjson

from swe_together.errors import SessionFileError
from swe_together.files import write_atomically
from swe_together.pipeline.sessions._model import (
    VERSION,
    Call,
    Event,
    Format,
    Human,
    Interrupt,
    Notice,
    Origin,
    Outcome,
    Problem,
    Reply,
    Session,
    Tokens,
)
from swe_together.pipeline.sessions._source import Head, Source, shape_told
from swe_together.pipeline.sessions._times import parse_time

NAME: Final[Format] = "swe-together"
_KINDS: Final[dict[str, type[Event]]] = {
    "human": Human,
    "reply": Reply,
    "call": Call,
    "outcome": Outcome,
    "interrupt": Interrupt,
    "notice": Notice,
}
_TEXTS: Final = ("text", "call_id", "tool")
_NAMES: Final = {kind: name for name, kind in _KINDS.items()}


def sniff(head: Head) -> bool:
    """Whether the first record says so."""
    return bool(head.records) and head.records[0].get("format") == NAME and "origin" in head.records[0]


def write_sessions(path: Path, sessions: Iterable[Session]) -> None:
    """Write a file of sessions, whole or not at all."""
    write_atomically(path, b"".join(line for session in sessions for line in session_lines(session)).decode())


def session_lines(session: Session) -> Iterator[bytes]:
    """The session's lines, each with its line break."""
    yield _line(
        {
            "format": NAME,
            "version": session.version,
            "origin": asdict(session.origin),
            "tokens": asdict(session.tokens),
            "problems": [asdict(problem) for problem in session.problems],
        }
    )
    for event in session.events:
        yield _line({"event": _NAMES[type(event)], **_fields(event)})


def read(source: Source) -> Iterator[Session]:
    """The file's sessions.

    Raises:
        SessionFileError: A session was written in another version, or has no readable first line.
    """
    header: Mapping[str, Any] | None = None
    events: list[Event] = []
    for number, record in source.records():
        if record.get("format") == NAME:
            if header is not None:
                yield _session(source, header, events)
            header, events = record, []
        elif header is None:
            source.problem(number, "an event before the first session")
        else:
            try:
                events.append(_event(record))
            except (KeyError, TypeError) as error:
                source.problem(number, f"no event: {shape_told(error)}")
    if header is not None:
        yield _session(source, header, events)


def _session(source: Source, header: Mapping[str, Any], events: list[Event]) -> Session:
    if header.get("version") != VERSION:
        raise SessionFileError(
            f"{source.path}: sessions of version {header.get('version')!r}; this program reads {VERSION}.",
            "Import the recorded session again.",
        )
    try:
        origin = Origin(**{**header["origin"], **_tuples(header["origin"])})
        tokens = Tokens(**header["tokens"])
        problems = tuple(Problem(**problem) for problem in header["problems"])
    except (KeyError, TypeError) as error:
        raise SessionFileError(
            f"{source.path}: the first line of a session is damaged: {error}.", "Import the recorded session again."
        ) from error
    found = tuple(source.problems)
    source.problems.clear()
    return Session(origin=origin, events=tuple(events), tokens=tokens, problems=problems + found)


def _tuples(origin: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) for name, value in origin.items() if isinstance(value, list)}


def _event(record: Mapping[str, Any]) -> Event:
    values = dict(record)
    kind = _KINDS[values.pop("event")]
    for name in _TEXTS:
        if not isinstance(values.get(name, ""), str):
            raise TypeError(f"{name} is a JSON {type(values[name]).__name__}")
    return kind(**{**values, "at": parse_time(values["at"])})


def _fields(event: Event) -> dict[str, Any]:
    # Not asdict: it would copy the arguments of every call.
    return {name: getattr(event, name) for name in type(event).__slots__}


def _line(value: Mapping[str, Any]) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS)
