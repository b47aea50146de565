"""The dialogue of a trial, read from its merged trajectory: ``harbor job regrade`` carries no other record along."""

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from swe_together.adapter.trajectory import last_reply, load_trajectory
from swe_together.errors import EnvironmentFault
from swe_together.schema import Dialogue, DialogueTurn, Settlement

NO_SESSION = "none"
"""Policy of a dialogue without a session: stock ``oracle`` and ``nop`` hear the instruction and say nothing."""


def read_dialogue(trial_dir: Path, instruction: str) -> Dialogue:
    """The dialogue of a trial.

    Args:
        trial_dir: The trial's folder; ``agent/trajectory.json`` holds our marks.
        instruction: The task's first message, for a trial that held no session.

    Raises:
        EnvironmentFault: The trajectory's marks can't be read.
    """
    path = trial_dir / "agent" / "trajectory.json"
    document = load_trajectory(path) or {}
    steps: list[dict[str, Any]] = document.get("steps", [])
    summary = (document.get("extra") or {}).get("swe_together")
    starts = [number for number, step in enumerate(steps) if _mark(step) is not None]
    if summary is None or not starts:
        return Dialogue(policy=NO_SESSION, turns=[DialogueTurn(turn=1, message=instruction)])
    try:
        turns = [
            _turn(steps[start], steps[start + 1 : end])
            for start, end in zip(starts, [*starts[1:], len(steps)], strict=True)
        ]
        settled = [Settlement.model_validate(one) for one in summary.get("settled", [])]
        return Dialogue(policy=summary["policy"], turns=turns, settled=settled)
    except (ValidationError, KeyError, TypeError) as error:
        raise EnvironmentFault(f"{path}: our marks can't be read: {error}", "Run the trial again.") from error


def _turn(said: dict[str, Any], played: list[dict[str, Any]]) -> DialogueTurn:
    mark = _mark(said) or {}
    kind = mark["kind"]
    return DialogueTurn(
        turn=mark["turn"],
        message=said["message"],
        kind=None if kind == "instruction" else kind,
        anchors=mark["anchors"],
        tags=mark["tags"],
        reply=mark.get("reply") or last_reply(played),
        timed_out=mark.get("timed_out", False),
    )


def _mark(step: dict[str, Any]) -> dict[str, Any] | None:
    mark = (step.get("extra") or {}).get("swe_together")
    return mark if isinstance(mark, dict) and step.get("source") == "user" else None
