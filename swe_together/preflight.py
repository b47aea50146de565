"""Before containers are started here: is there room for them, and does the engine run what the tasks are built for?

Only an engine on this machine is looked at. Where none answers, whoever starts containers says so in its own words.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from swe_together._task_files import metadata_of, read_toml
from swe_together.doctor import Machine, engine_info
from swe_together.errors import MisuseError, TogetherError
from swe_together.tasks import is_released_task, is_together_task

ENGINE: Final = "docker"
"""Harbor's name of the kind of environment that needs the engine."""
ROOM_GB: Final = 3.0
"""The images of one task, its containers and the state that comes out of them; `doctor` asks for more."""
ROOM_VARIABLE: Final = "SWE_TOGETHER_ROOM_GB"
PROCESSORS: Final = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}
"""What an engine says of its processor, and Docker's name of it."""


def require_machine(tasks: Iterable[Path], *, kind: str = ENGINE, machine: Machine | None = None) -> None:
    """Refuse a run that would fail half way.

    Args:
        tasks: Task directories; those that aren't there yet, or aren't ours, are passed.
        kind: Harbor's name of the environment; any other than the engine's needs nothing of this machine.
        machine: What is looked at; None is this one.

    Raises:
        MisuseError: A task isn't made for the engine's processor.
        TaskError: ``task.toml`` is broken.
        TogetherError: There is too little room.
    """
    if kind != ENGINE or not os.environ.get("DOCKER_HOST", "unix://").startswith("unix://"):
        return
    looked_at = machine or Machine()
    info = engine_info(looked_at)
    if info is None:
        return
    _require_room(looked_at, info)
    _require_processor(info, tasks)


def _require_room(machine: Machine, info: dict[str, Any]) -> None:
    root = str(info.get("DockerRootDir", ""))
    free = machine.free_bytes(root) if root else None
    needed = _room_gb()
    if free is not None and free < needed * 1e9:
        raise TogetherError(
            f"{root} has {free / 1e9:.1f} GB free, and containers need {needed:g} GB.",
            f"Make room: `swe-together clean`, then `docker system prune`; or set {ROOM_VARIABLE}.",
        )


def _room_gb() -> float:
    told = os.environ.get(ROOM_VARIABLE, "")
    try:
        needed = float(told or ROOM_GB)
    except ValueError:
        needed = -1.0
    if not 0 <= needed < float("inf"):
        raise MisuseError(f"{ROOM_VARIABLE}={told}: this is no number of gigabytes.", "Write e.g. 3, or 0 for none.")
    return needed


def _require_processor(info: dict[str, Any], tasks: Iterable[Path]) -> None:
    told = str(info.get("Architecture", ""))
    processor = PROCESSORS.get(told.lower())
    for path in dict.fromkeys(tasks):
        if not is_together_task(path) or is_released_task(path):
            continue
        file = path / "task.toml"
        made_for = metadata_of(file, read_toml(file)).processors
        if told and processor not in made_for:
            raise MisuseError(
                f"task {path.name} runs on {' and '.join(made_for)}, and the engine here is {processor or told}.",
                "Leave the task out, or use a machine of that kind.",
            )
