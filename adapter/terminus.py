"""True continuation for Harbor's terminus-2, which runs on the host and keeps its chat in memory."""

from datetime import UTC, datetime
from typing import Any

from harbor.agents.terminus_2 import Terminus2
from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext
from harbor.models.trajectories import Step


class TerminusResume:
    """Adds ``resume`` to terminus-2: the next message goes into the chat that it already has.

    It leans on private names of Harbor's class; ``supported`` says whether they are there.
    """

    continues_chat = True

    # Terminus-2's own, which this class stands in front of.
    _chat: Any
    _session: Any
    _context: Any
    _pending_completion: bool
    _trajectory_steps: list[Any]
    _subagent_metrics: Any
    _limit_output_length: Any
    _run_agent_loop: Any
    _dump_trajectory: Any

    async def resume(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        """Continue the chat with a further message of the user."""
        chat, session = self._chat, self._session
        if chat is None or session is None:
            raise RuntimeError("terminus-2 has no chat to continue: its first run did not happen.")
        self._context = context
        self._pending_completion = False
        screen = self._limit_output_length(await session.get_incremental_output())
        prompt = f"{instruction}\n\nCurrent terminal state:\n{screen}"
        steps = self._trajectory_steps
        steps.append(
            Step(step_id=len(steps) + 1, timestamp=datetime.now(UTC).isoformat(), source="user", message=prompt)
        )
        try:
            await self._run_agent_loop(initial_prompt=prompt, chat=chat, original_instruction=instruction)
        finally:
            side = self._subagent_metrics
            context.n_input_tokens = chat.total_input_tokens + side.total_prompt_tokens
            context.n_output_tokens = chat.total_output_tokens + side.total_completion_tokens
            context.n_cache_tokens = chat.total_cache_tokens + side.total_cached_tokens
            cost = chat.total_cost + side.total_cost_usd
            context.cost_usd = cost if cost > 0 else None
            self._dump_trajectory()


def supported() -> bool:
    """Whether this Harbor's terminus-2 has the parts that ``TerminusResume`` needs."""
    names = ("_run_agent_loop", "_dump_trajectory", "_limit_output_length", "_reset_per_run_state")
    return all(hasattr(Terminus2, name) for name in names)
