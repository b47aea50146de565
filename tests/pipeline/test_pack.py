"""``swe-together pack``: the shape, the digests, the seal, and what is refused."""

import json
import shutil
import stat
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from harbor.models.dataset.manifest import DatasetManifest
from harbor.publisher.packager import Packager

from swe_together.cli import main
from swe_together.errors import TaskError
from swe_together.pipeline.check.static import read_task, static_verdicts
from swe_together.pipeline.pack import seal
from swe_together.task_facts import read_task_facts
from swe_together.tasks import PRIVATE_FILES, load_task
from tests.support import harbor as h


def files(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        path.relative_to(folder).as_posix(): (stat.S_IMODE(path.stat().st_mode), path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_packed_task_is_the_same_task_in_harbors_shape(task: Path, tmp_path: Path) -> None:
    (task / "solution" / "__pycache__").mkdir()
    (task / "solution" / "__pycache__" / "x.pyc").write_text("x")
    (task / "rubric.draft.json").write_text("{}")
    assert main(["pack", str(task), "-o", str(tmp_path / "out"), "--dataset", "mine@1.0"]) == 0
    packed = tmp_path / "out" / task.name
    assert sorted(path.name for path in packed.iterdir()) == [
        "README.md", "environment", "instruction.md", "solution", "task.toml", "tests",
    ]  # fmt: skip
    assert {path.name for path in (packed / "solution").iterdir()} >= set(PRIVATE_FILES)
    source, found = load_task(task), load_task(packed)
    assert found.digest == source.digest
    assert (found.spec, found.script, found.rubric) == (source.spec, source.script, source.rubric)
    assert set(Packager.collect_files(packed)) == {path for path in packed.rglob("*") if path.is_file()}
    read, bundle, declared = read_task(packed)
    assert read.passed and bundle is not None
    assert [verdict.detail for verdict in static_verdicts(bundle, declared)[1] if not verdict.passed] == []


def test_the_dataset_names_its_tasks_by_harbors_digest(task: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["pack", str(task), "-o", str(out), "--dataset", "mine@1.0", "--sealed"]) == 0
    manifest = DatasetManifest.from_toml_file(out / "dataset.toml")
    assert (manifest.dataset.name, manifest.dataset.version) == ("swe-together/mine-sealed", "1.0")
    content = Packager.compute_content_hash(out / task.name)[0]
    assert [(one.name, one.digest) for one in manifest.tasks] == [("swe-together/tiny-task", f"sha256:{content}")]
    (entry,) = json.loads((out / "registry.json").read_text())
    assert (entry["name"], entry["version"]) == ("mine-sealed", "1.0")
    assert entry["tasks"] == [{"name": task.name, "path": task.name}]


def test_without_a_version_there_is_no_registry(task: Path, tmp_path: Path) -> None:
    assert main(["pack", str(task), "-o", str(tmp_path / "out")]) == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["dataset.toml", task.name]


@pytest.mark.parametrize("more", [[], ["--sealed", "--dataset", "mine@1.0"]])
def test_the_same_input_gives_the_same_bytes(task: Path, tmp_path: Path, more: list[str]) -> None:
    for file in (task / "solution").iterdir():
        file.chmod(0o700 if file.suffix == ".sh" else 0o640)
    assert main(["pack", str(task), "-o", str(tmp_path / "one"), *more]) == 0
    (task / "solution" / "solve.sh").chmod(0o755)
    assert main(["pack", str(task), "-o", str(tmp_path / "other"), *more]) == 0
    assert files(tmp_path / "one") == files(tmp_path / "other")
    assert {mode for mode, _ in files(tmp_path / "one").values()} == {0o644, 0o755}


def test_sealing_changes_one_line_and_the_digest(task: Path, tmp_path: Path) -> None:
    for name, more in (("open", []), ("closed", ["--sealed"])):
        assert main(["pack", str(task), "-o", str(tmp_path / name), *more]) == 0
    one, other = files(tmp_path / "open" / task.name), files(tmp_path / "closed" / task.name)
    assert [name for name in one if one[name] != other[name]] == ["task.toml"]
    before, after = (side["task.toml"][1].decode().splitlines() for side in (one, other))
    assert [line for line in after if line not in before] == ['network_mode = "allowlist"']
    config = tomllib.loads(other["task.toml"][1].decode())
    assert config["agent"]["network_mode"] == "allowlist"
    assert "network_mode" not in config["environment"], "the build, and the agent's installer, reach the network"
    found = load_task(tmp_path / "closed" / task.name)
    assert found.digest != load_task(task).digest
    facts = [read_task_facts(tmp_path / name / task.name, found.name) for name in ("open", "closed")]
    assert [fact is not None and fact.sealed for fact in facts] == [False, True]


AGENT = '[agent]\nuser = "agent"\n'
SEALED = '[agent]\nnetwork_mode = "allowlist"\nuser = "agent"\n'
TEXTS = {
    AGENT: SEALED,
    SEALED: SEALED,
    '[task]\nname = "a/b"\n': '[task]\nname = "a/b"\n\n[agent]\nnetwork_mode = "allowlist"\n',
    '[agent] # who\nuser = "agent"\nnetwork_mode = "public"\n\n[environment]\nnetwork_mode = "public"\n': (
        '[agent] # who\nnetwork_mode = "allowlist"\nuser = "agent"\n\n[environment]\nnetwork_mode = "public"\n'
    ),
}


@pytest.mark.parametrize("text", TEXTS)
def test_what_sealing_writes(text: str, tmp_path: Path) -> None:
    assert seal(text, tmp_path) == TEXTS[text]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[agent]\nnetwork_mode = "no-network"\n', "is a mode of the task's own"),
        ('agent = { user = "agent" }\n', "is written in an unusual way"),
    ],
)
def test_what_sealing_refuses(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=words):
        seal(text, tmp_path / "task.toml")


