"""``swe-together audit`` on job folders as trials leave them: exit codes, the report, what is at hand."""

import io
import json
import shutil
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from swe_together.adapter.recorder import SessionRecorder
from swe_together.adapter.session import Outcome
from swe_together.adapter.settings import Settings
from swe_together.adapter.trajectory import merge
from swe_together.cli import main
from swe_together.schema import AuditReport, DecisionRecord
from swe_together.simulator import ProbeOutcome, ScriptedUser
from swe_together.simulator.fake import FakeWorld
from swe_together.tasks import load_task
from tests.report.test_trials import fault, graded
from tests.simulator.audit.sessions import changed, records, session_of
from tests.simulator.cases import seen
from tests.support.fault_server import Fault, FaultServer
from tests.support.harbor import ROOT

FIXTURES = ROOT / "tests" / "fixtures"
TINY = load_task(FIXTURES / "tiny-task")
KEY = "sk-test-audit-51c0"
REPLY = "I read wordbox.py and changed split()."


def tiny_world() -> FakeWorld:
    return FakeWorld(probes=lambda command: ProbeOutcome(1, "AssertionError"), files={"wordbox.py": "def split(): ..."})


def tiny_session() -> list[DecisionRecord]:
    """The scripted user of the tiny task, ignored in everything."""
    steps = [(seen(turn, reply=REPLY), tiny_world()) for turn in range(1, 9)]
    return records(ScriptedUser(TINY.script), steps)


def leave(
    job: Path, name: str, made: Sequence[DecisionRecord], *, reply: str = REPLY, digest: str = TINY.digest,
    result: dict[str, Any] | None = None, **facts: Any,
) -> Path:  # fmt: skip
    """Leave a session as a trial does: Harbor's files, the recorder's, the merged trajectory."""
    folder = job / name
    known = {
        "task": TINY.name, "task_digest": digest, "agent": "echo", "policy": made[0].policy, "arm": "interactive",
        "continuation": "native", **facts,
    }  # fmt: skip
    recorder = SessionRecorder(folder / "user-agent", known, Settings())
    session = session_of(made, instruction=TINY.instruction)
    for turn in session.turns:
        recorder.turn(turn)
    for record in made:
        recorder.decision(record)
    recorder.finish(Outcome(session.end))
    steps = [{"source": "agent", "message": reply}]
    turns = [(turn.message, {"turn": turn.turn}, steps) for turn in session.turns]
    (folder / "agent").mkdir()
    (folder / "agent" / "trajectory.json").write_text(json.dumps(merge(turns, None, {"name": "echo"}, {}, {})))
    (folder / "config.json").write_text(json.dumps({"trial_name": name, "agent": {"name": "echo"}}))
    body = {"task_name": TINY.name, "agent_info": {"name": "echo"}, **(result or graded(1.0))}
    (folder / "result.json").write_text(json.dumps(body))
    return folder


def audit(*arguments: object, tasks: Path | None = FIXTURES) -> int:
    named = ["--tasks", str(tasks)] if tasks is not None else []
    return main(["audit", *named, *map(str, arguments)])


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")


