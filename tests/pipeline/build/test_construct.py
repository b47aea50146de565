"""A construction task holds all that its work needs, and nothing of Harbor's or ours takes it for a session."""

import json
from pathlib import Path

import pytest

from swe_together.cli import main
from swe_together.errors import MisuseError
from swe_together.pipeline.base import Repository
from swe_together.pipeline.build import make_plan
from swe_together.pipeline.build._construct import write_construction
from swe_together.pipeline.check.static import lint
from swe_together.tasks import is_together_task
from tests.pipeline.recorded import FILES, cleared, git, two_turns, wordbox
from tests.pipeline.screen.test_command import lines


def written(tmp_path: Path) -> Path:
    folder, _ = wordbox(tmp_path / "wordbox")
    git(folder, "remote", "add", "origin", "https://github.com/some/wordbox.git")
    with Repository(folder) as repository:
        plan = make_plan(cleared(two_turns()), repository, name="words")
        return write_construction(tmp_path / "construction" / "words", plan)


def test_it_is_a_sound_task_of_harbor_and_none_of_ours(tmp_path: Path) -> None:
    task = written(tmp_path)
    assert lint(task).passed, lint(task).detail
    assert not is_together_task(task) and is_together_task(task / "environment" / "draft")
    events = json.loads((task / "environment" / "material" / "session.json").read_text())["events"]
    assert [event["event"] for event in events][:3] == ["human", "call", "outcome"]
    assert events[1]["input"]["old_string"] == 'text.split(",")' and events[0]["at"].startswith("2026-03-01T12:01")
    page = (task / "environment" / "material" / "page.md").read_text()
    assert "and split at semicolons too" in page
    names = {path.name for path in (task / "environment" / "material" / "schema").iterdir()}
    assert names == {f"{name}.schema.json" for name in ("simulator", "rubric", "intents", "session", "task-metadata")}
    assert (task / "environment" / "repository.tar").stat().st_size > sum(map(len, FILES.values()))


def test_what_is_there_stays_and_a_repository_is_needed(tmp_path: Path) -> None:
    task = written(tmp_path)
    with Repository(tmp_path / "wordbox") as repository:
        plan = make_plan(cleared(two_turns()), repository, name="words")
        with pytest.raises(MisuseError, match="is there already"):
            write_construction(task, plan)
    with pytest.raises(MisuseError, match="holds its repository"):
        write_construction(tmp_path / "x", make_plan(cleared(two_turns()), None, name="words"))


def test_the_command_builds_each_session_and_says_what_it_could_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    (tmp_path / "a.jsonl").write_text(lines("s-a", "change the words", "and more"))
    (tmp_path / "b.jsonl").write_text(lines("s-b", "x").replace("/w/wordbox", "/w/other"))
    command = ["build", str(tmp_path / "a.jsonl"), "--repo", str(folder), "-o", str(tmp_path / "out")]
    assert main(command) == 0
    assert "1 anchors, base" in capsys.readouterr().out
    assert (tmp_path / "out" / "wordbox-change-the-words" / "task.toml").is_file()
    assert main([*command, "--draft"]) == 0
    assert is_together_task(tmp_path / "out" / "wordbox-change-the-words-2")
    assert main(["build", str(tmp_path / "a.jsonl"), "-o", str(tmp_path / "x")]) == 2
    assert main(["build", "--harvest", str(tmp_path / "none"), "-o", str(tmp_path / "x")]) == 2
