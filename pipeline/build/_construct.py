"""A Harbor task whose work is to finish the draft of another task: any agent builds it, Harbor brings it back."""

import dataclasses
import json
import shutil
from datetime import datetime
from importlib import resources
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

from swe_together import defaults
from swe_together.errors import MisuseError, TogetherError
from swe_together.files import write_atomically
from swe_together.pipeline.base import Base, Repository, Tree
from swe_together.pipeline.build._code import require_open_code
from swe_together.pipeline.build._plan import Plan
from swe_together.pipeline.build._recipe import ARCHIVE, recipe_for, write_archive
from swe_together.pipeline.build._write import write_task
from swe_together.pipeline.privacy import PrivacyError
from swe_together.pipeline.screen import summary_of
from swe_together.pipeline.sessions import Session
from swe_together.schema import Intents, Rubric, SimulatorScript, SourceSession, TaskMetadata

ASSETS: Final = Path(str(resources.files("swe_together.pipeline.build"))) / "assets"
TASK: Final = "/task"
MATERIAL: Final = "/material"
_SCHEMAS: Final[dict[str, type[BaseModel]]] = {
    "simulator": SimulatorScript, "rubric": Rubric, "intents": Intents, "session": SourceSession,
    "task-metadata": TaskMetadata,
}  # fmt: skip
_TOML: Final = """\
schema_version = "1.4"
artifacts = [{{ source = "{task}" }}]

[task]
name = "swe-together-construction/{name}"
description = "Finish the draft of a task that was derived from a recorded session."
keywords = ["construction"]

[metadata.construction]
task = "{name}"
session = {session}

[agent]
timeout_sec = 7200
user = "agent"

[verifier]
timeout_sec = 600
environment_mode = "separate"

[environment]
build_timeout_sec = 1800
cpus = 1
memory_mb = 4096
storage_mb = 8192
workdir = "{task}"
"""
_SOLVE: Final = """\
#!/bin/bash
# The draft as it was derived is all that can be had without judgement; this hands it in as it is.
test -f /task/task.toml
"""


def write_construction(path: Path, plan: Plan, draft: Path | None = None) -> Path:
    """Write a construction task.

    Args:
        path: Its directory.
        plan: The draft, of a repository that is at hand.
        draft: A draft that is written already; without it, it is written from the plan.

    Raises:
        MisuseError: There is something already, or the plan has no repository.
        PrivacyError: Something can't be looked through, or the code base holds a secret; then nothing is left of it.
    """
    if path.exists():
        raise MisuseError(f"{path} is there already.", "Choose another folder, or remove it.")
    if plan.repository is None or plan.base is None:
        raise MisuseError(f"{plan.name}: a construction task holds its repository.", "Give a clone: --repo PATH.")
    require_open_code(plan.repository, plan.base.commit.sha, plan.cleared)
    environment = path / "environment"
    try:
        if draft is None:
            write_task(environment / "draft", plan)
        else:
            shutil.copytree(draft, environment / "draft")
        write_material(environment / "material", plan)
        _write_own(path, plan, plan.repository, plan.base)
    except TogetherError:
        shutil.rmtree(path, ignore_errors=True)
        raise
    return path


def _write_own(path: Path, plan: Plan, repository: Repository, base: Base) -> None:
    """What makes a task of it: the code base, the image, the validator."""
    tree = repository.tree(base.commit.sha)
    write_archive(repository, tree, base.commit.committed.timestamp(), path / "environment" / ARCHIVE)
    texts = {
        "task.toml": _TOML.format(task=TASK, name=plan.name, session=json.dumps(plan.session.origin.session_id)),
        "instruction.md": (ASSETS / "instruction.md").read_text(encoding="utf-8"),
        "environment/Dockerfile": _dockerfile(plan, repository, tree),
        "tests/test.sh": (ASSETS / "test.sh").read_text(encoding="utf-8"),
        "tests/validate.py": (ASSETS / "validate.py").read_text(encoding="utf-8"),
        "solution/solve.sh": _SOLVE,
    }
    for name, text in plan.cleared.files(texts).items():
        write_atomically(path / name, text)
    for name in ("tests/test.sh", "solution/solve.sh"):
        (path / name).chmod(0o755)


def write_material(folder: Path, plan: Plan) -> None:
    """What an agent looks at while it finishes a draft.

    Raises:
        PrivacyError: A secret of the code stands in the session's words.
    """
    texts = {"session.json": session_text(plan.session), "page.md": summary_of(plan.session, plan.turns) + "\n"}
    for name, text in texts.items():
        if plan.cleared.keeps != "all" and plan.cleared.holds_secret(text.encode("utf-8", "surrogatepass")):
            raise PrivacyError(f"{name} still holds a secret.", "Report it.")
        write_atomically(folder / name, text)
    for name in ("guide.md", "validate.py"):
        write_atomically(folder / name, (ASSETS / name).read_text(encoding="utf-8"))
    for name, model in _SCHEMAS.items():
        text = json.dumps(model.model_json_schema(), indent=1)
        write_atomically(folder / "schema" / f"{name}.schema.json", text + "\n")


def session_text(session: Session) -> str:
    """A session as JSON: its origin, and its events in order, each with its kind."""
    events = [{"event": type(event).__name__.casefold(), **dataclasses.asdict(event)} for event in session.events]
    value = {"origin": dataclasses.asdict(session.origin), "events": events}
    return json.dumps(value, ensure_ascii=False, indent=1, default=_plain) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, (tuple, set, frozenset)):
        return list(value)
    return dict(value) if hasattr(value, "keys") else str(value)


def _dockerfile(plan: Plan, repository: Repository, tree: Tree) -> str:
    """The image of the code base, with the draft and the material beside it."""
    own = recipe_for(plan.language, repository, tree).dockerfile
    return own + (
        f"COPY --chown=agent:agent draft {TASK}\n"
        f"COPY material {MATERIAL}\n"
        f"RUN chown -R {defaults.AGENT_USER}:{defaults.AGENT_USER} {TASK}\n"
        f"WORKDIR {TASK}\n"
    )
