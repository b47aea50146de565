"""Findings: made in one place, so that kind, severity and quote are always told the same way."""

from typing import Final, Literal

from swe_together.schema import AuditFinding, AuditKind
from swe_together.simulator.audit._input import Decided

QUOTE_CHARS: Final = 200

_MINOR: Final = frozenset({AuditKind.LENGTH, AuditKind.FABRICATED_USER, AuditKind.SAME_FAMILY})
"""Nothing that a simulated user never does: for a reader to weigh."""


def found(
    kind: AuditKind,
    turn: int | None,
    quote: str,
    detail: str,
    *,
    minor: bool = False,
    about: Literal["user", "agent", "run"] = "user",
) -> AuditFinding:
    """A finding with the severity of its kind.

    Args:
        kind: What was found.
        turn: The agent turn before it.
        quote: The words it was found in; shortened.
        detail: What is wrong, as a sentence.
        minor: Less than its kind, because the rules allow it or the records can't settle it.
        about: Whose doing it is.
    """
    severity: Literal["severe", "minor"] = "minor" if minor or kind in _MINOR else "severe"
    return AuditFinding(turn=turn, kind=kind, severity=severity, about=about, quote=shown(quote), detail=detail)


def quoted(record: Decided) -> str:
    """What a decision is quoted by: its message, or the end of the reply that it left."""
    if record.decision.message is not None:
        return record.decision.message
    reply = " ".join(record.observation.reply.split())
    return reply if len(reply) <= QUOTE_CHARS else f"…{reply[-QUOTE_CHARS + 1 :]}"


def shown(text: str) -> str:
    """One line of at most ``QUOTE_CHARS`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= QUOTE_CHARS else f"{line[: QUOTE_CHARS - 1]}…"
