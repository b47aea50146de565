"""A copy of the tiny task, for each test its own; recorded sessions that are no part of the repository."""

import os
import shutil
from pathlib import Path

import pytest

from swe_together.pipeline.fmt import format_task

TINY = Path(__file__).parents[1] / "fixtures" / "tiny-task"
CLONE = Path(__file__).parents[2]


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """With its generated parts."""
    copy = Path(shutil.copytree(TINY, tmp_path / "tiny-task"))
    format_task(copy)
    return copy


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder that tests with the marker ``data`` read."""
    folder = Path(os.environ.get("SWE_TOGETHER_DATA") or CLONE.parent / "shared" / "data")
    if not (folder / "transcripts" / "manifest.json").is_file():
        pytest.fail(f"{folder} holds no transcripts/manifest.json: set SWE_TOGETHER_DATA to the folder that does")
    return folder


@pytest.fixture(scope="session")
def transcripts(data: Path) -> Path:
    return data / "transcripts"


@pytest.fixture(scope="session")
def recorded(data: Path) -> Path:
    return data / "recorded-sessions"


@pytest.fixture(autouse=True)
def no_shared_cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """No test reads what another one left, nor this machine's own salt."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder
