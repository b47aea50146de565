"""Which answer the fake model chooses, and how it fills in a client's own shell tool."""

from __future__ import annotations

import json

import pytest

from tests.model_server.example import SCRIPT
from tests.support.model_server import Fault, SessionScript, Shell, Turn, terminal
from tests.support.model_server.script import Conversation, Item, Tool, decide, shell_arguments, shell_tool

BASH = Tool("bash", {"properties": {"command": {"type": "string"}}})
FIRST, SECOND = Item("user", "Make the first file."), Item("user", 'Now the "second" file.')
RESULT = Item("result", "ok", "call_t1s1")


def conversation(*items: Item, tools: tuple[Tool, ...] = (BASH,)) -> Conversation:
    return Conversation(items, tools, "m", stream=False)


@pytest.mark.parametrize(
    ("items", "place"),
    [
        ([FIRST], (1, 1)),
        ([FIRST, RESULT], (1, 2)),
        ([FIRST, RESULT, RESULT], (1, 3)),
        ([FIRST, RESULT, RESULT, RESULT], (1, 3)),
        ([FIRST, RESULT, RESULT, SECOND], (2, 1)),
        ([FIRST, RESULT, SECOND, RESULT], (2, 2)),
        ([Item("user", "<context/>"), FIRST, Item("user", "<reminder/>"), RESULT], (1, 2)),
        ([Item("user", f"{FIRST.text} Made a. {SECOND.text}")], (2, 1)),
        ([FIRST, Item("user", '"Now the \\"second\\" file."')], (2, 1)),
        ([FIRST, Item("assistant", SECOND.text)], (1, 1)),
    ],
)
def test_turn_and_step_come_from_the_request(items: list[Item], place: tuple[int, int]) -> None:
    play = decide(SCRIPT, conversation(*items))
    assert (play.turn, play.step, play.side) == (*place, None)


def test_a_tool_call_names_the_clients_own_tool_and_the_place() -> None:
    play = decide(SCRIPT, conversation(FIRST, RESULT))
    assert play.use is not None
    assert (play.use.call_id, play.use.tool.name, dict(play.use.arguments)) == (
        "call_t1s2",
        "bash",
        {"command": "cat a"},
    )


def test_side_calls_say_why_they_are_some() -> None:
    assert decide(SCRIPT, conversation(FIRST, tools=())).side == "offers no shell tool"
    assert decide(SCRIPT, conversation(Item("user", "quota"))).side == "holds no message of the script"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (BASH, {"command": "ls"}),
        (Tool("exec_command", {"properties": {"cmd": {"type": "string"}}}), {"cmd": "ls"}),
        (Tool("shell", {"properties": {"command": {"type": "array"}}}), {"command": ["bash", "-lc", "ls"]}),
        (
            Tool("Bash", {"properties": {"command": {}}, "required": ["command", "description"]}),
            {"command": "ls", "description": "Run a command"},
        ),
        (
            Tool(
                "run_shell_command",
                {
                    "properties": {
                        "command": {"type": "STRING"},
                        "is_background": {"type": "BOOLEAN"},
                        "risk": {"type": "string", "enum": ["LOW", "HIGH"]},
                        "timeout": {"type": "integer"},
                    },
                    "required": ["command", "is_background", "risk", "timeout"],
                },
            ),
            {"command": "ls", "is_background": False, "risk": "LOW", "timeout": 60},
        ),
        (
            Tool("local_shell", {}, builtin="local_shell"),
            {"type": "exec", "command": ["bash", "-lc", "ls"], "env": {}},
        ),
    ],
    ids=lambda value: value.name if isinstance(value, Tool) else "",
)
def test_arguments_follow_the_tools_schema(tool: Tool, arguments: dict[str, object]) -> None:
    assert shell_tool((Tool("read", {}), tool)) == tool
    assert shell_arguments(tool, "ls") == arguments


def test_a_closing_command_stands_beside_the_reply_and_is_run_once() -> None:
    script = SessionScript(SCRIPT.turns, closing="echo over")
    play = decide(script, conversation(FIRST, RESULT, RESULT))
    assert play.use is not None
    assert (play.text, play.use.arguments, play.step) == ("Made a.", {"command": "echo over"}, 3)
    after = decide(script, conversation(FIRST, RESULT, RESULT, RESULT))
    assert (after.text, after.use) == ("Made a.", None)


@pytest.mark.parametrize(
    ("answers", "step", "keys", "done"),
    [(0, 1, "printf one > a\n", False), (1, 2, "cat a\n", False), (2, 3, None, True), (3, 4, None, True)],
)
def test_a_terminal_is_typed_into_until_the_commands_are_done(
    answers: int, step: int, keys: str | None, done: bool
) -> None:
    said = [item for _ in range(answers) for item in (Item("assistant", "{}"), Item("user", "$"))]
    play = terminal.decide(SCRIPT, conversation(Item("user", f"Task: {FIRST.text}"), *said, tools=()))
    answer = json.loads(play.text)
    assert (play.turn, play.step, play.use) == (1, step, None)
    assert [one["keystrokes"] for one in answer["commands"]] == ([keys] if keys else [])
    assert (answer["task_complete"], answer["plan"] == "Made a.") == (done, done)


def test_messages_that_contain_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match="message 1 is contained in message 2"):
        SessionScript((Turn("Go on", (), "a"), Turn("Go on now", (), "b")))


def test_a_script_reads_from_json() -> None:
    text = '{"turns": [{"message": "m", "shell": ["ls"], "reply": "r"}], "faults": [{"call": 2, "status": 529}]}'
    assert SessionScript.from_json(text) == SessionScript((Turn("m", (Shell("ls"),), "r"),), (Fault(2, status=529),))
