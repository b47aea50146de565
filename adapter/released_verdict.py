"""The verdict on a trial of the paper's release: its own tests' reward, or the judge's on its own rubric."""

from collections.abc import Mapping
from pathlib import Path

from harbor.verifier.verifier import RewardFileNotFoundError, VerifierOutputParseError

from swe_together.adapter.judge_settings import JudgingSettings
from swe_together.adapter.judging import TrialJudging, keep, summary_of
from swe_together.adapter.rejudge import rejudge
from swe_together.errors import EnvironmentFault, JudgeError
from swe_together.files import write_atomically
from swe_together.schema import TestReport

type Rewards = dict[str, float | int]


async def verdict_on_released(
    task_dir: Path, trial_dir: Path, details: Path, rewards: Mapping[str, float | int], settings: JudgingSettings
) -> Rewards:
    """The rewards of a trial whose tests have run.

    Such tests run where the agent worked and report one number, no cases. No command decides a goal of such a rubric,
    so that without a model nothing is judged; with one, the final state is judged in a fresh container.

    Args:
        task_dir: The task.
        trial_dir: The trial; its session is over and its state packed.
        details: Where the report goes.
        rewards: What the tests gave.
        settings: How to judge.

    Raises:
        VerifierOutputParseError: The tests gave no reward from 0 to 1.
        RewardFileNotFoundError: A judge was asked for and gave no score.
    """
    tests = rewards.get("reward")
    if tests is None or not 0 <= tests <= 1:
        raise VerifierOutputParseError(
            f"{task_dir.name}: the release's tests gave {dict(rewards)}, no reward from 0 to 1."
        )
    report = TestReport(status="ok", interactive=1, tests=tests)
    found: Rewards = {"reward": tests, "tests": tests, "interactive": 1}
    judging = TrialJudging.of(task_dir, trial_dir, [], settings)
    if settings.judge_model is None:
        keep(trial_dir, None, await judging.behaviour())
        write_atomically(details, report.model_dump_json(indent=1))
        return found
    judgement, error = None, None
    try:
        judgement = (await rejudge(judging)).judgement
    except (EnvironmentFault, JudgeError) as fault:
        error = str(fault)
    keep(trial_dir, judgement, await judging.behaviour())
    summary = summary_of(judgement, error, settings)
    told = report.model_copy(update={"basis": "judge", "judge": summary})
    write_atomically(details, told.model_dump_json(indent=1))
    if summary.score is None:
        raise RewardFileNotFoundError(f"No reward: judge_error: {error or 'nothing was decided'}")
    return {**found, "reward": summary.score, "judge": summary.score}
