"""``swe-together new``: the scaffold is complete in its form, every gap of it is named, and filled it is a task."""

import itertools
import json
import re
import shutil
from pathlib import Path

import pytest

from swe_together._task_files import read_prose, read_simulator
from swe_together.cli import main
from swe_together.errors import MisuseError
from swe_together.gaps import find_gaps
from swe_together.pipeline.check.static import read_task, static_verdicts
from swe_together.pipeline.new import PIN_FORMS, Wish, choices, parse_pin, write_scaffold
from swe_together.tasks import find_problems, load_task
from tests.support.printed import squeezed

PINS = {
    "pypi:sqlparse==0.4.4": "sqlparse==0.4.4 --hash=sha256:",
    "npm:@scope/qs@6.10.2": "npm pack --silent @scope/qs@6.10.2",
    "debian:golang-x-dev=1:1.17.1-1": "apt-get download golang-x-dev=1:1.17.1-1",
    f"git:https://github.com/owner/name.py@{'c' * 40}": f"--depth 1 https://github.com/owner/name.py {'c' * 40}",
}
DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n"


def fill(task: Path) -> None:
    """Write something of the right kind into every gap, each time something else."""
    numbers = itertools.count()

    def written(match: re.Match[str]) -> str:
        hint = match[1]
        if "sha256" in hint:
            return "ab" * 32
        if "licence" in hint:
            return "MIT"
        if hint.startswith("the diff"):
            return DIFF
        return f"thing {next(numbers)}"

    for path in {Path(gap.path) for gap in find_gaps(task)}:
        path.write_text(re.sub(r"<<fill in: (.*?)>>", written, path.read_text()))
    copy_messages(task)


def copy_messages(task: Path) -> None:
    """Let session.json say what instruction.md and simulator.md say, as the author of a session does."""
    session = json.loads((task / "session.json").read_text())
    if session["provenance"] != "authored":
        return
    script, _ = read_simulator(task / "simulator.md")
    said = {0: read_prose(task / "instruction.md").strip()} | {a.source_turn: a.message for a in script.anchors}
    for message in session["messages"]:
        message["text"] = said[message["turn"]]
    (task / "session.json").write_text(json.dumps(session))


@pytest.fixture
def scaffold(tmp_path: Path) -> Path:
    wish = Wish("made-up", "python", "feature", parse_pin("pypi:sqlparse==0.4.4"))
    return write_scaffold(tmp_path, wish)


KINDS = [*(("python", pin) for pin in PINS), *((language, "pypi:sqlparse==0.4.4") for language in choices("language"))]


@pytest.mark.parametrize(("language", "pin"), dict.fromkeys(KINDS))
def test_filled_it_is_sound_as_far_as_files_tell(tmp_path: Path, language: str, pin: str) -> None:
    task = write_scaffold(tmp_path, Wish("made-up", language, "bugfix", parse_pin(pin)))
    assert find_gaps(task)
    assert PINS[pin] in (task / "environment" / "Dockerfile").read_text()
    problems = find_problems(task)
    assert [problem for problem in problems if "still to be written" not in str(problem)] == []
    fill(task)
    assert load_task(task).name == "swe-together/made-up"
    verdict, bundle, declared = read_task(task)
    assert bundle is not None, verdict.detail
    _, verdicts = static_verdicts(bundle, declared)
    assert {found.item: found.detail for found in verdicts if not found.passed} == {}


def test_every_gap_is_needed(scaffold: Path, tmp_path: Path) -> None:
    """With one gap of each file left, the task doesn't load, and the sentence says where."""
    names = {Path(gap.path).relative_to(scaffold) for gap in find_gaps(scaffold)}
    assert len(names) >= 18
    for name in names:
        copy = Path(shutil.copytree(scaffold, tmp_path / f"copy-{name.as_posix().replace('/', '-')}"))
        kept = (copy / name).read_text()
        fill(copy)
        (copy / name).write_text(kept)
        assert all(f"{copy / name}: line " in str(gap) for gap in find_problems(copy))
        assert find_problems(copy)


