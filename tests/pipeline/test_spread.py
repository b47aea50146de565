"""The rules of a dataset: each is broken by a dataset that breaks it, and kept by one that keeps it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from swe_together.cli import main
from swe_together.pipeline.spread import PAGE_LINES, Rule, shared_lines, spread
from tests.support.tasks import make_task


def edit(name: str, pattern: str, new: str) -> Callable[[Path], None]:
    def apply(task: Path) -> None:
        text, count = re.subn(pattern, new, (task / name).read_text())
        assert count, f"{name} holds no {pattern}"
        (task / name).write_text(text)

    return apply


def made(folder: Path, *changes: Callable[[Path], None], count: int = 1) -> list[Path]:
    tasks = []
    for number in range(count):
        task = make_task(folder / f"made-up-{number}")
        for change in changes:
            change(task)
        tasks.append(task)
    return tasks


def rule(tasks: list[Path], name: str) -> Rule:
    (found,) = [one for one in spread(tasks) if one.name == name]
    return found


def language(name: str) -> Callable[[Path], None]:
    return edit("task.toml", 'language = "python"', f'language = "{name}"')


@pytest.mark.parametrize(
    ("name", "language_of", "count", "kept"),
    [
        ("in Python", "python", 12, True),
        ("in Python", "python", 13, False),
        ("in JavaScript and TypeScript", "typescript", 6, True),
        ("in JavaScript and TypeScript", "javascript", 5, False),
        ("in Go", "go", 4, True),
        ("in Go", "rust", 4, False),
        ("in Rust", "rust", 3, True),
        ("in C and C++", "cpp", 2, True),
        ("in C and C++", "c", 1, False),
        ("in other languages", "perl", 2, True),
        ("in other languages", "go", 9, False),
        ("tasks", "go", 30, True),
        ("tasks", "go", 29, False),
    ],
)
def test_languages(tmp_path: Path, name: str, language_of: str, count: int, kept: bool) -> None:
    assert rule(made(tmp_path, language(language_of), count=count), name).kept is kept


def test_lines_count_where_they_are_stated(tmp_path: Path) -> None:
    large = made(tmp_path / "a", edit("task.toml", "license = ", "lines = 10001\nlicense = "), count=8)
    assert rule(large, "of more than 10,000 lines").kept
    assert rule(large, "tasks that state their lines").kept
    small = made(tmp_path / "b", edit("task.toml", "license = ", "lines = 10000\nlicense = "), count=8)
    assert rule(small, "of more than 10,000 lines") == Rule("of more than 10,000 lines", "at least 8", "0", False)
    assert not rule(made(tmp_path / "c"), "tasks that state their lines").kept


def test_one_package_counts_once(tmp_path: Path) -> None:
    assert rule(made(tmp_path, count=25), "packages").found == "1"


def test_too_many_easy_ones(tmp_path: Path) -> None:
    hard = made(tmp_path / "a", edit("task.toml", 'difficulty = "easy"', 'difficulty = "hard"'), count=2)
    easy = made(tmp_path / "b")
    assert rule([*hard, *easy], "marked easy").kept
    assert not rule([hard[0], *easy], "marked easy").kept


def test_another_human_language(tmp_path: Path) -> None:
    german = made(tmp_path, edit("simulator.md", "persona:", "persona:\n  language: de"), count=2)
    assert rule(german, "in another human language").kept
    assert not rule(german[:1], "in another human language").kept


def test_proofs(tmp_path: Path) -> None:
    tasks = made(tmp_path, count=2)
    for task in tasks:
        for number in range(3):
            (task / "solution" / f"cheat-{number}.sh").write_text("exit 0\n")
    assert rule(tasks, "three cheat-*").kept
    (tasks[1] / "solution" / "cheat-2.sh").unlink()
    assert rule(tasks, "three cheat-*").found == f"not {tasks[1].name}"


def test_a_page_of_tests_in_common(tmp_path: Path) -> None:
    tasks = made(tmp_path, count=2)
    own = ["\n".join(f"line {task} {number}" for number in range(60)) for task in range(2)]
    page = "\n".join(f"common {number}" for number in range(PAGE_LINES))
    for task, text in zip(tasks, own, strict=True):
        (task / "tests" / "cases.py").write_text(f"{text}\n{page}\n{text}\n")
    assert rule(tasks, "equal lines of two tasks' tests").kept
    for task, text in zip(tasks, own, strict=True):
        (task / "tests" / "cases.py").write_text(f"{text}\n{page}\nand one more\n{text}\n")
    found = rule(tasks, "equal lines of two tasks' tests")
    assert (found.kept, found.found) == (False, f"{PAGE_LINES + 1} ({tasks[0].name}, {tasks[1].name})")


def test_single_lines_are_equal_by_chance() -> None:
    one = "import os\n\n\nfirst\nreturn x\n  }\nsecond\n}\n"
    assert shared_lines(one, "import os\nother\nreturn x\nmore\n}\n") == 0
    assert shared_lines(one, "    first\n  return x\n\n}\n") == 3, "indentation and blank lines hide nothing"


def test_the_command_says_which_rule_is_broken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--spread", *map(str, made(tmp_path, count=2))]) == 1
    printed = capsys.readouterr().out
    assert re.search(r"in Go +│ at least 4 +│ 0 +│ broken", printed)
    assert re.search(r"in Python +│ at most 12 +│ 2 +│ kept", printed)
