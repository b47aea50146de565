"""``swe-together fmt``."""

import tomllib
from pathlib import Path

import pytest

from swe_together.adapter.state import collect_command
from swe_together.cli import main
from swe_together.errors import TaskError
from swe_together.pipeline.check.subject import ASSETS, HELPERS
from swe_together.pipeline.fmt import format_task


def test_a_formatted_task_stays_as_it_is(task: Path) -> None:
    assert format_task(task) == []
    assert main(["fmt", "--check", str(task)]) == 0


def test_helpers_are_written_anew(task: Path) -> None:
    (task / "tests" / "harness.py").write_text("# mine")
    (task / "tests" / "restore.sh").unlink()
    assert main(["fmt", "--check", str(task)]) == 1
    assert (task / "tests" / "harness.py").read_text() == "# mine"
    assert format_task(task) == ["tests/harness.py", "tests/restore.sh"]
    assert all((task / "tests" / name).read_bytes() == (ASSETS / name).read_bytes() for name in HELPERS)


@pytest.mark.parametrize(
    "written",
    [
        'command = "old"',
        "command = 'old'",
        'command = """\nold\n[[verifier.collect]] of old\n"""',
        "command='''old'''  # a remark",
        "# nothing yet",
    ],
)
def test_the_collect_command_is_set_and_the_rest_stays(task: Path, written: str) -> None:
    file = task / "task.toml"
    before = file.read_text()
    line = next(line for line in before.splitlines() if line.startswith("command = "))
    file.write_text(before.replace(line, written).replace("[environment]", "[environment] # mine"))
    format_task(task)
    after = file.read_text()
    assert tomllib.loads(after)["verifier"]["collect"] == [
        {"command": collect_command(["/workspace"]), "user": "root", "timeout_sec": 300}
    ]
    assert "[environment] # mine" in after
    assert format_task(task, check=True) == []


def test_a_missing_table_is_added(task: Path) -> None:
    file = task / "task.toml"
    text = file.read_text()
    start, end = text.index("[[verifier.collect]]"), text.index("[environment]")
    file.write_text(text[:start] + text[end:])
    assert format_task(task) == ["task.toml"]
    config = tomllib.loads(file.read_text())
    assert config["verifier"]["collect"][0]["user"] == "root" and config["environment"]["cpus"] == 1


def test_excludes_reach_the_command(task: Path) -> None:
    file = task / "task.toml"
    file.write_text(file.read_text().replace("exclude = []", 'exclude = ["workspace/node_modules"]'))
    format_task(task)
    assert "--exclude=workspace/node_modules" in file.read_text()


def test_broken_calls(task: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fmt", str(tmp_path / "nowhere")]) == 2
    assert main(["fmt"]) == 2
    (task / "task.toml").write_text("[task\n")
    assert main(["fmt", str(task)]) == 1
    assert "not valid TOML" in capsys.readouterr().err
    with pytest.raises(TaskError, match="missing"):
        (task / "task.toml").unlink()
        format_task(task)
