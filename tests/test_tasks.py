"""Task directories: what is sound loads, what is broken gives one sentence with file, field, value and remedy."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from swe_together import defaults
from swe_together.cli import main
from swe_together.errors import MisuseError, TaskError
from swe_together.tasks import find_problems, is_together_task, load_task, private_file, task_digest
from tests.support.tasks import make_task

Break = Callable[[Path], object]


@pytest.fixture
def task(tmp_path: Path) -> Path:
    return make_task(tmp_path / "made-up")


def edit(name: str, old: str, new: str) -> Break:
    def apply(task: Path) -> None:
        text = (task / name).read_text()
        assert old in text
        (task / name).write_text(text.replace(old, new))

    return apply


def write(name: str, content: bytes | str) -> Break:
    return lambda task: (task / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def remove(name: str) -> Break:
    return lambda task: (task / name).unlink()


BROKEN: dict[str, tuple[Break, str, str]] = {
    # name: (what is broken, file and field that must be named, words that must stand in the sentence)
    "missing instruction": (remove("instruction.md"), "instruction.md", "missing"),
    "missing rubric": (remove("rubric.json"), "rubric.json", "missing"),
    "missing reply": (remove("solution/turn-1.md"), "turn-1.md", "reply is missing"),
    "empty instruction": (write("instruction.md", " \n"), "instruction.md", "empty"),
    "bad toml": (write("task.toml", "[task\n"), "task.toml", "not valid TOML"),
    "no name": (edit("task.toml", "swe-together/made-up", "made up"), "task.toml: task.name", "org/task"),
    "no metadata": (
        edit("task.toml", "[metadata.swe_together]", "[metadata.other]"),
        "metadata.swe_together",
        "missing",
    ),
    "unknown metadata": (
        edit("task.toml", 'license = "MIT"', 'license = "MIT"\nlicence = "x"'),
        "metadata.swe_together.licence",
        "not a field",
    ),
    "wrong language": (edit("task.toml", '"python"', '"cobol"'), "metadata.swe_together.language", "cobol"),
    "bad sha256": (edit("task.toml", "0" * 64, "abc"), "source", "abc"),
    "exclude outside": (
        edit("task.toml", "format = 1", 'format = 1\nexclude = ["etc/x"]'),
        "metadata.swe_together",
        "none of the trees",
    ),
    "no front matter": (write("simulator.md", "hello"), "simulator.md", "front matter"),
    "bad yaml": (edit("simulator.md", "persona:", "persona: ["), "simulator.md", "not valid YAML"),
    "no analysis": (edit("simulator.md", "The user wants two files and no code.\n", ""), "simulator.md", "analysis"),
    "condition with a typo": (
        edit("simulator.md", "path_changed", "path_chnged"),
        "anchors[broke].condition",
        "path_changed",
    ),
    "bad pattern": (
        edit("simulator.md", '{path_changed: "*.py"}', "{diff_matches: '(?=x)'}"),
        "anchors[broke].condition",
        "RE2",
    ),
    "redirect without condition": (
        edit("simulator.md", '    condition: {path_changed: "*.py"}\n', ""),
        "anchors[broke]",
        "redirect",
    ),
    "insist without satisfied": (
        edit("simulator.md", "    satisfied: {path_exists: other.txt}\n", ""),
        "anchors[more]",
        "satisfied",
    ),
    "unknown anchor": (edit("simulator.md", "after: [more]", "after: [mroe]"), "anchors[broke].after", "mroe"),
    "cyclic after": (
        edit("simulator.md", "    intents: [wants-more]", "    intents: [wants-more]\n    after: [broke]"),
        "anchors[more].after",
        "waits for 'broke'",
    ),
    "unknown intent": (edit("simulator.md", "[wants-more]", "[wants-less]"), "anchors[more].intents", "wants-less"),
    "unknown action": (
        edit("simulator.md", "action: redirect", "action: complain"),
        "anchors[broke].action",
        "complain",
    ),
    "bad json": (write("rubric.json", "{"), "rubric.json", "not valid JSON"),
    "weights off": (edit("rubric.json", "0.4", "0.5"), "rubric.json", "sum to 1.1"),
    "gate with weight": (edit("rubric.json", '"gate": true', '"gate": true, "weight": 0.1'), "goals[old]", "no weight"),
    "goal without weight": (edit("rubric.json", '"weight": 0.6, ', ""), "goals[first]", "needs a weight"),
    "intent of no turn": (edit("intents.json", '"source_turn": 1', '"source_turn": 9'), "intents[wants-more]", "9"),
    "patch of no turn": (write("solution/turn-7.patch", ""), "turn-7.patch", "no turn"),
    "not utf-8": (write("spec.md", b"caf\xe9"), "spec.md", "UTF-8"),
    "huge file": (write("simulator.md", b"x" * (defaults.TASK_FILE_BYTES + 1)), "simulator.md", "larger"),
    "link": (
        lambda task: ((task / "spec.md").unlink(), (task / "spec.md").symlink_to("/etc/passwd")),
        "spec.md",
        "symbolic link",
    ),
}


def test_sound_task_loads(task: Path) -> None:
    bundle = load_task(task)
    assert (bundle.id, bundle.name) == ("made-up", "swe-together/made-up")
    assert [anchor.id for anchor in bundle.script.anchors] == ["more", "broke"]
    assert bundle.script.message_budget == 2 + 1 + defaults.SPARE_MESSAGES
    assert bundle.analysis.startswith("The user wants")
    assert bundle.metadata.trees == ["/workspace"]
    assert find_problems(task) == []


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_broken_task_gives_one_sentence(name: str, task: Path, capsys: pytest.CaptureFixture[str]) -> None:
    breaks, where, words = BROKEN[name]
    breaks(task)
    with pytest.raises(TaskError) as error:
        load_task(task)
    sentence = str(error.value)
    assert where in sentence
    assert words in sentence
    assert error.value.remedy
    assert "\n" not in sentence
    assert len(sentence) < 600
    assert main(["check", "--static", str(task)]) == 1
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err + printed.out


def test_missing_directory_is_misuse(tmp_path: Path) -> None:
    with pytest.raises(MisuseError) as error:
        load_task(tmp_path / "absent")
    assert error.value.exit_code == 2


def test_all_problems_are_found_at_once(task: Path) -> None:
    (task / "spec.md").unlink()
    (task / "rubric.json").write_text("{")
    assert {Path(problem.path).name for problem in find_problems(task)} == {"spec.md", "rubric.json"}


def test_digest_sees_every_file_mode_and_name(task: Path) -> None:
    first = task_digest(task)
    (task / "tests" / "test.sh").chmod(0o755)
    second = task_digest(task)
    (task / "README.md").write_text("x")
    third = task_digest(task)
    (task / "README.md").rename(task / "README.txt")
    assert len({first, second, third, task_digest(task)}) == 4


def test_digest_ignores_caches(task: Path) -> None:
    before = task_digest(task)
    (task / "tests" / "__pycache__").mkdir()
    (task / "tests" / "__pycache__" / "x.pyc").write_bytes(b"x")
    assert task_digest(task) == before


def test_packed_form_loads_and_has_the_same_digest(task: Path) -> None:
    before = task_digest(task)
    for name in ("spec.md", "simulator.md", "rubric.json", "intents.json", "session.json"):
        (task / name).rename(task / "solution" / name)
        assert private_file(task, name) == task / "solution" / name
    assert load_task(task).digest == before


def test_plain_harbor_tasks_are_told_apart(task: Path, tmp_path: Path) -> None:
    assert is_together_task(task)
    (tmp_path / "task.toml").write_text('[task]\nname = "x/y"\n')
    assert not is_together_task(tmp_path)
    assert not is_together_task(tmp_path / "absent")


def test_rubric_goals_are_unique(task: Path) -> None:
    rubric = json.loads((task / "rubric.json").read_text())
    rubric["goals"][1]["id"] = "first"
    (task / "rubric.json").write_text(json.dumps(rubric))
    with pytest.raises(TaskError, match="unique: first"):
        load_task(task)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("like it does for #", None),
        ("like it does\n      for # as well", None),
        ('"like it does for #"', "like it does for #"),
        (">-\n      like it does for # as well", "like it does for # as well"),
        ("like it does for#", "like it does for#"),
        ("again # a word of ours", "again"),
    ],
)
def test_a_message_is_never_cut_off_by_a_comment(task: Path, written: str, read: str | None) -> None:
    file = task / "simulator.md"
    text = file.read_text()
    head, _, tail = text.partition("message: ")
    file.write_text(f"{head}message: {written}\n{tail.partition(chr(10))[2]}")
    if read is None:
        line = next(number for number, one in enumerate(file.read_text().splitlines(), 1) if " #" in one)
        with pytest.raises(
            TaskError, match=f"YAML takes the rest of line {line} as a comment .*Put the text in quotes"
        ):
            load_task(task)
    else:
        assert load_task(task).script.anchors[0].message == read
