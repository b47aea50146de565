"""Runs states as real Harbor trials: fresh agent container, collect, fresh verifier container, tests."""

import asyncio
import json
import logging
import re
import secrets
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from harbor.models.trial.config import AgentConfig, EnvironmentConfig, TaskConfig, TrialConfig, VerifierConfig
from harbor.models.trial.result import TimingInfo, TrialResult
from harbor.trial.trial import Trial
from pydantic import ValidationError

from swe_together.adapter.judging import JUDGEMENT
from swe_together.adapter.plugin import VERIFIER
from swe_together.errors import TogetherError
from swe_together.pipeline.check import harbor_parts
from swe_together.pipeline.check.harbor_parts import CarefulEnvironment
from swe_together.pipeline.check.model import ImageScan, StateResult
from swe_together.pipeline.check.subject import LEAVING, State, Subject
from swe_together.preflight import require_machine
from swe_together.remedies import with_remedy
from swe_together.schema import Judgement, TestReport

_PARTS = harbor_parts.__name__
_MESSAGE = 1000
_COMPOSE = re.compile(r"Command: .*?Stdout: ")
"""The long command line that Harbor puts in front of what a failed build printed."""


def require_engine(tasks: Sequence[Path]) -> None:
    """Make sure that the tasks' containers can be run here.

    Raises:
        TogetherError: They can't.
    """
    try:
        CarefulEnvironment.preflight()
    except SystemExit as error:
        raise TogetherError(str(error), "swe-together doctor says what is missing.") from None
    require_machine(tasks)


async def stop_all() -> None:
    """Stop every environment that an interrupt left running."""
    left = list(CarefulEnvironment.running)
    await asyncio.gather(*(environment.stop(delete=True) for environment in left), return_exceptions=True)


async def run_trial(
    task: Path, name: str, folder: Path, agent: AgentConfig, verifier: VerifierConfig
) -> tuple[TrialResult, Path]:
    """Run one trial of a task; hands back Harbor's result and the trial's folder."""
    logging.getLogger("harbor").addHandler(logging.NullHandler())
    config = TrialConfig(
        task=TaskConfig(path=task),
        trial_name=f"check-{task.name[:20]}-{name[:20]}-{secrets.token_hex(3)}",
        trials_dir=folder,
        agent=agent,
        environment=EnvironmentConfig(import_path=f"{_PARTS}:CarefulEnvironment"),
        verifier=verifier,
    )
    trial = await Trial.create(config)
    return await trial.run(), trial.paths.trial_dir


async def run_state(subject: Subject, state: State, folder: Path) -> StateResult:
    """Bring a fresh container into a state and judge it in another."""
    if state.oracle:
        agent = AgentConfig(name="oracle")
    else:
        kwargs: dict[str, Any] = {
            "tree": subject.trees[0],
            "patches": [str(p) for p in state.patches],
            "script": str(state.script) if state.script else None,
        }
        agent = AgentConfig(import_path=f"{_PARTS}:StateAgent", kwargs=kwargs)
    judging = f"{_PARTS}:RootWatch" if state.name == LEAVING else VERIFIER
    verifier = VerifierConfig(import_path=judging) if state.judged else VerifierConfig()
    result, trial = await run_trial(subject.path, state.name, folder, agent, verifier)
    return read_state(state, result, trial)


def read_state(state: State, result: TrialResult, trial: Path) -> StateResult:
    """Make a state's result of what a trial left."""
    error = error_of(result)
    applied = not (result.exception_info and result.exception_info.exception_type == "StateNotApplied")
    code = trial / "agent" / "exit-code.txt"
    if state.oracle and code.is_file():
        log = trial / "agent" / "oracle.txt"
        tail = " ".join(log.read_text(errors="replace").splitlines()[-5:]) if log.is_file() else ""
        error, applied = f"solve.sh ended with {code.read_text()}: {tail}", False
    reward = reward_of(result)
    details = trial / "verifier" / "reward-details.json"
    report = None
    if details.is_file():
        try:
            report = TestReport.model_validate_json(details.read_bytes())
        except ValidationError as invalid:
            error = f"reward-details.json breaks its schema: {invalid.errors()[0]['msg']}"
    if report is None and error is None:
        error = "the tests left no reward-details.json"
    if report is None or reward is None:
        output = trial / "verifier" / "test-stdout.txt"
        if output.is_file():
            error = f"{error}: {' '.join(output.read_text(errors='replace').split())[-600:]}"
    cases = list(report.cases) if report else []
    if error is None and report and report.judge and report.judge.error:
        error = f"the goals' checks: {report.judge.error}"
    if (trial / harbor_parts.ROOT_MARK).exists():
        error = "code of the tree was run as root"
    judged = trial / JUDGEMENT
    return StateResult(
        name=state.name,
        reward=reward,
        cases=cases,
        judgement=Judgement.model_validate_json(judged.read_bytes()) if judged.is_file() else None,
        applied=applied,
        error=error,
        seconds=seconds_between(result.started_at, result.finished_at),
        start_sec=_timing(result.environment_setup),
        test_sec=round(sum(case.seconds for case in cases), 2),
    )


async def scan_image(subject: Subject, request: dict[str, Any], folder: Path) -> ImageScan:
    """Build the image, and look at a container of it as an agent finds it."""
    asked = folder / f"scan-{subject.id}-{secrets.token_hex(3)}.json"
    asked.write_text(json.dumps(request))
    agent = AgentConfig(import_path=f"{_PARTS}:ScanAgent", kwargs={"request": str(asked)})
    result, trial = await run_trial(subject.path, "image", folder, agent, VerifierConfig(disable=True))
    built = _timing(result.environment_setup)
    found = trial / harbor_parts.SCAN_FILE
    if error := error_of(result):
        return ImageScan(error=error, build_sec=built)
    report = json.loads(found.read_text())
    report["privileges"] += _agent_is_root(report.pop("agent"))
    return ImageScan(build_sec=built, **report)


def _agent_is_root(lines: Sequence[str]) -> list[str]:
    if not lines:
        return ["no command could be run as the agent's user"]
    number, *groups = lines[0].split()
    found = [] if number != "0" else ["the agent's user is root"]
    found += [
        f"the agent's user is in the group {g}" for g in groups if g in ("root", "sudo", "wheel", "docker", "adm")
    ]
    return found + [line for line in lines[1:] if line]


def _timing(timing: TimingInfo | None) -> float:
    """Length of a phase of a trial, 0 where it did not happen."""
    return seconds_between(timing.started_at, timing.finished_at) if timing else 0.0


def seconds_between(start: datetime | None, end: datetime | None) -> float:
    return round((end - start).total_seconds(), 2) if start and end else 0.0


def reward_of(result: TrialResult) -> float | None:
    """The reward of a trial, None where it has none."""
    rewards = result.verifier_result.rewards if result.verifier_result else None
    return None if rewards is None else rewards.get("reward")


def error_of(result: TrialResult) -> str | None:
    info = result.exception_info
    if info is None:
        return None
    message = " ".join(info.exception_message.split())
    message = _COMPOSE.sub("", message)
    if len(message) > _MESSAGE:
        message = f"… {message[-_MESSAGE:]}"
    told = message if info.exception_type == "StateNotApplied" else f"{info.exception_type}: {message}"
    return with_remedy(told)
