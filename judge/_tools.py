"""The judge's tools, and reading its answers: calls of known tools with arguments of the right form, or refused."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import Field

from swe_together import defaults
from swe_together.judge._conversation import Tool
from swe_together.providers import (
    Completion,
    Form,
    Refused,
    ToolCall,
    object_in,
    read_form,
    read_object,
    refuse_unfinished,
)
from swe_together.schema import Cited

_CALLS = defaults.JUDGE_CALLS
_PATH_CHARS = 1_000
DUTY = "You are asked to look at a repository and to say which goals are met, nothing else."


class RunCall(Form):
    """Run a command."""

    command: str = Field(min_length=1, max_length=defaults.JUDGE_COMMAND_CHARS)
    timeout_sec: int = Field(ge=1, le=int(defaults.JUDGE_COMMAND_SEC))


class ReadCall(Form):
    """Read a file."""

    path: str = Field(min_length=1, max_length=_PATH_CHARS)
    first_line: int = Field(ge=1)
    lines: int = Field(ge=1, le=defaults.JUDGE_LINES)


class SearchCall(Form):
    """Search for lines."""

    pattern: str = Field(min_length=1, max_length=_PATH_CHARS)
    path: str = Field(min_length=1, max_length=_PATH_CHARS)


class CitedPiece(Form):
    """One piece of evidence."""

    kind: Cited
    ref: str = Field(min_length=1, max_length=defaults.JUDGE_COMMAND_CHARS)


class SubmittedVerdict(Form):
    """One verdict, the reason first."""

    goal: str = Field(min_length=1, max_length=64)
    evidence: list[CitedPiece] = Field(min_length=1, max_length=defaults.JUDGE_CITATIONS)
    reason: str = Field(min_length=1, max_length=defaults.JUDGE_REASON_CHARS)
    met: bool


class SubmitCall(Form):
    """All verdicts."""

    verdicts: list[SubmittedVerdict] = Field(min_length=1)


Look = RunCall | ReadCall | SearchCall
_LOOKS: Final[Mapping[str, type[Look]]] = {"run": RunCall, "read": ReadCall, "search": SearchCall}
_TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": "integer"}


def arguments_of(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an object with these properties, all of them required."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


_PIECE: Final = arguments_of({"kind": {"type": "string", "enum": [kind.value for kind in Cited]}, "ref": _TEXT})
_VERDICT: Final = arguments_of(
    {"goal": _TEXT, "evidence": {"type": "array", "items": _PIECE}, "reason": _TEXT, "met": {"type": "boolean"}}
)
SUBMIT: Final = Tool(
    "submit",
    "Hand in the verdicts on all goals, once and alone. For each: its evidence, the reason, then whether it is met.",
    arguments_of({"verdicts": {"type": "array", "items": _VERDICT}}),
)
LOOKING: Final = (
    Tool(
        "run",
        f"Run a shell command in the repository, at most {defaults.JUDGE_COMMAND_SEC:g} s.",
        arguments_of({"command": _TEXT, "timeout_sec": _NUMBER}),
    ),
    Tool(
        "read",
        f"Read up to {defaults.JUDGE_LINES} lines of a text file, from first_line (1 is the first).",
        arguments_of({"path": _TEXT, "first_line": _NUMBER, "lines": _NUMBER}),
    ),
    Tool(
        "search",
        "Find lines that match a POSIX extended regular expression in a file or below a folder.",
        arguments_of({"pattern": _TEXT, "path": _TEXT}),
    ),
)
TOOLS: Final = (*LOOKING, SUBMIT)


def calls_of(completion: Completion, tools: Sequence[Tool], duty: str = DUTY) -> list[ToolCall]:
    """The calls of an answer in our own form: its tool calls, or the one JSON object that its text is.

    Args:
        completion: The answer.
        tools: What may be called.
        duty: What a model is reminded of that refused to answer.

    Raises:
        Refused: It holds none, too many, or one of no known tool.
    """
    refuse_unfinished(completion, duty)
    names = [tool.name for tool in tools]
    calls = list(completion.calls)
    if not calls:
        value = read_object(object_in(completion.content, f"call of {' or '.join(names)}"))
        name, arguments = value.get("tool"), value.get("arguments")
        if set(value) != {"tool", "arguments"} or not isinstance(name, str) or not isinstance(arguments, dict):
            raise Refused('It must be {"tool": NAME, "arguments": {…}}.')
        calls = [ToolCall(name, json.dumps(arguments, ensure_ascii=False))]
    if len(calls) > _CALLS:
        raise Refused(f"It holds {len(calls)} calls, at most {_CALLS} are taken.")
    unknown = [call.name for call in calls if call.name not in names]
    if unknown:
        raise Refused(f"It calls {unknown[0][:64]!r}; call {' or '.join(names)}.")
    return calls


def read_calls[F: Form](
    completion: Completion, tools: Sequence[Tool], submitted: type[F], duty: str = DUTY
) -> list[tuple[ToolCall, Look | F]]:
    """The calls of an answer and their arguments.

    Args:
        completion: The answer.
        tools: What may be called.
        submitted: Form of the arguments of ``submit``.
        duty: What a model is reminded of that refused to answer.

    Raises:
        Refused: One of them has no valid form, or ``submit`` doesn't stand alone.
    """
    calls = calls_of(completion, tools, duty)
    if len(calls) > 1 and any(call.name == SUBMIT.name for call in calls):
        raise Refused(f"It holds {len(calls)} calls; call submit exactly once and alone.")
    return [(call, read_form(call.arguments, _LOOKS.get(call.name, submitted))) for call in calls]
