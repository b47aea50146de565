"""What a session leaves in the trial's ``user-agent`` folder on the host. No container ever sees it.

``session.json`` is the whole session, ``decisions.jsonl`` a line per decision, ``turn-N/trajectory.json`` the inner
agent's own trajectory after turn N.
"""

import json
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from swe_together.adapter.session import Outcome
from swe_together.adapter.settings import Settings
from swe_together.adapter.usage import total
from swe_together.files import write_atomically
from swe_together.schema import DecisionRecord, EndReason, SessionRecord, Settlement, TurnRecord, Usage

FOLDER = "user-agent"
SESSION_FILE = "session.json"
DECISIONS_FILE = "decisions.jsonl"


class SessionRecorder:
    """Writes a session's records as they arise, so that a killed process loses nothing that was finished.

    Args:
        folder: The trial's ``user-agent`` folder.
        facts: The fields of the session record that are known from the start.
    """

    def __init__(self, folder: Path, facts: Mapping[str, Any], settings: Settings) -> None:
        self.folder = folder
        self.turns: list[TurnRecord] = []
        self.settled: list[Settlement] = []
        self._facts = dict(facts)
        self._settings = settings
        self._started = datetime.now(UTC)
        self._began = time.monotonic()

    def begin(self) -> None:
        """Write a record by which the session counts as cut off until it has ended.

        Raises:
            OSError: The disk takes no record, so no session can be held.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / DECISIONS_FILE).write_text("", encoding="utf-8")
        self.finish(UNFINISHED)

    def turn(self, record: TurnRecord) -> None:
        """A turn was completed."""
        self.turns.append(record)

    def decision(self, record: DecisionRecord) -> None:
        """The user decided, or failed to."""
        self.settled += record.known_settled
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / DECISIONS_FILE).open("a", encoding="utf-8") as file:
            file.write(record.model_dump_json() + "\n")

    def archive(self, turn: int, trajectory: Mapping[str, Any]) -> None:
        """Keep the inner agent's own trajectory as it stood after a turn."""
        write_atomically(self.folder / f"turn-{turn}" / "trajectory.json", json.dumps(trajectory, ensure_ascii=False))

    def finish(self, outcome: Outcome, usage: Usage | None = None) -> SessionRecord:
        """Write ``session.json``."""
        record = SessionRecord(
            **self._facts,
            started=self._started.isoformat(),
            finished=datetime.now(UTC).isoformat(),
            seconds=time.monotonic() - self._began,  # somebody may set the clock meanwhile
            agent_seconds=outcome.agent_seconds,
            user_seconds=outcome.user_seconds,
            end=outcome.end,
            error=outcome.error,
            turns=self.turns,
            settled=[*self.settled, *outcome.settled],
            messages=sum(record.kind is not None for record in self.turns),
            usage=usage or total([record.usage for record in self.turns]),
            settings=self._settings.model_dump(),
        )
        write_atomically(self.folder / SESSION_FILE, record.model_dump_json(indent=1))
        return record


def read_session(trial_dir: Path) -> SessionRecord | None:
    """The session record of a trial; None where the trial had none.

    Raises:
        ValueError: The file isn't a session record.
    """
    path = trial_dir / FOLDER / SESSION_FILE
    return SessionRecord.model_validate_json(path.read_text(encoding="utf-8")) if path.is_file() else None


UNFINISHED = Outcome(EndReason.ENVIRONMENT_ERROR, "the session was cut off before it ended", 0.0, 0.0)
"""What a session counts as until it has ended by its own decision."""
