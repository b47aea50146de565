"""Texts of Codex's rollouts: what a program put in the person's place, and what a tool's output says."""

import re
from dataclasses import dataclass
from typing import Any, Final

import orjson

from swe_together.pipeline.sessions._model import NoticeKind, OutcomeStatus
from swe_together.pipeline.sessions._values import as_dict, as_exit, as_list, as_text, joined_text

_REQUEST: Final = "## My request for Codex:"
"""Put by editors between what they add and what the person typed."""
_STARTS: Final[tuple[tuple[str, NoticeKind], ...]] = (
    ("# AGENTS.md instructions", "context"),
    ("<user_instructions>", "context"),
    ("<INSTRUCTIONS>", "context"),
    ("<environment_context>", "context"),
    ("<permissions instructions>", "context"),
    ("<collaboration_mode>", "context"),
    ("<turn_aborted>", "other"),
    ("<user_shell_command>", "shell"),
    ("<skill", "expansion"),
    ("<user_action>", "local-command"),
    ("<subagent_notification>", "notification"),
    ("<hook_prompt", "other"),
    ("Generate a file named AGENTS.md that serves as a contributor guide", "expansion"),
    ("Warning: The maximum number of unified exec processes", "other"),
    ("Warning: apply_patch was requested via", "other"),
    ("Warning: Your account was flagged", "other"),
)
_ENCLOSED: Final = re.compile(r"<([a-z][\w:-]*)(?:\s[^>]*)?>.*</\1>\s*", re.DOTALL)
_ABORTED: Final = "<turn_aborted>"
_EXIT: Final = re.compile(r"^(?:Exit code: |Process exited with code )(-?\d+)$", re.MULTILINE)
_HEAD: Final = 400
_REJECTED: Final = ("exec command rejected by user", "patch rejected by user", "rejected by user")
_PATCHED: Final = "Success. Updated the following files"


@dataclass(frozen=True, slots=True)
class Said:
    """A text of the person's place, taken apart."""

    text: str = ""
    notices: tuple[tuple[NoticeKind, str], ...] = ()
    aborted: bool = False
    """It marks that the turn before was stopped."""


def take_apart(text: str) -> Said:
    """Tell typed text from a program's."""
    start = text.lstrip()
    for prefix, kind in _STARTS:
        if start.startswith(prefix):
            return Said(notices=((kind, text),), aborted=prefix == _ABORTED)
    if start.startswith("<") and _ENCLOSED.fullmatch(start):
        return Said(notices=(("other", text),))
    before, mark, typed = text.rpartition(_REQUEST)
    if mark:
        return Said(typed.strip(), (("context", before),) if before.strip() else ())
    return Said(text)


@dataclass(frozen=True, slots=True)
class Result:
    """What an output says of itself."""

    text: str
    status: OutcomeStatus | None = None
    exit_code: int | None = None


def read_output(output: object) -> Result:
    """An output as it is recorded: a text, a text that is JSON with the exit code in it, or a list of parts."""
    if isinstance(output, dict):
        text = joined_text(output.get("content"))
        success = output.get("success")
        return _judged(text, None, success if isinstance(success, bool) else None)
    text = joined_text(output)
    wrapped = _wrapped(text)
    if wrapped is not None:
        return _judged(joined_text(wrapped.get("output")), as_exit(as_dict(wrapped.get("metadata")).get("exit_code")))
    before, mark, _ = text[:_HEAD].partition("Output:\n")
    found = _EXIT.search(before) if mark else None
    return _judged(text, int(found.group(1)) if found else None)


def answers_of(output: object) -> list[str]:
    """What the person answered to ``request_user_input``: each choice and note, as two questions may have the same."""
    try:
        value = orjson.loads(joined_text(output))
    except orjson.JSONDecodeError:
        return []
    said: list[str] = []
    for answer in as_dict(as_dict(value).get("answers")).values():
        for text in as_list(as_dict(answer).get("answers")):
            text = (as_text(text) or "").removeprefix("user_note: ").strip()
            if text:
                said.append(text)
    return said


def _wrapped(text: str) -> dict[str, Any] | None:
    if not text.startswith("{"):
        return None
    try:
        value = as_dict(orjson.loads(text))
    except orjson.JSONDecodeError:
        return None
    return value if "output" in value and "metadata" in value else None


def _judged(text: str, exit_code: int | None, success: bool | None = None) -> Result:
    start = text.lstrip()[:_HEAD]
    if start.startswith(_REJECTED) or 'Rejected("rejected by user")' in start:
        return Result(text, "rejected")
    if start.startswith("aborted by user") or "aborted by user after" in start[:80]:
        return Result(text, "aborted")
    if exit_code is not None:
        return Result(text, "ok" if exit_code == 0 else "failed", exit_code)
    if success is not None:
        return Result(text, "ok" if success else "failed")
    if start.startswith(_PATCHED):
        return Result(text, "ok")
    return Result(text, "failed" if start.startswith("apply_patch verification failed") else None)
