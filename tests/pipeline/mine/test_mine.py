"""Sessions of a repository are found and become tasks; what is no material says why."""

import asyncio
import hashlib
import json
from pathlib import Path

import pytest

from swe_together.cli import main
from swe_together.gaps import find_gaps
from swe_together.pipeline.base import Repository
from swe_together.pipeline.fake import FakeReader
from swe_together.pipeline.mine import Found, Mined, Wishes, belongs, mine_session, why_not
from swe_together.tasks import load_task
from tests.pipeline.recorded import FILES, TEST, Recording, at, commit, git, two_turns, wordbox
from tests.pipeline.screen.test_command import lines

FILES_ONLY = Wishes(containers=False)


def mined(tmp_path: Path, recording: Recording, wishes: Wishes = FILES_ONLY, **origin: object) -> Mined:
    with Repository(tmp_path / "wordbox") as repository:
        found = Found(recording.session(**origin), "s.jsonl", "folder")
        return asyncio.run(mine_session(found, repository, tmp_path / "tasks", wishes))


def test_how_a_session_is_known_to_belong(tmp_path: Path) -> None:
    folder, first = wordbox(tmp_path / "wordbox")
    git(folder, "remote", "add", "origin", "git@github.com:Some/Wordbox.git")
    with Repository(folder) as repository:

        def way(**origin: object) -> str | None:
            return belongs(Recording().says("x").session(**{"cwd": None, **origin}), repository)

        assert way(cwd=str(folder)) == "folder" and way(cwd=f"{folder}/src") == "folder"
        assert way(repository="https://github.com/some/wordbox") == "remote"
        assert way(repository="some/wordbox", cwd="/elsewhere") == "remote"
        assert way(repository=first) == "project"
        assert way(repository=hashlib.sha256(str(folder).encode()).hexdigest()) == "project"
        assert way(cwd="/home/other/wordbox") == "name"
        assert way(cwd="/home/other/wordbox", repository="https://github.com/some/fork") is None
        assert way(cwd=f"{folder}-2") is None and way(cwd="/") is None and way() is None


def test_why_a_session_is_no_material() -> None:
    assert why_not(two_turns().session(), 2) == ""
    assert why_not(two_turns().session(), 3) == "it has 2 messages of a person, at least 3 are needed"
    assert why_not(two_turns().session(parent="p"), 2) == "it was started by session p, not by a person"
    assert why_not(Recording().says("a").replies("b").says("c").session(), 2) == "it changes nothing"


def test_without_containers_everything_but_the_tests_is_derived(tmp_path: Path) -> None:
    wordbox(tmp_path / "wordbox")
    result = mined(tmp_path, two_turns())
    assert result.task is not None and result.reason == ""
    assert result.tests.startswith("those of the repository (pytest)") and result.verdicts == []
    assert [Path(gap.path).name for gap in find_gaps(result.task)] == ["README.md", *["rubric.json"] * 2]
    assert (result.task / "tests" / "repository" / "test_wordbox.py").read_text() == TEST


def test_without_tests_of_its_own_a_person_must_write_them(tmp_path: Path) -> None:
    wordbox(tmp_path / "wordbox")
    recording = Recording().says("x").edits("wordbox.py", "text", "t").says("y").replies("ok")
    result = mined(tmp_path, recording)
    assert result.tests == "none: the session changed no test of the repository"
    assert any(line.startswith("fill in: tests/cases.py:5: at least two") for line in result.left)


def test_a_session_without_a_base_or_without_work_says_so(tmp_path: Path) -> None:
    wordbox(tmp_path / "wordbox")
    dirty = Recording().says("x").edits("wordbox.py", "a", "b", before="never committed\n").says("y").replies("z")
    assert "No commit of" in mined(tmp_path, dirty).reason
    idle = Recording().says("x").runs("ls").says("y").replies("z")
    assert "change anything" in mined(tmp_path, idle).reason
    assert not (tmp_path / "tasks").exists() or list((tmp_path / "tasks").glob("*/task.toml")) == []


def test_a_session_that_only_shares_the_folders_name_must_be_proven(tmp_path: Path) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    recording = Recording().says("x").edits("wordbox.py", "text", "t").says("y").replies("ok")
    with Repository(folder) as repository:
        found = Found(recording.session(), "s.jsonl", "name")
        result = asyncio.run(mine_session(found, repository, tmp_path / "tasks", FILES_ONLY))
        proven = asyncio.run(mine_session(Found(two_turns().session(), "s", "name"), repository, tmp_path, FILES_ONLY))
    assert result.task is None and "Only its folder's name" in result.reason
    assert proven.task is not None


def published(tmp_path: Path, recording: Recording, licence: str | None = FILES["LICENSE"], push: bool = True) -> Mined:
    folder = tmp_path / "wordbox"
    files = {**FILES, "LICENSE": licence} if licence else {k: v for k, v in FILES.items() if k != "LICENSE"}
    commit(folder, files, at(-60), "Begin")
    git(folder, "remote", "add", "origin", "https://github.com/some/wordbox.git")
    if push:
        git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    return mined(tmp_path, recording, Wishes(containers=False, publish=True))


