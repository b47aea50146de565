"""``swe-together images``: what is built, pushed and written down, with a stand-in for the Docker client."""

import json
import os
from pathlib import Path

import pytest

from swe_together.cli import main
from swe_together.tasks import task_digest

CLIENT = """#!/bin/bash
printf '%s\\n' "$*" >> "$CALLS"
case "$1" in
  build) [ ! -e "$CALLS.broken" ] || { echo "no space left on device" >&2; exit 1; } ;;
  image) [ -e "$CALLS.unknown" ] || printf 'other/x@sha256:%064d\\n%s@sha256:%064d\\n' 1 "${5%:*}" 2 ;;
esac
"""


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the stand-in notes how it was called."""
    client = tmp_path / "bin" / "docker"
    client.parent.mkdir()
    client.write_text(CLIENT)
    client.chmod(0o755)
    monkeypatch.setenv("PATH", f"{client.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("CALLS", str(tmp_path / "calls"))
    return tmp_path / "calls"


def test_images_are_named_by_task_and_published_by_digest(
    task: Path, calls: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, digest = tmp_path / "images.json", task_digest(task)
    assert main(["images", str(task), "--registry", "ghcr.io/Owner", "--push", "-o", str(file)]) == 0
    image = f"ghcr.io/owner/swe-together-tiny-task:{digest[:12]}"
    pinned = f"ghcr.io/owner/swe-together-tiny-task@sha256:{2:064d}"
    assert capsys.readouterr().out == f"tiny-task {pinned}\n"
    assert json.loads(file.read_text()) == [{"task": "tiny-task", "digest": digest, "image": image, "pinned": pinned}]
    build, push, _ = calls.read_text().splitlines()
    assert build.endswith(str(task / "environment")) and f"--label=swe-together.digest={digest}" in build
    assert push == f"push --quiet {image}"


def test_without_push_nothing_leaves_the_machine(task: Path, calls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["images", str(task), "--registry", "localhost:5000"]) == 0
    assert capsys.readouterr().out.startswith("tiny-task localhost:5000/swe-together-tiny-task:")
    assert [line.split()[0] for line in calls.read_text().splitlines()] == ["build"]


@pytest.mark.parametrize(("fault", "sentence"), [("broken", "no space left on device"), ("unknown", "knows no digest")])
def test_what_fails_is_said(
    task: Path, calls: Path, fault: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(f"{calls}.{fault}").touch()
    assert main(["images", str(task), "--registry", "ghcr.io/owner", "--push"]) == 1
    assert sentence in capsys.readouterr().err


def test_no_registry_is_misuse(task: Path, calls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["images", str(task), "--registry", "ghcr.io"]) == 2
    assert "ghcr.io/OWNER" in capsys.readouterr().err
    assert not calls.exists()
