"""Trials that fail are said at once, and a job whose first trials all fail alike ends: it would fail throughout."""

import re
from typing import NamedTuple

from swe_together.errors import MisuseError
from swe_together.remedies import with_remedy
from swe_together.report import TrialRow
from swe_together.schema import EndReason

_TYPE = re.compile(r"([A-Za-z_]\w*): ")
_CAUSE_CHARS = 400


class Failure(NamedTuple):
    """Why a trial counts as failed. ``kind`` is the same for trials that failed alike."""

    kind: str
    cause: str


def failure_of(row: TrialRow) -> Failure | None:
    """A trial that should have a reward and has none, or whose agent broke; None for any other, whatever its reward."""
    session = row.session
    if session is not None and session.end is EndReason.AGENT_ERROR:
        status, cause = session.end.value, session.error or row.cause
    elif row.status not in ("ok", "ungraded"):
        status, cause = row.status, row.cause
    else:
        return None
    named = _TYPE.match(cause)
    return Failure(f"{status} ({named[1]})" if named else status, " ".join(cause.split()))


class FailureWatch:
    """Looks at the trials of a job as they end.

    Args:
        stop_after: So many of the first trials, all failed alike, end the job; 0 never does.
        planned: Trials that the job has to run; after the last of them there is nothing to stop.

    Attributes:
        stopped: Whether that has happened.
    """

    def __init__(self, stop_after: int, planned: int) -> None:
        self._stop_after = stop_after if stop_after < planned else 0
        self._kinds: dict[str, str | None] = {}
        self._told = False
        self.stopped = False

    def saw(self, trial: str, failure: Failure | None) -> list[str]:
        """Note how a trial ended; an attempt that is run again takes the place of the one before.

        Returns:
            Sentences for whoever runs the job: about the first failure, and about the job's end.
        """
        if self.stopped:
            return []
        said = []
        if failure is not None and not self._told:
            self._told = True
            cause = failure.cause if len(failure.cause) <= _CAUSE_CHARS else f"{failure.cause[:_CAUSE_CHARS]}…"
            told = f"{trial} is the first trial to fail, with {failure.kind}: {cause or 'no more is said'}"
            said.append(with_remedy(told))
        self._kinds[trial] = None if failure is None else failure.kind
        alike = failure is not None and set(self._kinds.values()) == {failure.kind}
        if alike and len(self._kinds) == self._stop_after:
            self.stopped = True
            said.append(
                f"the first {self._stop_after} trials all failed with {self._kinds[trial]}, so the job ends here. "
                "Mend that and start anew; --pk stop_after_errors=0 goes on whatever happens."
            )
        return said


def parse_stop_after(value: object) -> int:
    """The setting ``stop_after_errors``.

    Raises:
        MisuseError: It is no whole number from 0 on.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise MisuseError(
            f"setting stop_after_errors: must be a whole number from 0 on (found {value!r}).", "0 never stops a job."
        )
    return value
