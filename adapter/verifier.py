"""The verifier of a session: Harbor's own in the fresh environment, and no reward after a fault of ours."""

import json

from harbor.models.verifier.result import VerifierResult
from harbor.verifier.verifier import RewardFileNotFoundError, Verifier, VerifierOutputParseError
from pydantic import ValidationError

from swe_together.adapter.recorder import read_session
from swe_together.schema import TestReport
from swe_together.tasks import is_together_task

DETAILS = "reward-details.json"


class TogetherVerifier(Verifier):
    """Runs the task's tests and checks that their report is whole and consistent.

    After a simulator or environment error it raises an error type of Harbor's own that is neither retried nor counted
    as a valid reward: any other exception would be graded, and a missing result is never zero.
    """

    async def verify(self) -> VerifierResult:
        """Grade the final state.

        Raises:
            RewardFileNotFoundError: The session ended by a fault, or the tests could not judge.
            VerifierOutputParseError: The tests' report is nonsense.
        """
        if not is_together_task(self.task.task_dir):
            return await super().verify()
        self._refuse_faulted_session()
        result = await super().verify()
        report = self._report()
        rewards = result.rewards or {}
        if report.status != "ok" or report.tests is None or rewards.get("tests") != report.tests:
            raise VerifierOutputParseError(
                f"{DETAILS} (status {report.status}, tests {report.tests}) and reward.json ({rewards}) disagree."
            )
        return result

    def _refuse_faulted_session(self) -> None:
        try:
            session = read_session(self.trial_paths.trial_dir)
        except ValueError as error:
            raise RewardFileNotFoundError(f"No reward: the session's record can't be read: {error}") from error
        if session is not None and not session.end.valid:
            raise RewardFileNotFoundError(f"No reward: the session ended with {session.end.value}: {session.error}")

    def _report(self) -> TestReport:
        path = self.trial_paths.verifier_dir / DETAILS
        try:
            return TestReport.model_validate(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, UnicodeDecodeError, json.JSONDecodeError, ValidationError) as error:
            raise VerifierOutputParseError(f"{path}: is not a report of the tests: {error}") from error
