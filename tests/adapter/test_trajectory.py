"""Cutting, reading and merging trajectories of agents that report everything so far, and of those that don't."""

import pytest
from harbor.models.trajectories import Trajectory

from swe_together.adapter import trajectory as atif

U1 = {"source": "user", "message": "first"}
A1 = {
    "source": "agent",
    "message": "did one",
    "tool_calls": [{"tool_call_id": "c1", "function_name": "Bash", "arguments": {"command": "ls -l"}}],
    "observation": {"results": [{"source_call_id": "c1", "content": "a.txt\nexit code: 2"}]},
}
U2 = {"source": "user", "message": "second"}
A2 = {"source": "agent", "message": "did two"}


def test_cumulative_trajectory_is_cut_to_the_turn() -> None:
    assert atif.is_cumulative([U1, A1], [U1, A1, U2, A2])
    assert atif.new_steps([U1, A1], [U1, A1, U2, A2], "second") == [A2]


def test_trajectory_of_the_turn_alone_is_kept() -> None:
    assert not atif.is_cumulative([U1, A1], [U2, A2])
    assert atif.new_steps([U1, A1], [U2, A2], "second") == [A2]


def test_first_turn_is_never_cumulative() -> None:
    assert not atif.is_cumulative([], [U1, A1])


def test_the_same_words_twice_are_told_apart() -> None:
    again = {"source": "agent", "message": "did one again"}
    assert atif.new_steps([U1, A1], [U1, A1, U1, again], "first") == [again]


def test_a_rewritten_history_is_cut_at_our_message() -> None:
    summary = {"source": "system", "message": "summary of what was"}
    assert atif.new_steps([U1, A1], [summary, U2, A2], "second") == [A2]


def test_copied_context_is_no_work_of_the_turn() -> None:
    copied = {**A1, "is_copied_context": True}
    assert atif.new_steps([], [copied, A2], "second") == [A2]


def test_reply_is_the_last_text_without_reasoning() -> None:
    thinking = {"source": "agent", "message": "<think>secret plan</think>Fixed it."}
    silent = {"source": "agent", "message": "", "tool_calls": []}
    assert atif.last_reply([A1, thinking, silent]) == "Fixed it."
    assert atif.last_reply([{"source": "agent", "message": "<thinking>never closed"}]) == ""
    assert atif.last_reply([]) == ""


def test_reply_of_content_parts() -> None:
    assert atif.last_reply([{"source": "agent", "message": [{"type": "text", "text": "hello"}]}]) == "hello"


def test_commands_with_outcome() -> None:
    (command,) = atif.commands([A1])
    assert (command.command, command.exit) == ("ls -l", 2)
    assert "a.txt" in command.output


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({"cmd": "make"}, "make"),
        ({"command": ["bash", "-lc", "make"]}, "bash -lc make"),
        ({"keystrokes": "make\n"}, "make\n"),
        ({"path": "a.txt"}, None),
        ({"command": {"nested": 1}}, None),
        ("make", "make"),
    ],
)
def test_shapes_of_commands(arguments: object, line: str | None) -> None:
    step = {"source": "agent", "tool_calls": [{"tool_call_id": "x", "function_name": "exec", "arguments": arguments}]}
    assert [command.command for command in atif.commands([step])] == ([line] if line is not None else [])


def test_results_that_name_no_call_come_in_the_order_of_the_calls() -> None:
    calls = [{"tool_call_id": key, "function_name": "bash", "arguments": {"command": key}} for key in ("a", "b")]
    step = {"source": "agent", "tool_calls": calls, "observation": {"results": [{"content": "1"}, {"content": "2"}]}}
    assert [(one.command, one.output) for one in atif.commands([step])] == [("a", "1"), ("b", "2")]


def test_hostile_steps_do_not_break_reading() -> None:
    odd = [{"source": "agent", "message": 7, "tool_calls": ["x", None], "observation": "?"}, {}]
    assert atif.commands(odd) == []
    assert atif.last_reply(odd) == ""


def test_merged_trajectory_is_valid_atif_and_holds_user_steps() -> None:
    mark = {"turn": 1, "kind": "instruction", "anchors": [], "tags": []}
    foreign = {"source": "user", "message": "said by the harness"}
    document = atif.merge(
        [("first", mark, [A1]), ("second", {**mark, "turn": 2}, [foreign, A2])],
        None,
        {"name": "some-agent", "version": "1"},
        {"total_prompt_tokens": 3},
        {"end": "user_left"},
    )
    parsed = Trajectory.model_validate(document)
    assert [(s.step_id, s.source, s.message) for s in parsed.steps] == [
        (1, "user", "first"),
        (2, "agent", "did one"),
        (3, "user", "second"),
        (4, "system", "said by the harness"),
        (5, "agent", "did two"),
    ]
    assert [s.source == "user" for s in parsed.steps].count(True) == 2
    assert parsed.final_metrics is not None
    assert parsed.final_metrics.total_prompt_tokens == 3


@pytest.mark.parametrize("text", ["", "[]", '{"steps": 1}', '{"steps": [1]}', "\x00"])
def test_what_is_no_trajectory_reads_as_none(tmp_path, text: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "trajectory.json"
    path.write_text(text)
    assert atif.load_trajectory(path) is None
    assert atif.load_trajectory(tmp_path / "absent.json") is None
