"""Tasks in the layout of the paper's own release, read as they lie.

Such a directory has no anchors: what the user says is free text in ``user_simulation_prompt.md``. It becomes the
session analysis of a user without points. Facts that its files don't hold (language, repository, licence) are those of
``assets/paper-tasks.json``, or are read from what lies beside them.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from swe_together._task_files import read_prose, read_toml, text_of
from swe_together.errors import TaskError
from swe_together.schema import (
    Budget,
    GitSource,
    Persona,
    SessionMessage,
    SimulatorScript,
    SourceSession,
    TaskMetadata,
)
from swe_together.simulator.guards import detect
from swe_together.tasks import TaskBundle

SIMULATION: Final = "user_simulation_prompt.md"
GOALS: Final = "canonical_goals.json"
INTENTS: Final = "oracle_intents.json"
ORACLE: Final = "oracle_session.jsonl"
REFERENCE: Final = "reference_patch.json"
SESSION: Final = "original_session.json"
ORG: Final = "swe-together-paper"
"""Stands before a task's name: the files themselves hold none."""
MESSAGES: Final = 15
"""Follow-ups of a session at most, as in the paper."""
_CATEGORIES: Final = {
    "feature-implementation": "feature",
    "implementation": "feature",
    "refactoring": "refactor",
}
_LANGUAGES: Final = {"js": "javascript", "ts": "typescript", "golang": "go", "c++": "cpp"}


@dataclass(frozen=True)
class PaperTask:
    """What is known of one of the paper's 109 tasks without its files.

    Attributes:
        task: Name of its directory.
        language: Of the code base.
        category: Of the work.
        repository: ``OWNER/NAME`` on GitHub.
        commit: The base.
        license: SPDX; None where it isn't known.
        private_image: Whether its Dockerfile starts from an image that only the paper's authors can rebuild.
        agent_is_root: Whether its image runs everything as root.
        has_reference: Whether the release holds a reference patch.
        prompt_chars: Length of the simulation prompt.
    """

    task: str
    language: str
    category: str
    repository: str
    commit: str
    license: str | None
    private_image: bool
    agent_is_root: bool
    has_reference: bool
    prompt_chars: int


@cache
def paper_tasks() -> Mapping[str, PaperTask]:
    """The paper's tasks by name."""
    file = resources.files("swe_together").joinpath("assets", "paper-tasks.json")
    return {row["task"]: PaperTask(**row) for row in json.loads(file.read_text("utf-8"))}


@dataclass(frozen=True)
class ReleasedTask(TaskBundle):
    """A task of that layout: no anchors, no stages, no contract in one message."""

    @property
    def stages(self) -> list[int]:
        """None: the reference is one patch."""
        return []

    @property
    def reference_patches(self) -> list[str]:
        """The reference, where the release has one."""
        return [patch] if (patch := reference_patch(self.path)) else []


def read_released(path: Path) -> ReleasedTask:
    """A task of that layout.

    Args:
        path: Its directory, resolved.

    Raises:
        TaskError: A file is missing or breaks the layout, or a fact is found nowhere.
    """
    from swe_together.judge.recorded import read_recorded_task
    from swe_together.judge.released import intents_of, rubric_of

    recorded = read_recorded_task(path)
    instruction = read_prose(path / "instruction.md")
    config = read_toml(path / "task.toml")
    user = _user(_last_stage(path))
    return ReleasedTask(
        path=path,
        name=f"{ORG}/{path.name}",
        metadata=_metadata(path, config),
        config={**config, "agent": {**(config.get("agent") or {}), "user": user}},
        instruction=instruction,
        spec="",
        script=_script(instruction),
        analysis=read_prose(path / SIMULATION).strip(),
        intents=intents_of(recorded),
        session=SourceSession(
            provenance="recorded",
            origin="The release of the paper; its session is not read.",
            messages=[SessionMessage(turn=0, chars=len(instruction))],
        ),
        rubric=rubric_of(recorded),
    )


def reference_patch(path: Path) -> str:
    """The reference patch of such a directory; empty where it has none, or none that can be read."""
    try:
        found = json.loads(text_of(path / REFERENCE))
    except (TaskError, json.JSONDecodeError):
        return ""
    patch = found.get("patch") if isinstance(found, dict) else None
    return patch if isinstance(patch, str) else ""


def _script(instruction: str) -> SimulatorScript:
    persona = Persona(
        description="The person whose recorded session is described below.",
        language=detect(instruction) or "en",
        on_question="whatever you think is best",
    )
    return SimulatorScript(persona=persona, anchors=[], budget=Budget(messages=MESSAGES))


def _metadata(path: Path, config: Mapping[str, Any]) -> TaskMetadata:
    table = config.get("metadata")
    told = table if isinstance(table, dict) else {}
    known = paper_tasks().get(path.name)
    category = str(told.get("category", ""))
    facts = {
        "language": known.language if known else _language(path, told),
        "category": known.category if known else _CATEGORIES.get(category, category),
        "difficulty": told.get("difficulty", "medium"),
        "provenance": "recorded",
        "license": (known.license if known else None) or "NOASSERTION",
        "source": _source(path, known),
        "trees": [_workdir(_last_stage(path))],
        "arms": ["interactive", "first-message"],
    }
    try:
        return TaskMetadata.model_validate(facts)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(map(str, first["loc"]))
        raise TaskError(
            path / "task.toml", f"metadata.{field}", first["input"], first["msg"], "Take the release's own file."
        ) from None


def _language(path: Path, told: Mapping[str, Any]) -> str:
    known = TaskMetadata.model_fields["language"].annotation
    tags = [str(tag).lower() for tag in told.get("tags") or []]
    names = [_LANGUAGES.get(tag, tag) for tag in tags]
    found = next((name for name in names if name in getattr(known, "__args__", ())), None)
    if found is None:
        raise TaskError(path / "task.toml", "metadata.tags", tags, "no tag is a language", "Add one, e.g. python.")
    return found


def _source(path: Path, known: PaperTask | None) -> GitSource:
    if known is not None:
        return GitSource(git=f"https://github.com/{known.repository}", commit=known.commit)
    file = path / ORACLE
    try:
        header = json.loads(text_of(file).partition("\n")[0])
        return GitSource(git=header["_repo_url"], commit=header["_base_commit"])
    except (json.JSONDecodeError, KeyError, TypeError, ValidationError):
        raise TaskError(
            file, "", None, "its first line doesn't say _repo_url (https) and _base_commit", "Add the header line."
        ) from None


def _last_stage(path: Path) -> str:
    """The Dockerfile's last stage; empty where an image is named and nothing is built."""
    file = path / "environment" / "Dockerfile"
    return re.split(r"(?mi)^FROM\s", text_of(file))[-1] if file.is_file() else ""


def _workdir(stage: str) -> str:
    """Where the agent begins to work: the folder whose state is looked at."""
    folder = "/"
    for told in re.findall(r"(?mi)^WORKDIR\s+[\"']?([^\s\"']+)", stage):
        folder = told if told.startswith("/") else f"{folder.rstrip('/')}/{told}"
    folder = folder.rstrip("/")
    return folder if folder and "$" not in folder else "/workspace"


def _user(stage: str) -> str:
    """Who works in the container."""
    named = re.findall(r"(?mi)^USER\s+([^\s:]+)", stage)
    return named[-1] if named else "root"
