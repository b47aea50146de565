"""A rubric from nothing: drafted in the reference's container over HTTP, attacked, edited, frozen."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from swe_together.cli import main
from swe_together.tasks import load_task
from tests.judge.drafting.cases import FAULT, SPLIT, goal
from tests.support import harbor as h
from tests.support.fault_server import Fault, FaultServer

pytestmark = pytest.mark.docker

KEY = "sk-marked-0123456789-of-the-author"
LOOK = (
    'python3 -c \'import wordbox; print(wordbox.longest(["a", "bbb"]))\'; id -un;'
    " cat /solution/* /tests/* 2>/dev/null | wc -c"
)
RED = "test -e /workspace/no-such-file || { echo nothing there; exit 1; }"
GOALS = [
    goal("clean-words", evidence="tests", cases=["strips-blanks"], weight=40),
    goal("semicolons", turns=[1], check=SPLIT, weight=40),
    goal("longest", turns=[2], check=RED, weight=20),
]


def author_and_critic(body: Mapping[str, Any]) -> dict[str, Any]:
    """Looks once, then hands in: a draft where one is asked for, else a finding."""
    done = [message for message in body["messages"] if message["role"] == "assistant"]
    if not done:
        return {"tool": "run", "arguments": {"command": LOOK, "timeout_sec": 60}}
    writes = "You write the goals" in body["messages"][0]["content"]
    return {"tool": "submit", "arguments": {"goals": GOALS} if writes else {"findings": [FAULT]}}


def test_draft_critic_freeze(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SWE_TOGETHER_AUTHOR_API_KEY", KEY)
    task = tmp_path / "tiny-task"
    shutil.copytree(h.tiny_task(), task)
    (task / "rubric.json").unlink()
    with FaultServer({2: Fault.SERVER_ERROR}, answer=author_and_critic) as server:
        told = ["--model", "openai/writer", "--base-url", server.base_url, "--critic", "openai/attacker"]
        assert main(["rubric", str(task), *told]) == 0
        asked = [json.dumps(body, ensure_ascii=False) for body in server.bodies]
        assert set(server.keys) == {f"Bearer {KEY}"}
    assert "3 goals, 1 findings; 1 must be dealt with" in capsys.readouterr().out
    assert [body["model"] for body in server.bodies] == ["writer"] * 3 + ["attacker"] * 2
    (seen,) = [message["content"] for message in server.bodies[2]["messages"] if message["role"] == "tool"]
    assert seen == "call 1: exit 0\n⟦output⟧\nbbb\nagent\n0\n\n⟦/output⟧", "the reference, without its answers"
    assert "On the reference, its command ended with 0." in asked[3]
    assert "nothing there" in asked[3], "the critic sees the command that fails"
    assert not (task / "rubric.json").exists()

    path = task / "rubric.draft.json"
    draft = json.loads(path.read_text())
    assert [(one["goal"], one["met"]) for one in draft["checks"]] == [("semicolons", True), ("longest", False)]
    assert (draft["author"], draft["critic"]) == ("openai/writer", "openai/attacker")
    assert (draft["ledger"]["requests"], draft["ledger"]["usage"]["input_tokens"]) == (4, 480)
    assert KEY not in path.read_text()

    freeze = ["rubric", str(task), "--freeze", "--reviewer", "Ann"]
    draft["findings"] = []
    path.write_text(json.dumps(draft))
    assert main(freeze) == 1
    printed = capsys.readouterr().out
    assert "goal longest is not met by the reference: its command ended with 1. nothing there" in printed
    assert not (task / "rubric.json").exists()

    longest = 'python3 -c \'import wordbox; assert wordbox.longest(["a", "bb"]) == "bb"\''
    draft["goals"][2]["check"]["run"] = longest
    path.write_text(json.dumps(draft))
    assert main(freeze) == 0
    rubric = load_task(task).rubric
    assert [(one.id, one.weight, one.check is not None) for one in rubric.goals] == [
        ("clean-words", 0.4, False), ("semicolons", 0.4, True), ("longest", 0.2, True),
    ]  # fmt: skip
    assert "Drafted by openai/writer, attacked by openai/attacker; edited and frozen by Ann." in (
        rubric.provenance.author
    )
    assert main(freeze) == 2, "a frozen rubric stays"


def test_a_reference_that_doesnt_apply(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = tmp_path / "tiny-task"
    shutil.copytree(h.tiny_task(), task)
    (task / "rubric.json").unlink()
    (task / "solution" / "turn-1.patch").write_text("--- a/none.py\n+++ b/none.py\n@@ -1 +1 @@\n-a\n+b\n")
    with FaultServer(answer=author_and_critic) as server:
        assert main(["rubric", str(task), "--model", "openai/writer", "--base-url", server.base_url]) == 1
        assert server.bodies == []
    assert "turn-1.patch doesn't apply to the tree" in capsys.readouterr().err
    assert not (task / "rubric.draft.json").exists()
