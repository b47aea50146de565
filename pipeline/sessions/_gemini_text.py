"""Texts of Gemini CLI's chats: what a program put in the person's place, and what a result says."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson

from swe_together.pipeline.sessions._model import NoticeKind, OutcomeStatus
from swe_together.pipeline.sessions._values import as_dict, as_list, joined_text

_FILES: Final = re.compile(
    r"\s*--- Content from referenced (?:files|context) ---.*(?:--- End of content ---|\Z)", re.DOTALL
)
_STARTS: Final[tuple[tuple[str, NoticeKind], ...]] = (
    ("<session_context>", "context"),
    ("<hook_context>", "context"),
    ("This is the Gemini CLI. We are setting up the context for our chat.", "context"),
    ("Here is the user's editor context as a JSON object", "context"),
    ("Here is a summary of changes in the user's editor context", "context"),
    ("I ran the following shell command:\n```sh\n", "shell"),
    ("<state_snapshot>", "summary"),
    ("Background execution update:\n<background_output>", "notification"),
    ("System: Please continue.", "synthetic"),
    ("?", "local-command"),
)
_CONTINUE: Final = "Please continue."
"""Sent by the program where the model stopped short."""
_COMMAND: Final = re.compile(r"(/[A-Za-z][\w:.-]*)(?:\s+(.*))?", re.DOTALL)
_BUILT_IN: Final = (
    "/about /agents /auth /bug /chat /clear /commands /compress /copy /corgi /dir /directory /docs /editor /exit "
    "/extensions /footer /help /hooks /ide /init /mcp /memory /model /permissions /plan /policies /privacy /profile "
    "/quit /restore /resume /rewind /settings /setup-github /shells /bashes /shortcuts /skills /stats /tasks "
    "/terminal-setup /theme /tools /upgrade /vim /voice"
)
"""Commands of the program itself: no prompt of them is sent to the agent."""
_STEERING: Final = re.compile(r"User (?:steering update|hints):\n<user_input>\n(.*?)\n</user_input>", re.DOTALL)
_FEEDBACK: Final = re.compile(r"Plan rejected\. User feedback: (.*?)(?:\n\nThe plan is stored at: |\Z)", re.DOTALL)
_EXIT: Final = re.compile(
    r"^Exit Code: (-?\d+)(?:\n(?:Signal|Background PIDs|Process Group PGID): .*)*(?:\n</\w+>)?\s*\Z", re.MULTILINE
)
_RAN: Final = ("Output: ", "<untrusted")
_DENIED: Final = ("User denied execution", "User did not allow tool call", "Plan rejected.", "User rejected")
STOPPED: Final = ("Request cancelled.", "User cancelled the request.")


@dataclass(frozen=True, slots=True)
class Said:
    """A text of the person's place, taken apart."""

    text: str = ""
    command: str | None = None
    notices: tuple[tuple[NoticeKind, str], ...] = ()


def take_apart(text: str) -> Said:
    """Tell typed text from a program's."""
    start = text.lstrip()
    for prefix, kind in _STARTS:
        if start.startswith(prefix):
            return Said(notices=((kind, text),))
    if start.strip() == _CONTINUE:
        return Said(notices=(("synthetic", text),))
    if "<state_snapshot>" in text:
        return Said(notices=(("summary", text),))
    typed, notices = _without_files(text)
    command = _COMMAND.fullmatch(typed.strip())
    if command is None:
        return Said(typed, None, notices)
    name, arguments = command.group(1), command.group(2)
    if name in _BUILT_IN.split() or not arguments:
        return Said("", None, (*notices, ("local-command", typed)))
    return Said(arguments.strip(), name, notices)


def steering(text: str) -> str:
    """What the person typed while the agent worked, out of the text that passes it on; empty where there is none."""
    found = [match.group(1) for match in _STEERING.finditer(text)]
    lines = [line for said in found for line in said.split("\n")]
    return "\n".join(line.removeprefix("- ") for line in lines).strip()


def result_text(result: object) -> str:
    """The text of a call's result: that of ``functionResponse`` parts, or the text itself."""
    if isinstance(result, str):
        return result
    texts: list[str] = []
    for part in [result] if isinstance(result, dict) else as_list(result):
        response = as_dict(as_dict(as_dict(part).get("functionResponse")).get("response"))
        value = response.get("output", response.get("error", response.get("content")))
        text = value if isinstance(value, str) else joined_text(value) if value is not None else joined_text([part])
        if text:
            texts.append(text)
    return "\n".join(texts)


def status_of(status: object, text: str) -> OutcomeStatus | None:
    """What came of a call; None where it was not done."""
    if status == "success":
        return "rejected" if text.startswith("Plan rejected.") else "ok"
    if status == "error":
        return "failed"
    if status == "cancelled":
        return "rejected" if any(mark in text[:200] for mark in _DENIED) else "aborted"
    return None


def exit_code(text: str, status: OutcomeStatus | None) -> int | None:
    """The exit code of a shell command; only one other than 0 is recorded by later versions."""
    found = _EXIT.search(text)
    if found:
        return int(found.group(1))
    return 0 if status == "ok" and text.startswith(_RAN) and "\nSignal: " not in text else None


def feedback(text: str) -> str:
    """What the person said when they refused a plan."""
    found = _FEEDBACK.search(text)
    return found.group(1).strip() if found else ""


def answers(text: str) -> list[str]:
    """What the person answered to ``ask_user``."""
    try:
        given: Mapping[str, Any] = as_dict(as_dict(orjson.loads(text)).get("answers"))
    except orjson.JSONDecodeError:
        return []
    return [said.strip() for said in given.values() if isinstance(said, str) and said.strip()]


def _without_files(text: str) -> tuple[str, tuple[tuple[NoticeKind, str], ...]]:
    found = _FILES.search(text)
    if found is None:
        return text, ()
    rest = text[: found.start()] + text[found.end() :]
    return rest, (("context", found.group().strip()),)
