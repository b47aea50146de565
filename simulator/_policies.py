"""Policies by name."""

from collections.abc import Callable, Mapping
from typing import Final

from swe_together.errors import MisuseError
from swe_together.schema import SimulatorScript
from swe_together.simulator._scripted import ScriptedUser, SilentUser
from swe_together.simulator._user import User

POLICIES: Final[Mapping[str, Callable[[SimulatorScript], User]]] = {
    ScriptedUser.name: ScriptedUser,
    SilentUser.name: SilentUser,
}
"""Each policy's maker by its name."""


def create_user(policy: str, script: SimulatorScript) -> User:
    """A fresh user for one session.

    Args:
        policy: A key of ``POLICIES``.
        script: The task's anchors, persona and budget.

    Raises:
        MisuseError: There is no such policy.
        SimulatorError: The script's anchors don't fit together; ``validate_script`` says more.
    """
    if policy not in POLICIES:
        raise MisuseError(f"There is no user policy {policy!r}.", f"Choose one of: {', '.join(POLICIES)}.")
    return POLICIES[policy](script)
