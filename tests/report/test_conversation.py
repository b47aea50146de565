"""Trajectories as conversations: ours, plain ones, and what is no trajectory at all."""

from typing import Any

import pytest

from swe_together.report.conversation import Call, Limits, Step, clip, conversation_of


def user(text: Any, turn: Any = None) -> dict[str, Any]:
    step: dict[str, Any] = {"source": "user", "message": text}
    return step if turn is None else step | {"extra": {"swe_together": {"turn": turn}}}


def agent(text: Any = "", **facts: Any) -> dict[str, Any]:
    return {"source": "agent", "message": text, **facts}


def shown(*steps: Any, limits: Limits | None = None) -> list[tuple[int, str, list[Step]]]:
    found = conversation_of({"steps": list(steps)}, limits or Limits())
    return [(turn.number, turn.message, turn.steps) for turn in found.turns]


def test_turns_with_what_the_agent_did() -> None:
    call = {"tool_call_id": "1", "function_name": "bash", "arguments": {"command": "ls\n-a"}}
    other = {"tool_call_id": "2", "function_name": "edit", "arguments": {"path": "x", "old": {"a": 1}}}
    results = {"results": [{"source_call_id": "2", "content": "edited"}, {"source_call_id": "1", "content": None}]}
    found = shown(
        user("please", 1), agent("look", reasoning_content="hm", tool_calls=[call, other], observation=results),
        agent("done"), user("more", 2),
    )  # fmt: skip
    assert found == [
        (1, "please", [
            Step("look", "hm", [Call("bash", "ls\n-a", ""), Call("edit", 'path: x\nold: {\n "a": 1\n}', "edited")]),
            Step("done", "", []),
        ]),
        (2, "more", []),
    ]  # fmt: skip


def test_where_ours_are_marked_only_those_are_the_users() -> None:
    assert [turn[:2] for turn in shown(user("<system>"), user("hi", 1), user("tool says"), user("more", 2))] == [
        (1, "hi"), (2, "more"),
    ]  # fmt: skip
    assert [turn[:2] for turn in shown(user("a"), agent("b"), user("c"))] == [(1, "a"), (2, "c")]


def test_work_before_the_first_message_and_steps_of_the_system() -> None:
    assert [turn[0] for turn in shown({"source": "system", "message": "secret"}, agent("hello"), user("hi"))] == [0, 1]
    assert "secret" not in str(shown({"source": "system", "message": "secret"}, user("hi")))


def test_outputs_without_a_call_are_shown_too() -> None:
    [(_, _, [step])] = shown(user("x"), agent("", observation={"results": [{"content": "out"}, {"content": "2"}]}))
    assert step.calls == [Call("", "", "out\n2")]
    [(_, _, [step])] = shown(
        user("x"), agent("", tool_calls=[{"tool_call_id": "1", "function_name": "f", "arguments": {}}])
    )
    assert step.calls == [Call("f", "", None)], "nothing is known of its output: that is not an empty one"


def test_what_is_left_out_is_counted() -> None:
    assert clip("x" * 100, 100) == "x" * 100
    cut = clip("a" * 5_000 + "z" * 5_000, 1_000)
    assert len(cut) <= 1_000
    assert "characters left out" in cut
    assert cut.startswith("aaa")
    assert cut.endswith("zzz")
    found = conversation_of({"steps": [user("x"), *[agent(str(n)) for n in range(10)]]}, Limits(steps=4))
    [turn] = found.turns
    assert [step.text for step in turn.steps] == ["0", "1", "8", "9"]
    assert (turn.left_out, turn.left_out_after, found.steps) == (6, 2, 10)


def test_control_signs_and_halves_of_pairs_are_gone() -> None:
    [(_, message, _)] = shown(user("\x1b[31mred\x1b[0m \x07\u202eback\ud800"))
    assert message == "red back\ufffd"
    message.encode()


def test_messages_in_parts() -> None:
    parts = [{"type": "text", "text": "one"}, {"type": "image", "source": {"path": "/x"}}, "two"]
    assert shown(user(parts))[0][1] == "one\n[image]\ntwo"


@pytest.mark.parametrize(
    "value",
    [None, [], "x", 7, {}, {"steps": None}, {"steps": {}}, {"steps": [None, 3, "x", [], {}]},
     {"steps": [{"source": ["user"]}, {"source": "user", "message": 5, "extra": []}]},
     {"steps": [{"source": "agent", "tool_calls": {}, "observation": [], "reasoning_content": 5}]},
     {"steps": [{"source": "agent", "tool_calls": [None, {"arguments": None, "tool_call_id": []}],
                 "observation": {"results": [None, {"source_call_id": {}, "content": {"a": [1]}}]}}]},
     {"steps": [{"source": "user", "message": "x", "extra": {"swe_together": {"turn": True}}}]},
     {"steps": [{"source": "user", "message": "x", "extra": {"swe_together": {"turn": -1}}}]}],
)  # fmt: skip
def test_what_is_no_trajectory_is_no_crash(value: Any) -> None:
    for turn in conversation_of(value, Limits()).turns:
        assert isinstance(turn.message, str)


def test_deep_nesting_is_said() -> None:
    deep: Any = "x"
    for _ in range(5_000):
        deep = [deep]
    assert "nested too deeply" in shown(user({"a": deep}))[0][1]
