"""The small records of a trial, read and found sound or not. No trajectory is ever opened."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from swe_together.report._files import UnreadableError, as_record, read_object, read_record
from swe_together.report._outcome import Outcome, mapping, outcome
from swe_together.schema import SessionRecord, TestReport

CONFIG: Final = "config.json"
RESULT: Final = "result.json"
SESSION: Final = "user-agent/session.json"
DETAILS: Final = "verifier/reward-details.json"
UNKNOWN: Final = "unknown"
"""Name of an agent that no record names."""


@dataclass(frozen=True)
class Records:
    """What a trial's folder holds. ``broken`` says which record can't be read and why; None where all could be."""

    folder: Path
    config: dict[str, Any]
    result: dict[str, Any] | None = None
    session: SessionRecord | None = None
    report: TestReport | None = None
    broken: str | None = None

    @property
    def agent(self) -> str:
        """Harbor's bare name of the agent."""
        names = (
            self.session.agent if self.session else None,
            mapping(self.result, "agent_info").get("name"),
            mapping(self.config, "agent").get("name"),
        )
        return next((name for name in names if isinstance(name, str) and name), UNKNOWN)

    @property
    def outcome(self) -> Outcome:
        """What became of the trial."""
        if self.broken is not None:
            return Outcome("corrupt", cause=self.broken)
        return outcome(self.agent, self.result, self.session, self.report)


def read_records(folder: Path) -> Records:
    """Read a trial's records; what can't be read is named, and the rest is there all the same."""
    problems: list[str] = []

    def attempt[T](read: Callable[[], T | None]) -> T | None:
        try:
            return read()
        except UnreadableError as problem:
            problems.append(str(problem))
            return None

    config = attempt(lambda: read_object(folder, CONFIG)) or {}
    result = attempt(lambda: read_object(folder, RESULT))
    session = attempt(lambda: read_record(folder, SESSION, SessionRecord))
    report = attempt(lambda: _report(folder))
    return Records(folder, config, result, session, report, "; ".join(problems) or None)


def _report(folder: Path) -> TestReport | None:
    """Our tests' report. Other tasks may leave something else under its name."""
    found = read_object(folder, DETAILS)
    return as_record(DETAILS, found, TestReport) if found is not None and "interactive" in found else None
