"""The goals' own commands, run in the fresh container. No model takes part."""

import time
from collections.abc import Callable, Sequence

from swe_together import defaults
from swe_together.errors import EnvironmentFault, JudgeError
from swe_together.judge._dossier import Dossier, digest
from swe_together.judge._workspace import Ran, Workspace
from swe_together.providers import clean, cut
from swe_together.schema import Check, CheckOutcome, CheckRun, Goal


def check_key(dossier: Dossier) -> str:
    """The key under which the outcomes of a rubric's commands in a state are stored."""
    commands = [[goal.id, goal.check.model_dump(mode="json")] for goal in dossier.rubric.goals if goal.check]
    return digest(["checks", defaults.FORMAT_VERSION, dossier.rubric_digest, dossier.state, commands])


async def run_checks(dossier: Dossier, root: Workspace, clock: Callable[[], float] = time.monotonic) -> CheckRun:
    """Run every goal's command, in the order of the rubric, in the state as it was handed in.

    A command that ends with 0 says met; any other code, and running out of time, says not met.

    Args:
        dossier: What is judged.
        root: Runs commands as root, as ``swe-together check`` does.
        clock: Seconds, monotonic.

    Raises:
        JudgeError: The container failed: that says nothing about a goal.
    """
    began = clock()
    try:
        outcomes = await outcomes_of(dossier.rubric.goals, root)
    except EnvironmentFault as fault:
        raise JudgeError(f"The checks' container failed: {fault}", "Judge the trial again.") from fault
    return CheckRun(key=check_key(dossier), outcomes=outcomes, seconds=clock() - began)


async def outcomes_of(goals: Sequence[Goal], root: Workspace) -> list[CheckOutcome]:
    """Run the commands of goals, in the state as it was handed in.

    Raises:
        EnvironmentFault: The container failed.
    """
    checks = [(goal, goal.check) for goal in goals if goal.check]
    await root.reset()
    ran = await root.run_all([(check.run, check.timeout_sec) for _, check in checks])
    return [_outcome(goal, check, one) for (goal, check), one in zip(checks, ran, strict=True)]


def _outcome(goal: Goal, check: Check, ran: Ran) -> CheckOutcome:
    reason = f"timed out after {check.timeout_sec:g} s" if ran.exit is None else f"its command ended with {ran.exit}"
    return CheckOutcome(
        goal=goal.id,
        met=ran.exit == 0,
        exit=ran.exit,
        reason=reason,
        output=cut(clean(ran.output), defaults.OUTPUT_CHARS),
        seconds=ran.seconds,
    )
