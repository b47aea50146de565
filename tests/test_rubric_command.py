"""``swe-together rubric``: what is refused before any container starts, and that nothing is overwritten or left."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from swe_together.cli import main
from swe_together.errors import TaskError
from swe_together.pipeline.rubric import write_draft
from swe_together.tasks import load_task, load_unjudged
from tests.judge.drafting.cases import FAULT, TINY, drafted


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """The tiny task without a rubric."""
    copy = tmp_path / "tiny-task"
    shutil.copytree(TINY.path, copy)
    (copy / "rubric.json").unlink()
    return copy


def files(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SWE_TOGETHER_AUTHOR_API_KEY", raising=False)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "Give --model MODEL, or --freeze."),
        (["--model", "x", "--freeze"], "Give --model MODEL, or --freeze."),
        (["--model", "x"], "The host variable SWE_TOGETHER_AUTHOR_API_KEY with the key of 'x' is not set."),
        (["--model", "x"], "or name another one: --api-key-env NAME"),
        (["--model", "x", "--reviewer", "Ann"], "--reviewer belongs to --freeze"),
        (["--model", "x", "--seconds", "0"], "--seconds 0: must be more than 0"),
        (["--model", "x", "--temperature", "9"], "--temperature: Input should be less than or equal to 2"),
        (["--model", "x", "--base-url", "https://key@host"], "--base-url: String should match"),
        (["--model", "x", "--source", "nowhere.md"], "nowhere.md is no text file"),
        (["--freeze"], "Say who: --reviewer NAME."),
        (["--freeze", "--reviewer", " "], "Say who: --reviewer NAME."),
        (["--freeze", "--reviewer", "Ann", "--critic", "x"], "--critic has no part in freezing"),
        (["--freeze", "--reviewer", "Ann", "--source", "x.md"], "--source has no part in freezing"),
        (["--freeze", "--reviewer", "Ann"], "there is no draft. Make one: swe-together rubric TASK --model MODEL."),
    ],
)
def test_misuse(task: Path, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = files(task)
    assert main(["rubric", str(task), *arguments]) == 2
    printed = capsys.readouterr().err
    assert told in printed
    assert "key@" not in printed
    assert files(task) == before


@pytest.mark.parametrize("arguments", [["--model", "x"], ["--freeze", "--reviewer", "Ann"]])
def test_a_task_that_holds_candidate_output(
    task: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    write_draft(task / "rubric.draft.json", drafted())
    (task / "solution" / "state.tar").write_bytes(b"x")
    assert main(["rubric", str(task), *arguments, "--replace"]) == 2
    assert "state.tar holds a packed final state" in capsys.readouterr().err
    assert not (task / "rubric.json").exists()


@pytest.mark.parametrize("name", ["agent/answer.md", "verifier/reward.json"])
def test_a_source_that_is_candidate_output(
    task: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    trial = tmp_path / "jobs" / "t__1"
    (trial / name).parent.mkdir(parents=True)
    (trial / name).write_text("done")
    (trial / "config.json").write_text('{"trial_name": "t__1"}')
    assert main(["rubric", str(task), "--model", "x", "--source", str(trial / name)]) == 2
    assert "A rubric is written before any candidate is seen." in capsys.readouterr().err


def test_neither_draft_nor_rubric_is_overwritten_unasked(task: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_draft(task / "rubric.draft.json", drafted())
    assert main(["rubric", str(task), "--model", "x"]) == 2
    (task / "rubric.json").write_text("frozen long ago")
    assert main(["rubric", str(task), "--freeze", "--reviewer", "Ann"]) == 2
    assert capsys.readouterr().err.count("is there already. Give --replace") == 2
    assert (task / "rubric.json").read_text() == "frozen long ago"


def without_commands(**changes: Any) -> Any:
    goals = [{**goal.model_dump(mode="json"), "check": None} for goal in drafted().goals]
    return drafted(goals=goals, **changes)


def test_freezing_writes_a_rubric_that_the_task_loads_with(task: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without commands no container is needed; nothing but the rubric is written."""
    write_draft(task / "rubric.draft.json", without_commands(findings=[{**FAULT, "answer": "they said so twice"}]))
    before = files(task)
    assert main(["rubric", str(task), "--freeze", "--reviewer", "Ann"]) == 0
    assert "Commands decide 0.00 of the weight." in capsys.readouterr().out
    rubric = load_task(task).rubric
    assert rubric.provenance.author.endswith("edited and frozen by Ann.")
    assert rubric.provenance.digest is not None
    assert {name for name in files(task) if name not in before} == {str(task / "rubric.json")}
    changed = json.loads((task / "rubric.json").read_text())
    changed["goals"][0]["weight"], changed["goals"][1]["weight"] = 0.5, 0.46
    (task / "rubric.json").write_text(json.dumps(changed))
    with pytest.raises(TaskError, match="changed after they were frozen"):
        load_task(task)


def test_what_keeps_it_from_being_frozen_is_listed(task: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_draft(task / "rubric.draft.json", without_commands(findings=[FAULT]))
    assert main(["rubric", str(task), "--freeze", "--reviewer", "Ann"]) == 1
    printed = capsys.readouterr().out
    assert "rubric.draft.json can't be frozen:\n- finding 1 (weight, semicolons) must be dealt with" in printed
    assert not (task / "rubric.json").exists()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"author": "x"}', "date: Field required"),
        ("{", "Invalid JSON"),
        ('{"format": 2}', "format: Input should be 1"),
    ],
)
def test_a_draft_of_another_form(task: Path, text: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    (task / "rubric.draft.json").write_text(text)
    assert main(["rubric", str(task), "--freeze", "--reviewer", "Ann"]) == 1
    printed = capsys.readouterr().err
    assert told in printed
    assert "rubric.draft.json" in printed


def test_a_draft_is_no_part_of_the_task(task: Path) -> None:
    before = load_unjudged(task).digest
    write_draft(task / "rubric.draft.json", drafted())
    assert load_unjudged(task).digest == before


def test_without_a_rubric_nothing_is_judged_and_none_is_made(task: Path) -> None:
    before = files(task)
    with pytest.raises(TaskError, match=r"rubric\.json: the file is missing"):
        load_task(task)
    assert files(task) == before
    assert load_unjudged(task).name == TINY.name