def test_check_names_every_gap(scaffold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--static", str(scaffold)]) == 1
    printed = squeezed(capsys.readouterr().out)
    for gap in find_gaps(scaffold):
        where = f"{Path(gap.path).relative_to(scaffold.parent)}: {gap.field}: is still to be written"
        assert squeezed(where) in printed


def test_the_command_writes_a_task_and_says_what_comes_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ["--language", "go", "--category", "security", "--source", "pypi:x==1.0", "--sha256", "0" * 64]
    assert main(["new", "one-more", *arguments, "--license", "MIT", "--difficulty", "hard"]) == 0
    said = capsys.readouterr().out
    assert "swe-together check --static tasks/one-more" in said
    names = [line.strip() for line in said.splitlines() if line.startswith("  ")]
    order = ["instruction.md", "simulator.md", "spec.md", "solution/turn-0.patch",
             "solution/turn-2.md", "tests/cases.py", "rubric.json", "solution/wrong-instruction.patch",
             "README.md", "task.toml"]  # fmt: skip
    assert [name for name in names if name in order] == order
    text = (tmp_path / "tasks" / "one-more" / "task.toml").read_text()
    for line in ('language = "go"', 'category = "security"', 'difficulty = "hard"', 'license = "MIT"', "0" * 64):
        assert line in text
    assert main(["new", "one-more", *arguments]) == 2
    assert "is there already" in capsys.readouterr().err


def test_builds_fetch_nothing_and_leave_nothing(tmp_path: Path) -> None:
    """As in the tasks of these languages."""
    pin = parse_pin("debian:some-dev=1.0-1")
    found = {}
    for language in ("go", "rust", "python"):
        task = write_scaffold(tmp_path, Wish(f"in-{language}", language, "bugfix", pin))
        found[language] = (task / "environment" / "Dockerfile").read_text()
        fill(task)
        assert load_task(task).metadata.exclude == (["workspace/target"] if language == "rust" else [])
    assert "\nENV GOTOOLCHAIN=local GOPROXY=off\nCOPY" in found["go"]
    assert found["go"].endswith("go clean -testcache'\n")
    assert "ENV" not in found["python"] and found["python"].endswith("git gc -q --prune=now'\n")


def test_what_is_missing_is_asked_for_at_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {"language": "perl", "category": "refactor", "source": "npm:qs@6.10.2"}
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda prompt: answers[prompt.partition(" ")[0]])
    assert main(["new", "asked", "--into", str(tmp_path)]) == 0
    assert load_metadata(tmp_path / "asked") == ("perl", "refactor", "npm")


def load_metadata(task: Path) -> tuple[str, str, str]:
    fill(task)
    found = load_task(task).metadata
    return found.language, found.category, getattr(found.source, "registry", "git")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["x"], "the language is missing"),
        (["Big", "--language", "go", "--category", "bugfix", "--source", "pypi:x==1"], "'Big' can't be a task's id"),
        (
            ["x", "--language", "cobol", "--category", "bugfix", "--source", "pypi:x==1"],
            "language 'cobol' is not known",
        ),
        (["x", "--language", "go", "--category", "fun", "--source", "pypi:x==1"], "category 'fun' is not known"),
        (["x", "--language", "go", "--category", "bugfix", "--source", "pypi:x"], "names no pinned code base"),
        (
            ["x", "--language", "go", "--category", "bugfix", "--source", "pypi:x==1", "--sha256", "12"],
            "64 hexadecimal",
        ),
    ],
)
def test_misuse_is_one_sentence_and_writes_nothing(
    arguments: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", *arguments, "--into", str(tmp_path / "tasks")]) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "tasks").exists()


@pytest.mark.parametrize(
    "text", ["pypi:x", "npm:qs", "debian:x", "git:https://h/x@abc", "cran:x==1", "pypi:x==1; rm", ""]
)
def test_what_is_no_pin_is_refused_with_all_forms(text: str) -> None:
    with pytest.raises(MisuseError) as told:
        parse_pin(text)
    assert all(form in str(told.value) for form in PIN_FORMS)
