"""Whole sessions in real containers with the three scripted listeners: the report tells them apart."""

import shutil
from pathlib import Path

import pytest

from swe_together.canary import without_canary
from swe_together.cli import main
from swe_together.memorycode._arms import Arm
from swe_together.memorycode._dialogue import Dialogue
from swe_together.memorycode._outcomes import read_outcomes
from swe_together.memorycode._report import ArmFigures, make_report
from swe_together.memorycode.agents import LISTENERS
from swe_together.memorycode.build import READY as READY_RECIPE
from swe_together.memorycode.generate import generate
from tests.support import harbor as h

pytestmark = pytest.mark.docker

NAMES = {one.name(): f"swe_together.memorycode.agents:{one.__name__}" for one in LISTENERS}


READY = h.ROOT / "memorycode" / "ready"


def small_dialogue() -> Dialogue:
    """Five sessions of the ready set: the last one tells a rule, and one told before was told anew."""
    (dialogue,) = (one for one in generate(READY_RECIPE) if one.size == 5)
    assert any(rule.updated for rule in dialogue.active_rules)
    assert any(rule.session == 5 for rule in dialogue.active_rules)
    return dialogue


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A job of each listener on the same two ready tasks: a session a message, and with a fresh context each time."""
    folder = tmp_path_factory.mktemp("memorycode")
    for arm in (Arm.SESSIONS, Arm.MEMORY):
        shutil.copytree(READY / f"s005-01-{arm}", folder / "tasks" / f"s005-01-{arm}")
    for name, path in NAMES.items():
        h.run_job(folder / "jobs", "-a", path, "--plugin", "swe-together", "-n", "2", task=folder / "tasks", name=name)
    return folder / "jobs"


def figures(jobs: Path) -> dict[tuple[str, Arm], ArmFigures]:
    report = make_report(read_outcomes(sorted(jobs.iterdir())))
    assert report.missing == {}
    return {(row.agent, row.arm): row for row in report.arms}


def test_the_report_tells_the_three_apart(jobs: Path) -> None:
    found = figures(jobs)
    rules = small_dialogue().active_rules
    kept = sum(rule.session == 5 for rule in rules)
    for arm in (Arm.SESSIONS, Arm.MEMORY):
        remembering, forgetting, never = (found[name, arm] for name in NAMES)
        assert remembering.micro.value == remembering.updates.value == 1.0
        assert remembering.stale.value == 0.0
        assert remembering.works.value == forgetting.works.value == never.works.value == 1.0
        assert forgetting.micro.value is not None
        assert kept / len(rules) <= forgetting.micro.value < 1.0
        assert forgetting.distances["0"][0].value == 1.0
        assert never.updates.value == 0.0
        assert never.stale.value == 1.0
        assert never.micro.value == pytest.approx(sum(not rule.updated for rule in rules) / len(rules))
    assert found["memorycode-remembering", Arm.MEMORY].notes.value == 1.0
    assert found["memorycode-remembering", Arm.SESSIONS].notes.value == 0.0


def test_every_session_was_a_message_and_the_arm_memory_began_anew_each_time(jobs: Path) -> None:
    trials = {trial.session["task"].rpartition("-")[2]: trial for trial in h.trials(jobs / "memorycode-remembering")}
    assert {arm: trial.session["continuation"] for arm, trial in trials.items()} == {
        "sessions": "native",
        "memory": "fresh",
    }
    for trial in trials.values():
        assert [turn["kind"] for turn in trial.session["turns"]] == [None, *["anchor"] * 5]
        assert trial.session["end"] == "anchors_exhausted"
        assert trial.rewards is not None
        assert trial.rewards["reward"] == 1.0


def test_the_command_prints_and_plots_them(jobs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--json", str(tmp_path / "report.json"), "--svg", str(tmp_path / "plot.svg")]
    assert main(["memorycode", "report", *map(str, sorted(jobs.iterdir())), *arguments]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in NAMES)
    assert (tmp_path / "plot.svg").read_text().startswith("<svg")


def test_the_solution_solves_it_without_our_plugin(jobs: Path, tmp_path: Path) -> None:
    (trial,) = h.run_job(tmp_path, "-a", "oracle", task=jobs.parent / "tasks" / "s005-01-sessions", name="oracle")
    assert trial.rewards is not None
    assert trial.rewards["reward"] == 1.0


def test_the_whole_contract_in_one_message_is_the_arm_chain(jobs: Path, tmp_path: Path) -> None:
    """What the control says is what the arm ``chain`` says, so the report counts it there."""
    agent = NAMES["memorycode-remembering"]
    arguments = ("-a", agent, "--plugin", "swe-together", "--pk", "arm=full-spec")
    played = h.run_job(tmp_path, *arguments, task=jobs.parent / "tasks", name="whole")
    assert [trial.rewards and trial.rewards["reward"] for trial in played] == [1.0, 1.0]
    spec = without_canary((READY / "s005-01-chain" / "instruction.md").read_text()).strip()
    assert [[message.strip() for message in trial.messages] for trial in played] == [[spec], [spec]]
    (row,) = make_report(read_outcomes([tmp_path / "whole"])).arms
    assert (row.arm, row.trials, row.micro.value) == (Arm.CHAIN, 2, 1.0)


def test_the_first_of_many_sessions_alone_is_refused(jobs: Path, tmp_path: Path) -> None:
    arguments = ("-a", NAMES["memorycode-remembering"], "--plugin", "swe-together", "--pk", "arm=first-message")
    with pytest.raises(AssertionError, match=r"can't be played with\s+arm=first-message"):
        h.run_job(tmp_path, *arguments, task=jobs.parent / "tasks", name="first")
    assert h.trials(tmp_path / "first") == [], "nothing ran"
