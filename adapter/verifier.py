"""The verifier of a session: Harbor's own in the fresh environment, then the judge; no reward after a fault of ours."""

import json
import time
from pathlib import Path
from typing import Any

from harbor.models.verifier.result import VerifierResult
from harbor.verifier.verifier import RewardFileNotFoundError, Verifier, VerifierOutputParseError
from pydantic import ValidationError

from swe_together import defaults
from swe_together.adapter.hands import Bench
from swe_together.adapter.judge_settings import JudgingSettings, parse_judging
from swe_together.adapter.judging import TrialJudging, hands_at, keep, summary_of
from swe_together.adapter.recorder import read_session
from swe_together.adapter.released_verdict import verdict_on_released
from swe_together.errors import EnvironmentFault, JudgeError
from swe_together.files import write_atomically
from swe_together.schema import Judgement, TestReport
from swe_together.tasks import is_released_task, is_together_task, load_task

DETAILS = "reward-details.json"
AGENTS = "swe_together.adapter.agents"


class TogetherVerifier(Verifier):
    """Runs the task's tests, checks that their report is whole, and judges the goals in the state restored again.

    After a simulator, environment or judge error it raises an error type of Harbor's own that is neither retried nor
    counted as a valid reward: any other exception would be graded, and a missing result is never zero.

    Args:
        together: Settings of judging, a mapping or JSON; single ones may also be given by their own names.
        kwargs: Harbor's own.
    """

    def __init__(self, *, together: dict[str, Any] | str | None = None, **kwargs: Any) -> None:
        named = {name: kwargs.pop(name) for name in JudgingSettings.model_fields if name in kwargs}
        told = parse_judging(together).model_dump(exclude_unset=True)
        self._settings = parse_judging({**told, **named})
        super().__init__(**kwargs)

    async def verify(self) -> VerifierResult:
        """Grade the final state.

        Raises:
            RewardFileNotFoundError: The session ended by a fault, or tests or judge could not judge.
            VerifierOutputParseError: The tests' report is nonsense.
        """
        if not is_together_task(self.task.task_dir):
            return await super().verify()
        began = time.monotonic()
        self._refuse_faulted_session()
        if is_released_task(self.task.task_dir):
            return await self._released(await super().verify())
        bench = await self._bench()
        result = await super().verify()
        report = self._report()
        rewards = result.rewards or {}
        if report.status != "ok" or report.tests is None or rewards.get("tests") != report.tests:
            raise VerifierOutputParseError(
                f"{DETAILS} (status {report.status}, tests {report.tests}) and reward.json ({rewards}) disagree."
            )
        if not report.interactive and self._is_of_sessions():
            raise RewardFileNotFoundError("No reward: no session was held that could say how it ended.")
        if bench is None:
            return result
        return await self._judged(bench, report, rewards, began)

    async def _released(self, result: VerifierResult) -> VerifierResult:
        if read_session(self.trial_paths.trial_dir) is None:  # stock oracle and nop
            return result
        where = self.task.task_dir, self.trial_paths.trial_dir, self._details
        return VerifierResult(rewards=await verdict_on_released(*where, result.rewards or {}, self._settings))

    async def _bench(self) -> Bench | EnvironmentFault | None:
        """The container as it is before any untrusted code has run in it."""
        if self._settings.judge == "off":
            return None
        metadata = load_task(self.task.task_dir).metadata
        try:
            return await Bench.of(self.environment, metadata.trees, metadata.exclude)
        except EnvironmentFault as fault:
            return fault

    async def _judged(
        self, bench: Bench | EnvironmentFault, report: TestReport, rewards: dict[str, float | int], began: float
    ) -> VerifierResult:
        trial_dir = self.trial_paths.trial_dir
        judging = TrialJudging.of(self.task.task_dir, trial_dir, report.cases, self._settings)
        judgement: Judgement | None = None
        error: str | None = None
        try:
            if isinstance(bench, EnvironmentFault):
                raise JudgeError(f"The judge's container can't be used: {bench.message}", "Judge the trial again.")
            root, hands = hands_at(bench)
            judgement = await judging.judge(root, hands, self._seconds_left(began))
        except JudgeError as fault:
            error = str(fault)
        keep(trial_dir, judgement, await judging.behaviour())
        model = self._settings.judge_model
        summary = summary_of(judgement, error, self._settings)
        told = report.model_copy(update={"basis": "tests" if model is None else "judge", "judge": summary})
        write_atomically(self._details, told.model_dump_json(indent=1))
        judged = {} if summary.score is None else {"judge": summary.score}
        if model is None:
            return VerifierResult(rewards={**rewards, **judged})
        if summary.score is None:
            raise RewardFileNotFoundError(f"No reward: judge_error: {error or 'nothing was decided'}")
        return VerifierResult(rewards={**rewards, "reward": summary.score, **judged})

    def _seconds_left(self, began: float) -> float:
        """What Harbor leaves the judge, with some time to write down what it found."""
        allowed = float(self.task.config.verifier.timeout_sec or 0) * self._multiplier()
        return max(allowed - (time.monotonic() - began) - defaults.FINISH_RESERVE_SEC, 1.0)

    def _is_of_sessions(self) -> bool:
        """Whether the trial's agent is one that holds sessions: without one there is nothing to grade."""
        agent = self._config().get("agent") or {}
        return str(agent.get("name") or agent.get("import_path")).startswith(f"{AGENTS}:")

    def _config(self) -> dict[str, Any]:
        """Harbor's configuration of the trial; empty where it can't be read."""
        try:
            found = json.loads(self.trial_paths.config_path.read_text(encoding="utf-8"))
        except (OSError, json.JSONDecodeError):
            return {}
        return found if isinstance(found, dict) else {}

    def _multiplier(self) -> float:
        config = self._config()
        found = config.get("verifier_timeout_multiplier")
        return float(found if found is not None else config.get("timeout_multiplier") or 1.0)

    def _refuse_faulted_session(self) -> None:
        try:
            session = read_session(self.trial_paths.trial_dir)
        except ValueError as error:
            raise RewardFileNotFoundError(f"No reward: the session's record can't be read: {error}") from error
        if session is not None and not session.end.valid:
            raise RewardFileNotFoundError(f"No reward: the session ended with {session.end.value}: {session.error}")

    @property
    def _details(self) -> Path:
        path: Path = self.trial_paths.verifier_dir / DETAILS
        return path

    def _report(self) -> TestReport:
        try:
            return TestReport.model_validate(json.loads(self._details.read_text(encoding="utf-8")))
        except (OSError, UnicodeDecodeError, json.JSONDecodeError, ValidationError) as error:
            raise VerifierOutputParseError(f"{self._details}: is not a report of the tests: {error}") from error
