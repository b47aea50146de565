"""One trial: from Harbor's call of the agent to the end of the session, with everything it leaves behind."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext
from harbor.utils.import_path import import_symbol

from swe_together import __version__, defaults
from swe_together.adapter.arms import require_playable
from swe_together.adapter.delta import Delta
from swe_together.adapter.desk import Desk
from swe_together.adapter.driver import HarborDriver, InnerAgent
from swe_together.adapter.ending import faulted, take_last_steps, told
from swe_together.adapter.marker import write_marker
from swe_together.adapter.observe import ContainerEyes
from swe_together.adapter.processes import Processes
from swe_together.adapter.recorder import FOLDER, UNFINISHED, SessionRecorder
from swe_together.adapter.released import PACK_SEC, pack_state
from swe_together.adapter.session import Limits, Outcome, run_session
from swe_together.adapter.settings import Settings
from swe_together.adapter.turn import Continuation
from swe_together.errors import EnvironmentFault
from swe_together.providers import load_client
from swe_together.schema import EndReason
from swe_together.simulator import HUMAN_FOLDER, User, UserSetup, create_user
from swe_together.simulator.model import Background
from swe_together.task_facts import TaskFacts, dataset_of
from swe_together.tasks import TaskBundle, is_released_task, load_task

FINISH_SEC = 60.0
"""How long the last steps of a session may take after Harbor has cancelled it."""


async def play_trial(
    agent: Any,
    task_dir: Path,
    instruction: str,
    environment: BaseEnvironment,
    context: AgentContext,
    settings: Settings,
) -> None:
    """Play one session with ``agent`` in ``environment``.

    Raises:
        TaskError: The task directory is broken.
        MisuseError: The task can't be played in the arm of the settings.
        Exception: Whatever the inner agent raised, unchanged.
    """
    bundle = load_task(task_dir)
    require_playable(bundle, settings)
    if settings.model is not None:
        await load_client()  # no session's own time goes by meanwhile
    trial = _Trial(agent, bundle, environment, context, settings)
    outcome = await trial.play(bundle.spec if settings.arm == "full-spec" else instruction)
    if outcome.failure is not None and outcome.end is EndReason.AGENT_ERROR:
        raise outcome.failure


class _Trial:
    def __init__(
        self,
        agent: InnerAgent,
        bundle: TaskBundle,
        environment: BaseEnvironment,
        context: AgentContext,
        settings: Settings,
    ) -> None:
        self._released = bundle if is_released_task(bundle.path) else None
        self._environment = environment
        self._context = context
        self._settings = settings
        self._limits = _limits(bundle, settings, agent.logs_dir.parent)
        self._user = _user(bundle, settings, self._limits, agent.logs_dir.parent / FOLDER)
        self._continuation = continuation_of(agent, settings.continuation or bundle.metadata.continuation)
        trees, exclude = bundle.metadata.trees, bundle.metadata.exclude
        self._processes = Processes(environment)
        self._delta = Delta(environment, trees, exclude)
        self._desk = Desk(environment, trees, exclude, agent.logs_dir.parent)
        self._recorder = SessionRecorder(
            agent.logs_dir.parent / FOLDER,
            {
                "task": bundle.name,
                "task_digest": bundle.digest,
                "agent": agent.name(),
                "agent_version": agent.version(),
                "model": getattr(agent, "model_name", None),
                "policy": self._user.name,
                "arm": settings.arm,
                "continuation": self._continuation,
                "version": __version__,
                "session_limit_sec": self._limits.session_sec,
                "turn_limit_sec": self._limits.turn_sec,
                **TaskFacts.of(bundle.metadata, bundle.config).as_dict(),
                **_dataset(agent.logs_dir.parent),
            },
            settings,
        )
        self._driver = HarborDriver(agent, environment, context, self._continuation, self._processes, self._recorder)
        self._agent = agent

    async def play(self, instruction: str) -> Outcome:
        self._describe(UNFINISHED)
        try:
            self._recorder.begin()
            outcome = await self._session(instruction)
        except asyncio.CancelledError:
            # Harbor's own deadline or an interrupt: keep what there is, then let the cancellation through.
            await self._finish(Outcome(EndReason.TIME_BUDGET, "Harbor's agent timeout came before the session's end"))
            raise
        except Exception as error:  # noqa: BLE001 - a defect of ours must not pass for a result of the agent
            outcome = Outcome(EndReason.ENVIRONMENT_ERROR, told(error))
        return await self._finish(outcome)

    async def _session(self, instruction: str) -> Outcome:
        try:
            await self._processes.baseline()
            await self._delta.baseline()
        except EnvironmentFault as fault:
            return Outcome(EndReason.ENVIRONMENT_ERROR, str(fault))
        return await run_session(
            instruction,
            user=self._user,
            agent=self._driver,
            eyes=ContainerEyes(self._delta, self._desk),
            recorder=self._recorder,
            limits=self._limits,
        )

    async def _finish(self, outcome: Outcome) -> Outcome:
        """End the agent's processes, close the desk, hand out trajectory and marker, write the records.

        The marker comes last and says whether all went well; without it the tests take the trial for no session.
        """
        steps = [self._kill, self._close_desk, self._publish_trajectory, self._pack, self._mark]
        seconds = FINISH_SEC + (PACK_SEC if self._released else 0.0)
        ended = await asyncio.shield(take_last_steps(outcome, steps, seconds))
        try:
            self._record(ended)
        except OSError as error:
            # What was recorded before holds: a session cut off, or how it has ended. Harbor's own result says why.
            ended = faulted(ended, error)
            self._describe(ended)
        return ended

    async def _kill(self, outcome: Outcome) -> None:
        if outcome.end is not EndReason.ENVIRONMENT_ERROR:
            await self._processes.kill()

    async def _pack(self, outcome: Outcome) -> None:
        if outcome.end.valid and self._released is not None:
            await pack_state(self._environment, self._released.metadata, self._agent.logs_dir.parent)

    async def _close_desk(self, outcome: Outcome) -> None:
        await self._desk.close()

    async def _mark(self, outcome: Outcome) -> None:
        await write_marker(self._environment, outcome.end)

    def _record(self, outcome: Outcome) -> None:
        self._recorder.finish(outcome, self._driver.usage)
        self._describe(outcome)

    def _describe(self, outcome: Outcome) -> None:
        """Our summary in Harbor's own result; it also keeps Harbor from reading the agent's logs over ours."""
        self._context.metadata = {
            **(self._context.metadata or {}),
            "swe_together": {
                "version": __version__,
                "end": outcome.end.value,
                "error": outcome.error,
                "turns": len(self._recorder.turns),
                "messages": sum(record.kind is not None for record in self._recorder.turns),
                "policy": self._user.name,
                "arm": self._settings.arm,
                "continuation": self._continuation,
            },
        }

    async def _publish_trajectory(self, outcome: Outcome) -> None:
        self._record(outcome)
        records = self._recorder.turns
        self._driver.mark(
            [
                {
                    "turn": record.turn,
                    "kind": record.kind or "instruction",
                    "anchors": record.anchors,
                    "tags": [tag.value for tag in record.tags],
                    "continuation": record.continuation,
                    "timed_out": record.timed_out,
                }
                for record in records
            ]
        )
        settled = [one.model_dump(mode="json") for one in (*self._recorder.settled, *outcome.settled)]
        summary = json.loads(json.dumps(self._context.metadata))["swe_together"]
        path = self._driver.write_trajectory({**summary, "settled": settled})
        inside = f"{self._agent.environment_logs_dir}/trajectory.json"
        # Harbor reads the container's logs once more after the run: an agent that keeps its own file there would win.
        if (await self._environment.exec(f"test -e {inside}", user="root", timeout_sec=30)).return_code == 0:
            await self._environment.upload_file(path, inside)


def _user(bundle: TaskBundle, settings: Settings, limits: Limits, folder: Path) -> User:
    """The policy by name, or a class of one's own by ``module:Class`` that takes the task's script."""
    policy = settings.user if settings.arm == "interactive" else "silent"
    if ":" in policy:
        user: User = import_symbol(policy)(bundle.script)
        return user
    setup = UserSetup(session_sec=limits.session_sec, task=bundle.name, human_folder=folder / HUMAN_FOLDER)
    if settings.model is not None and policy == settings.user:
        setup = replace(setup, background=Background.of(bundle), model=settings.model)
    if settings.replay_from is not None:
        setup = replace(setup, replay_from=Path(settings.replay_from))
    if settings.human_answers is not None:
        setup = replace(setup, human_answers=Path(settings.human_answers))
    return create_user(policy, bundle.script, setup)


def continuation_of(agent: Any, asked: Continuation | None) -> Continuation:
    """How later messages reach an agent: as ``asked`` where it can be done, else natively where the agent resumes."""
    capabilities = getattr(agent, "capabilities", None)
    resumes = bool(getattr(capabilities, "resume", getattr(agent, "SUPPORTS_RESUME", False)))
    resumes = resumes or getattr(agent, "continues_chat", False)
    if asked is not None:
        return asked if resumes or asked != "native" else "restated"
    return "native" if resumes else "restated"


def _limits(bundle: TaskBundle, settings: Settings, trial_dir: Path) -> Limits:
    budget = bundle.script.budget
    session = settings.session_sec or budget.session_sec
    harbor = _agent_timeout(bundle, trial_dir)
    if harbor is not None:
        session = min(session, max(harbor - defaults.FINISH_RESERVE_SEC, harbor / 2))
    return Limits(session, settings.turn_sec or budget.turn_sec)


def _agent_timeout(bundle: TaskBundle, trial_dir: Path) -> float | None:
    """Seconds that Harbor allows the agent in all; it tells the agent nothing, so its own rule is applied again."""
    config = _config(trial_dir)
    agent = config.get("agent") or {}
    override = agent.get("override_timeout_sec")
    if override == defaults.PERSON_SESSION_SEC:
        override = None  # the plugin's, for the time in which a person thinks: that is no time of the session
    base = override or (bundle.config.get("agent") or {}).get("timeout_sec")
    if base is None:
        return None
    factor = config.get("agent_timeout_multiplier")
    factor = factor if factor is not None else config.get("timeout_multiplier", 1.0)
    return float(min(base, agent.get("max_timeout_sec") or float("inf")) * factor)


def _dataset(trial_dir: Path) -> dict[str, str | None]:
    return dataset_of(_config(trial_dir), _config(trial_dir.parent), registry=True)


def _config(folder: Path) -> dict[str, Any]:
    """Harbor's ``config.json`` of a trial or a job; empty where it has none."""
    try:
        found = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError):
        return {}
    return found if isinstance(found, dict) else {}
