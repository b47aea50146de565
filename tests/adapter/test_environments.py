"""Environments without any container: what is refused, and many sessions in one process."""

import ast
import re
from pathlib import Path

import pytest
from harbor.models.environment_type import EnvironmentType

import swe_together.adapter
from tests.bench.concurrency import make_load_task, measure
from tests.support import harbor as h

LOCAL = "tests.support.local_environment:LocalEnvironment"
IN_PROCESS = "tests.support.local_environment:InProcessEnvironment"
PLUGIN = ("--plugin", "swe-together", "--disable-verification")
ADAPTER = Path(swe_together.adapter.__file__).parent


@pytest.mark.parametrize("file", sorted(ADAPTER.rglob("*.py")), ids=lambda path: path.name)
def test_no_code_of_the_adapter_knows_docker(file: Path) -> None:
    """Neither names nor texts, but for docstrings: what is said about it there does nothing."""
    tree = ast.parse(file.read_text())
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    words = [
        str(value)
        for node in ast.walk(tree)
        if id(node) not in said
        for field in ("value", "id", "attr", "name", "module", "arg", "asname")
        if isinstance(value := getattr(node, field, None), str)
    ]
    assert not [word for word in words if any(name in word.lower() for name in ("docker", "compose", "podman"))]


def test_every_environment_of_harbor_is_described() -> None:
    text = (h.ROOT / "docs" / "environments.md").read_text()
    described = set(re.findall(r"^\| `([a-z0-9-]+)` \|", text, re.MULTILINE))
    assert {kind.value for kind in EnvironmentType} <= described


def test_an_environment_without_processes_of_its_own_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (trial,) = h.run_job(tmp_path, "-e", LOCAL, "-a", "tests.support.agents:NoteAgent", *PLUGIN)
    assert trial.session["end"] == "environment_error"
    assert trial.session["error"] == (
        "In the container, listing processes ended with 1: this environment has no process namespace of its own, "
        "so its processes can't be told apart"
    )
    assert trial.session["turns"] == [], "the agent was never asked"
    assert trial.rewards is None


def test_sessions_in_one_process_keep_apart(tmp_path: Path) -> None:
    arguments = ("-e", IN_PROCESS, "-a", "tests.support.agents:NoteAgent", *PLUGIN, "-k", "4", "-n", "4")
    found = h.run_job(tmp_path, *arguments, task=make_load_task(tmp_path, 3))
    assert len(found) == 4
    for trial in found:
        assert trial.exception is None
        assert trial.session["end"] == "anchors_exhausted"
        assert trial.messages[1:] == ["question 1", "question 2"]
        diffs = [one["observation"]["diff"].splitlines() for one in trial.decisions]
        assert [[line for line in diff if line[:2] == "+t"] for diff in diffs] == [
            ["+turn 1"],
            ["+turn 2"],
            ["+turn 3"],
        ]


def test_the_load_is_what_the_benchmark_says() -> None:
    found = measure(2, 3, 0.2, "anchored")
    assert (found.calls, found.ideal_sec) == (4, 0.4), "two decisions of each session, one after the other"
    assert found.ideal_sec <= found.wall_sec < found.process_sec / 3, "no import falls into a session's time"
    assert 50 < found.memory_mb < 300 + 2 * 3
