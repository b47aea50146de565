"""Hostile code in every language of the tasks: it runs, it tries everything, and it earns no case and no goal.

Each trial takes a task as it is, does nothing of what was asked, and runs a payload of ``tests/support/hostile``. The
traces that it leaves prove that it was live: in the agent's container everything that is only planted has taken in a
careless command; in the verifier's container the code itself has run.
"""

from dataclasses import dataclass
from pathlib import Path

import pytest
from harbor.models.trial.config import AgentConfig, VerifierConfig

from swe_together.adapter.judging import JUDGEMENT
from swe_together.pipeline.check.subject import declared_cases
from swe_together.pipeline.check.trials import error_of, run_trial
from swe_together.schema import CaseKind, Judgement, TestReport
from swe_together.tasks import load_task
from tests.support import hostile

pytestmark = pytest.mark.docker

TASKS = Path(__file__).parents[2] / "tasks"
COMMON = {"profile", "bashrc", "bash_env", "wrapper", "careless-shell", "background", "makefile"} | {
    "git-hook",
    "git-filter",
    "git-monitor",
}
LEAVES = {"import", "read", "stayed", "tried-to-write", "tried-to-kill", "answered"}
PYTEST = {"conftest", "sitecustomize", "usercustomize", "pytest-ini", "pth", "shadow-glob"}
NODE = {"node-options", "npm-script", "npm-bin", "npm-shell", "jest.config", ".mocharc", "babel.config", "tape"}


@dataclass(frozen=True)
class Attack:
    """A payload, and the traces that prove it live.

    Attributes:
        payload: The script.
        task: The task that it is tried on.
        planted: Traces of what has taken in the careless, in the agent's container.
        ran: Traces of what ran while tests and checks looked.
    """

    payload: str
    task: str
    planted: set[str]
    ran: set[str]


ATTACKS = [
    Attack("python-leaves", "sqlparse-client-scripts", {"careless-import"}, LEAVES),
    Attack("python-patches", "sqlparse-client-scripts", PYTEST | {"careless-pytest", "careless-shadow"}, {"patched"}),
    Attack("javascript-leaves", "qs-dropped-params", {"careless-import"}, LEAVES),
    Attack("javascript-patches", "qs-dropped-params", NODE | {"careless-node"}, {"patched", "side-channel"}),
    Attack("go-leaves", "gjson-array-slices", {"careless-import", "careless-test", "test-main", "toolexec"}, LEAVES),
    Attack("go-workspace", "gjson-array-slices", {"careless-import"}, {"vendored"}),
]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.payload)
async def test_hostile_code_earns_nothing(attack: Attack, tmp_path: Path) -> None:
    task = TASKS / attack.task
    agent = AgentConfig(import_path=f"{hostile.__name__}:HostileAgent", kwargs={"payload": attack.payload})
    verifier = VerifierConfig(import_path=f"{hostile.__name__}:WatchingVerifier")
    result, trial = await run_trial(task, attack.payload, tmp_path, agent, verifier)

    assert error_of(result) is None
    planted = set((trial / hostile.AGENT_TRACES).read_text().split())
    assert COMMON | attack.planted <= planted, "payloads that were never live"
    ran = set((trial / hostile.VERIFIER_TRACES).read_text().split())
    assert attack.ran <= ran, "code that never ran while it was judged"
    assert not {name for name in ran if name.startswith(("LEAK", "KILLED"))}
    assert {name for name in ran if name.startswith("wrote")} <= {"wrote-workspace"}

    assert result.verifier_result is not None
    assert result.verifier_result.rewards == {"reward": 0, "tests": 0, "interactive": 0, "judge": 0}
    report = TestReport.model_validate_json((trial / "verifier" / "reward-details.json").read_bytes())
    assert {case.id for case in report.cases} == {case.id for case in declared_cases(task)}
    assert [case.id for case in report.cases if case.kind is CaseKind.F2P and case.passed] == []

    judgement = Judgement.model_validate_json((trial / JUDGEMENT).read_bytes())
    asked = [goal for goal in load_task(task).rubric.goals if goal.check and not goal.gate]
    met = {goal.goal: goal.met for goal in judgement.goals}
    assert {goal.id: met[goal.id] for goal in asked} == dict.fromkeys((goal.id for goal in asked), False)
    assert judgement.score == 0
    assert judgement.decided_share >= 0.7
