"""A task in the layout of the paper's release plays whole sessions of unmodified Harbor, as it lies."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support import harbor as h
from tests.support.fault_server import FaultServer, Investigator
from tests.support.released import FOLLOW_UP, INSTRUCTION, make_released

pytestmark = pytest.mark.docker

SHELL = ("-a", "tests.support.agents:ShellAgent", "--plugin", "swe-together")
WORK = [
    "printf '#!/bin/bash\\necho \"hello $1\"\\n' > greet.sh; echo 'It greets the name.'",
    'printf \'#!/bin/bash\\n[ "$1" = --loud ] && { echo "HELLO ${2^^}"; exit; }\\necho "hello $1"\\n\' > greet.sh',
]


def follows_the_session(body: Mapping[str, Any]) -> dict[str, Any]:
    """Says the session's follow-up once, as its analysis has it, and leaves then."""
    system, user = (str(body["messages"][place]["content"]) for place in (0, 1))
    assert FOLLOW_UP in system and "# Your points" not in system
    if "# What you have said" in user:
        return {"reason": "all is said", "action": "no_op", "message": None, "points": [], "quote": None}
    return {"reason": "its moment", "action": "new_requirement", "message": FOLLOW_UP, "points": [], "quote": FOLLOW_UP}


@pytest.fixture
def task(tmp_path: Path) -> Path:
    return make_released(tmp_path / "tasks" / "greeter")


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for who in ("USER", "JUDGE"):
        monkeypatch.setenv(f"SWE_TOGETHER_{who}_API_KEY", "sk-made-up")


def told(who: str, server: FaultServer) -> list[str]:
    return ["--pk", f"{who}_model=openai/fake", "--pk", f"{who}_base_url={server.base_url}"]


def test_a_whole_session_and_its_judge(task: Path, tmp_path: Path) -> None:
    judge = Investigator(met={"goal-2": False}, otherwise=True, command="cat greet.sh")
    with FaultServer(answer=follows_the_session) as user, FaultServer(answer=judge) as judging:
        models = ["--pk", "user=llm", *told("user", user), *told("judge", judging)]
        (trial,) = h.run_job(tmp_path, *SHELL, "--ak", f"turns={json.dumps(WORK)}", *models, task=task)
        asked = [str(body) for body in judging.bodies]
    assert trial.exception is None
    assert trial.messages == [INSTRUCTION, FOLLOW_UP]
    record = trial.session
    assert (record["task"], record["end"], record["language"]) == ("swe-together-paper/greeter", "user_left", "shell")
    assert record["repository"] == "example.com/made/up"
    assert any("greet.sh" in str(decision["observation"]["diff"]) for decision in trial.decisions)
    assert trial.rewards == {"reward": 0.6, "tests": 1, "interactive": 1, "judge": 0.6}
    assert trial.details["basis"] == "judge"
    assert any("HELLO" in body for body in asked), "the judge has seen the final state in a fresh container"
    assert h.containers(tmp_path / "job") == []


def test_without_a_judge_the_reward_is_the_releases_own(task: Path, tmp_path: Path) -> None:
    answers = tmp_path / "said.yaml"
    answers.write_text(yaml.safe_dump([FOLLOW_UP]))
    human = ["--pk", "user=human", "--pk", f"human_answers={answers}"]
    (trial,) = h.run_job(tmp_path, *SHELL, "--ak", f"turns={json.dumps(WORK)}", *human, task=task)
    assert trial.rewards == {"reward": 1, "tests": 1, "interactive": 1}
    replay = ["--pk", "user=replay", "--pk", f"replay_from={trial.folder}"]
    (again,) = h.run_job(tmp_path, *SHELL, "--ak", "turns=echo nothing done", *replay, task=task, name="again")
    assert (again.messages, again.rewards) == (trial.messages, {"reward": 0, "tests": 0, "interactive": 1})
    (first,) = h.run_job(tmp_path, *SHELL, "--pk", "arm=first-message", task=task, name="first")
    assert (first.messages, first.session["end"]) == ([INSTRUCTION], "user_left")


def test_a_user_who_fails_leaves_no_reward(task: Path, tmp_path: Path) -> None:
    def noise(body: Mapping[str, Any]) -> dict[str, Any]:
        return {"reason": "?", "action": "new_requirement", "message": "add a cache", "points": [], "quote": "a cache"}

    with FaultServer(answer=noise) as user:
        (trial,) = h.run_job(tmp_path, *SHELL, "--pk", "user=llm", *told("user", user), task=task)
    assert trial.session["end"] == "simulator_error"
    assert trial.rewards is None


def test_the_scripted_user_is_refused_before_anything_runs(task: Path, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="user=scripted has nothing to say"):
        h.run_job(tmp_path, *SHELL, task=task)
    assert not list((tmp_path / "job").glob("*/result.json"))
