"""What the fake model plays: per user turn some shell commands, then a reply."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Shell:
    """One tool call that runs a shell command, whatever the client names its tool."""

    command: str


@dataclass(frozen=True, slots=True)
class Turn:
    """One user turn: the message that starts it, the tool calls in order, the closing reply."""

    message: str
    steps: tuple[Shell, ...]
    reply: str


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong at the n-th agent call of a session (1-based, failed attempts counted)."""

    call: int
    status: int | None = None
    cut: bool = False
    delay_sec: float = 0.0


@dataclass(frozen=True, slots=True)
class SessionScript:
    """The turns of one session, the faults on its way, and what a client needs.

    Some clients know that a turn is over by a command, `closing`, beside which the reply then stands (in chat
    completions and Gemini alone). One has no tools and wants to be told what to type into its `terminal`.
    """

    turns: tuple[Turn, ...]
    faults: tuple[Fault, ...] = ()
    closing: str | None = None
    terminal: bool = False

    def __post_init__(self) -> None:
        """Refuse messages that can't be told apart: a turn is recognised by its message."""
        messages = [turn.message for turn in self.turns]
        for one, message in enumerate(messages):
            for other, container in enumerate(messages):
                if one != other and message in container:
                    raise ValueError(f"message {one + 1} is contained in message {other + 1}: {message!r}")

    def fault_at(self, call: int) -> Fault | None:
        """The fault planned for the n-th agent call, if any."""
        return next((fault for fault in self.faults if fault.call == call), None)

    @classmethod
    def from_json(cls, text: str) -> SessionScript:
        """Read `{"turns": [{"message", "shell": [...], "reply"}], "faults": [...]}`."""
        raw: Mapping[str, Any] = json.loads(text)
        turns = tuple(
            Turn(turn["message"], tuple(Shell(command) for command in turn.get("shell", ())), turn["reply"])
            for turn in raw["turns"]
        )
        return cls(turns, tuple(Fault(**fault) for fault in raw.get("faults", ())))


ItemKind = Literal["user", "assistant", "call", "result"]


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a request's conversation; `call_id` only where the request holds a real tool item."""

    kind: ItemKind
    text: str
    call_id: str | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the client offers: its name, its argument schema, and its kind if it is built in."""

    name: str
    parameters: Mapping[str, Any]
    builtin: str | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """A request, read the same way for every protocol."""

    items: tuple[Item, ...]
    tools: tuple[Tool, ...]
    model: str
    stream: bool


@dataclass(frozen=True, slots=True)
class ToolUse:
    """The tool call that the model makes."""

    call_id: str
    tool: Tool
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Play:
    """The model's answer. A side call has no turn and says why it is one."""

    text: str
    turn: int | None = None
    step: int | None = None
    use: ToolUse | None = None
    side: str | None = None


SHELL_TOOLS = (
    *("Bash", "bash", "exec_command", "shell_command", "shell", "local_shell"),
    *("run_shell_command", "Shell", "terminal"),
)
SIDE_TEXT = "Short text"


def shell_tool(tools: tuple[Tool, ...]) -> Tool | None:
    """The client's own shell tool among those that it offers."""
    by_name = {tool.name: tool for tool in tools}
    return next((by_name[name] for name in SHELL_TOOLS if name in by_name), None)


def shell_arguments(tool: Tool, command: str) -> dict[str, Any]:
    """Arguments for a shell tool as its own schema wants them: text or a list of words, extras filled in."""
    if tool.builtin is not None:
        return {"type": "exec", "command": ["bash", "-lc", command], "env": {}}
    properties: Mapping[str, Any] = tool.parameters.get("properties", {})
    key = "cmd" if "cmd" in properties else "command"
    wants_list = properties.get(key, {}).get("type") == "array"
    arguments: dict[str, Any] = {key: ["bash", "-lc", command] if wants_list else command}
    for name in tool.parameters.get("required", ()):
        arguments.setdefault(name, _filler(properties.get(name, {})))
    return arguments


def _filler(schema: Mapping[str, Any]) -> Any:
    """A value for a required argument that the script says nothing about."""
    if schema.get("enum"):
        return schema["enum"][0]
    kind = str(schema.get("type", "string")).lower()
    return {"boolean": False, "integer": 60, "number": 60}.get(kind, "Run a command")


def says(text: str, message: str) -> bool:
    """Whether a user text holds a message. OpenCode puts a message in quotes and escapes those within."""
    return message in text or message.replace('"', '\\"') in text


def turn_of(script: SessionScript, conversation: Conversation) -> tuple[int, int] | None:
    """The turn that a request belongs to, from 0, and the place of its message: the last one said by the user."""
    found = None
    for number, planned in enumerate(script.turns):
        for position, item in enumerate(conversation.items):
            if item.kind == "user" and says(item.text, planned.message):
                found = number, position
    return found


def decide(script: SessionScript, conversation: Conversation) -> Play:
    """Choose the answer from the request alone, so that repeated and interleaved calls need no state.

    The turn is the last one whose message stands in a user text; the step is the number of tool results since.
    """
    tool = shell_tool(conversation.tools)
    if tool is None:
        return Play(SIDE_TEXT, side="offers no shell tool")
    found = turn_of(script, conversation)
    if found is None:
        return Play(SIDE_TEXT, side="holds no message of the script")
    turn, start = found
    planned = script.turns[turn]
    step = sum(item.kind == "result" for item in conversation.items[start:])
    if step < len(planned.steps):
        text, command = "", planned.steps[step].command
    elif step == len(planned.steps) and script.closing is not None:
        text, command = planned.reply, script.closing
    else:
        return Play(planned.reply, turn=turn + 1, step=len(planned.steps) + 1)
    use = ToolUse(f"call_t{turn + 1}s{step + 1}", tool, shell_arguments(tool, command))
    return Play(text, turn=turn + 1, step=step + 1, use=use)
