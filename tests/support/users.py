"""Users made for tests."""

from swe_together.errors import SimulatorError
from swe_together.schema import Decision, Observation, Settlement, SimulatorScript
from swe_together.simulator import ScriptedUser, World


class BrokenUser(ScriptedUser):
    """Speaks once as scripted, then its model is gone."""

    name = "broken"

    def __init__(self, script: SimulatorScript) -> None:
        super().__init__(script)
        self._calls = 0

    async def decide(self, observation: Observation, world: World, *, yielded: bool = True) -> Decision:
        self._calls += 1
        if self._calls > 1:
            raise SimulatorError("the model of the user answered nothing usable three times.")
        return await super().decide(observation, world, yielded=yielded)

    def dismiss(self, reason: str) -> list[Settlement]:
        return super().dismiss(reason)
