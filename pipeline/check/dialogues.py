"""Whole sessions of the reference agent, as real trials: with the scripted user, and with none after the whole spec."""

from pathlib import Path

from harbor.models.trial.config import AgentConfig, VerifierConfig

from swe_together.adapter.plugin import AGENTS, VERIFIER
from swe_together.adapter.recorder import read_session
from swe_together.adapter.settings import RESERVED
from swe_together.pipeline.check.golden import FULL_SPEC, dialogue_of
from swe_together.pipeline.check.model import DialogueResult
from swe_together.pipeline.check.subject import Subject
from swe_together.pipeline.check.trials import error_of, reward_of, run_trial, seconds_between


async def play(subject: Subject, name: str, folder: Path) -> DialogueResult:
    """Play one session.

    Args:
        subject: The task.
        name: What the reference agent plays with the scripted user (``staged``, ``nothing`` or ``first-stage``), or
            ``full-spec``: the arm of that name, whose one message it answers with every stage.
        folder: Where the trial is left.
    """
    settings = {"arm": FULL_SPEC} if name == FULL_SPEC else {"user": "scripted"}
    play = "staged" if name == FULL_SPEC else name
    agent = AgentConfig(import_path=f"{AGENTS}:reference", kwargs={"play": play, RESERVED: settings})
    verifier = VerifierConfig(import_path=VERIFIER, kwargs={"together": {"judge": "off"}})
    result, trial = await run_trial(subject.path, f"play-{name}", folder, agent, verifier)
    seconds = seconds_between(result.started_at, result.finished_at)
    record = read_session(trial)
    if record is None or result.exception_info is not None:
        return DialogueResult(play=name, error=error_of(result) or "the session left no record", seconds=seconds)
    return DialogueResult(play=name, dialogue=dialogue_of(record, reward_of(result)), seconds=seconds)