REFUSED: dict[str, tuple[Callable[[Path], object], str]] = {
    "a file that Harbor leaves out": (lambda task: (task / "notes.md").write_text("x"), "has no place in a package"),
    "a folder of one's own": (lambda task: (task / "data").mkdir(), "has no place in a package"),
    "a name that Harbor leaves out": (
        lambda task: (task / "tests" / "cases.py~").write_text("x"),
        "would be left out of Harbor's package",
    ),
    "a link": (lambda task: (task / "tests" / "other").symlink_to("/etc/passwd"), "invalid-task-files"),
    "generated parts of before": (lambda task: (task / "tests" / "test.sh").write_text("x"), "run swe-together fmt"),
    "a broken task": (lambda task: (task / "intents.json").unlink(), "intents.json"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_not_arrive_is_refused(
    name: str, task: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil, words = REFUSED[name]
    spoil(task)
    assert main(["pack", str(task), "-o", str(tmp_path / "out")]) == 1
    assert words in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [task.parent] or not (tmp_path / "out").exists()


def test_misuse(task: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "x").write_text("x")
    for arguments, words in (
        ([str(task), "-o", str(full)], "is not an empty folder"),
        ([str(task), str(task), "-o", str(tmp_path / "out")], "two tasks are called"),
        ([str(task), "-o", str(tmp_path / "out"), "--dataset", "a/b"], "is no name"),
        ([str(tmp_path / "none"), "-o", str(tmp_path / "out")], "no such task directory"),
    ):
        assert main(["pack", *arguments]) == 2
        assert words in capsys.readouterr().err
    other = tmp_path / "other"
    shutil.copytree(task, other)
    text = (other / "task.toml").read_text()
    (other / "task.toml").write_text(text.replace("swe-together/tiny-task", "elsewhere/tiny-task"))
    assert main(["pack", str(task), str(other), "-o", str(tmp_path / "out")]) == 2
    assert "several organisations" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_harbors_own_lint_takes_a_sealed_task(task: Path, tmp_path: Path) -> None:
    assert main(["pack", str(task), "-o", str(tmp_path / "out"), "--sealed"]) == 0
    done = subprocess.run(
        [str(Path(sys.executable).with_name("harbor")), "lint", str(tmp_path / "out" / task.name)],
        env=h.environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
