"""The policies that need no model."""

from swe_together.schema import Action, Decision, EndReason, Observation, Settlement, SimulatorScript
from swe_together.simulator._machine import SessionMachine
from swe_together.simulator._user import policy_faults
from swe_together.simulator._world import World


class ScriptedUser:
    """Says the first eligible message in the authored words, else is silent. Deterministic.

    Args:
        script: Anchors, persona and budget of the task.

    Raises:
        SimulatorError: Two anchors share an id, or one names an id that isn't there.
    """

    name = "scripted"

    def __init__(self, script: SimulatorScript) -> None:
        self.machine = SessionMachine(script)

    async def decide(self, observation: Observation, world: World, *, yielded: bool = True) -> Decision:
        """What the user does now; see ``User.decide``."""
        with policy_faults(self.name):
            await self.machine.settle(world, observation)
            options = await self.machine.eligible(yielded=yielded, first=True)
            return self.machine.conclude(options, options[0] if options else None, yielded=yielded)

    def dismiss(self, reason: str) -> list[Settlement]:
        """Dismiss what is pending; see ``User.dismiss``."""
        return self.machine.dismiss(reason)


class SilentUser:
    """The user of the arms without follow-ups: leaves at the first yield, and asks nothing of the world.

    Args:
        script: Its anchors are recorded as dismissed.
    """

    name = "silent"

    def __init__(self, script: SimulatorScript) -> None:
        self._pending = sorted(script.anchors, key=lambda anchor: anchor.source_turn)

    async def decide(self, observation: Observation, world: World, *, yielded: bool = True) -> Decision:
        """Silence; see ``User.decide``."""
        reason = "this user sends no follow-ups"
        if not yielded:
            return Decision(action=Action.NO_OP, reason=reason)
        return Decision(action=Action.NO_OP, end=EndReason.USER_LEFT, reason=reason, settled=self.dismiss(reason))

    def dismiss(self, reason: str) -> list[Settlement]:
        """Dismiss every anchor, once; see ``User.dismiss``."""
        dismissed, self._pending = self._pending, []
        return [Settlement(anchor=anchor.id, how="dismissed", reason=reason) for anchor in dismissed]
