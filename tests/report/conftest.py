"""Every test reads without the user's own cache."""

from dataclasses import replace
from pathlib import Path

import pytest

from swe_together.schema import EndReason
from swe_together.tasks import task_digest
from tests.report.submissions import Place
from tests.support.jobs import Spec, write_job
from tests.support.tasks import make_task


@pytest.fixture(autouse=True)
def no_shared_cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A job of three trials, one of them without a reward."""
    task = make_task(tmp_path / "tasks" / "one")
    spec = Spec(judge=0.5, judge_model="x/judge", basis="judge", digest=task_digest(task))
    write_job(tmp_path / "job", [spec, replace(spec, judge=1.0), replace(spec, end=EndReason.SIMULATOR_ERROR)])
    return Place(tmp_path, tmp_path / "tasks", spec)
