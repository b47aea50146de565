"""The judge in whole jobs of unmodified Harbor: both bases, votes, hands, faults, regrading, judging again."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from swe_together.cli import main
from swe_together.ledger import trial_ledger
from swe_together.report import summarise
from tests.support import harbor as h
from tests.support.fault_server import Fault, FaultServer, Investigator

pytestmark = pytest.mark.docker

REFERENCE = ("-a", "swe_together.adapter.agents:reference", "--plugin", "swe-together")
KEY = "sk-marked-0123456789-of-the-judge"
ALL = Investigator(otherwise=True)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWE_TOGETHER_JUDGE_API_KEY", KEY)


def told(server: FaultServer, flag: str = "--pk", **more: object) -> list[str]:
    settings = {"judge_model": "openai/judge", "judge_base_url": server.base_url, **more}
    return [part for name, value in settings.items() for part in (flag, f"{name}={value}")]


def judgement(trial: h.Trial) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((trial.folder / "verifier" / "judgement.json").read_text())
    return value


def test_without_a_model_the_tests_are_the_reward_and_the_commands_stand_beside(tmp_path: Path) -> None:
    (trial,) = h.run_job(tmp_path, *REFERENCE, "--ak", "play=first-stage")
    details = trial.details
    assert details["basis"] == "tests"
    assert trial.rewards is not None
    assert trial.rewards["reward"] == trial.rewards["tests"] == details["tests"]
    assert details["judge"]["met"] == {
        "clean-words": True, "semicolons": False, "longest": None, "join-unchanged": True,
    }  # fmt: skip
    assert trial.rewards["judge"] == pytest.approx(0.4 / 0.7)
    assert details["judge"]["decided_share"] == pytest.approx(0.7)
    behaviour = json.loads((trial.folder / "verifier" / "behaviour.json").read_text())
    assert behaviour["tags"]["user_correction"] is not None
    assert behaviour["coverage"]["overall"] is not None


def test_a_model_judges_on_what_it_sees_and_its_score_is_the_reward(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    look = "id -un; ls -la /tests /logs/verifier /var/lib/swe-together; echo looked"
    investigator = Investigator({"longest": False}, otherwise=True, command=look, path="wordbox.py")
    with FaultServer(answer=investigator) as server:
        (trial,) = h.run_job(tmp_path, *REFERENCE, *told(server, judge_votes=3, judge_checks="confirm"))
        assert set(server.keys) == {f"Bearer {KEY}"}
        asked = [json.dumps(body) for body in server.bodies]
    assert trial.exception is None
    assert trial.rewards == {"reward": 0.7, "tests": 1.0, "interactive": 1, "judge": 0.7}
    assert trial.details["basis"] == "judge"
    found = judgement(trial)
    assert len(found["votes"]) == 3
    assert [goal["votes"] for goal in found["goals"] if goal["goal"] == "longest"] == [[False] * 3]
    seen = next(body for body in reversed(asked) if "looked" in body)
    assert "agent\\\\n" in seen or "agent\\n" in seen, "the hands are those of the agent's user"
    assert seen.count("Permission denied") >= 2, "neither tests nor packed state can be looked into"
    files = [file for file in trial.folder.rglob("*") if file.is_file()]
    assert not [file for file in files if KEY.encode() in file.read_bytes()]

    # From here on the same state is judged again.
    regraded = regrade(trial, tmp_path, Investigator({"longest": False}, otherwise=True))
    assert regraded.rewards == {"reward": 0.7, "tests": 1.0, "interactive": 1, "judge": 0.7}
    again(trial, capsys)


def regrade(trial: h.Trial, jobs: Path, answer: Investigator) -> h.Trial:
    with FaultServer(answer=answer) as server:
        h.harbor(
            "job", "regrade", trial.folder.parent, "-p", h.tiny_task(), "--jobs-dir", jobs, "--job-name", "regraded",
            "--verifier", "swe_together.adapter.verifier:TogetherVerifier", *told(server, "--verifier-kwarg"), "--yes",
        )  # fmt: skip
    (found,) = h.trials(jobs / "regraded")
    return found


def again(trial: h.Trial, capsys: pytest.CaptureFixture[str]) -> None:
    """``swe-together judge``: other settings are asked for once, and then stand there."""
    own = {path: path.read_bytes() for path in (trial.folder / "verifier").rglob("*") if path.is_file()}
    job, tasks = str(trial.folder.parent), str(h.tiny_task().parent)
    with FaultServer(answer=Investigator(otherwise=True)) as server:
        arguments = ["judge", job, "--tasks", tasks, "--model", "openai/other", "--base-url", server.base_url]
        assert main(arguments) == 0
        first = len(server.bodies)
        assert first > 0
        assert main(arguments) == 0
        assert len(server.bodies) == first, "the second time no model is asked"
        assert main([*arguments, "--votes", "3"]) == 0
        assert len(server.bodies) > first
    assert "already judged 1" in capsys.readouterr().out
    kept = sorted((trial.folder / "judgements").glob("*.json"))
    assert len(kept) == 2
    assert {json.loads(path.read_text())["model"] for path in kept} == {"openai/other"}
    assert {path: path.read_bytes() for path in (trial.folder / "verifier").rglob("*") if path.is_file()} == own
    ledger = trial_ledger(trial.folder)
    assert (ledger.judge.answers, ledger.judge.models) == (9, ["openai/judge"]), "three votes of three answers"
    assert ledger.judged_again is not None
    assert ledger.judged_again.models == ["openai/other"]
    assert ledger.judged_again.usage.input_tokens == 120 * (ledger.judged_again.answers or 0) > 0
    assert json.loads((trial.folder / "verifier" / "ledger.json").read_text())["judge"]["usage"]["input_tokens"] == 1080
    assert h.containers(trial.folder.parent) == []


def test_the_container_holds_neither_key_nor_rubric_nor_verdict(tmp_path: Path) -> None:
    """Root searches all files and all processes' environments while the goals are judged."""
    task = tmp_path / "tiny-task"
    shutil.copytree(h.tiny_task(), task)
    rubric = json.loads((task / "rubric.json").read_text())
    halves = [(KEY[:9], KEY[9:]), ("longest(words) gives the", " first of"), ("judge_", "model")]
    patterns = " ".join(f"-e \"$(printf '%s%s' '{one}' '{other}')\"" for one, other in halves)
    files = f"grep -rlsaF {patterns} / --exclude-dir=proc --exclude-dir=sys"
    search = f"{{ {files}; cat /proc/*/environ | grep -aF {patterns}; }}"
    # The first search proves that it would find: what it looks for lies there.
    planted = f"printf '%s%s' '{KEY[:9]}' '{KEY[9:]}' >/opt/planted; {search} | grep -q planted; s=$?"
    rubric["goals"][0]["check"] = {"run": f"{planted}; rm /opt/planted; exit $s", "timeout_sec": 60}
    rubric["goals"][1]["check"] = {"run": f'[ -z "$({search})" ]', "timeout_sec": 60}
    (task / "rubric.json").write_text(json.dumps(rubric))
    with FaultServer(answer=ALL) as server:
        (trial,) = h.run_job(tmp_path / "jobs", *REFERENCE, *told(server), task=task)
    assert trial.details["judge"]["met"] == {
        "clean-words": True, "semicolons": True, "longest": True, "join-unchanged": True,
    }  # fmt: skip


