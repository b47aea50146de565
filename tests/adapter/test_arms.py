"""All three arms in real containers: with the reference agent each earns what the task's stage × case matrix says."""

import asyncio
from pathlib import Path

import pytest

from swe_together.canary import without_canary
from swe_together.pipeline.check.static import read_task, static_verdicts
from swe_together.pipeline.check.trials import run_state
from tests.support import harbor as h

pytestmark = pytest.mark.docker

REFERENCE = ("-a", "swe_together.adapter.agents:reference", "--plugin", "swe-together")
TASKS = ("tiny-task", "qs-dropped-params")
"""The small one of the tests, and a real one; ``swe-together check`` plays the whole contract on every task."""


def matrix(task: Path, folder: Path) -> dict[int, float]:
    """The reward of the first and of the last stage, found as ``swe-together check`` finds its matrix."""
    _, bundle, declared = read_task(task)
    assert bundle is not None
    subject, _ = static_verdicts(bundle, declared)
    states = {found.name: found for found in subject.states()}
    rewards = {}
    for stage in (min(subject.stages), max(subject.stages)):
        state = asyncio.run(run_state(subject, states[f"stage-{stage}"], folder))
        assert state.reward is not None, state.error
        rewards[stage] = state.reward
    return rewards


@pytest.mark.parametrize("name", TASKS)
def test_rewards_of_all_arms_are_those_of_the_matrix(tmp_path: Path, name: str) -> None:
    task = h.tiny_task() if name == "tiny-task" else h.ROOT / "tasks" / name
    rewards = matrix(task, tmp_path)
    first, last = rewards[min(rewards)], rewards[max(rewards)]
    assert first < last == 1.0
    wanted = {"interactive": last, "full-spec": last, "first-message": first}
    turns = {}
    for arm, reward in wanted.items():
        (trial,) = h.run_job(tmp_path, *REFERENCE, "--pk", f"arm={arm}", task=task, name=arm)
        assert trial.rewards is not None, trial.exception
        assert trial.rewards["reward"] == pytest.approx(reward), arm
        assert trial.session["arm"] == arm
        turns[arm] = trial.messages
    instruction, spec = (without_canary((task / file).read_text()).strip() for file in ("instruction.md", "spec.md"))
    assert [message.strip() for message in turns["full-spec"]] == [spec]
    assert [message.strip() for message in turns["first-message"]] == [instruction]
    assert turns["interactive"][0].strip() == instruction
    assert len(turns["interactive"]) > 2
