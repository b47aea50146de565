"""A copy of the tiny task with its generated parts, for each test its own."""

import shutil
from pathlib import Path

import pytest

from swe_together.pipeline.fmt import format_task

TINY = Path(__file__).parents[1] / "fixtures" / "tiny-task"


@pytest.fixture
def task(tmp_path: Path) -> Path:
    copy = Path(shutil.copytree(TINY, tmp_path / "tiny-task"))
    format_task(copy)
    return copy
