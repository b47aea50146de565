"""The sessions that a study is made of: trials, or trajectories that come without one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from swe_together.errors import MisuseError
from swe_together.report._files import UnreadableError, read_bytes, read_object
from swe_together.report._trials import TrialRow, read_trials, trial_folders
from swe_together.report.conversation import Conversation, Limits, clip, conversation_of
from swe_together.report.study._format import ShownCall, ShownStep, ShownTurn
from swe_together.schema import DecisionRecord

TRAJECTORY = "agent/trajectory.json"
BEHAVIOUR = "verifier/behaviour.json"
DETAILS = "verifier/reward-details.json"
DECISIONS = "user-agent/decisions.jsonl"
DIFF_CHARS = 60_000
LIMITS = Limits(message=20_000, arguments=1_500, output=1_500, steps=60)


@dataclass(frozen=True)
class Source:
    """A session to be shown.

    Attributes:
        path: Where it lies: goes into the key alone.
        policy: Who played the user, empty where that isn't recorded.
        simulator: ``policy``, and its model where it has one.
        agent: Empty where it isn't recorded.
        names: Words that would give it away, wherever they stand in it.
    """

    path: Path
    task: str
    policy: str
    simulator: str
    agent: str
    conversation: Conversation
    names: Sequence[str]

    @property
    def followups(self) -> list[int]:
        """Numbers of the turns that a follow-up began."""
        return [turn.number for turn in self.conversation.turns if turn.number > 1]


def read_sources(paths: Sequence[str], left_out: list[str]) -> list[Source]:
    """The sessions of job or trial folders, and of trajectories given as ``TASK=FILE``.

    Args:
        paths: As on the command line.
        left_out: What can't be shown is added here, with the reason.

    Raises:
        MisuseError: A path isn't there, or holds no trial.
    """
    return [source for path in paths for source in _read(path, left_out)]


def _read(given: str, left_out: list[str]) -> Iterator[Source]:
    task, equals, file = given.partition("=")
    if equals and not Path(given).exists():
        path = Path(file)
        if not path.is_file() or not task:
            raise MisuseError(f"{given}: there is no trajectory {file}.", "Give TASK=FILE, or a job or trial folder.")
        yield from _session(path, path.parent, path.name, task, "", "", "", [], left_out)
        return
    folder = Path(given)
    if not folder.is_dir():
        raise MisuseError(f"{given}: there is no such folder.", "Give a job or trial folder, or TASK=FILE.")
    if not any(True for _ in trial_folders(folder)):
        raise MisuseError(f"{given} holds no trial.", "Give a job folder of Harbor, or a trial's.")
    for row in read_trials([folder]):
        yield from _trial(row, left_out)


def _trial(row: TrialRow, left_out: list[str]) -> Iterator[Source]:
    session = row.session
    if session is None:
        left_out.append(f"{row.path}: no session is recorded ({row.status})")
        return
    if not session.end.valid:
        left_out.append(f"{row.path}: the session ended as {session.end.value}")
        return
    model = session.settings.get("user_model")
    names = [row.path.name, session.task_digest, *([model] if isinstance(model, str) else [])]
    simulator = f"{session.policy} ({model})" if isinstance(model, str) else session.policy
    agent = " ".join(part for part in (session.agent, session.model) if part)
    yield from _session(row.path, row.path, TRAJECTORY, row.task, session.policy, simulator, agent, names, left_out)


def _session(
    path: Path, folder: Path, name: str, task: str, policy: str, simulator: str, agent: str, names: Sequence[str],
    left_out: list[str],
) -> Iterator[Source]:  # fmt: skip
    try:
        trajectory = read_object(folder, name)
    except UnreadableError as problem:
        left_out.append(f"{path}: {problem}")
        return
    conversation = conversation_of(trajectory, LIMITS)
    if not any(turn.number for turn in conversation.turns):
        left_out.append(f"{path}: {name} holds no message of a user")
        return
    yield Source(path, task, policy, simulator, agent, conversation, [n for n in names if len(n) >= 6])


HIDDEN = "[hidden]"


def shown(source: Source) -> list[ShownTurn]:
    """The session without anything that tells where it comes from: no name, number, time, digest or thinking.

    Words that would give it away are replaced, and white space around messages goes: people and machines differ in it.
    """

    def plain(text: str) -> str:
        for name in source.names:
            text = text.replace(name, HIDDEN)
        return text

    return [
        ShownTurn(
            number=turn.number,
            message=plain(turn.message).strip(),
            steps=[
                ShownStep(
                    text=plain(step.text).strip(),
                    calls=[
                        ShownCall(
                            name=plain(call.name),
                            arguments=plain(call.arguments),
                            output=None if call.output is None else plain(call.output),
                        )
                        for call in step.calls
                    ],
                )
                for step in turn.steps
            ],
            left_out=turn.left_out,
            left_out_after=turn.left_out_after,
        )
        for turn in source.conversation.turns
    ]


def recorded_tags(source: Source) -> dict[int, Any]:
    """Tags on record by turn; a turn without any has none on record."""
    behaviour = _object(source, BEHAVIOUR)
    tags = behaviour.get("tags")
    messages = tags.get("messages") if isinstance(tags, dict) else None
    found = messages if isinstance(messages, list) else []
    return {m["turn"]: m.get("tags") for m in found if isinstance(m, dict) and isinstance(m.get("turn"), int)}


def judged_goals(source: Source) -> dict[str, bool | None]:
    """What the trial's judge said of each goal; empty where nobody judged."""
    judge = _object(source, DETAILS).get("judge")
    met = judge.get("met") if isinstance(judge, dict) else None
    return {g: v if isinstance(v, bool) else None for g, v in met.items()} if isinstance(met, dict) else {}


def diffs(source: Source) -> str | None:
    """What the agent changed, turn after turn, as far as it was recorded; None where nothing was."""
    parts = []
    try:
        for line in (read_bytes(source.path, DECISIONS) or b"").splitlines():
            diff = DecisionRecord.model_validate_json(line).observation.diff
            parts += [diff] if diff.strip() else []
    except (UnreadableError, ValidationError):
        return None
    return clip("\n".join(parts), DIFF_CHARS) if parts else None


def _object(source: Source, name: str) -> dict[str, Any]:
    if not source.path.is_dir():
        return {}
    try:
        return read_object(source.path, name) or {}
    except UnreadableError:
        return {}
