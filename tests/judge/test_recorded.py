"""The reader for the release's layout, on two tasks written for it; the real ones are counted by a bench."""

import json
import shutil
from pathlib import Path

import pytest

from swe_together.errors import MisuseError, TaskError
from swe_together.judge.recorded import (
    GOALS_FILE,
    INTENTS_FILE,
    Findings,
    RecordedGoal,
    RecordedTask,
    examine,
    read_recorded,
)
from tests.bench.recorded_rubrics import BY_HAND, Totals, main, totals

LAYOUT = Path(__file__).parents[1] / "fixtures" / "recorded-layout"


def test_what_is_wrong_with_them() -> None:
    quiet, sorter = (examine(task) for task in read_recorded(LAYOUT))
    assert quiet == Findings("quiet-task", 1, 0, weight=1.0)
    assert sorter == Findings(
        "sorter-task", 5, 2,
        idle_guards=["goal_0"],
        weighted_guards=["goal_4"],
        about_words=["goal_2"],
        words_weight=0.3,
        no_rationale=["goal_2", "goal_3"],
        weight=1.0,
    )  # fmt: skip


def test_a_goal_of_weight_0_is_no_guard() -> None:
    goals = [
        RecordedGoal(id="a", goal="x", tier="core", weight=0.0),
        RecordedGoal(id="b", goal="y", tier="core", weight=1),
    ]
    assert examine(RecordedTask("t", goals, [])).idle_guards == []


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("Diagnose, in plain language to the user, why no entry is written.", True),
        ("Make a positive statement to the user that the fix covers both.", True),
        ("The agent provides a clear explanation of what it changed.", True),
        ("The agent must produce an explicit judgment for both functions.", True),
        ("It finds the change and reports this to the user.", True),
        ("A failed write shows its error message to the user.", False),
        ("Only one command is presented to the user.", False),
        ("The documentation explains why the keyword exists.", False),
        ("The linter reports an error for a long block.", False),
    ],
)
def test_goals_about_the_conversation_by_their_wording(text: str, about: bool) -> None:
    assert RecordedGoal(id="g", goal=text, tier="core", weight=0.5).about_words is about
    assert RecordedGoal(id="g", goal=text, tier="anti_gaming", weight=0.0).about_words is False


@pytest.mark.parametrize(
    ("file", "text", "problem"),
    [
        (GOALS_FILE, "{", "can't be read"),
        (GOALS_FILE, '{"task_name": "x", "completeness_goals": []}', "completeness_goals"),
        (GOALS_FILE, '{"task_name": "x", "completeness_goals": [{"id": "a", "goal": "b", "tier": "core"}]}', "weight"),
        (GOALS_FILE, '{"task_name": "x", "completeness_goals": [{"id": "a", "goal": "b", "tier": "core",'
                     ' "weight": "0.5"}]}', "weight"),
        (INTENTS_FILE, '{"task": "x"}', "intents"),
        (INTENTS_FILE, '{"task": "x", "intents": [{"intent_id": 0, "source_turn": 0, "intent_kind": "request",'
                       ' "text": "a"}]}', "source_turn"),
    ],
)  # fmt: skip
def test_a_file_that_breaks_the_layout_is_named(tmp_path: Path, file: str, text: str, problem: str) -> None:
    shutil.copytree(LAYOUT, tmp_path / "tasks")
    (tmp_path / "tasks" / "quiet-task" / file).write_text(text)
    with pytest.raises(TaskError, match=problem) as caught:
        read_recorded(tmp_path / "tasks")
    assert file in caught.value.path


def test_missing_files(tmp_path: Path) -> None:
    with pytest.raises(MisuseError, match="holds no task"):
        read_recorded(tmp_path)
    shutil.copytree(LAYOUT, tmp_path / "tasks")
    (tmp_path / "tasks" / "quiet-task" / INTENTS_FILE).unlink()
    with pytest.raises(TaskError, match="can't be read"):
        read_recorded(tmp_path / "tasks")


def test_totals_and_the_bench(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = totals([examine(task) for task in read_recorded(LAYOUT)])
    assert found == Totals(
        tasks=2, goals=6, intents=2, idle_guards=1, tasks_with_idle_guards=1, weighted_guards=1,
        about_words=1, tasks_about_words=1, no_rationale=2, tasks_without_intents=1,
    )  # fmt: skip
    output = tmp_path / "report.json"
    assert main([str(LAYOUT), "--output", str(output)]) == 1, "these two are not the recorded sessions"
    assert "tasks: 2, by hand 38" in capsys.readouterr().out
    assert json.loads(output.read_text())["totals"]["idle_guards"] == 1
    assert BY_HAND.tasks == 38
