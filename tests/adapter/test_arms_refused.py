"""Controls that a task can't be played as are refused, in words, before anything runs."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from swe_together.adapter.arms import require_arm, require_arms
from swe_together.errors import MisuseError
from swe_together.tasks import load_task
from tests.support.harbor import ROOT

READY = ROOT / "memorycode" / "ready"
MANY_MESSAGES = ("sessions", "memory")


def trial(path: Path, **together: Any) -> Any:
    """A trial's configuration, as far as it is looked at."""
    return SimpleNamespace(
        agent=SimpleNamespace(kwargs={"together": together} if together else {}),
        task=SimpleNamespace(get_local_path=lambda: path),
    )


@pytest.mark.parametrize("task", sorted(READY.iterdir()), ids=lambda path: path.name)
def test_the_first_of_many_sessions_is_no_task(task: Path) -> None:
    bundle = load_task(task)
    for arm in ("interactive", "full-spec"):
        require_arm(bundle.name, bundle.metadata, arm)
    if not task.name.endswith(MANY_MESSAGES):
        require_arm(bundle.name, bundle.metadata, "first-message")
        return
    with pytest.raises(MisuseError, match=r"can't be played with arm=first-message: its task.toml allows interactive"):
        require_arm(bundle.name, bundle.metadata, "first-message")


def test_a_job_is_refused_before_it_begins(tmp_path: Path) -> None:
    sessions, chain = READY / "s005-01-sessions", READY / "s005-01-chain"
    require_arms([trial(sessions), trial(sessions, arm="full-spec"), trial(chain, arm="first-message")])
    with pytest.raises(MisuseError, match="task s005-01-sessions can't be played with arm=first-message"):
        require_arms([trial(chain, arm="first-message"), trial(sessions, arm="first-message")])


def test_all_other_tasks_can_be_played_as_anything(tmp_path: Path) -> None:
    (tmp_path / "task.toml").write_text("[metadata]\n")
    tasks = [*sorted((ROOT / "tasks").glob("*/")), tmp_path, tmp_path / "not-here-yet"]
    require_arms([trial(task, arm=arm) for task in tasks for arm in ("first-message", "full-spec", "interactive")])
