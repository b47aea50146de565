"""The items that files alone decide, and what is looked for in the image: on copies of the tiny task."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from swe_together.pipeline.check.cache import Cache, key_of
from swe_together.pipeline.check.model import StateResult, Verdict
from swe_together.pipeline.check.request import answer_lines, private_files
from swe_together.pipeline.check.static import read_task, static_verdicts


def edit(name: str, old: str, new: str) -> Callable[[Path], object]:
    def apply(task: Path) -> None:
        text = (task / name).read_text()
        assert old in text
        (task / name).write_text(text.replace(old, new, 1))

    return apply


def failing(task: Path) -> dict[str, str]:
    files, bundle, declared = read_task(task)
    verdicts: list[Verdict] = [files]
    if bundle is not None:
        verdicts += static_verdicts(bundle, declared)[1]
    return {verdict.item: verdict.detail for verdict in verdicts if not verdict.passed}


def test_the_tiny_task_is_sound_as_far_as_files_tell(task: Path) -> None:
    assert failing(task) == {}


SPOILT = {
    # name: (what is spoilt, the item that finds it, words of the finding)
    "file missing": (lambda task: (task / "rubric.json").unlink(), "files", "rubric.json"),
    "cases that can't be read": (edit("tests/cases.py", "@case(turn=0)", "@case(turn=nothing)"), "files", "NameError"),
    "cases that print": (edit("tests/cases.py", "from harness", "print('x')\nfrom harness"), "files", "prints"),
    "unknown field": (edit("task.toml", "cpus = 1", "cpus = 1\nspeed = 3"), "harbor lint", "speed"),
    "helper changed": (edit("tests/test.sh", "set -e", "set -x -e"), "test helpers", "tests/test.sh differs"),
    "helper missing": (
        lambda task: (task / "tests/restore.sh").unlink(),
        "test helpers",
        "tests/restore.sh is missing",
    ),
    "collect command changed": (edit("task.toml", "umask 077", "umask 022"), "collect command", "swe-together fmt"),
    "collect as another user": (edit("task.toml", 'user = "root"', 'user = "agent"'), "collect command", "root"),
    "no stop signal": (edit("environment/Dockerfile", "STOPSIGNAL SIGKILL\n", ""), "settings", "STOPSIGNAL"),
    "work elsewhere": (
        edit("environment/Dockerfile", "WORKDIR /workspace", "WORKDIR /srv"),
        "settings",
        "the last WORKDIR must be /workspace",
    ),
    "work elsewhere by Harbor": (
        edit("task.toml", 'workdir = "/workspace"', 'workdir = "/srv"'),
        "settings",
        '[environment] workdir must be "/workspace"',
    ),
    "one processor": (
        edit("environment/Dockerfile", "FROM debian", "FROM --platform=linux/amd64 debian"),
        "settings",
        'processors = ["amd64"]',
    ),
    "shared verifier": (edit("task.toml", '"separate"', '"shared"'), "settings", "separate"),
    "agent is root": (edit("task.toml", 'user = "agent"', 'user = "root"'), "settings", "[agent] user"),
    "artifacts": (edit("task.toml", "/var/lib/swe-together", "/var/lib/other"), "settings", "artifacts"),
    "unknown case": (edit("rubric.json", "strips-blanks", "strips-blank"), "goals and cases", "strips-blank"),
    "turn without cases": (
        edit("tests/cases.py", "@case(turn=2)", "@case(turn=1)"),
        "cases of each turn",
        "turn 2 asks for work but owns 1",
    ),
    "header of a wrong patch": (
        edit("solution/wrong-no-semicolons.patch", "Goal: ", "goal "),
        "proofs",
        "Goal: <goal id>",
    ),
    "cheats missing": (lambda task: (task / "solution/cheat-early-exit.patch").unlink(), "proofs", "2 are needed"),
}


@pytest.mark.parametrize("name", SPOILT)
def test_each_spoilt_file_is_named(task: Path, name: str) -> None:
    spoil, item, words = SPOILT[name]
    spoil(task)
    found = failing(task)
    assert words in found.get(item, ""), found


def test_answers_are_lines_that_the_base_does_not_hold(tmp_path: Path) -> None:
    first, second = tmp_path / "turn-0.patch", tmp_path / "turn-1.patch"
    moved, short = "result = compute_the_moved_line(value)", "x = 1"
    early, late = "cleaned = clean_the_words_of(text, blanks)", "cleaned = clean_the_words_of(text, both_kinds)"
    first.write_text(f"--- a/x\n+++ b/x\n-{moved}\n+    {moved}\n+    {early}\n+{short}\n")
    second.write_text(f"--- a/x\n+++ b/x\n-    {early}\n+    {late}\n+import a_module_with_a_long_name_of_its_own\n")
    assert answer_lines([first, second]) == {early, late}


def test_private_files_leave_out_what_the_image_is_built_from(task: Path) -> None:
    names = {name for name, _, _ in private_files(task)}
    assert {"spec.md", "rubric.json", "tests/cases.py", "solution/turn-0.patch"} <= names
    assert not any(name.startswith("environment/") for name in names)
    assert "solution/golden.json" not in names


def test_kept_results_come_back_until_something_changes(task: Path, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "kept")
    first = key_of(task / "tests", "stage-0", below=task)
    cache.put("stage-0", first, StateResult(name="stage-0", reward=0.5))
    kept = cache.get("stage-0", key_of(task / "tests", "stage-0", below=task), StateResult)
    assert kept is not None and kept.reward == 0.5
    assert Cache(tmp_path / "kept", fresh=True).get("stage-0", first, StateResult) is None
    (task / "tests" / "cases.py").write_text("changed")
    second = key_of(task / "tests", "stage-0", below=task)
    assert second != first and cache.get("stage-0", second, StateResult) is None
    cache.put("stage-0", second, StateResult(name="stage-0", reward=0.6))
    assert len(list((tmp_path / "kept").iterdir())) == 1


def test_a_cut_off_result_counts_as_none(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("image", "k", StateResult(name="x"))
    (tmp_path / "image.k.json").write_text('{"name": ')
    assert cache.get("image", "k", StateResult) is None


def test_keys_do_not_depend_on_where_a_task_lies(task: Path, tmp_path: Path) -> None:
    moved = Path(shutil.copytree(task, tmp_path / "moved"))
    assert key_of(task / "tests", below=task) == key_of(moved / "tests", below=moved)
