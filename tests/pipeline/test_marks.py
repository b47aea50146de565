"""Marks of a draft: what is missing keeps a task from loading, what is to be read keeps it from being sound."""

from pathlib import Path

import pytest

from swe_together.errors import TaskError
from swe_together.gaps import find_gaps, find_marks, gap, review
from swe_together.pipeline.check.model import DeclaredCase
from swe_together.pipeline.check.static import marks, read_task, static_verdicts
from swe_together.tasks import TaskBundle, load_task


def _read(task: Path) -> tuple[TaskBundle, list[DeclaredCase]]:
    _, bundle, declared = read_task(task)
    assert bundle is not None
    return bundle, declared


def append(file: Path, text: str) -> None:
    file.write_text(file.read_text() + text)


def test_what_is_missing_keeps_a_task_from_loading(task: Path) -> None:
    assert find_marks(task) == []
    append(task / "README.md", f"\n{gap('what it is about')}\n")
    with pytest.raises(TaskError, match=r"README\.md: line 7: is still to be written: what it is about"):
        load_task(task)
    assert [Path(one.path).name for one in find_gaps(task)] == ["README.md"]


def test_what_is_to_be_read_keeps_a_task_from_being_sound(task: Path) -> None:
    assert marks(task).passed
    append(task / "simulator.md", f"\n{review('who the user is,\nand what they know')}\n")
    load_task(task)
    assert find_gaps(task) == []
    verdict = next(one for one in static_verdicts(*_read(task))[1] if one.item == "everything read")
    assert not verdict.passed and "simulator.md:29: who the user is, and what they know" in verdict.detail


def test_the_code_bases_own_words_are_no_marks(task: Path) -> None:
    append(task / "environment" / "wordbox.py", f"# {gap('x')}\n")
    append(task / "solution" / "turn-0.patch", f"# {gap('x')}\n")
    (task / "tests" / "repository").mkdir()
    (task / "tests" / "repository" / "test_x.py").write_text(gap("x"))
    assert find_marks(task) == []
    assert read_task(task)[0].passed
