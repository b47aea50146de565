"""A submission that can't be misread: exactly the rubric's goals, real booleans, reasons, evidence that was seen."""

import json
from typing import Any

import pytest

from swe_together.judge._seen import Seen
from swe_together.judge._tools import SUBMIT, TOOLS, RunCall, SubmitCall, calls_of, read_calls
from swe_together.judge._verdicts import verdicts_of
from swe_together.judge.fake import called, submit, verdict
from swe_together.providers import Completion, Refused, ToolCall, read_form
from tests.judge.cases import rubric

GOALS = rubric().goals
STATE = verdict("clean-words", True, ("file", "wordbox.py:3"), ("command", "1"))
TESTS = verdict("semicolons", False, ("case", "mixed-splits"))
WORDS = verdict("answers", True, ("turn", "2"))
GATE = verdict("join-unchanged", True, ("case", "join-as-before"))
GOOD = [STATE, TESTS, WORDS, GATE]


def seen() -> Seen:
    known = Seen(["/workspace"], frozenset({"semicolon-splits", "mixed-splits", "join-as-before"}), frozenset({1, 2}))
    known.ran(1, "python3 -m  pytest\n -q")
    known.showed("wordbox.py", [*range(1, 11), 12])
    known.showed("/workspace/sub/../sub/other.py", [7])
    return known


def submitted(*verdicts: dict[str, Any]) -> SubmitCall:
    return read_form(json.dumps({"verdicts": verdicts}), SubmitCall)


def test_verdicts_come_in_the_order_of_the_rubric() -> None:
    found = verdicts_of(submitted(GATE, WORDS, TESTS, STATE), GOALS, seen())
    assert [(one.goal, one.met) for one in found] == [
        ("clean-words", True), ("semicolons", False), ("answers", True), ("join-unchanged", True),
    ]  # fmt: skip
    assert [piece.ref for piece in found[0].evidence] == ["wordbox.py:3", "1"]


def changed(one: dict[str, Any], **values: Any) -> list[dict[str, Any]]:
    return [one | values if other is one else other for other in GOOD]


@pytest.mark.parametrize(
    ("verdicts", "problem"),
    [
        ([STATE, TESTS, WORDS], "no verdict: join-unchanged"),
        ([*GOOD, GATE], "twice: join-unchanged"),
        ([*GOOD, verdict("made-up", True, ("turn", "1"))], "no goals of the list: made-up"),
        ([*GOOD[:3], verdict("join-works", True, ("case", "join-as-before"))], "no goals of the list: join-works"),
        (changed(STATE, reason=" \n"), "clean-words has no reason"),
        (changed(STATE, evidence=[{"kind": "file", "ref": " "}]), "cites nothing"),
    ],
)
def test_goals_and_reasons(verdicts: list[dict[str, Any]], problem: str) -> None:
    with pytest.raises(Refused, match=problem):
        verdicts_of(submitted(*verdicts), GOALS, seen())


@pytest.mark.parametrize(
    ("kind", "ref"),
    [
        ("file", "wordbox.py:3"), ("file", "./wordbox.py:1-10"), ("file", "/workspace/wordbox.py:10"),
        ("file", "sub/other.py:7"), ("file", "sub/x/../other.py:7"),
        ("command", "1"), ("command", "call 1"), ("command", "python3 -m pytest -q"),
    ],
)  # fmt: skip
def test_evidence_that_was_seen(kind: str, ref: str) -> None:
    verdicts_of(submitted(*changed(STATE, evidence=[{"kind": kind, "ref": ref}])), GOALS, seen())


@pytest.mark.parametrize(
    ("kind", "ref", "problem"),
    [
        ("file", "wordbox.py:11", "not read or found"),
        ("file", "wordbox.py:5-11", "not read or found"),
        ("file", "wordbox.py:9-12", "not read or found"),
        ("file", "wordbox.py:5-4", "before its first"),
        ("file", "wordbox.py", "PATH:LINE"),
        ("file", "wordbox.py:0", "not read or found"),
        ("file", "made_up.py:1", "not read or found"),
        ("file", "sub/other.py:6-7", "not read or found"),
        ("file", "/etc/passwd:1", "not read or found"),
        ("command", "2", "number of a call"),
        ("command", "python3 -m pytest", "number of a call"),
        ("command", "9" * 4_000, "number of a call"),
        ("case", "made-up", "no such case"),
        ("case", "Mixed-Splits", "no such case"),
        ("turn", "3", "number of a turn"),
        ("turn", "0", "number of a turn"),
        ("turn", "the last", "number of a turn"),
        ("turn", "２", "number of a turn"),
    ],
)
def test_evidence_that_was_not_seen(kind: str, ref: str, problem: str) -> None:
    piece = {"kind": kind, "ref": ref}
    with pytest.raises(Refused, match=problem):
        verdicts_of(submitted(*changed(STATE, evidence=[*STATE["evidence"], piece])), GOALS, seen())


