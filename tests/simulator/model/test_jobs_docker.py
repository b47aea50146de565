"""Policies with a model in whole jobs of unmodified Harbor: chosen by ``--pk``, recorded, replayed, failing typed."""

import json
from pathlib import Path

import pytest

from swe_together.cli import main
from tests.support import harbor as h
from tests.support.fault_server import Fault, FaultServer

pytestmark = pytest.mark.docker

REFERENCE = ("-a", "swe_together.adapter.agents:reference", "--plugin", "swe-together")
WORDS = {
    "anchored": ["some of my files use semicolons, split there too", "and I need longest(words), the longest one"],
    "llm": ["some of my files use semicolons, split there too", "and I need longest(words), the longest one"],
}


def asking(server: FaultServer, policy: str) -> list[str]:
    told = {"user": policy, "user_model": "openai/fault", "user_base_url": server.base_url}
    return [part for name, value in told.items() for part in ("--pk", f"{name}={value}")]


@pytest.mark.parametrize("policy", WORDS)
def test_a_session_with_a_model_and_its_replay(
    tmp_path: Path, policy: str, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with FaultServer({1: Fault.OVERLOADED, 3: Fault.REFUSAL}) as server:
        (trial,) = h.run_job(tmp_path, *REFERENCE, *asking(server, policy))
        assert set(server.keys) == {f"Bearer {key}"}
    assert trial.exception is None
    assert trial.rewards == {"reward": 1.0, "tests": 1.0, "interactive": 1, "judge": 1.0}
    assert (trial.session["policy"], trial.session["end"]) == (policy, "anchors_exhausted")
    assert [said[: len(words)] for said, words in zip(trial.messages[1:], WORDS[policy], strict=True)] == WORDS[policy]
    calls = [decision["call"] for decision in trial.decisions]
    assert calls[0]["faults"]
    assert calls[1]["refused"]
    assert trial.session["settings"]["user_api_key_env"] == "SWE_TOGETHER_USER_API_KEY"
    written = [file for file in trial.folder.rglob("*") if file.is_file()]
    assert not [file for file in written if key.encode() in file.read_bytes()]

    (again,) = h.run_job(
        tmp_path, *REFERENCE, "--pk", "user=replay", "--pk", f"replay_from={trial.folder}", name="again"
    )
    assert again.messages == trial.messages
    assert [one["decision"] for one in again.decisions] == [one["decision"] for one in trial.decisions]
    assert again.rewards == trial.rewards

    with FaultServer() as server:
        arguments = ["--from", str(trial.folder), "--turn", "2", "--user-base-url", server.base_url, "--json"]
        assert main(["simulate", str(h.tiny_task()), *arguments]) == 0
    assert json.loads(capsys.readouterr().out)["same_prompt"] is True


def test_noise_leaves_no_reward(tmp_path: Path) -> None:
    with FaultServer(dict.fromkeys(range(1, 99), Fault.NOISE)) as server:
        (trial,) = h.run_job(tmp_path, *REFERENCE, *asking(server, "llm"))
    assert trial.session["end"] == "simulator_error"
    assert "gave no usable answer in 3 tries" in trial.session["error"]
    assert trial.rewards is None
    (failed,) = trial.decisions
    assert failed["decision"] is None
    assert "gave no usable answer in 3 tries" in failed["error"]
    assert len(failed["call"]["refused"]) == 3, "what was answered, and what it cost, is kept"
