"""Gaps: no task with one loads, and each is named with its file and line."""

import json
from pathlib import Path

import pytest

from swe_together.errors import TaskError
from swe_together.gaps import find_gaps, gap
from swe_together.tasks import find_problems, load_task, load_unjudged
from tests.support.tasks import make_task


@pytest.fixture
def task(tmp_path: Path) -> Path:
    return make_task(tmp_path / "made-up")


@pytest.mark.parametrize(
    "name", ["instruction.md", "README.md", "environment/Dockerfile", "solution/turn-1.patch", "tests/cases.py"]
)
def test_a_gap_in_any_file_is_named_and_nothing_loads(task: Path, name: str) -> None:
    (task / name).write_text(f"one\n{gap('the second line')}\n")
    with pytest.raises(TaskError, match="line 2: is still to be written: the second line") as told:
        load_task(task)
    assert told.value.path == str(task.resolve() / name)
    with pytest.raises(TaskError, match="still to be written"):
        load_unjudged(task)


def test_other_faults_of_an_unfinished_file_wait(task: Path) -> None:
    (task / "simulator.md").write_text(gap("everything"))
    (task / "spec.md").unlink()
    first, second = map(str, find_problems(task))
    assert "simulator.md: line 1: is still to be written" in first
    assert "spec.md: the file is missing" in second


def test_a_rubric_in_the_making_is_no_obstacle_to_drafting_it(task: Path) -> None:
    (task / "rubric.json").write_text(json.dumps({"goals": gap("goals")}))
    assert load_unjudged(task).id == "made-up"
    with pytest.raises(TaskError, match=r"rubric.json: line 1: is still"):
        load_task(task)


def test_only_the_whole_mark_in_the_tasks_own_files_counts(task: Path) -> None:
    (task / "instruction.md").write_text("cat <<fill in: no end\n<<END\n<<fill in\n")
    deep = task / "environment" / "tree"
    deep.mkdir()
    (deep / "file.txt").write_text(gap("part of the code base"))
    patch = task / "solution" / "turn-1.patch"
    patch.write_text(f"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-{gap('old')}\n+{gap('what the code base itself writes')}\n")
    assert find_gaps(task) == []
    load_task(task)