@pytest.mark.parametrize(
    ("one", "evidence", "problem"),
    [
        (STATE, [("turn", "2")], "clean-words is decided by state: cite a file or command"),
        (STATE, [("case", "mixed-splits")], "cite a file or command"),
        (TESTS, [("turn", "2")], "semicolons is decided by tests: cite a case or file or command"),
        (WORDS, [("file", "wordbox.py:1"), ("command", "1")], "answers is decided by conversation: cite a turn"),
    ],
)
def test_a_goal_needs_evidence_of_its_channel(
    one: dict[str, Any], evidence: list[tuple[str, str]], problem: str
) -> None:
    """What the agent says about its work never decides a goal of another channel."""
    pieces = [{"kind": kind, "ref": ref} for kind, ref in evidence]
    with pytest.raises(Refused, match=problem):
        verdicts_of(submitted(*changed(one, evidence=pieces)), GOALS, seen())


@pytest.mark.parametrize("met", ["true", "false", 1, 0, None, "yes", [True]])
def test_verdicts_are_real_booleans(met: Any) -> None:
    with pytest.raises(Refused, match=r"verdicts\.0\.met"):
        submitted(STATE | {"met": met})


@pytest.mark.parametrize(
    ("completion", "problem"),
    [
        (Completion(refusal="no"), "refusal"),
        (Completion(finish="content_filter"), "content filter"),
        (called(submit(STATE)).__class__(calls=called(submit(STATE)).calls, finish="length"), "cut off"),
        (Completion(), "empty"),
        (Completion(content="All goals are met."), "no call of run or read or search or submit"),
        (Completion(content='{"verdicts": []}'), "must be"),
        (Completion(content='{"tool": "submit", "arguments": []}'), "must be"),
        (Completion(content='{"tool": "run", "tool": "run", "arguments": {}}'), "twice"),
        (Completion(content='{"tool": "grade", "arguments": {}}'), "'grade'"),
        (called(("send_message", {})), "'send_message'"),
        (called(submit(STATE), submit(STATE)), "exactly once and alone"),
        (called(("run", {"command": "ls", "timeout_sec": 5}), submit(STATE)), "exactly once and alone"),
        (called(*[("read", {"path": "a", "first_line": 1, "lines": 1})] * 9), "9 calls"),
        (Completion(calls=(ToolCall("submit", '{"verdicts": [{"goal'),)), "not JSON"),
        (called(("run", {"command": "ls"})), "timeout_sec"),
        (called(("run", {"command": "ls", "timeout_sec": 100_000})), "timeout_sec"),
        (called(("run", {"command": "ls", "timeout_sec": "5"})), "timeout_sec"),
        (called(("run", {"command": "ls", "timeout_sec": 5, "user": "root"})), "user"),
        (called(("run", {"command": "x" * 9_000, "timeout_sec": 5})), "command"),
        (called(("read", {"path": "a", "first_line": 0, "lines": 1})), "first_line"),
        (called(submit()), "verdicts"),
        (called(("submit", {"verdicts": [STATE], "score": 1.0})), "score"),
        (called(submit(STATE | {"confidence": 1})), "confidence"),
        (called(submit(STATE | {"evidence": []})), "evidence"),
        (called(submit(STATE | {"evidence": [{"kind": "rumour", "ref": "1"}]})), "kind"),
        (Completion(content="[" * 100_000), "no JSON object"),
        (Completion(content='{"tool":' * 100_000 + "}"), "nested too deeply|not JSON"),
    ],
)
def test_answers_that_are_refused(completion: Completion, problem: str) -> None:
    with pytest.raises(Refused, match=problem):
        read_calls(completion, TOOLS, SubmitCall)


def test_answers_that_are_read() -> None:
    two = called(("run", {"command": "ls", "timeout_sec": 5}), ("read", {"path": "a", "first_line": 1, "lines": 1}))
    assert [type(call).__name__ for _, call in read_calls(two, TOOLS, SubmitCall)] == ["RunCall", "ReadCall"]
    asked = '{"tool": "run", "arguments": {"command": "ls", "timeout_sec": 5}}'
    text = f'<think>{{"tool": "submit"}}</think>```json\n{asked}\n```'
    assert read_calls(Completion(content=text), TOOLS, SubmitCall)[0][1] == RunCall(command="ls", timeout_sec=5)


def test_with_the_budget_spent_only_a_submission_is_taken() -> None:
    with pytest.raises(Refused, match="'run'; call submit"):
        calls_of(called(("run", {"command": "ls", "timeout_sec": 5})), [SUBMIT])


def test_schemas_ask_for_what_is_validated_the_reason_before_the_verdict() -> None:
    one = SUBMIT.schema["properties"]["verdicts"]["items"]
    assert list(one["properties"]) == ["goal", "evidence", "reason", "met"] == one["required"]
    for tool in TOOLS:
        assert tool.schema["required"] == list(tool.schema["properties"])
        assert tool.schema["additionalProperties"] is False
