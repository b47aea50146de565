"""The ledger of a trial, by values worked out by hand: unknown is never 0, and what failed has cost as well."""

import json
from pathlib import Path
from typing import Any

import pytest

from swe_together.ledger import trial_ledger
from swe_together.schema import Usage

SHA = "a" * 64
OBSERVATION = {"turn": 1, "reply": "Done.", "reply_chars": 5, "turn_sec": 1, "elapsed_sec": 1}
SESSION: dict[str, Any] = {
    "task": "swe-together/x", "task_digest": "0", "agent": "codex", "model": "openai/gpt", "policy": "llm",
    "continuation": "native", "started": "2026-01-01T00:00:00+00:00", "finished": "2026-01-01T00:01:00+00:00",
    "seconds": 60, "agent_seconds": 50, "user_seconds": 7.5, "end": "anchors_exhausted", "turns": [], "settled": [],
    "messages": 0, "usage": {"input_tokens": 9000, "cached_tokens": 8000, "output_tokens": 400, "cost_usd": 0.25},
}  # fmt: skip
SAID = {"action": "question", "message": "and?", "kind": "free", "reason": "open"}
NOTHING = Usage(input_tokens=0, cached_tokens=0, output_tokens=0, cost_usd=0)


def call(tokens: tuple[int | None, int | None, int | None], cost: float | None, **more: Any) -> dict[str, Any]:
    named = dict(zip(("input_tokens", "cached_tokens", "output_tokens"), tokens, strict=True))
    return {"model": "gemini/pro", "prompt_sha256": SHA, "seconds": 1, "cost_usd": cost, "raw": "{}", **named, **more}


def decided(turn: int, used: dict[str, Any] | None, error: str | None = None) -> dict[str, Any]:
    decision = {"error": error} if error else {"decision": SAID}
    return {"turn": turn, "policy": "llm", "observation": OBSERVATION, "seconds": 2, "call": used, **decision}


def ledger(requests: int, tokens: tuple[int | None, ...], cost: float | None, seconds: float) -> dict[str, Any]:
    usage = dict(zip(("input_tokens", "cached_tokens", "output_tokens"), tokens, strict=True))
    return {"requests": requests, "usage": {**usage, "cost_usd": cost}, "seconds": seconds}


def vote(key: str, spent: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"key": key * 64, "number": 0, "prompt_sha256": SHA, "model": "anthropic/opus", "answers": [],
            "ledger": spent, **more}  # fmt: skip


def question(spent: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"model": "gemini/pro", "prompt_sha256": SHA, "answer": "", "ledger": spent, **more}


def write(folder: Path, name: str, value: Any) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = value if isinstance(value, list) else [value]
    path.write_text("\n".join(json.dumps(one) for one in lines) + "\n")


def test_agent_and_user_with_failed_decisions_counted(tmp_path: Path) -> None:
    write(tmp_path, "user-agent/session.json", SESSION)
    failed = call((300, 0, 90), 0.03, faults=["503", "503"], retries=4)
    write(tmp_path, "user-agent/decisions.jsonl", [
        decided(1, call((100, 40, 20), 0.01)),
        decided(2, call((200, 60, 30), 0.02, retries=1)),
        decided(3, None),
        decided(4, failed, "no usable answer"),
        decided(5, call((None, None, None), None, raw="", faults=["503"] * 6, retries=5), "gone"),
        decided(6, call((None, None, None), None, raw=""), "the time was over before anybody was asked"),
    ])  # fmt: skip
    found = trial_ledger(tmp_path)
    assert found.agent.usage == Usage(input_tokens=9000, cached_tokens=8000, output_tokens=400, cost_usd=0.25)
    assert (found.agent.models, found.agent.seconds, found.agent.answers) == (["openai/gpt"], 50, None)
    assert found.user.models == ["gemini/pro"]
    assert found.user.answers == 1 + 2 + 3
    assert found.user.failed_requests == 2 + 6
    assert found.user.usage == Usage(input_tokens=600, cached_tokens=100, output_tokens=140, cost_usd=0.06)
    assert (found.user.seconds, found.user.note) == (7.5, "")


def test_one_unknown_answer_makes_the_sum_unknown(tmp_path: Path) -> None:
    write(tmp_path, "user-agent/session.json", {**SESSION, "usage": {}})
    write(tmp_path, "user-agent/decisions.jsonl", [
        decided(1, call((100, 40, 20), 0.01)), decided(2, call((200, None, 30), None)),
    ])  # fmt: skip
    found = trial_ledger(tmp_path)
    assert found.user.usage == Usage(input_tokens=300, cached_tokens=None, output_tokens=50, cost_usd=None)
    assert found.agent.usage == Usage()
    assert "no tokens" in found.agent.note


