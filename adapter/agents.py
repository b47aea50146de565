"""Any Harbor agent, unchanged, playing whole sessions: a dynamic subclass of its own class, by import path.

``swe_together.adapter.agents:claude-code`` is the subclass of Harbor's claude-code agent;
``swe_together.adapter.agents:my.module=MyAgent`` that of a class of yours (``=`` stands for the colon).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harbor.agents.base import BaseAgent
from harbor.agents.factory import AgentFactory
from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext
from harbor.models.agent.name import AgentName
from harbor.utils.import_path import import_symbol

from swe_together.adapter.settings import RESERVED, parse_settings, without_reserved
from swe_together.adapter.trial import play_trial
from swe_together.errors import MisuseError
from swe_together.tasks import is_together_task

OWN_AGENTS = {
    "reference": "swe_together.adapter.reference:ReferenceAgent",
    "external": "swe_together.adapter.external:ExternalAgent",
}
"""Short names of the agents that this package ships."""


class TogetherMixin(BaseAgent):
    """Sits above the class of the real agent; its ``run`` plays a session of that agent's own runs."""

    inner_spec: str = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._settings = parse_settings(kwargs.pop(RESERVED, None))
        self._in_turn = False
        super().__init__(*args, **kwargs)
        if getattr(self, "_prompt_template_path", None):
            raise MisuseError(
                "prompt_template_path would wrap every message of the user, not only the first.",
                "Leave it out; put standing instructions into the agent's own configuration.",
            )

    @classmethod
    def parse_options(cls, kwargs: dict[str, Any] | None = None, env: Mapping[str, str] | None = None) -> Any:
        """The inner agent's options; ours are left out."""
        return super().parse_options(without_reserved(kwargs), env)

    @classmethod
    def preflight(cls, kwargs: dict[str, Any] | None = None, env: Mapping[str, str] | None = None) -> None:
        """The inner agent's preflight, and a check of our own settings."""
        parse_settings((kwargs or {}).get(RESERVED))
        super().preflight(without_reserved(kwargs), env)

    async def inner_run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        """One run of the bare agent."""
        await super().run(instruction, environment, context)

    async def inner_resume(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        """One resumed run of the bare agent."""
        await super().resume(instruction, environment, context)

    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        """Play a whole session; on a task that isn't ours, behave as the bare agent.

        Whatever the inner agent raises is raised again unchanged, so that Harbor's error policy applies. Faults of our
        own parts end the run normally: the verifier then leaves the trial without a reward.
        """
        task = Path(environment.environment_dir).parent
        if self._in_turn or not is_together_task(task):  # `resume` and `load` of the inner agent call `run`
            await super().run(instruction, environment, context)
            return
        self._in_turn = True
        try:
            await play_trial(self, task, instruction, environment, context, self._settings)
        finally:
            self._in_turn = False


def wrap(name: str) -> type[BaseAgent]:
    """The interactive subclass of a Harbor agent, given its name or ``module=Class``.

    Raises:
        AttributeError: There is no such agent.
    """
    extra: tuple[type, ...] = ()
    if name in AgentName.values():
        inner = AgentFactory.get_agent_class(AgentName(name))
        if name == AgentName.TERMINUS_2.value:
            from swe_together.adapter import terminus  # imports LiteLLM, which takes seconds

            extra = (terminus.TerminusResume,) if terminus.supported() else ()
    elif name in OWN_AGENTS:
        inner = import_symbol(OWN_AGENTS[name])
    elif "=" in name:
        inner = import_symbol(name.replace("=", ":"))
    else:
        raise AttributeError(f"no Harbor agent is called {name!r}; for a class of your own write module=Class")
    return type(f"Together[{name}]", (TogetherMixin, *extra, inner), {"inner_spec": name, "__module__": __name__})


def __getattr__(name: str) -> type[BaseAgent]:
    if name.startswith("_"):
        raise AttributeError(name)
    cls = wrap(name)
    globals()[name] = cls
    return cls


__all__ = ["OWN_AGENTS", "TogetherMixin", "wrap"]
