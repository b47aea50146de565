"""The budget of a session: the task's, below what Harbor allows the agent, and the same where a person is the user."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from harbor.job import Job
from harbor.models.trial.config import AgentConfig, VerifierConfig

from swe_together import defaults
from swe_together.adapter.plugin import TogetherPlugin
from swe_together.adapter.settings import Settings
from swe_together.adapter.trial import _limits
from swe_together.tasks import load_task
from tests.support.harbor import ROOT

TINY = load_task(ROOT / "tests" / "fixtures" / "tiny-task")
DEFAULTS = Settings()
HARBOR_SEC = 600.0
OWN_SEC = HARBOR_SEC - defaults.FINISH_RESERVE_SEC


def session_sec(folder: Path, settings: Settings = DEFAULTS, **config: Any) -> float:
    (folder / "config.json").write_text(json.dumps(config))
    return _limits(TINY, settings, folder).session_sec


def test_the_session_ends_before_harbors_agent_timeout(tmp_path: Path) -> None:
    assert _limits(TINY, Settings(), tmp_path / "none").session_sec == OWN_SEC
    assert session_sec(tmp_path) == OWN_SEC
    assert session_sec(tmp_path, agent_timeout_multiplier=2.0) == 2 * HARBOR_SEC - defaults.FINISH_RESERVE_SEC
    assert session_sec(tmp_path, timeout_multiplier=0.1) == 30
    assert session_sec(tmp_path, agent={"override_timeout_sec": 100}) == 50
    assert session_sec(tmp_path, agent={"max_timeout_sec": 100}) == 50
    assert session_sec(tmp_path, Settings(session_sec=20)) == 20
    assert session_sec(tmp_path, agent={"override_timeout_sec": 10**9}) == TINY.script.budget.session_sec


async def started(*agents: AgentConfig, **settings: Any) -> None:
    task = SimpleNamespace(get_local_path=lambda: Path("not fetched yet"))
    trials = [SimpleNamespace(agent=agent, task=task) for agent in agents]
    elsewhere = SimpleNamespace(import_path="somewhere:Else", type=None)
    config = SimpleNamespace(agents=list(agents), verifier=VerifierConfig(disable=True), environment=elsewhere)
    hooks = {name: lambda hook: None for name in ("on_trial_started", "on_trial_ended")}
    job = SimpleNamespace(
        config=config,
        _trial_configs=trials,
        _remaining_trial_configs=trials,
        is_resuming=False,
        job_dir=Path(),
        **hooks,
    )
    await TogetherPlugin(**settings).on_job_start(cast(Job, job))


async def test_a_person_has_all_the_time_and_the_session_its_own(tmp_path: Path) -> None:
    agent, chosen = AgentConfig(name="claude-code"), AgentConfig(name="codex", override_timeout_sec=77)
    await started(agent, chosen, user="human")
    assert (agent.override_timeout_sec, chosen.override_timeout_sec) == (defaults.PERSON_SESSION_SEC, 77)
    assert session_sec(tmp_path, agent=agent.model_dump(mode="json")) == OWN_SEC


@pytest.mark.parametrize("settings", [{}, {"user": "scripted"}])
async def test_other_users_leave_harbors_timeout_alone(settings: dict[str, str]) -> None:
    agent = AgentConfig(name="claude-code")
    await started(agent, **settings)
    assert agent.override_timeout_sec is None