def test_a_part_that_asked_nobody_has_spent_nothing_and_says_why(tmp_path: Path) -> None:
    write(tmp_path, "user-agent/session.json", {**SESSION, "policy": "scripted"})
    write(tmp_path, "user-agent/decisions.jsonl", [decided(1, None)])
    write(tmp_path, "verifier/behaviour.json", {})
    checks = {"key": "c" * 64, "outcomes": [], "seconds": 3.5}
    write(tmp_path, f"verifier/judge/checks/{'c' * 64}.json", checks)
    found = trial_ledger(tmp_path)
    for part, note in ((found.user, "no model"), (found.judge, "commands judged"), (found.tagger, "authored labels")):
        assert (part.usage, part.answers, part.failed_requests, part.models) == (NOTHING, 0, 0, [])
        assert note in part.note
    assert (found.judge.seconds, found.tagger.seconds, found.judged_again) == (3.5, 0, None)


def test_without_a_session_nothing_is_known_of_agent_and_user(tmp_path: Path) -> None:
    found = trial_ledger(tmp_path)
    assert found.agent == found.user
    assert (found.user.usage, found.user.answers, found.user.seconds) == (Usage(), None, None)
    assert found.user.note == "no session was held here"


def test_a_judge_that_failed_has_cost_what_it_cost(tmp_path: Path) -> None:
    """Two votes were made, one of them stands in the judgement too; a third failed twice, once without any answer."""
    one = vote("1", ledger(5, (1000, 500, 100), 0.5, 20), order=[], verdicts=[])
    two = vote("2", ledger(3, (700, 0, 60), 0.25, 10), order=[], verdicts=[], faults=["429"])
    write(tmp_path, f"verifier/judge/votes/{'1' * 64}.json", one)
    write(tmp_path, f"verifier/judge/votes/{'2' * 64}.json", two)
    failed = vote("3", ledger(2, (400, 100, 40), 0.125, 5), error="no usable verdict")
    write(tmp_path, f"verifier/judge/failed/{'3' * 64}-1.json", failed)
    silent = vote("3", ledger(0, (None, None, None), None, 30), error="gone", faults=["503"] * 6)
    write(tmp_path, f"verifier/judge/failed/{'3' * 64}-2.json", silent)
    found = trial_ledger(tmp_path).judge
    assert found.usage == Usage(input_tokens=2100, cached_tokens=600, output_tokens=200, cost_usd=0.875)
    assert (found.answers, found.failed_requests, found.seconds) == (10, 7, 65)


def test_nothing_but_failures_has_an_unknown_price(tmp_path: Path) -> None:
    silent = vote("3", ledger(0, (None, None, None), None, 30), error="gone", faults=["503"] * 6)
    write(tmp_path, f"verifier/judge/failed/{'3' * 64}-1.json", silent)
    found = trial_ledger(tmp_path).judge
    assert (found.usage, found.answers, found.failed_requests) == (Usage(), 0, 6)
    assert found.note == "no request was answered"


def test_questions_of_the_tagger_with_those_that_came_to_nothing(tmp_path: Path) -> None:
    tags = {"messages": [], "corrections": 0, "nudges": 0, "user_correction": 0,
            "question": question(ledger(1, (50, 0, 10), 0.001, 2))}  # fmt: skip
    failed = question(ledger(3, (90, 30, 6), 0.002, 4), faults=["500"])
    write(tmp_path, "verifier/behaviour.json", {"tags": tags, "failed": [failed], "errors": ["no usable answer"]})
    found = trial_ledger(tmp_path).tagger
    assert found.usage == Usage(input_tokens=140, cached_tokens=30, output_tokens=16, cost_usd=0.003)
    assert (found.answers, found.failed_requests, found.seconds) == (4, 1, 6)


def test_judging_again_is_not_the_trials_own_cost(tmp_path: Path) -> None:
    write(tmp_path, f"judgements/parts/votes/{'1' * 64}.json",
          vote("1", ledger(5, (1000, 500, 100), 0.5, 20), order=[], verdicts=[]))  # fmt: skip
    found = trial_ledger(tmp_path)
    assert found.judge.usage == NOTHING
    assert found.judged_again is not None
    assert found.judged_again.usage.cost_usd == 0.5


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("user-agent/session.json", "agent"),
        ("user-agent/decisions.jsonl", "user"),
        ("verifier/judgement.json", "judge"),
        ("verifier/judge/failed/x.json", "judge"),
        ("verifier/behaviour.json", "tagger"),
    ],
)
def test_a_record_that_cant_be_read_leaves_its_part_unknown(tmp_path: Path, name: str, part: str) -> None:
    write(tmp_path, "user-agent/session.json", SESSION)
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text('{"half')
    found = getattr(trial_ledger(tmp_path), part)
    assert found.usage == Usage()
    assert found.answers is None
    assert Path(name).name in found.note
