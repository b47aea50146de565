"""Texts of opencode's sessions: slash commands that were expanded, and what a refusal says."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from swe_together.pipeline.sessions._values import as_dict

SHELL: Final = "The following tool was executed by the user"
_REJECTED: Final = "The user rejected permission to use this specific tool call"
_DISMISSED: Final = "The user dismissed this question"
_FEEDBACK: Final = " with the following feedback: "
_ABORTED: Final = ("Tool execution aborted", "User aborted the command", "Command aborted by user")
_TITLE: Final = re.compile(r"#\s+(.+)")
_STRUCTURE: Final = ("#", "|", "```", "- ", "* ", ">")
"""What the last block of a command's own text may begin with; given arguments seldom do."""


@dataclass(frozen=True, slots=True)
class Expanded:
    """A slash command whose text stands in the person's place."""

    command: str
    arguments: str


def expanded(text: str, sources: Sequence[dict[str, Any]]) -> Expanded | None:
    """The slash command that ``text`` is the body of; None where it was typed.

    opencode puts a command's body in the place of what was typed, without a mark. Two things tell it: the file
    mentions keep the places that they had in the typed line, and many a body has its name as title and in its examples
    of use. Without either, the text passes for typed.

    Args:
        text: The message's text.
        sources: ``{value, start, end}`` of the mentions in it: their text and where it was typed, in UTF-16 units.
    """
    for source in sources:
        value, start = source.get("value"), source.get("start")
        if isinstance(value, str) and value and isinstance(start, int):
            if _typed_at(text, start, value):
                return None
            found = _by_place(text, value, start)
            if found is not None:
                return found
    return _by_title(text)


def mentions(parts: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Where files and agents are named in a message, as its parts say."""
    sources = (as_dict(part.get("source")) for part in parts)
    return [as_dict(source.get("text")) or source for source in sources if source]


def rejection(error: str) -> str | None:
    """What the person said when they refused a call; empty where nothing, None where they did not refuse."""
    if error.startswith(_REJECTED):
        return error.partition(_FEEDBACK)[2].strip()
    return "" if _DISMISSED in error[:100] else None


def is_aborted(text: str) -> bool:
    """Whether an output says that the call was stopped."""
    return any(mark in text[-300:] for mark in _ABORTED)


def _typed_at(text: str, start: int, value: str) -> bool:
    units = text.encode("utf-16-le", "surrogatepass")
    return units[2 * start :].startswith(value.encode("utf-16-le", "surrogatepass"))


def _by_place(text: str, value: str, start: int) -> Expanded | None:
    """The arguments are the end of the text from a blank line on, and the line began with the command's name."""
    place = text.rfind(value)
    if place < 0:
        return None
    before = text[:place]
    begin = before.rfind("\n\n") + 2
    length = start - (place - begin) - 1
    if begin < 2 or length < 2:
        return None
    name = re.search(rf"(?<![\w/])/[\w:./-]{{{length - 1}}}(?![\w/-])", text[:begin])
    return Expanded(name.group(), text[begin:].strip()) if name else None


def _by_title(text: str) -> Expanded | None:
    title = _TITLE.match(text)
    if title is None:
        return None
    name = "/" + re.sub(r"[^a-z0-9]+", "-", title.group(1).lower()).strip("-")
    if not re.search(rf"(?<![\w/]){re.escape(name)}(?![\w/-])", text):
        return None
    last = text.rstrip().rpartition("\n\n")[2]
    return Expanded(name, "" if last.startswith(_STRUCTURE) else last.strip())