def test_a_true_session_is_0_and_its_report_follows_the_schema(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    leave(tmp_path / "job", "tiny-task__1", tiny_session())
    file = tmp_path / "out" / "audit.json"
    assert audit(tmp_path / "job", "--json", file) == 0
    schema = json.loads((ROOT / "docs" / "schema" / "audit-report.schema.json").read_text())
    jsonschema.validate(json.loads(file.read_text()), schema)
    report = AuditReport.model_validate_json(file.read_text())
    (trial,) = report.trials
    assert (trial.state, trial.task_at_hand, trial.unchecked, trial.passed) == ("read", "same", {}, True)
    assert [one.kind for one in trial.messages] == ["anchor", "insist", "anchor", "insist", None]
    printed = capsys.readouterr().out
    assert "no model was asked to judge" in printed
    assert "undefined (0/0)" in printed
    assert [path.name for path in file.parent.iterdir()] == ["audit.json"], "written whole, nothing beside it"


def test_a_severe_finding_is_1_and_is_shown_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = changed(tiny_session(), 2, message="I've updated the tests, let me know if you need anything else")
    leave(tmp_path, "tiny-task__1", made)
    assert audit(tmp_path) == 1
    lines = [line for line in capsys.readouterr().out.splitlines() if "role_inversion" in line]
    assert len(lines) == 1
    assert "tiny-task__1" in lines[0]
    assert "severe" in lines[0]


def test_another_digest_and_a_task_that_is_not_at_hand_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    leave(tmp_path / "job", "tiny-task__1", tiny_session(), digest="0" * 64)
    assert audit(tmp_path / "job") == 0
    assert "another version: tiny-task__1" in capsys.readouterr().out
    assert audit(tmp_path / "job", tasks=FIXTURES / "tiny-task") == 0
    assert "another version: tiny-task__1" in capsys.readouterr().out
    monkeypatch.chdir(tmp_path)
    assert audit("job", tasks=None) == 0
    printed = capsys.readouterr().out
    assert "not checked: tiny-task__1" in printed
    assert "the task isn't at hand" in printed


def test_a_broken_task_is_said_and_is_not_at_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(FIXTURES / "tiny-task", tmp_path / "tasks" / "tiny-task")
    (tmp_path / "tasks" / "tiny-task" / "rubric.json").write_text("{")
    leave(tmp_path / "job", "tiny-task__1", tiny_session())
    assert audit(tmp_path / "job", tasks=tmp_path / "tasks") == 0
    captured = capsys.readouterr()
    assert "rubric.json" in captured.err
    assert "the task isn't at hand" in captured.out


def test_misuse_is_2_without_a_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SWE_TOGETHER_AUDIT_API_KEY", raising=False)
    job = tmp_path / "job"
    leave(job, "tiny-task__1", tiny_session())
    (tmp_path / "empty").mkdir()
    for arguments, told in (
        ([tmp_path / "nowhere"], "there is no such job folder"),
        ([tmp_path / "empty"], "no trial there has a recorded session"),
        ([job, "--base-url", "http://127.0.0.1:1/v1"], "Add --model NAME"),
        ([job, "--model", "openai/gpt-5"], "SWE_TOGETHER_AUDIT_API_KEY"),
        ([job, "--model", "openai/gpt-5", "--api-key-env", KEY], "takes the name of a host variable"),
    ):
        assert audit(*arguments) == 2
        error = capsys.readouterr().err
        assert told in error
        assert "Traceback" not in error
        assert KEY not in error
    assert audit(job, tasks=tmp_path / "no-tasks") == 2
    assert "no such folder of tasks" in capsys.readouterr().err


def test_records_that_are_broken_or_gone_are_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    leave(tmp_path, "a__1", tiny_session())
    broken = leave(tmp_path, "b__1", tiny_session())
    (broken / "user-agent" / "decisions.jsonl").write_text('{"turn": 1}\n')
    gone = leave(tmp_path, "c__1", tiny_session())
    (gone / "user-agent" / "decisions.jsonl").unlink()
    half = leave(tmp_path, "d__1", tiny_session())
    (half / "user-agent" / "session.json").write_text('{"half')
    assert audit(tmp_path) == 1
    printed = capsys.readouterr().out
    for name, why in (
        ("b__1", "line 1 is not a decision"),
        ("c__1", "no such file"),
        ("d__1", "no whole session.json"),
    ):
        (line,) = [line for line in printed.splitlines() if line.startswith(f"unreadable: {name}")]
        assert why in printed.partition(line)[2] or why in line


def test_simulator_errors_and_trials_without_a_user(tmp_path: Path) -> None:
    made = tiny_session()
    leave(tmp_path, "a__1", made)
    failed = DecisionRecord(turn=3, policy="scripted", observation=seen(3), error="the model is gone", seconds=1)
    error = leave(tmp_path, "b__1", [*made[:2], failed], result={"verifier": {}})
    session = json.loads((error / "user-agent" / "session.json").read_text())
    (error / "user-agent" / "session.json").write_text(
        json.dumps(session | {"end": "simulator_error", "error": "the model is gone"})
    )
    leave(tmp_path, "c__1", made[-1:], arm="first-message")
    plain = tmp_path / "d__1"
    plain.mkdir()
    (plain / "config.json").write_text(json.dumps({"trial_name": "d__1"}))
    (plain / "result.json").write_text(json.dumps({"task_name": TINY.name, **graded(1.0)}))
    leave(tmp_path, "e__1", made, result={"exception_info": fault("VerifierTimeoutError", False), "verifier": {}})
    file = tmp_path / "audit.json"
    assert audit(tmp_path, "--json", file) == 0
    report = AuditReport.model_validate_json(file.read_text())
    assert [(one.trial, one.state, one.passed) for one in report.trials] == [
        ("a__1", "read", True), ("b__1", "read", None), ("c__1", "no_user", True), ("d__1", "no_user", None),
        ("e__1", "read", None),
    ]  # fmt: skip
    summary = report.summary
    assert (summary.simulator_errors.numerator, summary.simulator_errors.denominator) == (1, 3)
    assert (summary.simulator_attributed.numerator, summary.simulator_attributed.denominator) == (1, 1)
    (line,) = summary.spread
    assert (line.runs, line.sequences) == (2, 1)


def test_all_that_the_agent_said_is_looked_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made_up = "<think>\nUser: now what about the tabs in there?\n</think>Done.\n\nHuman: go ahead\n\nAssistant: I did."
    leave(tmp_path, "tiny-task__1", tiny_session(), reply=made_up)
    assert audit(tmp_path) == 0, "it is the agent's doing, not the user's"
    printed = capsys.readouterr().out
    assert "fabricated_user (agent)" in printed
    assert "Human: go ahead" in printed
    assert "tabs" not in printed, "what it thought, it didn't say"


def test_the_final_state_softens_a_leak(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = 'parts = (part.strip() for part in text.replace(";", ",").split(","))'
    made = [one.model_copy(update={"policy": "llm"}) for one in changed(tiny_session(), 1, message=f"take {line}")]
    trial = leave(tmp_path, "tiny-task__1", made)
    assert audit(tmp_path) == 1
    assert "leak" in capsys.readouterr().out
    state = trial / "artifacts" / "var" / "lib" / "swe-together" / "state.tar"
    state.parent.mkdir(parents=True)
    with tarfile.open(state, "w") as packed:
        member = tarfile.TarInfo("workspace/wordbox.py")
        member.size = len(line)
        packed.addfile(member, io.BytesIO(line.encode()))
    audit(tmp_path)
    (found,) = [row for row in capsys.readouterr().out.splitlines() if " leak " in row]
    assert "minor" in found


def test_a_model_judges_over_http_with_the_key_of_its_own_variable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUDITOR_KEY", KEY)
    leave(tmp_path / "job", "tiny-task__1", tiny_session(), result=graded(0.2))
    leave(tmp_path / "job", "tiny-task__2", tiny_session())

    def answer(body: Any) -> dict[str, Any]:
        did = body["messages"][1]["content"].partition("# What the person then did")[2]
        fault = {"tag": "unhelpful", "severity": "hindered", "quote": "a;b is still one word"}
        return {"reason": "because", "faults": [fault] if "still one word" in did else []}

    file = tmp_path / "audit.json"
    with FaultServer(answer=answer) as server:
        arguments = ("--model", "openai/auditor", "--base-url", server.base_url, "--api-key-env", "AUDITOR_KEY")
        assert audit(tmp_path / "job", *arguments, "--json", file) == 1
        assert len(server.bodies) == 10
        assert set(server.keys) == {f"Bearer {KEY}"}
    report = AuditReport.model_validate_json(file.read_text())
    summary = report.summary
    assert (report.model, summary.failed.hindering.value, summary.passed.hindering.value) == ("openai/auditor", 1, 1)
    assert summary.passed.helping.value == 0
    assert summary.tags == {"unhelpful": {"minor": 0, "helped": 0, "hindered": 2}}
    printed = capsys.readouterr().out
    assert "hindered" in printed
    assert KEY not in printed + file.read_text()


def test_a_model_that_answers_noise_leaves_all_not_audited(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    leave(tmp_path, "tiny-task__1", tiny_session())
    with FaultServer(dict.fromkeys(range(1, 99), Fault.NOISE)) as server:
        assert audit(tmp_path, "--model", "openai/auditor", "--base-url", server.base_url) == 1
    printed = capsys.readouterr().out
    assert "not audited: tiny-task__1: after turn 1: AuditError" in printed
    assert "0/5 = 0% of messages and leavings" in printed
