"""Agent trajectories (ATIF) as plain JSON: cut out one turn, read reply and commands, merge a whole session.

Agents differ in what their trajectory holds after a resumed turn: everything so far, or the turn alone. Both are
told apart by comparing with the turn before.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from swe_together import defaults
from swe_together.schema import Command

Step = dict[str, Any]

_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_EXIT = re.compile(r"(?:^|\n)\s*(?:process )?exit(?:ed with)?(?: code)?:?\s*(-?\d{1,3})\b", re.IGNORECASE)
_COMMAND_KEYS = ("command", "cmd", "script", "keystrokes", "commandLine", "CommandLine", "raw_action")
_SHELL_TOOLS = re.compile(r"bash|shell|exec|terminal|command|run_|powershell", re.IGNORECASE)


def load_trajectory(path: Path) -> dict[str, Any] | None:
    """The trajectory at ``path``; None where there is none or it isn't an ATIF document."""
    try:
        document = json.loads(path.read_text(encoding="utf-8", errors="replace"))
    except (OSError, json.JSONDecodeError):
        return None
    if not isinstance(document, dict) or not isinstance(document.get("steps"), list):
        return None
    return document if all(isinstance(step, dict) for step in document["steps"]) else None


def is_cumulative(previous: Sequence[Step], current: Sequence[Step]) -> bool:
    """Whether ``current`` begins with all the steps of ``previous``."""
    return len(previous) > 0 and [_key(s) for s in current[: len(previous)]] == [_key(s) for s in previous]


def new_steps(previous: Sequence[Step], current: Sequence[Step], message: str) -> list[Step]:
    """The steps of the turn that answered ``message``, without the user step itself."""
    tail = list(current[len(previous) :]) if is_cumulative(previous, current) else list(current)
    sent = [
        i
        for i, step in enumerate(tail)
        if step.get("source") == "user" and message.strip() in text_of(step.get("message"))
    ]
    if sent:
        tail = tail[sent[-1] + 1 :]
    return [step for step in tail if not is_copied(step)]


def is_copied(step: Step) -> bool:
    """Whether the agent marks a step as taken over from earlier: what it reports in total leaves such steps out."""
    return step.get("is_copied_context") is True


def last_reply(steps: Sequence[Step]) -> str:
    """The agent's last words to the user in a turn, its reasoning left out; empty where it said nothing."""
    for step in reversed(steps):
        if step.get("source") == "agent" and (text := strip_reasoning(text_of(step.get("message")))):
            return text
    return ""


def strip_reasoning(text: str) -> str:
    """Text without thinking blocks that some models leave in their output."""
    return _THINKING.sub("", text).strip()


def commands(steps: Sequence[Step]) -> list[Command]:
    """The commands that an agent ran in a turn, with what came back."""
    found: list[Command] = []
    for step in steps:
        results, unnamed = _results(step)
        for place, call in enumerate(step.get("tool_calls") or []):
            line = _command_line(call) if isinstance(call, dict) else None
            if line is None:
                continue
            # Results that name no call come in the order of the calls.
            in_order = unnamed[place] if place < len(unnamed) else ""
            output = results.get(str(call.get("tool_call_id")), in_order)
            match = _EXIT.search(output[:400])
            found.append(
                Command(
                    command=line[: defaults.COMMAND_CHARS * 8],
                    output=output[: defaults.OUTPUT_CHARS * 4],
                    exit=int(match[1]) if match else None,
                )
            )
            if len(found) >= defaults.MATCHED_COMMANDS:
                return found
    return found


def merge(
    turns: Sequence[tuple[str, Mapping[str, Any], Sequence[Step]]],
    template: Mapping[str, Any] | None,
    agent: Mapping[str, Any],
    metrics: Mapping[str, Any],
    extra: Mapping[str, Any],
) -> dict[str, Any]:
    """One trajectory of a whole session with its user steps.

    Args:
        turns: Per turn the message, our mark for its user step, and the agent's steps.
        template: The inner agent's own last document, for schema version, session id and agent.
        agent: The agent's identity where the template names none.
        metrics: ``final_metrics`` of the session.
        extra: Our own facts about the session.
    """
    steps: list[Step] = []
    for message, mark, played in turns:
        user: Step = {"source": "user", "message": message, "extra": {"swe_together": dict(mark)}}
        for step in (user, *played):
            steps.append({**_foreign_user(step, step is user), "step_id": len(steps) + 1})
    base = dict(template or {})
    return {
        "schema_version": base.get("schema_version", "ATIF-v1.6"),
        **({"session_id": base["session_id"]} if base.get("session_id") else {}),
        "agent": base.get("agent") or dict(agent),
        "steps": steps,
        "final_metrics": {**metrics, "total_steps": len(steps)},
        "extra": {**(base.get("extra") or {}), "swe_together": dict(extra)},
    }


def _foreign_user(step: Step, ours: bool) -> Step:
    # A user step that we didn't send is the agent's own or its harness's: it must not pass for the user's words.
    if ours or step.get("source") != "user":
        return step
    return {**step, "source": "system", "extra": {**(step.get("extra") or {}), "original_source": "user"}}


def _key(step: Step) -> str:
    calls = [c.get("tool_call_id") for c in step.get("tool_calls") or [] if isinstance(c, dict)]
    return json.dumps([step.get("source"), step.get("message"), calls], sort_keys=True, default=str)


def text_of(message: Any) -> str:
    """The text of a message: a string, or a list of parts."""
    if isinstance(message, str):
        return message
    if isinstance(message, list):
        return "\n".join(str(part.get("text", "")) for part in message if isinstance(part, dict))
    return ""


def _results(step: Step) -> tuple[dict[str, str], list[str]]:
    """Results by the call that they name, and those that name none."""
    observation = step.get("observation")
    results = observation.get("results") if isinstance(observation, dict) else None
    found: dict[str, str] = {}
    unnamed: list[str] = []
    for result in results or []:
        if isinstance(result, dict):
            content = result.get("content")
            if isinstance(content, list):
                content = "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
            key = result.get("source_call_id")
            if key is None:
                unnamed.append(str(content or ""))
            else:
                found[str(key)] = found.get(str(key), "") + str(content or "")
    return found, unnamed


def _command_line(call: Mapping[str, Any]) -> str | None:
    arguments = call.get("arguments")
    if isinstance(arguments, str):
        arguments = {"command": arguments} if _SHELL_TOOLS.search(str(call.get("function_name"))) else {}
    if not isinstance(arguments, Mapping):
        return None
    for key in _COMMAND_KEYS:
        value = arguments.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            return " ".join(value)
    return None
