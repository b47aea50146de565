"""From the steps of a trajectory to turns: a user's message, and all that the agent said and did after it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from swe_together.providers import clean, cut


@dataclass(frozen=True)
class Limits:
    """Characters that are kept, and the most steps of a turn; None keeps all of them."""

    message: int = 20_000
    thinking: int = 2_000
    arguments: int = 2_000
    output: int = 3_000
    steps: int | None = None


@dataclass(frozen=True)
class Call:
    """A tool that the agent used, and what came back. ``output`` is None where the trajectory has none."""

    name: str
    arguments: str
    output: str | None


@dataclass(frozen=True)
class Step:
    """One answer of the agent's model."""

    text: str
    thinking: str
    calls: list[Call]


@dataclass
class Turn:
    """A user's message and the agent's work after it.

    Attributes:
        number: From 1, the instruction; 0 where the agent worked before anybody spoke.
        left_out: Steps that were cut from the middle, and the place after which.
    """

    number: int
    message: str
    steps: list[Step] = field(default_factory=list)
    left_out: int = 0
    left_out_after: int = 0


@dataclass(frozen=True)
class Conversation:
    """A session. ``steps`` counts those of the agent, cut ones included."""

    turns: list[Turn]
    steps: int


def conversation_of(trajectory: Any, limits: Limits) -> Conversation:
    """The conversation that a trajectory (ATIF) holds.

    Steps of the system are left out. Where steps of the user bear our mark only those are the user's: an agent's own
    log calls other things by that name.

    Args:
        trajectory: The parsed file. What isn't as the format has it is passed over or shown as it is.
        limits: What is kept of long texts.
    """
    steps = trajectory.get("steps") if isinstance(trajectory, dict) else None
    listed = [step for step in steps if isinstance(step, dict)] if isinstance(steps, list) else []
    users = [step for step in listed if step.get("source") == "user"]
    marked = any(_mark(step) is not None for step in users)
    turns: list[Turn] = []
    for step in listed:
        source, mark = step.get("source"), _mark(step)
        if source == "user" and (mark is not None or not marked):
            number = mark if mark is not None else len([turn for turn in turns if turn.number]) + 1
            turns.append(Turn(number, clip(text_of(step.get("message")), limits.message)))
        elif source == "agent":
            if not turns:
                turns.append(Turn(0, ""))
            turns[-1].steps.append(_step(step, limits))
    total = sum(len(turn.steps) for turn in turns)
    for turn in turns:
        _shorten(turn, limits.steps)
    return Conversation(turns, total)


def clip(text: str, limit: int) -> str:
    """At most ``limit`` characters of a text that others wrote, saying what was left out; no control signs."""
    return clean(cut(text, limit))


def text_of(content: Any) -> str:
    """A message's text: as it is, or the texts of its parts, with a word for each that is no text."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(_part(part) for part in content)
    return _plain(content)


def _part(part: Any) -> str:
    if isinstance(part, dict) and isinstance(part.get("text"), str):
        return str(part["text"])
    if isinstance(part, dict) and isinstance(part.get("type"), str):
        return f"[{part['type']}]"
    return part if isinstance(part, str) else _plain(part)


def _plain(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, indent=1)
    except RecursionError:
        return "[nested too deeply to be shown]"


def _mark(step: Mapping[str, Any]) -> int | None:
    """The turn's number where the step bears our mark."""
    extra = step.get("extra")
    ours = extra.get("swe_together") if isinstance(extra, dict) else None
    number = ours.get("turn") if isinstance(ours, dict) else None
    return number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else None


def _step(step: Mapping[str, Any], limits: Limits) -> Step:
    thinking = step.get("reasoning_content")
    return Step(
        clip(text_of(step.get("message")), limits.message),
        clip(thinking, limits.thinking) if isinstance(thinking, str) else "",
        list(_calls(step, limits)),
    )


def _calls(step: Mapping[str, Any], limits: Limits) -> Iterator[Call]:
    outputs: dict[Any, list[str]] = {}
    observation = step.get("observation")
    results = observation.get("results") if isinstance(observation, dict) else None
    for result in results if isinstance(results, list) else []:
        if isinstance(result, dict):
            source = result.get("source_call_id")
            outputs.setdefault(source if isinstance(source, str) else None, []).append(text_of(result.get("content")))
    calls = step.get("tool_calls")
    for call in calls if isinstance(calls, list) else []:
        if not isinstance(call, dict):
            continue
        identity = call.get("tool_call_id")
        found = outputs.pop(identity, None) if isinstance(identity, str) else None
        name = call.get("function_name")
        yield Call(
            clip(name, 200) if isinstance(name, str) else "",
            clip(_arguments(call.get("arguments")), limits.arguments),
            None if found is None else clip("\n".join(found), limits.output),
        )
    # Some agents' logs don't say which call an output belongs to.
    for rest in outputs.values():
        yield Call("", "", clip("\n".join(rest), limits.output))


def _arguments(arguments: Any) -> str:
    """A lone text argument as it is (a command, mostly), others name by name."""
    if not isinstance(arguments, dict):
        return text_of(arguments)
    if len(arguments) == 1 and isinstance(next(iter(arguments.values())), str):
        return str(next(iter(arguments.values())))
    return "\n".join(
        f"{name}: {value if isinstance(value, str) else _plain(value)}" for name, value in arguments.items()
    )


def _shorten(turn: Turn, most: int | None) -> None:
    if most is None or len(turn.steps) <= most:
        return
    head = most // 2
    tail = most - head
    turn.left_out, turn.left_out_after = len(turn.steps) - most, head
    turn.steps = turn.steps[:head] + turn.steps[-tail:]
