"""The repository of a session whose record doesn't name it: from what git printed."""

import re
from collections.abc import Iterable
from typing import Final

from swe_together.pipeline.sessions._model import Call, Event, Outcome

_ASKS: Final = re.compile(
    r"\bgit [^|;&\n]{0,100}?\b(?:remote|push|fetch|pull|clone)\b|\bgh [^|;&\n]{0,100}?\b(?:pr|repo)\b"
)
_REMOTE: Final = re.compile(
    r"(?:(?:https?|ssh|git)://(?:[^\s@/]+@)?|[\w.-]+@)?"
    r"(github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)[:/]"
    r"([A-Za-z0-9][\w.-]*/[A-Za-z0-9_.][\w.-]*?)(?:\.git)?(?=[\s/)\"'#?,]|$)"
)


def repository_of(events: Iterable[Event]) -> str | None:
    """``https://HOST/OWNER/NAME`` that commands on the repository's remote printed most; None where none did."""
    asked: set[str] = set()
    counts: dict[str, int] = {}
    for event in events:
        if isinstance(event, Call):
            if event.command and _ASKS.search(event.command):
                asked.add(event.call_id)
        elif isinstance(event, Outcome) and event.call_id in asked:
            for host, name in _REMOTE.findall(event.text[:20_000]):
                url = f"https://{host}/{name}"
                counts[url] = counts.get(url, 0) + 1
    return max(counts, key=counts.__getitem__) if counts else None
