"""Policies by name."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from swe_together.errors import MisuseError
from swe_together.schema import SimulatorScript
from swe_together.simulator._human import HumanUser, Typist, Writer, read_answers, terminal_of_parent
from swe_together.simulator._replay import ReplayUser, find_recording, read_decisions
from swe_together.simulator._scripted import ScriptedUser, SilentUser
from swe_together.simulator._user import User

if TYPE_CHECKING:
    from swe_together.simulator.model import Background, ModelSettings

POLICIES: Final[Mapping[str, Callable[[SimulatorScript], User]]] = {
    ScriptedUser.name: ScriptedUser,
    SilentUser.name: SilentUser,
}
"""Makers of the policies that need nothing but a script, by name."""
MODEL_POLICIES: Final = ("anchored", "llm")
"""Names of the policies that ask a model."""


@dataclass(frozen=True)
class UserSetup:
    """What some policies need beyond the script.

    Attributes:
        background: The session behind the script; for policies with a model.
        model: Which model; for policies with a model.
        session_sec: The session's budget, where it isn't the script's.
        replay_from: A recorded run; for ``replay``.
        task: The task's name, to find its recording among others.
        human_folder: Where a person is asked; for ``human``.
        human_answers: A file with all that the person says; they are not asked then.
    """

    background: "Background | None" = None
    model: "ModelSettings | None" = None
    session_sec: float | None = None
    replay_from: Path | None = None
    task: str | None = None
    human_folder: Path | None = None
    human_answers: Path | None = None


def create_user(policy: str, script: SimulatorScript, setup: UserSetup = UserSetup()) -> User:
    """A fresh user for one session.

    Args:
        policy: A key of ``POLICIES``, one of ``MODEL_POLICIES``, ``human`` or ``replay``.
        script: The task's anchors, persona and budget.
        setup: What the policy needs beyond it.

    Raises:
        MisuseError: There is no such policy, or the setup lacks what it needs.
        SimulatorError: The script's anchors don't fit together; ``validate_script`` says more.
    """
    if policy in POLICIES:
        return POLICIES[policy](script)
    if policy in MODEL_POLICIES:
        return _model_user(policy, script, setup)
    if policy == ReplayUser.name:
        if setup.replay_from is None:
            raise MisuseError("The policy 'replay' needs a recorded run.", "Add --pk replay_from=jobs/JOB/TRIAL.")
        return ReplayUser(script, read_decisions(find_recording(setup.replay_from, setup.task)))
    if policy == HumanUser.name:
        if setup.human_folder is None:
            raise MisuseError("The policy 'human' needs a folder where the person is asked.", "Give it one.")
        person = (
            Typist(setup.human_folder, present=terminal_of_parent(os.environ))
            if setup.human_answers is None
            else Writer(read_answers(setup.human_answers))
        )
        return HumanUser(script, person, setup.human_folder, session_sec=setup.session_sec)
    known = ", ".join([*POLICIES, *MODEL_POLICIES, HumanUser.name, ReplayUser.name])
    raise MisuseError(f"There is no user policy {policy!r}.", f"Choose one of: {known}.")


def _model_user(policy: str, script: SimulatorScript, setup: UserSetup) -> User:
    from swe_together.simulator.model import AnchoredUser, FreeUser, LiteLLMModel

    if setup.model is None or setup.background is None:
        raise MisuseError(
            f"The policy {policy!r} needs a model.", "Add --pk user_model=PROVIDER/MODEL, e.g. openai/gpt-5."
        )
    maker = AnchoredUser if policy == AnchoredUser.name else FreeUser
    return maker(script, setup.background, LiteLLMModel(setup.model), session_sec=setup.session_sec)