@pytest.mark.parametrize("fault", [Fault.SERVER_ERROR, Fault.NOISE])
def test_a_judge_that_fails_leaves_no_reward(tmp_path: Path, fault: Fault) -> None:
    with FaultServer(dict.fromkeys(range(2, 99), fault), answer=ALL) as server:
        (trial,) = h.run_job(
            tmp_path, *REFERENCE, *told(server, judge_checks="ignore", judge_sec=20), "--max-retries", "2"
        )
    assert trial.rewards is None
    assert trial.exception == "RewardFileNotFoundError"
    assert trial.details["judge"]["status"] == "error"
    assert trial.details["tests"] == 1.0, "what the tests said is kept"
    assert len(list((tmp_path / "job").glob("*/config.json"))) == 1, "nothing was retried"
    summary = summarise([tmp_path / "job"])
    assert (summary.scored, summary.mean, summary.missing) == (0, None, {"judge_error": 1})
    stats = json.loads((tmp_path / "job" / "result.json").read_text())["stats"]
    assert (stats["n_errored_trials"], stats["n_retries"]) == (1, 0)


def test_a_missing_key_stops_the_job_before_it_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SWE_TOGETHER_JUDGE_API_KEY")
    with pytest.raises(AssertionError, match="SWE_TOGETHER_JUDGE_API_KEY"):
        h.run_job(tmp_path, *REFERENCE, "--pk", "judge_model=anthropic/claude-opus-4-8")
    assert not list(tmp_path.glob("job/*/result.json"))
