"""Job folders as Harbor and the adapter leave them, written from a few facts a trial: for tests and benchmarks."""

import json
import uuid
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.support import records
from tests.support.records import Spec, session

OURS = "swe_together.adapter.agents:"

__all__ = ["Spec", "dump", "session", "write_job", "write_trial"]


def write_job(folder: Path, specs: Sequence[Spec], *, planned: Sequence[Spec] | None = None) -> Path:
    """A job with these trials; ``planned`` are those of its lock, the same if None."""
    folder.mkdir(parents=True, exist_ok=True)
    told = list(specs if planned is None else planned)
    names = sorted({spec.dataset for spec in told if spec.dataset})
    config = {"job_name": folder.name, "n_attempts": 1, "agents": [], "datasets": [{"name": name} for name in names]}
    dump(folder / "config.json", config)
    dump(folder / "lock.json", {"schema_version": 3, "trials": [_lock(spec) for spec in told]})
    dump(folder / "result.json", {"id": str(uuid.uuid4()), "n_total_trials": len(told), "stats": {}})
    for spec in specs:
        write_trial(folder, spec)
    return folder


def write_trial(job: Path, spec: Spec, *, name: str | None = None) -> Path:
    """One trial's folder. A spec whose end is a fault leaves no reward, as our verifier does."""
    identity = uuid.uuid4()
    trial = job / (name or f"{spec.short}__{identity.hex[:7]}")
    held = spec.agent not in ("oracle", "nop")
    dump(trial / "config.json", _config(spec, trial))
    if held:
        dump(trial / "user-agent" / "session.json", session(spec).model_dump(mode="json"))
        (trial / "user-agent" / "decisions.jsonl").write_text(records.decisions(spec), encoding="utf-8")
        dump(trial / "agent" / "trajectory.json", records.trajectory(spec))
    if spec.end.valid:
        dump(trial / "verifier" / "reward-details.json", records.report(spec).model_dump(mode="json"))
        if held:
            dump(trial / "verifier" / "behaviour.json", records.behaviour(spec).model_dump(mode="json"))
            dump(trial / "verifier" / "ledger.json", records.ledger(spec).model_dump(mode="json"))
            if spec.judge is not None:
                dump(trial / "verifier" / "judgement.json", records.judgement(spec).model_dump(mode="json"))
    dump(trial / "result.json", _result(spec, trial, str(identity)))
    return trial


def dump(path: Path, value: object) -> None:
    """Write JSON as Harbor does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")


def _agent(spec: Spec) -> dict[str, Any]:
    name = spec.agent if spec.agent in ("oracle", "nop") else f"{OURS}{spec.agent}"
    kwargs = dict(spec.kwargs) if name == spec.agent else {**spec.kwargs, "together": {"arm": spec.arm}}
    return {"name": name, "model_name": spec.model, "kwargs": kwargs}


def _task(spec: Spec) -> dict[str, Any]:
    return {"path": f"elsewhere/{spec.short}", "source": spec.dataset}


def _lock(spec: Spec) -> dict[str, Any]:
    return {"task": {"name": spec.short, "digest": f"sha256:{spec.digest}", **_task(spec)}, "agent": _agent(spec)}


def _config(spec: Spec, trial: Path) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "task": _task(spec),
        "trial_name": trial.name,
        "trials_dir": str(trial.parent),
        "timeout_multiplier": 1.0,
        "agent_timeout_multiplier": None,
        "verifier_timeout_multiplier": None,
        "agent": _agent(spec),
        "environment": {"type": "docker", "override_cpus": None, "override_memory_mb": None, "kwargs": {}},
        "verifier": {"override_timeout_sec": None, "max_timeout_sec": None, "disable": False},
        "job_id": str(uuid.UUID(int=1)),
    }


def _result(spec: Spec, trial: Path, identity: str) -> dict[str, Any]:
    ended = spec.begun + timedelta(seconds=spec.wall_seconds)
    provider, _, model = (spec.model or "").rpartition("/")
    reward = spec.judge if spec.basis == "judge" else spec.reward
    rewards = (
        {"reward": reward, "tests": spec.reward, "interactive": 1} if spec.end.valid and reward is not None else None
    )
    return {
        "schema_version": 1,
        "id": identity,
        "task_name": spec.task,
        "trial_name": trial.name,
        "trial_uri": trial.resolve().as_uri(),
        "task_id": {"path": f"elsewhere/{spec.short}"},
        "source": spec.dataset,
        "task_checksum": spec.digest,
        "config": _config(spec, trial),
        "agent_info": {
            "name": spec.agent,
            "version": spec.agent_version,
            "model_info": {"name": model, "provider": provider or None} if model else None,
        },
        "agent_result": {"metadata": {"swe_together": {"version": spec.version}}},
        "verifier_result": {"rewards": rewards} if rewards else None,
        "exception_info": None
        if rewards
        else {
            "exception_type": "RewardFileNotFoundError",
            "exception_message": f"No reward: {spec.end.value}",
            "policy": {"has_valid_reward": False},
        },
        "started_at": spec.begun.isoformat().replace("+00:00", "Z"),
        "finished_at": ended.isoformat().replace("+00:00", "Z"),
        "verifier": {"started_at": None, "finished_at": None},
    }
