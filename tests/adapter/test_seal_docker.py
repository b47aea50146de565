"""What a sealed task's turns reach: nothing, where the environment can seal; else one sentence and no trial."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from swe_together.cli import main
from swe_together.pipeline.fmt import format_task
from tests.support import harbor as h
from tests.support.namespaces import ROOTFS, export_rootfs

pytestmark = pytest.mark.docker

TURNS = [f"/opt/seal-probe/probe.sh > {name}.txt; cat {name}.txt" for name in ("reached", "again")]
AGENT = ("-a", "tests.support.agents:ShellAgent", "--ak", f"turns={json.dumps(TURNS)}", "--plugin", "swe-together")
PLACES = ("registry", "source-host", "name", "address")
OPEN, CLOSED = ("\n".join(f"{place} {how}" for place in PLACES) for how in ("reachable", "unreachable"))


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The probe, packed open and sealed."""
    folder = tmp_path_factory.mktemp("packed")
    task = folder / "seal-probe"
    shutil.copytree(h.ROOT / "tests" / "fixtures" / "seal-probe", task)
    format_task(task)
    for name, more in (("open", []), ("sealed", ["--sealed"])):
        assert main(["pack", str(task), "-o", str(folder / name), *more]) == 0
    return folder


@pytest.fixture(scope="module")
def rootfs(packed: Path) -> Iterator[Path]:
    folder = packed / "rootfs"
    yield export_rootfs(packed / "seal-probe" / "environment", folder)
    subprocess.run(["rm", "-rf", folder], check=True)


def said(trial: h.Trial) -> list[str]:
    """What the agent saw in its turns."""
    steps = trial.trajectory["steps"]
    return [step["message"] for step in steps if step["source"] == "agent"]


@pytest.mark.parametrize("name", ["open", "sealed"])
def test_turns_reach_what_the_task_says(
    name: str, packed: Path, rootfs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ROOTFS, str(rootfs))
    arguments = ("-e", "tests.support.namespaces:NamespaceEnvironment", *AGENT)
    (trial,) = h.run_job(tmp_path, *arguments, task=packed / name / "seal-probe")
    built = (rootfs / "opt" / "seal-probe" / "build.txt").read_text().strip()
    assert built == OPEN, "the same places were reached while the image was built"
    assert said(trial) == ([OPEN, OPEN] if name == "open" else [CLOSED, CLOSED])
    assert trial.session["sealed"] is (name == "sealed")
    passed = {case["id"]: case["passed"] for case in trial.details["cases"]}
    assert passed["nothing-reached"] is passed["nothing-reached-again"] is (name == "sealed")
    assert passed["reached-in-the-build"]


def test_docker_seals_or_says_in_one_sentence_that_it_can_not(packed: Path, tmp_path: Path) -> None:
    """Harbor's Docker closes a network with two images from Docker Hub; where they can't be had, no trial begins."""
    command = [str(h.HARBOR), "run", "-p", str(packed / "sealed" / "seal-probe"), "--jobs-dir", str(tmp_path)]
    done = subprocess.run(
        [*command, "--job-name", "job", "--yes", *AGENT],
        env=h.environment(), cwd=h.ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode == 0:
        (trial,) = h.trials(tmp_path / "job")
        assert said(trial) == [CLOSED, CLOSED]
        assert trial.session["sealed"] is True
        return
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stderr.strip() == (
        "swe-together: seal-probe is sealed, and the environment docker can't close the network of the agent's turns "
        "here. docs/environments.md says what it needs; or run the tasks that aren't sealed."
    )
    assert not list((tmp_path / "job").glob("*/"))
