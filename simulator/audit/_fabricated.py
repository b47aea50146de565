"""Whether an agent wrote the user's words itself: a turn of the user inside its own output."""

import re
from collections.abc import Sequence
from typing import Final

from swe_together.simulator._state import same_words
from swe_together.simulator.guards._text import words

_TEMPLATE = re.compile(
    r"<\|im_start\|>\s*user\b|<\|start_header_id\|>\s*user\b|<\|(?:user|human)\|>|<(?:start_of_turn)>\s*user\b",
    re.IGNORECASE,
)
"""Marks by which chat templates begin a user's turn. Nobody writes them by chance."""
_ROLE: Final = r"[\[(]?(?:{names})(?: (?:message|reply|turn))?[\])]?"
_USER = re.compile(
    rf"(?:\*\*|__)?{_ROLE.format(names='User|USER|Human|HUMAN')}(?:\*\*|__)?\s?:(?:\*\*|__)?[ \t]*(?P<rest>.*)"
)
_HEADING = re.compile(rf"#{{1,6}}\s+{_ROLE.format(names='User|USER|Human|HUMAN')}\s*:?\s*")
_ANSWER = re.compile(
    rf"(?:#{{1,6}}\s+|\*\*|__)?{_ROLE.format(names='Assistant|ASSISTANT|Agent|AGENT|AI|Claude|Model')}"
    r"(?:\*\*|__)?\s?(?::|$)"
)
_LABEL = re.compile(r"[A-Z][\w ]{0,24}:\s+\S")
_DEFINES = re.compile(r"(?:an?|the|is|represents|describes|stores|holds|contains)\b", re.IGNORECASE)
_FENCE = ("```", "~~~")
_MIN_WORDS = 3
_SHOWN_CHARS = 160


def fabricated_user(text: str, said: Sequence[str] = ()) -> str | None:
    """The beginning of a user's turn that the agent made up; None where there is none.

    A line that opens a turn ("User: …", "### Human", the marks of chat templates) outside of code and quotations, with
    words behind it that the user hasn't said. A label among others (``User:``, ``Host:``) and a definition is none,
    unless a turn of the assistant follows.

    Args:
        text: What the agent said in a turn, its reasoning left out.
        said: What the user has really said so far.
    """
    if (mark := _TEMPLATE.search(text)) is not None:
        return _shown(text[mark.start() :])
    lines = _prose(text)
    real = [same_words(message) for message in said]
    for place, line in enumerate(lines):
        spoken = _opens(lines, place)
        if spoken is None or any(same_words(spoken) in message for message in real):
            continue
        answered = any(_ANSWER.match(later) for later in lines[place + 1 :])
        if answered or (len(words(spoken)) >= _MIN_WORDS and not _describes(lines, place, spoken)):
            return _shown(line if spoken in line else f"{line} {spoken}")
    return None


def _opens(lines: Sequence[str], place: int) -> str | None:
    """The words of a user's turn that a line opens: on the line itself, or on the next one."""
    opened = _USER.fullmatch(lines[place])
    heading = _HEADING.fullmatch(lines[place])
    if opened is None and heading is None:
        return None
    rest = opened["rest"].strip() if opened is not None else ""
    following = lines[place + 1].lstrip("> ") if place + 1 < len(lines) else ""
    return rest or (None if not following or _ANSWER.match(following) else following)


def _describes(lines: Sequence[str], place: int, spoken: str) -> bool:
    beside = [lines[other] for other in (place - 1, place + 1) if 0 <= other < len(lines)]
    labels = any(_LABEL.match(line) and _USER.fullmatch(line) is None for line in beside)
    return labels or _DEFINES.match(spoken) is not None


def _prose(text: str) -> list[str]:
    """Lines that aren't empty, without code. A quoted one keeps its mark, so that it opens no turn."""
    kept: list[str] = []
    fence = ""
    for line in text.splitlines():
        bare = line.strip()
        if fence:
            fence = "" if bare.startswith(fence) else fence
        elif bare.startswith(_FENCE):
            fence = bare[:3]
        elif bare and not line.startswith(("    ", "\t")):
            kept.append(bare)
    return kept


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN_CHARS else f"{line[: _SHOWN_CHARS - 1]}…"
