"""The policy ``replay``: a recorded run's decisions, again and exactly."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from swe_together.errors import MisuseError, SimulatorError
from swe_together.schema import (
    Action,
    Decision,
    DecisionRecord,
    EndReason,
    Observation,
    SessionRecord,
    Settlement,
    SimulatorScript,
)
from swe_together.simulator._world import World

DECISIONS = "decisions.jsonl"
_SESSION = "session.json"
_FOLDER = "user-agent"


class ReplayUser:
    """Decides after each turn what was decided after that turn of the recording, whatever the agent does now.

    After the last recorded decision, if that one didn't end the session, the user leaves. A recorded decision that
    failed fails again.

    Args:
        script: The task's script; the recording must be of its anchors.
        records: The recording.

    Raises:
        MisuseError: The recording is empty, or of another script.
    """

    name = "replay"

    def __init__(self, script: SimulatorScript, records: Sequence[DecisionRecord]) -> None:
        if not records:
            raise MisuseError("The recording holds no decision.", "Give the decisions.jsonl of a whole session.")
        self._ids = [anchor.id for anchor in sorted(script.anchors, key=lambda anchor: anchor.source_turn)]
        self._records = {record.turn: record for record in records}
        named = {settled.anchor for record in records for settled in record.known_settled}
        named |= {anchor for record in records if record.decision is not None for anchor in record.decision.anchors}
        unknown = sorted(named - set(self._ids))
        if unknown:
            raise MisuseError(
                f"The recording names the anchor {unknown[0]!r}, which this task doesn't have.",
                "Replay a recording of this task and of this version of it.",
            )
        self._settled: set[str] = set()

    async def decide(self, observation: Observation, world: World, *, yielded: bool = True) -> Decision:
        """The recorded decision; see ``User.decide``."""
        record = self._records.get(observation.turn)
        if record is not None:
            self._settled |= {settled.anchor for settled in record.known_settled}
            if record.decision is None:
                raise SimulatorError(f"The recorded decision after turn {record.turn} failed: {record.error}")
            return record.decision
        last = max(self._records)
        if observation.turn < last:
            raise SimulatorError(f"The recording has no decision for turn {observation.turn}, but one for turn {last}.")
        reason = f"the recording ends after turn {last}"
        return Decision(action=Action.NO_OP, end=EndReason.USER_LEFT, reason=reason, settled=self.dismiss(reason))

    def dismiss(self, reason: str) -> list[Settlement]:
        """Dismiss what the recording hasn't settled so far; see ``User.dismiss``."""
        pending = [anchor for anchor in self._ids if anchor not in self._settled]
        self._settled |= set(pending)
        return [Settlement(anchor=anchor, how="dismissed", reason=reason) for anchor in pending]


def read_decisions(path: Path) -> list[DecisionRecord]:
    """The decisions of a ``decisions.jsonl``.

    Raises:
        MisuseError: There is no such file, or a line of it isn't a decision.
    """
    if not path.is_file():
        raise MisuseError(f"{path}: there is no such file.", f"Give a {DECISIONS} of a trial's {_FOLDER} folder.")
    records = []
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            records.append(DecisionRecord.model_validate_json(line))
        except ValidationError as error:
            problem = error.errors(include_url=False)[0]["msg"]
            raise MisuseError(
                f"{path}: line {number} is not a decision: {problem}.", "Give an unchanged file."
            ) from None
    return records


def find_recording(path: Path, task: str | None) -> Path:
    """The ``decisions.jsonl`` that ``path`` means: itself, in a trial or ``user-agent`` folder, or a job's of ``task``.

    Raises:
        MisuseError: There is none, or there are several.
    """
    if path.is_file():
        return path
    for candidate in (path / DECISIONS, path / _FOLDER / DECISIONS):
        if candidate.is_file():
            return candidate
    found = [
        file
        for file in sorted(path.glob(f"**/{_FOLDER}/{DECISIONS}"))
        if task is None or _task_of(file.with_name(_SESSION)) == task
    ]
    if len(found) == 1:
        return found[0]
    wanted = f" of {task}" if task else ""
    if not found:
        raise MisuseError(f"{path} holds no recorded session{wanted}.", f"Give a trial folder or its {DECISIONS}.")
    names = ", ".join(file.parent.parent.name for file in found[:4])
    raise MisuseError(f"{path} holds {len(found)} recorded sessions{wanted}: {names}.", "Name one of these folders.")


def _task_of(session: Path) -> str | None:
    try:
        return SessionRecord.model_validate_json(session.read_bytes()).task
    except (OSError, ValidationError):
        return None
