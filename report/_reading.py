"""One trial's folder as one row of the table. Every value comes from the trial's own small records."""

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from swe_together.report._files import label
from swe_together.report._measured import (
    BEHAVIOUR,
    DECISIONS,
    JUDGEMENT,
    LEDGER,
    Row,
    behaviour,
    costs,
    judged,
    session,
)
from swe_together.report._outcome import mapping, number
from swe_together.report._records import CONFIG, DETAILS, RESULT, SESSION, Records, read_records
from swe_together.simulator.audit import family

RECORDS: Final = (CONFIG, RESULT, SESSION, DETAILS, BEHAVIOUR, LEDGER, JUDGEMENT, DECISIONS)
"""Whatever a row may come from; a change of any of them has it read anew."""

OURS: Final = "swe_together."
AGENTS: Final = "swe_together.adapter.agents:"
_SECRET: Final = re.compile(r"key|token|secret|passw|credential|auth", re.IGNORECASE)


def read_row(folder: Path) -> Row:
    """The row of a trial, whatever state its folder is in. ``_`` columns are for putting the table together."""
    records = read_records(folder)
    problems: list[str] = []
    row: Row = {
        "trial": label(folder.name),
        **_identity(records),
        **_outcome(records),
        **_times(records),
    }
    if records.session is not None:
        row |= session(records.session, problems)
    if records.report is not None:
        row |= judged(records.report, folder, problems)
    if records.session is not None:
        row |= behaviour(folder, problems)
        row |= costs(folder, records.session, records.report, problems)
    row["other_seconds"] = _rest(row)
    row["own_family_judge"] = own_family(row.get("judge_model"), row.get("model"))
    row["problems"] = label("; ".join(problems))
    return {name: value for name, value in row.items() if value is not None}


def own_family(judge: str | None, agent: str | None) -> bool | None:
    """Whether two models are of one maker; None where one of them isn't known. No model judges: no."""
    if judge is None:
        return False
    return None if agent is None else family(judge) == family(agent)


def agent_name(config: Mapping[str, Any]) -> str | None:
    """The agent's name as the configuration says it, without the wrapper around it."""
    told = mapping(config, "agent")
    name = told.get("name") or told.get("import_path")
    return label(name.removeprefix(AGENTS)) if isinstance(name, str) else None


def planned_arm(config: Mapping[str, Any]) -> str | None:
    """The arm that the configuration asks for; None where no session is to be held."""
    if not str(mapping(config, "agent").get("name")).startswith(AGENTS):
        return None
    return label(mapping(config, "agent", "kwargs", "together").get("arm")) or "interactive"


def agent_settings(config: Mapping[str, Any]) -> str:
    """Arguments of the agent as JSON, ours left out and whatever may be a secret struck out; empty if none."""
    kwargs = {
        name: "…" if _SECRET.search(name) else value
        for name, value in mapping(config, "agent", "kwargs").items()
        if name != "together"
    }
    return (label(json.dumps(kwargs, sort_keys=True, default=str, ensure_ascii=False)) or "") if kwargs else ""


def _identity(records: Records) -> Row:
    result, held = records.result, records.session
    # Harbor keeps a copy of the configuration in its result.
    config = records.config or mapping(result, "config")
    told, info = mapping(config, "agent"), mapping(result, "agent_info")
    model = mapping(info, "model_info")
    provider = model.get("provider")
    full = f"{provider}/{model.get('name')}" if isinstance(provider, str) else model.get("name")
    task = held.task if held is not None else (result or {}).get("task_name")
    named = mapping(config, "task")
    return {
        "task": label(task),
        "agent": label(held.agent if held is not None else info.get("name")),
        "agent_version": label((held.agent_version if held is not None else None) or info.get("version")),
        "agent_settings": agent_settings(config),
        "arm": planned_arm(config),
        "model": label((held.model if held is not None else None) or told.get("model_name") or full),
        "simulator": label(mapping(result, "agent_result", "metadata", "swe_together").get("version")),
        "_spec": agent_name(config),
        "_plan": plan_key(config),
        "_task_path": label(named.get("path")),
        "_source": label(named.get("source")),
        "_id": label((result or {}).get("id")),
        "_is_trial": "trial_name" in config or records.broken is not None,
    }


def plan_key(config: Mapping[str, Any]) -> str:
    """What a planned trial and one that ran have in common: task, agent and model; behind a colon also its arguments.

    A job that is gone on with may be told other arguments, so that the first half alone must do then.
    """
    task, agent = mapping(config, "task"), mapping(config, "agent")
    path = str(task.get("path") or task.get("name") or "").rstrip("/").rpartition("/")[2]
    names = [path, agent_name(config), str(agent.get("model_name"))]
    return f"{_short(names)}:{_short(mapping(agent, 'kwargs'))}"


def _short(value: object) -> str:
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def _outcome(records: Records) -> Row:
    became = records.outcome
    status = became.status
    if status not in ("corrupt", "unfinished") and not _is_ours(records):
        status = "foreign"
    return {
        "status": status,
        "cause": label(became.cause),
        "reward": became.reward if status == "ok" else None,
        "harbor_reward": number(mapping(records.result, "verifier_result", "rewards").get("reward")),
    }


def _is_ours(records: Records) -> bool:
    """Whether the task is one of ours: something of ours has had a part in the trial."""
    if records.session is not None or records.report is not None:
        return True
    parts = [mapping(records.config, part) for part in ("agent", "verifier")]
    names = [part.get(name) for part in parts for name in ("name", "import_path")]
    names.append(str((records.result or {}).get("task_name")).replace("swe-together/", OURS))
    return any(isinstance(name, str) and name.startswith(OURS) for name in names)


def _times(records: Records) -> Row:
    result = records.result or {}
    begun = _moment(result.get("started_at")) or _moment(records.session and records.session.started)
    ended = _moment(result.get("finished_at"))
    wall = (ended - begun).total_seconds() if begun is not None and ended is not None and ended >= begun else None
    return {"started_at": begun.isoformat() if begun else None, "wall_seconds": wall}


def _rest(row: Row) -> float | None:
    wall, agent, user = (row.get(name) for name in ("wall_seconds", "agent_seconds", "user_seconds"))
    return None if wall is None or agent is None or user is None else max(float(wall - agent - user), 0.0)


def _moment(value: object) -> datetime | None:
    """A point of time; what names no zone is Harbor's own and means UTC."""
    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
        return None if found is None else (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
