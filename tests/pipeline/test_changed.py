"""What the workflow of a pull request runs: only changed tasks, told by digest; good ones pass, broken ones say why."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from swe_together.cli import main
from swe_together.gaps import gap
from swe_together.tasks import task_digest
from tests.support.harbor import tiny_task
from tests.support.printed import squeezed


class Repository:
    """A git repository with two tasks and its work tree."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tasks = folder / "tasks"
        self.tasks.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")
        for name in ("good", "other"):
            self.copy(name)
        self.commit("one")

    def git(self, *arguments: str) -> str:
        identity = ["-c", "user.name=t", "-c", "user.email=t@localhost"]
        done = subprocess.run(
            ["git", "-C", str(self.folder), *identity, *arguments], capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    def copy(self, name: str) -> Path:
        task = Path(shutil.copytree(tiny_task(), self.tasks / name))
        file = task / "task.toml"
        file.write_text(file.read_text().replace("swe-together/tiny-task", f"swe-together/{name}"))
        return task

    def commit(self, message: str) -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    made = Repository(tmp_path / "repository")
    monkeypatch.chdir(made.folder)
    return made


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(["changed", *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def test_changed_added_and_removed_tasks_by_digest(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    (repository.tasks / "good" / "spec.md").write_text("Everything at once.\n")
    repository.copy("new")
    shutil.rmtree(repository.tasks / "other")
    repository.commit("two")
    digests = {name: task_digest(repository.tasks / name) for name in ("good", "new")}
    assert printed(capsys, "HEAD~..HEAD") == [
        f"tasks/good {digests['good']}",
        f"tasks/new {digests['new']}",
        "tasks/other removed",
    ]
    assert printed(capsys, "HEAD~..HEAD", "--left", "--names") == ["tasks/good", "tasks/new"]
    (line,) = printed(capsys, "HEAD~..HEAD", "--json")
    assert json.loads(line)[1] == {"task": "tasks/new", "digest": digests["new"], "status": "added"}
    assert [one["status"] for one in json.loads(line)] == ["changed", "added", "removed"]
    assert printed(capsys, "--all", "HEAD~", "--names") == ["tasks/good", "tasks/other"]


def test_what_is_no_part_of_a_task_changes_none(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    (repository.folder / "README.md").write_text("hello\n")
    (repository.tasks / "README.md").write_text("an overview\n")
    (repository.tasks / "good" / "rubric.draft.json").write_text("{}")
    repository.commit("two")
    assert printed(capsys, "HEAD~..HEAD") == []
    assert printed(capsys, "HEAD~..HEAD", "--check") == [], "nothing to check, so no container is needed"
    (repository.tasks / "good" / "solution" / "solve.sh").chmod(0o755)
    repository.commit("three")
    (line,) = printed(capsys, "HEAD~..HEAD")
    assert line.startswith("tasks/good ")


def test_three_dots_begin_where_the_branch_began(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository.git("switch", "-q", "-c", "mine")
    (repository.tasks / "good" / "spec.md").write_text("Mine.\n")
    repository.commit("mine")
    repository.git("switch", "-q", "main")
    (repository.tasks / "other" / "spec.md").write_text("Somebody else's.\n")
    repository.commit("theirs")
    assert printed(capsys, "main...mine", "--names") == ["tasks/good"]
    assert printed(capsys, "main..mine", "--names") == ["tasks/good", "tasks/other"]


@pytest.mark.parametrize("commits", ["HEAD", "..HEAD", "nowhere..HEAD", "HEAD...nowhere"])
def test_no_range_is_misuse(repository: Repository, commits: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["changed", commits]) == 2
    assert "Traceback" not in capsys.readouterr().err


def text(name: str, old: str, new: str) -> Callable[[Path], object]:
    def apply(task: Path) -> None:
        content = (task / name).read_text()
        assert old in content
        (task / name).write_text(content.replace(old, new, 1))

    return apply


BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "a missing file": (lambda task: (task / "spec.md").unlink(), "spec.md: the file is missing"),
    "weights that are off": (text("rubric.json", '"weight": 0.4', '"weight": 0.5'), "must sum to 1, they sum to 1.1"),
    "a gap": (
        lambda task: (task / "README.md").write_text(gap("two sentences")),
        "README.md: line 1: is still to be written: two sentences",
    ),
    "an image without version": (
        text("environment/Dockerfile", "FROM debian:trixie-slim", "FROM debian"),
        "FROM debian names no version",
    ),
    "a download without version": (
        text("environment/Dockerfile", "WORKDIR /workspace", "RUN pip install --user six\nWORKDIR /workspace"),
        "'RUN pip install --user six' fetches something without version or digest",
    ),
    "the answer in the instruction": (
        lambda task: (task / "instruction.md").write_text(
            'split() keeps blanks. do it like this:\n    parts = (part.strip() for part in text.split(","))\n'
        ),
        "instruction.md holds a line of the solution",
    ),
    "a later wish in the instruction": (
        lambda task: (task / "instruction.md").write_text(
            "clean words only please. some of my files use semicolons, split there too\n"
        ),
        "instruction.md says already what the anchor semicolons is to say",
    ),
    "a file that the image copies": (
        lambda task: (task / "environment" / "wordbox.py").unlink(),
        "environment/wordbox.py is missing, which environment/Dockerfile copies",
    ),
    "line ends of Windows": (
        text("solution/turn-1.patch", "\n", "\r\n"),
        "solution/turn-1.patch has line ends of Windows (CRLF)",
    ),
    "no dialogues": (
        lambda task: (task / "solution" / "golden.json").unlink(),
        "solution/golden.json isn't written yet: run swe-together check --update-golden",
    ),
    "another session": (
        text("session.json", "split there too", "never mind"),
        "session.json: turn 1: the text differs from the anchor in simulator.md",
    ),
    "a wrong patch of no goal": (
        text("solution/wrong-no-semicolons.patch", "Goal: semicolons", "Goal: colons"),
        "wrong-no-semicolons.patch names the goal colons, which rubric.json doesn't hold",
    ),
    "a case of no goal": (
        text("tests/cases.py", "def longest_of_none", "def longest_of_nothing"),
        "longest-of-nothing belongs to no goal",
    ),
    "a turn with one case": (
        text("tests/cases.py", '@case(turn=2)\ndef longest_of_none', '@case(turn=1)\ndef longest_of_none'),
        "turn 2 asks for work but owns 1 fail-to-pass cases, it needs 2",
    ),
    "a changed test runner": (
        lambda task: (task / "tests" / "test.sh").write_text("#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n"),
        "tests/test.sh differs from the package's own: run swe-together fmt",
    ),
    "a predicate that is none": (
        text("simulator.md", "file_matches:", "file_contains:"),
        "simulator.md: anchors[longest].satisfied",
    ),
}  # fmt: skip


def check(repository: Repository, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = main(["changed", "HEAD~..HEAD", "--check", "--static"])
    return code, squeezed(capsys.readouterr().out)


def test_a_good_task_passes(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository.copy("new")
    repository.commit("two")
    code, said = check(repository, capsys)
    assert code == 0, said
    assert squeezed("new is sound as far as files tell") in said
    assert "goodis" not in said and "otheris" not in said


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_task_fails_with_its_reason(
    name: str, repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    change, sentence = BROKEN[name]
    change(repository.copy("new"))
    repository.commit("two")
    code, said = check(repository, capsys)
    assert code == 1
    assert squeezed(sentence) in said, said
    assert squeezed("new is not sound") in said


def test_the_commit_is_judged_and_not_what_lies_in_the_folder(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    task = repository.copy("new")
    repository.commit("two")
    (task / "spec.md").unlink()
    assert main(["changed", "HEAD~..HEAD", "--check", "--static"]) == 0
    told = capsys.readouterr().err
    assert "The working tree differs from HEAD in tasks/new; judged is HEAD." in told
    repository.commit("three")
    repository.git("checkout", "-q", "HEAD~", "--", "tasks/new/spec.md")
    assert main(["changed", "HEAD~2..HEAD", "--check", "--static"]) == 1, "an added file that isn't committed"
    said = capsys.readouterr()
    assert squeezed("tasks/new/spec.md: the file is missing") in squeezed(said.out)
    assert squeezed("/tasks/new") not in squeezed(said.out), "paths are those of the repository"


def test_a_task_that_is_not_committed_is_named(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository.copy("new")
    assert printed(capsys, "HEAD..HEAD") == []
    assert main(["changed", "HEAD..HEAD", "--check", "--static"]) == 0
    assert "differs from HEAD in tasks/new" in capsys.readouterr().err


def test_a_link_out_of_the_folder_is_one_sentence(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    (repository.copy("new") / "note.md").symlink_to("/etc/hostname")
    repository.commit("two")
    assert main(["changed", "HEAD~..HEAD"]) == 1
    assert "Put the file itself there instead of a link." in capsys.readouterr().err