SECRET = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"


def test_what_is_published_holds_no_secret_and_is_fetched_from_its_host(tmp_path: Path) -> None:
    recording = (
        two_turns().says(f"push it, my token is {SECRET}, mail jo.doe@acme-works.com").replies(f"Used {SECRET}.")
    )
    result = published(tmp_path, recording)
    assert result.task is not None, result.reason
    held = [path for path in result.task.rglob("*") if path.is_file()]
    for path in held:
        assert SECRET.encode() not in path.read_bytes() and b"jo.doe" not in path.read_bytes(), path
    assert not (result.task / "environment" / "repository.tar").exists()
    assert "https://github.com/some/wordbox" in (result.task / "task.toml").read_text()
    assert "strip them" in (result.task / "instruction.md").read_text()


def test_a_private_task_keeps_the_persons_own_words(tmp_path: Path) -> None:
    wordbox(tmp_path / "wordbox")
    result = mined(tmp_path, two_turns().says(f"my token is {SECRET}").replies("ok"))
    assert result.task is not None and SECRET in (result.task / "simulator.md").read_text()


@pytest.mark.parametrize(
    ("licence", "push", "told"),
    [(None, True, "its licence is LicenseRef-unknown"), (FILES["LICENSE"], False, "is on no branch of a remote")],
)
def test_what_may_not_be_passed_on_stays_here(tmp_path: Path, licence: str | None, push: bool, told: str) -> None:
    result = published(tmp_path, two_turns(), licence, push)
    assert result.task is None and told in result.reason
    assert list((tmp_path / "tasks").glob("*/task.toml")) == []


def test_a_secret_in_code_that_is_not_public_keeps_the_task_here(tmp_path: Path) -> None:
    recording = two_turns().edits("README.md", "Word lists.", f"token = '{SECRET}'")
    result = published(tmp_path, recording)
    assert result.task is None and "must not leave the machine" in result.reason and SECRET not in result.reason
    assert list((tmp_path / "tasks").glob("*")) == []


def test_the_command_tells_what_became_of_every_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    sessions = tmp_path / "sessions"
    sessions.mkdir()
    (sessions / "other.jsonl").write_text(lines("s-other", "x", "y"))
    (sessions / "short.jsonl").write_text(lines("s-short", "x").replace("/w/wordbox", str(folder)))
    output = tmp_path / "tasks"
    command = ["mine", str(sessions), "--repo", str(folder), "-o", str(output), "--no-containers"]
    assert main(command) == 1
    printed = capsys.readouterr().out
    assert "session s-short: no task: it has 1 message of a person" in printed
    assert "0 tasks of 2 sessions" in printed or "is not of wordbox" in printed
    (tmp_path / "broken.jsonl").write_text("{\n")
    assert main(["mine", str(tmp_path / "broken.jsonl"), "--repo", str(folder), "-o", str(output)]) == 1
    assert "not read" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [[], ["x"], ["x", "--repo", "."], ["--prove", "t", "--repo", "."], ["/none", "--repo", ".", "-o", "o"],
     ["x", "--repo", "/none", "-o", "o"], ["x", "--repo", ".", "-o", "o", "--least", "0"]],
)  # fmt: skip
def test_misuse_is_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mine", *arguments]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_model_writes_what_rules_leave_plain(tmp_path: Path) -> None:
    wordbox(tmp_path / "wordbox")
    recording = Recording().says("strip").edits("wordbox.py", 'text.split(",")', "[]").says("y").replies("ok")
    model = FakeReader()
    result = mined(tmp_path, recording, Wishes(containers=False, model=model))
    assert result.task is not None and len(model.asked) == 1
    assert result.tests == "written by fake-reader, since the session changed no test of the repository"
    assert load_task(result.task).script.persona.description == "Somebody who writes as the messages are written."
    assert any("cases.py" in line and "a model wrote these cases" in line for line in result.left)
    own = mined(tmp_path, two_turns(), Wishes(containers=False, model=model))
    assert own.tests.startswith("those of the repository (pytest)")


def test_a_gap_that_is_filled_in_makes_the_task_load(tmp_path: Path) -> None:
    wordbox(tmp_path / "wordbox")
    recording = Recording().says("strip").edits("wordbox.py", 'text.split(",")', "[]").says("y").replies("ok")
    task = mined(tmp_path, recording).task
    assert task is not None
    (task / "tests" / "cases.py").write_text(
        "from harness import Runner, case\n\n\n@case(turn=0)\ndef strips(run: Runner) -> None:\n    assert True\n"
    )
    rubric = json.loads((task / "rubric.json").read_text())
    for goal in rubric["goals"]:
        goal["text"] = "Words are clean."
    (task / "rubric.json").write_text(json.dumps(rubric))
    assert load_task(task).metadata.model_dump()["source"]["repository"] == "wordbox"
