"""Whether a trial ran with the time, the machine and the checks that its task gives everybody."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from swe_together import defaults
from swe_together.report._outcome import mapping

VERIFIER: Final = "swe_together.adapter.verifier:TogetherVerifier"
MULTIPLIERS: Final = (
    "timeout_multiplier", "agent_timeout_multiplier", "verifier_timeout_multiplier", "agent_setup_timeout_multiplier",
    "environment_build_timeout_multiplier",
)  # fmt: skip
MACHINE: Final = {"cpus": "cpus", "memory_mb": "memory_mb", "storage_mb": "storage_mb", "gpus": "gpus", "tpu": "tpu"}
ADDED: Final = ("extra_docker_compose", "extra_allowed_hosts", "mounts", "kwargs")
NEVER_AGAIN: Final = ("AgentTimeoutError", "NonZeroAgentExitCodeError")
"""What an agent itself may bring about: trials that ended so must not be run again until they end better."""


def changed_limits(config: Mapping[str, Any], task: Mapping[str, Any] | None, *, person: bool) -> Iterator[str]:
    """Everything by which a trial differs from what its task allows.

    Args:
        config: The trial's ``config.json``.
        task: The task's own ``task.toml``; without it every override counts as a change.
        person: Whether a person played the user, whose time isn't the agent's.
    """
    for name in MULTIPLIERS:
        if config.get(name) not in (None, 1, 1.0):
            yield f"{name} is {config.get(name)}; it must be 1"
    yield from _times(config, task, person)
    yield from _machine(mapping(config, "environment"), mapping(task, "environment"))
    told = mapping(config, "agent", "kwargs", "together")
    for name in ("turn_sec", "session_sec"):
        if told.get(name) is not None:
            yield f"the setting {name} is {told[name]}; leave it to the task"
    agent, verifier = mapping(config, "agent"), mapping(config, "verifier")
    for name, value in (
        ("agent.extra_allowed_hosts", agent.get("extra_allowed_hosts")),
        ("extra_instructions", config.get("extra_instructions")),
        ("extra_instruction_paths", config.get("extra_instruction_paths")),
        ("override_error_policy", config.get("override_error_policy")),
        ("agent.load_trajectory", agent.get("load_trajectory")),
    ):
        if value:
            yield f"{name} is set; it changes what is measured"
    if verifier.get("disable"):
        yield "the verifier was disabled"
    if verifier.get("import_path") not in (None, VERIFIER):
        yield f"the verifier is {str(verifier.get('import_path'))[:100]}; it must be {VERIFIER}"


def changed_job(config: Mapping[str, Any]) -> Iterator[str]:
    """What in a job's ``config.json`` lets results be chosen."""
    retry = mapping(config, "retry")
    excluded = retry.get("exclude_exceptions")
    if not retry.get("max_retries"):
        return
    if retry.get("include_exceptions"):
        yield "retry.include_exceptions is set: only Harbor's own list of exceptions may be tried again"
    for name in NEVER_AGAIN:
        if not isinstance(excluded, list) or name not in excluded:
            yield f"trials that ended with {name} were tried again: that chooses results"


def _times(config: Mapping[str, Any], task: Mapping[str, Any] | None, person: bool) -> Iterator[str]:
    for part in ("agent", "verifier"):
        own = mapping(task, part).get("timeout_sec")
        told = mapping(config, part)
        override, most = told.get("override_timeout_sec"), told.get("max_timeout_sec")
        thinking = part == "agent" and person and override == defaults.PERSON_SESSION_SEC
        if override is not None and override != own and not thinking:
            yield f"{part}.override_timeout_sec is {override}; the task allows {'?' if own is None else own}"
        if most is not None and (not isinstance(own, int | float) or not isinstance(most, int | float) or most < own):
            yield f"{part}.max_timeout_sec is {most}; the task allows {'?' if own is None else own}"
    if mapping(config, "agent").get("override_setup_timeout_sec") is not None:
        yield "agent.override_setup_timeout_sec is set"


def _machine(told: Mapping[str, Any], own: Mapping[str, Any]) -> Iterator[str]:
    for name, field in MACHINE.items():
        value = told.get(f"override_{name}")
        if value is not None and value != own.get(field):
            yield f"environment.override_{name} is {value}; the task has {own.get(field, '?')}"
    for name in ("cpu_enforcement_policy", "memory_enforcement_policy"):
        if told.get(name) not in (None, "auto"):
            yield f"environment.{name} is {told.get(name)}; it must be auto"
    for name in ADDED:
        if told.get(name):
            yield f"environment.{name} is set; it changes the task's container"
