"""Whole sessions in a second environment of Harbor, in which Docker has no part: Linux namespaces.

Docker makes the root file system of the image, once, and is out of reach from then on.
"""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from swe_together.report import summarise
from tests.support import harbor as h
from tests.support.namespaces import ROOTFS, export_rootfs

pytestmark = pytest.mark.docker

REFERENCE = ("-a", "swe_together.adapter.agents:reference")
SHELL = ("-a", "tests.support.agents:ShellAgent")
PLUGIN = ("--plugin", "swe-together")


@pytest.fixture(scope="module")
def rootfs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The tiny task's image as a folder."""
    folder = tmp_path_factory.mktemp("image") / "rootfs"
    yield export_rootfs(h.tiny_task() / "environment", folder)
    subprocess.run(["rm", "-rf", folder], check=True)


@pytest.fixture
def namespaces(rootfs: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, ...]]:
    """Harbor's arguments; nothing of an environment is left afterwards."""
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    before = sorted(path.name for path in rootfs.rglob("*") if path.parent in (rootfs, rootfs / "workspace"))
    monkeypatch.setenv(ROOTFS, str(rootfs))
    yield ("-e", "tests.support.namespaces:NamespaceEnvironment")
    assert keepers(rootfs) == []
    after = sorted(path.name for path in rootfs.rglob("*") if path.parent in (rootfs, rootfs / "workspace"))
    assert after == before, "the image is only read"


def keepers(rootfs: Path) -> list[str]:
    """Processes that hold an environment of this image."""
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    return [line for line in listed.splitlines() if "start.sh" in line and str(rootfs) in line]


def test_a_whole_session_with_desk_verifier_and_judge(namespaces: tuple[str, ...], tmp_path: Path) -> None:
    (trial,) = h.run_job(tmp_path, *namespaces, *REFERENCE, *PLUGIN)
    assert trial.exception is None
    assert trial.rewards == {"reward": 1.0, "tests": 1.0, "interactive": 1, "judge": 1.0}
    assert [turn["anchors"] for turn in trial.session["turns"]] == [[], ["semicolons"], ["longest"]]
    assert trial.session["sealed"] is False
    assert [change["path"] for change in trial.decisions[0]["observation"]["changes"]] == ["wordbox.py"]
    facts = [fact for one in trial.decisions for fact in one["decision"]["facts"] if "probe" in fact["predicate"]]
    assert [fact["value"] for fact in facts] == [False, True], "tried at the desk in the first and in the second turn"
    state = trial.folder / "artifacts" / "var" / "lib" / "swe-together" / "state.tar"
    assert "workspace/.git/HEAD" in subprocess.run(["tar", "-tf", state], capture_output=True, text=True).stdout
    again = regraded(trial, namespaces, tmp_path)
    assert again.rewards == trial.rewards


def regraded(trial: h.Trial, namespaces: tuple[str, ...], jobs: Path) -> h.Trial:
    h.harbor(
        "job", "regrade", trial.folder.parent, "-p", h.tiny_task(), "--jobs-dir", jobs, "--job-name", "again",
        "--verifier", "swe_together.adapter.verifier:TogetherVerifier", "--yes", *namespaces,
    )  # fmt: skip
    (found,) = h.trials(jobs / "again")
    return found


def test_nothing_done_earns_nothing(namespaces: tuple[str, ...], tmp_path: Path) -> None:
    (trial,) = h.run_job(tmp_path, *namespaces, *REFERENCE, "--ak", "play=nothing", *PLUGIN)
    assert trial.rewards is not None
    assert trial.rewards["tests"] == 0
    assert [turn["kind"] for turn in trial.session["turns"]] == [None, "anchor", "insist", "anchor", "insist"]


def test_the_deadline_ends_what_a_turn_leaves_running(namespaces: tuple[str, ...], tmp_path: Path) -> None:
    turns = json.dumps(
        ["id -un; setsid sleep 987 & setsid sleep 987 & sleep 0.2; echo started", "pgrep -fc 'sleep 987'"]
    )
    arguments = (*SHELL, "--ak", f"turns={turns}", "--ak", "hang_at=1", *PLUGIN, "--pk", "turn_sec=4")
    (trial,) = h.run_job(tmp_path, *namespaces, *arguments)
    first, second, *_ = trial.session["turns"]
    assert (first["timed_out"], first["killed_processes"]) == (True, 2)
    assert not second["timed_out"]
    said = [step["message"] for step in trial.trajectory["steps"] if step["source"] == "agent"]
    assert said[:2] == ["agent\nstarted", "0"]


def test_a_lost_environment_is_an_environment_error(namespaces: tuple[str, ...], tmp_path: Path) -> None:
    (trial,) = h.run_job(tmp_path, *namespaces, *SHELL, "--ak", "lose_at=2", *PLUGIN, "--max-retries", "2")
    assert trial.rewards is None
    assert trial.session["end"] == "environment_error"
    assert trial.exception == "RewardFileNotFoundError"
    assert summarise([tmp_path / "job"]).missing == {"environment_error": 1}
