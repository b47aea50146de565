"""Folders of dialogues and tasks, the ready set, and the commands that write and describe them."""

import json
from pathlib import Path

import pytest

from swe_together.cli import main
from swe_together.errors import MisuseError, TaskError
from swe_together.memorycode._arms import Arm
from swe_together.memorycode._statistics import sized_figures
from swe_together.memorycode.build import READY, build, write_ready
from swe_together.memorycode.files import digest, read_dialogues
from swe_together.memorycode.generate import Recipe, generate
from swe_together.memorycode.tasks import task_files, tasks_of
from swe_together.tasks import load_task

ROOT = Path(__file__).parent.parent.parent
READY_SET = ROOT / "memorycode" / "ready"
SMALL = Recipe(1, sizes=[2], per_size=2)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_ready_set_is_what_the_generator_writes() -> None:
    wanted: dict[str, bytes] = {}
    for dialogue in generate(READY):
        for name, arm, rule in tasks_of(dialogue, list(Arm)):
            wanted |= {f"{name}/{path}": text.encode() for path, text in task_files(name, dialogue, arm, rule).items()}
    found = {path: data for path, data in contents(READY_SET).items() if "__pycache__" not in path}
    differing = sorted(path for path in wanted.keys() | found.keys() if wanted.get(path) != found.get(path))
    assert differing == [], "write it anew: swe-together memorycode ready"


def test_the_registry_lists_the_ready_set() -> None:
    (dataset,) = [d for d in json.loads((ROOT / "registry.json").read_text()) if d["name"] == "memorycode"]
    assert dataset["version"] == "1.0"
    names = sorted(path.parent.name for path in READY_SET.glob("*/task.toml"))
    assert len(names) >= 24
    assert [(task["name"], task["path"]) for task in dataset["tasks"]] == [
        (name, f"memorycode/ready/{name}") for name in names
    ]
    told = [json.loads((READY_SET / name / "tests" / "told.json").read_text()) for name in names]
    assert {one["arm"] for one in told} == {arm.value for arm in Arm}
    assert {one["size"] for one in told} == set(READY.sizes)


def test_every_ready_task_loads() -> None:
    for path in sorted(READY_SET.glob("*/task.toml")):
        assert load_task(path.parent).name == f"swe-together/memorycode-{path.parent.name}"


def test_the_ready_set_is_never_written_over_something_else(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    with pytest.raises(MisuseError, match="mine"):
        write_ready(tmp_path)


def test_a_folder_holds_the_same_bytes_again(tmp_path: Path) -> None:
    first = build(tmp_path / "one", SMALL, ["chain", "memory"])
    second = build(tmp_path / "two", SMALL, ["chain", "memory"])
    assert first == second
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert (first.dialogues, first.tasks, first.left_out) == (2, 4, {})
    build(tmp_path / "one", Recipe(1, sizes=[1], per_size=1), [])
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == ["dialogues", "memorycode.json"]
    texts = [path.read_text() for path in sorted((tmp_path / "two" / "dialogues").iterdir())]
    assert digest(texts) == first.sha256


def test_a_prompt_that_no_command_line_takes_is_left_out_and_named(tmp_path: Path) -> None:
    manifest = build(tmp_path, SMALL, ["history", "chain"], longest=3000)
    assert manifest.tasks + len(manifest.left_out) == 4
    assert all(name.endswith("history") for name in manifest.left_out)


def test_what_others_wrote_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("x")
    with pytest.raises(MisuseError, match="did not write"):
        build(tmp_path, SMALL)
    assert (tmp_path / "thesis.txt").read_text() == "x"


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = str(tmp_path / "out")
    assert main(["memorycode", "generate", "--seed", "1", "--sessions", "1,2", "--per-size", "6", "-o", output]) == 0
    assert "12 dialogues and 0 tasks" in capsys.readouterr().out
    assert main(["memorycode", "stats", output]) == 0
    assert "published" in capsys.readouterr().out
    assert main(["memorycode", "stats", output, "--json"]) == 0
    assert [row["size"] for row in json.loads(capsys.readouterr().out)] == [1, 2]
    assert main(["memorycode", "stats", str(tmp_path / "none")]) == 2
    assert main(["memorycode", "generate", "--seed", "1", "--sessions", "0", "-o", output]) == 2
    assert main(["memorycode", "generate", "--seed", "1", "--prose-model", "x", "-o", output]) == 2
    with pytest.raises(SystemExit, match="2"):
        main(["memorycode", "generate", "--seed", "1", "--arms", "chains", "-o", output])


def test_statistics_tell_when_dialogues_are_off_the_law(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(tmp_path, Recipe(1, sizes=[5], per_size=12))
    (row,) = sized_figures(read_dialogues(tmp_path))
    assert not any(figure.far for figure in row.figures.values())
    shouting = [
        one.model_copy(
            update={"sessions": [m.model_copy(update={"text": f"{m.text} {m.text} {m.text}"}) for m in one.sessions]}
        )
        for one in read_dialogues(tmp_path)
    ]
    (row,) = sized_figures(shouting)
    assert [name for name, figure in row.figures.items() if figure.far] == ["words"]


def test_a_broken_dialogue_is_named(tmp_path: Path) -> None:
    build(tmp_path, SMALL)
    path = tmp_path / "dialogues" / "s002-01.json"
    path.write_text(path.read_text().replace('"kind": "', '"kind": "x', 1))
    with pytest.raises(TaskError, match=r"s002-01\.json: sessions\.\d\.items\.0\.kind"):
        list(read_dialogues(tmp_path))
