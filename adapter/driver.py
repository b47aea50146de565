"""Plays a Harbor agent turn by turn: first run, then resume; logs, trajectory and usage after each turn."""

import asyncio
import json
import shlex
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext

from swe_together.adapter import trajectory as atif
from swe_together.adapter.agent_facts import facts_of
from swe_together.adapter.continuation import restate
from swe_together.adapter.processes import Processes
from swe_together.adapter.recorder import SessionRecorder
from swe_together.adapter.replies import logged_reply
from swe_together.adapter.turn import AgentFailure, Continuation, Turn
from swe_together.adapter.usage import cost_is_of_turn, difference, is_total, reported, total
from swe_together.errors import EnvironmentFault
from swe_together.files import write_atomically
from swe_together.schema import Usage

CLEANUP_SEC = 60.0
"""How long reading logs after a turn may take before the container counts as lost."""


class InnerAgent(Protocol):
    """The bare Harbor agent below our subclass."""

    logs_dir: Path
    environment_logs_dir: Any

    async def inner_run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        """Its own ``run``."""
        ...

    async def inner_resume(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        """Its own ``resume``."""
        ...

    def populate_context_post_run(self, context: AgentContext) -> None:
        """Its own reading of its logs."""
        ...

    def name(self) -> str:
        """Harbor's name of the agent."""
        ...

    def version(self) -> str | None:
        """The agent's version."""
        ...


class HarborDriver:
    """Satisfies :class:`swe_together.adapter.turn.AgentDriver`.

    Args:
        agent: The wrapped agent.
        environment: Its container.
        context: Harbor's context of the trial; filled after every turn, so that a cancelled trial keeps its totals.
        continuation: How later messages reach the agent.
        processes: Ends what a turn leaves running.
        recorder: Keeps each turn's own trajectory.
    """

    def __init__(
        self,
        agent: InnerAgent,
        environment: BaseEnvironment,
        context: AgentContext,
        continuation: Continuation,
        processes: Processes,
        recorder: SessionRecorder,
    ) -> None:
        self._agent = agent
        self._facts = facts_of(agent.name())
        self._environment = environment
        self._context = context
        self.continuation = continuation
        self._processes = processes
        self._recorder = recorder
        self._raw: dict[str, Any] | None = None
        self._reported: Usage | None = None
        self._turns: list[tuple[str, dict[str, Any], list[atif.Step]]] = []
        self._replies: list[str] = []
        self._usage: list[Usage] = []

    @property
    def usage(self) -> Usage:
        """Totals of the session so far."""
        return total(self._usage)

    async def turn(self, message: str, number: int, deadline_sec: float) -> Turn:
        """Send ``message``; see :meth:`swe_together.adapter.turn.AgentDriver.turn`."""
        how: Continuation = "first" if number == 1 else self.continuation
        heard = AgentContext()
        failure: Exception | None = None
        timed_out, killed = False, 0
        self._forget_stale_logs()
        if number > 1 and how != "native":
            await self._put_aside(number - 1)
        prompt = self._prompt(message, how)
        started = time.monotonic()
        scope = asyncio.timeout(deadline_sec)
        try:
            async with scope:
                if how == "native":
                    await self._agent.inner_resume(prompt, self._environment, heard)
                else:
                    await self._agent.inner_run(prompt, self._environment, heard)
        except TimeoutError as error:
            timed_out = scope.expired()
            failure = None if timed_out else error
        except Exception as error:  # noqa: BLE001 - whatever an agent raises is its failure, and is raised again
            failure = error
        seconds = time.monotonic() - started
        if timed_out:
            killed = await self._processes.kill()
        if failure is not None:
            await self._must_be_alive(failure)
        steps = await self._read(message, number, heard, how)
        self._replies.append(atif.last_reply(steps) or self._plain_reply(prompt))
        turn = Turn(
            reply=self._replies[-1],
            commands=atif.commands(steps),
            seconds=seconds,
            continuation=how,
            timed_out=timed_out,
            killed=killed,
            usage=self._usage[-1],
        )
        if failure is not None:
            raise AgentFailure(failure, turn)
        return turn

    def mark(self, marks: Sequence[dict[str, Any]]) -> None:
        """Say of each user step so far where it comes from (kind, anchors, tags).

        A reply that stands in no step, of an agent without a trajectory, is kept with the mark.
        """
        self._turns = [
            (message, mark if atif.last_reply(steps) or not reply else {**mark, "reply": reply}, steps)
            for (message, _, steps), mark, reply in zip(self._turns, marks, self._replies, strict=False)
        ]

    def write_trajectory(self, extra: dict[str, Any]) -> Path:
        """Write the session's merged trajectory where Harbor keeps the agent's own."""
        usage = self.usage
        metrics = {
            "total_prompt_tokens": usage.input_tokens,
            "total_completion_tokens": usage.output_tokens,
            "total_cached_tokens": usage.cached_tokens,
            "total_cost_usd": usage.cost_usd,
        }
        who = {"name": self._agent.name(), "version": self._agent.version() or "unknown"}
        document = atif.merge(self._turns, self._raw, who, {k: v for k, v in metrics.items() if v is not None}, extra)
        path = self._agent.logs_dir / "trajectory.json"
        write_atomically(path, json.dumps(document, indent=1, ensure_ascii=False))
        return path

    def _prompt(self, message: str, how: Continuation) -> str:
        if how != "restated":
            return message
        said = [said for said, _, _ in self._turns]
        return restate(list(zip(said, self._replies, strict=True)), message)

    async def _must_be_alive(self, failure: Exception) -> None:
        try:
            async with asyncio.timeout(CLEANUP_SEC):
                alive = (await self._environment.exec("true", user="root", timeout_sec=30)).return_code == 0
        except Exception:  # noqa: BLE001 - any failure to run `true` means the same
            alive = False
        if not alive:
            raise EnvironmentFault(
                f"The agent's container was lost in the turn ({type(failure).__name__}: {failure}).",
                "Look at the trial's log; run the trial again.",
            ) from failure

    async def _read(self, message: str, number: int, heard: AgentContext, how: Continuation) -> list[atif.Step]:
        await self._sync_logs()
        self._agent.populate_context_post_run(heard)
        document = atif.load_trajectory(self._agent.logs_dir / "trajectory.json")
        before = (self._raw or {}).get("steps") or []
        steps: list[atif.Step] = []
        cumulative = False
        if document is not None:
            # The disk may keep us waiting; other trials share the event loop.
            await asyncio.to_thread(self._recorder.archive, number, document)
            cumulative = atif.is_cumulative(before, document["steps"]) and not any(
                map(atif.is_copied, document["steps"])
            )
            steps = atif.new_steps(before, document["steps"], message)
            self._raw = document
        self._account(document, heard, cumulative, how)
        self._turns.append((message, {}, steps))
        return steps

    def _account(
        self, document: dict[str, Any] | None, heard: AgentContext, cumulative: bool, how: Continuation
    ) -> None:
        now = reported(document, heard.model_dump(), self._facts)
        spent = now
        if self._reported is not None and is_total(self._facts, how == "native", cumulative):
            spent = difference(now, self._reported)
            if cost_is_of_turn(self._facts, how == "native", document):
                spent = spent.model_copy(update={"cost_usd": now.cost_usd})
        self._reported = now
        self._usage.append(spent)
        usage = self.usage
        self._context.n_input_tokens = usage.input_tokens
        self._context.n_cache_tokens = usage.cached_tokens
        self._context.n_output_tokens = usage.output_tokens
        self._context.cost_usd = usage.cost_usd

    async def _sync_logs(self) -> None:
        inside = str(self._agent.environment_logs_dir)
        try:
            async with asyncio.timeout(CLEANUP_SEC):
                if self._mounted():
                    await self._environment.prepare_logs_for_host()
                else:
                    await self._environment.download_dir(inside, self._agent.logs_dir)
        except Exception as error:
            raise EnvironmentFault(
                f"The agent's logs could not be read from {inside}: {type(error).__name__}: {error}.",
                "Look at the trial's log; run the trial again.",
            ) from error

    def _mounted(self) -> bool:
        inside, host = self._agent.environment_logs_dir, self._agent.logs_dir
        if hasattr(self._environment, "is_path_mounted"):
            return bool(self._environment.is_path_mounted(inside, host))
        return bool(self._environment.capabilities.mounted)  # before Harbor 0.25

    def _forget_stale_logs(self) -> None:
        # Some agents read errors out of their log of the turn before; the trajectory must be this turn's.
        (self._agent.logs_dir / "trajectory.json").unlink(missing_ok=True)
        if not self._mounted():
            for path in self._agent.logs_dir.glob("*.txt"):
                path.unlink(missing_ok=True)

    async def _put_aside(self, turn: int) -> None:
        """Move what a turn left and the reader of the next one must not find."""
        inside = str(self._agent.environment_logs_dir)
        for name in self._facts.one_conversation:
            source, target = shlex.quote(f"{inside}/{name}"), shlex.quote(f"{inside}/earlier/{turn}")
            command = f"if [ -e {source} ]; then mkdir -p {target} && mv {source} {target}/; fi"
            result = await self._environment.exec(command, user="root", timeout_sec=30)
            if result.return_code != 0:
                said = result.stderr or result.stdout
                raise EnvironmentFault(
                    f"The logs {inside}/{name} of turn {turn} could not be put aside: {said}.",
                    "Look at the trial's log; run the trial again.",
                )
            if not self._mounted():
                shutil.rmtree(self._agent.logs_dir / name, ignore_errors=True)

    def _plain_reply(self, sent: str) -> str:
        """What an agent without a trajectory said."""
        return "" if self._raw is not None else logged_reply(self._agent.logs_dir, self._facts.reply, sent)
