"""Whole sessions in real containers with the three scripted listeners: the report tells them apart."""

from pathlib import Path

import pytest

from swe_together.cli import main
from swe_together.memorycode._arms import Arm
from swe_together.memorycode._dialogue import Dialogue
from swe_together.memorycode._outcomes import read_outcomes
from swe_together.memorycode._report import ArmFigures, make_report
from swe_together.memorycode.agents import LISTENERS
from swe_together.memorycode.generate import Recipe, generate
from swe_together.memorycode.tasks import write_task
from tests.support import harbor as h

pytestmark = pytest.mark.docker

NAMES = {one.name(): f"swe_together.memorycode.agents:{one.__name__}" for one in LISTENERS}


def small_dialogue() -> Dialogue:
    """Four sessions, whose last tells a rule, and an update of a rule told before it."""
    return next(
        one
        for one in generate(Recipe(1, sizes=[4]))
        if any(r.updated for r in one.active_rules)
        and {r.session for r in one.active_rules} >= {4}
        and one.active_rules[0].session < 4
    )


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A job of each listener on the same two tasks: a session a message, and with a fresh context each time."""
    folder = tmp_path_factory.mktemp("memorycode")
    for arm in (Arm.SESSIONS, Arm.MEMORY):
        write_task(folder / "tasks" / f"small-{arm}", small_dialogue(), arm)
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
    kept = sum(rule.session == 4 for rule in rules)
    for arm in (Arm.SESSIONS, Arm.MEMORY):
        remembering, forgetting, never = (found[name, arm] for name in NAMES)
        assert remembering.micro.value == remembering.updates.value == 1.0
        assert remembering.stale.value == 0.0
        assert remembering.works.value == forgetting.works.value == never.works.value == 1.0
        assert forgetting.micro.value is not None
        assert kept / len(rules) <= forgetting.micro.value < 1.0
        assert forgetting.distances["0"].value == 1.0
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
        assert [turn["kind"] for turn in trial.session["turns"]] == [None, *["anchor"] * 4]
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
    (trial,) = h.run_job(tmp_path, "-a", "oracle", task=jobs.parent / "tasks" / "small-sessions", name="oracle")
    assert trial.rewards is not None
    assert trial.rewards["reward"] == 1.0
