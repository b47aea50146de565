"""``--plugin swe-together``: makes every agent of a job interactive and sets our verifier.

Harbor's trials share the objects of ``job.config``; rewriting them in place is what config, lock and results record,
so that ``harbor job resume`` works with and without the plugin.
"""

import asyncio
import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any

import typer
from harbor.job import Job
from harbor.models.job.plugin import BaseJobPlugin
from harbor.models.job.result import JobResult

from swe_together import defaults
from swe_together.adapter.agents import OWN_AGENTS
from swe_together.adapter.arms import require_arms
from swe_together.adapter.failures import parse_stop_after
from swe_together.adapter.judge_settings import JudgingSettings, parse_judging
from swe_together.adapter.presets import with_preset
from swe_together.adapter.seal import require_seals
from swe_together.adapter.settings import RESERVED, parse_settings
from swe_together.adapter.watch import JobWatch
from swe_together.errors import MisuseError, TogetherError
from swe_together.preflight import require_machine
from swe_together.simulator import HumanUser

AGENTS = "swe_together.adapter.agents"
VERIFIER = "swe_together.adapter.verifier:TogetherVerifier"
BARE = ("oracle", "nop")
"""Agents that Harbor must find under their own names; they hold no session."""


class TogetherPlugin(BaseJobPlugin):
    """Settings come as ``--pk name=value``: of a session, of judging, ``preset`` and ``stop_after_errors``.

    See :class:`swe_together.adapter.settings.Settings`, :class:`swe_together.adapter.judge_settings.JudgingSettings`,
    :mod:`swe_together.adapter.presets` and :mod:`swe_together.adapter.failures`.

    Raises:
        Exit: A setting is wrong; which, was printed in one sentence.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__()
        with _one_sentence():
            told = with_preset(kwargs)
            self._stop_after = parse_stop_after(told.pop("stop_after_errors", defaults.STOP_AFTER_ERRORS))
            judging = {name: told.pop(name) for name in JudgingSettings.model_fields if name in told}
            self.settings = parse_settings(told)
            self.judging = parse_judging(judging)

    async def on_job_start(self, job: Job) -> None:
        """Rewrite agents and verifier of the job.

        Raises:
            Exit: The job can't be run as it was asked for; why, was printed in one sentence.
        """
        with _one_sentence():
            await self._prepare(job)

    async def _prepare(self, job: Job) -> None:
        """Rewrite the job.

        Raises:
            MisuseError: This Harbor's trials don't share the job's configuration, or it isn't a version we know, or
                the key of a model is missing, or a task can't be played in the arm that was asked for, can't be
                sealed, or can't run on this machine.
            TaskError: A task is broken.
            TogetherError: The machine has no room for containers.
        """
        check_harbor_version()
        self._set_verifier(job)
        for agent in job.config.agents:
            spec = agent.import_path or agent.name
            if spec is None or spec in BARE:
                continue
            if not spec.startswith(f"{AGENTS}:"):
                short = {path: name for name, path in OWN_AGENTS.items()}.get(spec, spec)
                agent.import_path, agent.name = None, f"{AGENTS}:{short.replace(':', '=')}"
            # What is said now wins; what a resumed job was once told stays.
            told = parse_settings(agent.kwargs.get(RESERVED)).model_dump(exclude_unset=True)
            agent.kwargs[RESERVED] = {**told, **self.settings.model_dump(exclude_unset=True)}
            if agent.kwargs[RESERVED].get("user") == HumanUser.name and agent.override_timeout_sec is None:
                # Harbor's clock doesn't stop while a person thinks; the session's own does, and ends it.
                agent.override_timeout_sec = defaults.PERSON_SESSION_SEC
            parse_settings(agent.kwargs[RESERVED]).require_keys()
        shared = [any(trial.agent is agent for agent in job.config.agents) for trial in job._trial_configs]
        # A job can be gone on with although its own result is lost: its finished trials keep what they were told.
        resumed = job.is_resuming or bool(getattr(job, "_existing_trial_configs", ()))
        if not all(shared) and not resumed:
            raise MisuseError(
                "This Harbor gives its trials copies of the job's configuration, so the plugin can't reach them.",
                f"Name the agent by import path: -a {AGENTS}:<agent> --verifier {VERIFIER}.",
            )
        require_arms(job._trial_configs)
        await require_seals(job._trial_configs)
        await self._require_machine(job)
        self._job_dir = job.job_dir
        self._watch = JobWatch(job, self._stop_after)
        self._import_early(job)

    async def _require_machine(self, job: Job) -> None:
        environment = job.config.environment
        kind = environment.import_path or getattr(environment.type, "value", "")
        tasks = [trial.task.get_local_path() for trial in job._trial_configs]
        await asyncio.to_thread(require_machine, tasks, kind=kind)

    def _import_early(self, job: Job) -> None:
        """Importing LiteLLM takes seconds: better while the first containers start than when a model is first asked."""
        told = [parse_settings(agent.kwargs[RESERVED]) for agent in job.config.agents if RESERVED in agent.kwargs]
        judging = parse_judging(job.config.verifier.kwargs.get(RESERVED))
        if any(one.user_model for one in told) or judging.judge_model or judging.tagger_model:
            self._imported = asyncio.get_running_loop().run_in_executor(None, importlib.import_module, "litellm")

    def _set_verifier(self, job: Job) -> None:
        verifier = job.config.verifier
        if verifier.disable or verifier.import_path not in (None, VERIFIER):
            return
        verifier.import_path = VERIFIER
        told = parse_judging(verifier.kwargs.get(RESERVED)).model_dump(exclude_unset=True)
        verifier.kwargs[RESERVED] = {**told, **self.judging.model_dump(exclude_unset=True)}
        parse_judging(verifier.kwargs[RESERVED]).require_keys()

    async def on_job_end(self, job_result: JobResult) -> None:
        """Print our own summary: Harbor's mean counts a missing reward as 0, ours says how many are missing and why."""
        from rich.console import Console

        from swe_together.report import summarise, summary_table

        Console().print(summary_table(summarise([self._job_dir])))


@contextmanager
def _one_sentence() -> Iterator[None]:
    """Print what is wrong and leave: Harbor's command line shows any other exception with all its callers."""
    try:
        yield
    except TogetherError as error:
        print(f"swe-together: {error}", file=sys.stderr)
        raise typer.Exit(error.exit_code) from error


def check_harbor_version() -> None:
    """Refuse a Harbor outside the supported range.

    Raises:
        MisuseError: Too old or too new.
    """
    low, high = defaults.HARBOR_SUPPORTED
    found = version("harbor")
    key = tuple(int(part) for part in found.split(".")[:2])
    if not tuple(map(int, low.split("."))) <= key < tuple(map(int, high.split("."))):
        raise MisuseError(f"harbor {found} is not supported.", f"Install one: pip install 'harbor>={low},<{high}'.")
