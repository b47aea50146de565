"""Recorded sessions of coding agents, read into one normal form."""

from swe_together.pipeline.sessions._model import (
    VERSION,
    ActionKind,
    Call,
    Channel,
    Event,
    Format,
    Human,
    Interrupt,
    Notice,
    NoticeKind,
    Origin,
    Outcome,
    OutcomeStatus,
    Problem,
    Reply,
    Session,
    Tokens,
)
from swe_together.pipeline.sessions._places import Place, find_sessions
from swe_together.pipeline.sessions._registry import read_sessions, sniff_format
from swe_together.pipeline.sessions._source import Head, Source
from swe_together.pipeline.sessions.formats.store import session_lines, write_sessions

__all__ = [
    "VERSION",
    "ActionKind",
    "Call",
    "Channel",
    "Event",
    "Format",
    "Head",
    "Human",
    "Interrupt",
    "Notice",
    "NoticeKind",
    "Origin",
    "Outcome",
    "OutcomeStatus",
    "Place",
    "Problem",
    "Reply",
    "Session",
    "Source",
    "Tokens",
    "find_sessions",
    "read_sessions",
    "session_lines",
    "sniff_format",
    "write_sessions",
]
