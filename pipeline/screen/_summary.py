"""A session on a page: what was said, what was done, of bounded size whatever its length."""

from collections.abc import Sequence
from typing import Final

from swe_together.pipeline.base import Turn, turns_of
from swe_together.pipeline.sessions import Call, Outcome, Session
from swe_together.providers import clean, cut_line, fenced, fit

SUMMARY_CHARS: Final = 24_000
"""Of all that a model is shown of a session; the longest parts are cut first."""
TURNS: Final = 40
"""Of a longer session the first and the last ones are shown."""
PATHS: Final = 12
COMMANDS: Final = 8
COMMAND_CHARS: Final = 160


def summary_of(session: Session, turns: Sequence[Turn] | None = None) -> str:
    """The page.

    Args:
        session: The session.
        turns: Its turns, where the caller has cut them already.
    """
    turns = turns_of(session) if turns is None else turns
    shown = list(turns) if len(turns) <= TURNS else [*turns[: TURNS // 2], *turns[-TURNS // 2 :]]
    texts = fit([clean(text) for turn in shown for text in (turn.text, turn.reply)], SUMMARY_CHARS)
    parts = [_facts(session, turns)]
    for place, turn in enumerate(shown):
        if place and turn.number != shown[place - 1].number + 1:
            parts.append(f"({turn.number - shown[place - 1].number - 1} messages are left out)")
        parts.append(_turn(turn, texts[2 * place], texts[2 * place + 1]))
    return "\n\n".join(parts)


def _facts(session: Session, turns: Sequence[Turn]) -> str:
    calls = [event for event in session.events if isinstance(event, Call)]
    edits = [call for call in calls if call.action in ("edit", "write", "patch")]
    lines = [
        "# The session",
        f"- recorded by {session.origin.format}",
        f"- messages of the user: {len(turns)}",
        f"- tool calls of the agent: {len(calls)}, edits among them: {len(edits)}",
        f"- files edited: {len({call.path for call in edits})}",
    ]
    if session.started is not None and session.ended is not None:
        lines.append(
            f"- minutes from first to last event: {(session.ended - session.started).total_seconds() / 60:.0f}"
        )
    return "\n".join(lines)


def _turn(turn: Turn, said: str, reply: str) -> str:
    lines = [f"## Message {turn.number}" + (" (the user had stopped the agent)" if turn.stopped else "")]
    lines.append(fenced("user", said))
    edited = list(
        dict.fromkeys(call.path for call in turn.calls if call.action in ("edit", "write", "patch") and call.path)
    )
    if edited:
        more = f" and {len(edited) - PATHS} more" if len(edited) > PATHS else ""
        lines.append(f"Edited: {', '.join(clean(cut_line(path, 120)) for path in edited[:PATHS])}{more}")
    commands = _commands(turn)
    if commands:
        more = f"\n… and {len(commands) - COMMANDS} more" if len(commands) > COMMANDS else ""
        lines.append(f"Ran:\n{fenced('commands', chr(10).join(commands[:COMMANDS]))}{more}")
    if reply.strip():
        lines.append("The agent's last words:\n" + fenced("agent", reply))
    return "\n".join(lines)


def _commands(turn: Turn) -> list[str]:
    ended = {event.call_id: event for event in turn.events if isinstance(event, Outcome)}
    found = []
    for call in turn.calls:
        if call.command is not None:
            outcome = ended.get(call.call_id)
            code = f"  → {outcome.exit_code}" if outcome is not None and outcome.exit_code is not None else ""
            found.append(cut_line(call.command, COMMAND_CHARS) + code)
    return found
