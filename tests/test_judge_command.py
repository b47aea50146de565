"""``swe-together judge``: what is refused before any container starts, and what is not judged and why."""

import json
from pathlib import Path
from typing import Any

import pytest

from swe_together.adapter.judge_settings import parse_judging
from swe_together.adapter.judging import STATE, STORE, TrialJudging
from swe_together.adapter.rejudge import FOLDER, _name
from swe_together.cli import main
from swe_together.judge import check_key
from swe_together.schema import Case, CaseKind, CheckOutcome, CheckRun
from swe_together.tasks import load_task
from tests.support.tasks import make_task

CASE = Case(id="a", kind=CaseKind.F2P, turn=0, passed=True, seconds=1)
REPORT = {"status": "ok", "interactive": 1, "tests": 1.0, "cases": [CASE.model_dump(mode="json")]}


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """A job with one finished trial of a task that has no commands: nothing needs a container."""
    task = make_task(tmp_path / "tasks" / "made-up")
    session = {
        "task": load_task(task).name, "task_digest": load_task(task).digest, "agent": "codex", "policy": "scripted",
        "continuation": "native", "started": "2026-01-01T00:00:00+00:00", "finished": "2026-01-01T00:01:00+00:00",
        "seconds": 60, "agent_seconds": 50, "user_seconds": 1, "end": "anchors_exhausted", "turns": [], "settled": [],
        "messages": 0,
    }  # fmt: skip
    trial = tmp_path / "job" / "made-up__1"
    for name, value in (
        ("config.json", {"trial_name": "made-up__1"}),
        ("result.json", {"task_name": "swe-together/made-up", "verifier": {}}),
        ("user-agent/session.json", session),
        ("verifier/reward-details.json", REPORT),
    ):
        keep(trial / name, value)
    (trial / STATE).parent.mkdir(parents=True)
    (trial / STATE).write_bytes(b"a packed state")
    return tmp_path / "job"


def keep(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def change(job: Path, name: str, **values: Any) -> None:
    path = job / "made-up__1" / name
    keep(path, {**json.loads(path.read_text()), **values})


def judge(job: Path, *more: str) -> int:
    return main(["judge", str(job), "--tasks", str(job.parent / "tasks"), *more])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["-n", "0"], "--concurrent 0: at least one trial"),
        (["--votes", "2", "--model", "m"], "votes must be odd"),
        (["--votes", "3"], "votes need a model"),
        (["--checks", "maybe"], "setting judge_checks"),
        (["--checks", "ignore"], "checks=ignore needs a model"),
        (["--temperature", "9"], "setting judge_temperature"),
        (["--seconds", "0"], "setting judge_sec"),
        (["--base-url", "ftp://host", "--model", "m"], "setting judge_base_url"),
        (["--model", "openai/m"], "The host variable SWE_TOGETHER_JUDGE_API_KEY"),
        (["--model", "openai/m", "--api-key-env", "sk-0123"], "setting judge_api_key_env"),
    ],
)
def test_misuse(
    job: Path,
    arguments: list[str],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("SWE_TOGETHER_JUDGE_API_KEY", raising=False)
    assert judge(job, *arguments) == 2
    printed = capsys.readouterr().err
    assert told in printed
    assert "sk-0123" not in printed
    assert not (job / "made-up__1" / FOLDER).exists()


def test_folders_that_hold_no_trial(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", str(tmp_path / "none")]) == 2
    assert main(["judge", str(tmp_path)]) == 2
    printed = capsys.readouterr().err
    assert "is no folder. Give a job folder" in printed
    assert "holds no trial." in printed


def test_what_is_judged_once_stands_there(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert judge(job) == 0
    assert "judged 1, already judged 0, not judged 0" in capsys.readouterr().out
    (path,) = (job / "made-up__1" / FOLDER).glob("*.json")
    before = path.read_bytes()
    assert json.loads(before)["score"] is None, "nothing has a command, so nothing is decided"
    assert judge(job) == 0
    assert "judged 0, already judged 1, not judged 0" in capsys.readouterr().out
    assert path.read_bytes() == before
    settings = parse_judging(None)
    judging = TrialJudging.of(job.parent / "tasks" / "made-up", job / "made-up__1", [CASE], settings)
    assert _name(judging) == path.stem
    assert not (job / "made-up__1" / "verifier" / "judge").exists(), "the run's own store is left alone"


def test_what_the_run_has_found_is_not_done_again(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The outcome of the commands lies in the run's own store: no container is started, and nothing written there."""
    judging = with_command(job)
    run = CheckRun(
        key=check_key(judging.dossier()),
        outcomes=[CheckOutcome(goal="first", met=True, exit=0, reason="its command ended with 0", seconds=1)],
        seconds=1,
    )
    kept = job / "made-up__1" / STORE / "checks" / f"{run.key}.json"
    keep(kept, run.model_dump(mode="json"))
    assert judge(job) == 0
    assert "judged 1" in capsys.readouterr().out
    (path,) = (job / "made-up__1" / FOLDER).glob("*.json")
    assert (json.loads(path.read_text())["score"], json.loads(path.read_text())["decided_share"]) == (1.0, 0.6)
    assert [file for file in (job / "made-up__1" / STORE).rglob("*") if file.is_file()] == [kept]


def with_command(job: Path) -> TrialJudging:
    """The trial, of a task whose first goal has a command."""
    task = job.parent / "tasks" / "made-up"
    rubric = json.loads((task / "rubric.json").read_text())
    rubric["goals"][0]["check"] = {"run": "true"}
    keep(task / "rubric.json", rubric)
    change(job, "user-agent/session.json", task_digest=load_task(task).digest)
    return TrialJudging.of(task, job / "made-up__1", [CASE], parse_judging(None))


def test_a_spoilt_judgement_is_no_judgement(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert judge(job) == 0
    (path,) = (job / "made-up__1" / FOLDER).glob("*.json")
    path.write_text('{"half')
    assert judge(job) == 1
    assert f"{path} is no judgement. Delete it to have it made again." in capsys.readouterr().out


def test_a_trial_without_its_configuration_gets_no_container(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with_command(job)
    assert judge(job) == 1
    assert "config.json is no configuration of a trial." in capsys.readouterr().out


def broken_state(job: Path) -> None:
    (job / "made-up__1" / STATE).unlink()


def faulted(job: Path) -> None:
    change(job, "user-agent/session.json", end="simulator_error")


def other_version(job: Path) -> None:
    (job.parent / "tasks" / "made-up" / "instruction.md").write_text("make another file\n")


def no_report(job: Path) -> None:
    (job / "made-up__1" / "verifier" / "reward-details.json").unlink()


def failed_report(job: Path) -> None:
    change(job, "verifier/reward-details.json", status="error", tests=None)


def no_task(job: Path) -> None:
    (job.parent / "tasks" / "made-up").rename(job.parent / "tasks" / "elsewhere")


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (faulted, "the session ended with simulator_error"),
        (other_version, "the trial ran another version of it"),
        (no_report, "its tests left no report"),
        (failed_report, "its tests left no report"),
        (no_task, "there is no such task directory"),
        (broken_state, "state.tar can't be read"),
    ],
)
def test_what_cant_be_judged_is_named_and_has_no_score(
    job: Path, spoil: Any, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(job)
    assert judge(job) == 1
    printed = capsys.readouterr().out
    assert "not judged 1" in printed
    assert told in printed
    assert not list((job / "made-up__1").glob(f"{FOLDER}/*.json"))
