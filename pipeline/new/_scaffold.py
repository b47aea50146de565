"""Writes the scaffold of a task from the templates in ``assets/``."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatch
from importlib import resources
from pathlib import Path
from typing import Final, get_args

from swe_together.errors import MisuseError
from swe_together.files import write_atomically
from swe_together.gaps import gap
from swe_together.pipeline.fmt import format_task
from swe_together.pipeline.new._pin import Pin
from swe_together.pipeline.toolchains import BUILT, COMMON, EXCLUDED, SETTINGS, TOOLCHAINS
from swe_together.schema import TaskMetadata

_ASSETS: Final = Path(str(resources.files("swe_together.pipeline.new"))) / "assets"
_PLACES: Final = {"Dockerfile": "environment/Dockerfile", "cases.py": "tests/cases.py"}
_ORDER: Final = (
    "environment/Dockerfile",
    "instruction.md",
    "simulator.md",
    "session.json",
    "intents.json",
    "spec.md",
    "solution/turn-*",
    "tests/cases.py",
    "rubric.json",
    "solution/*",
    "README.md",
    "task.toml",
)
"""In which order a person writes a task: each file then has what it needs. CONTRIBUTING.md says why."""
_PYTHON: Final = (
    'run.python("import pkg\\nemit(pkg.parse(data))", data="a,,b") hands back the value that emit was given.'
)
_NODE: Final = (
    'run.node("emit(require(\'/workspace\').parse(data))", data="a,,b") hands back the value that emit was given.'
)
_OTHER: Final = (
    'run.command(["make", "-C", "/workspace", "demo"]) has stdout, stderr and code; files={…} puts files beside it.'
)
_EXAMPLES: Final = {"python": _PYTHON, "javascript": _NODE, "typescript": _NODE}
_CHECK: Final = """\
/usr/bin/python3 -I -B - <<'END'
import sys
sys.path[:0] = ["/tests"]
from harness import Runner, equal

{}
END"""


@dataclass(frozen=True)
class Wish:
    """What a contributor says of a new task.

    Attributes:
        id: Name of the directory: lower case, digits, hyphens.
        language: Of the code base.
        category: Of the work.
        pin: Where the code base comes from.
        difficulty: As the contributor expects it.
        license: SPDX expression of the code base; empty leaves a gap.
    """

    id: str
    language: str
    category: str
    pin: Pin
    difficulty: str = "medium"
    license: str = ""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", self.id) or len(self.id) > 64:
            raise MisuseError(
                f"{self.id!r} can't be a task's id.",
                "Use lower-case letters, digits and single hyphens, e.g. ical-lists.",
            )
        for field in ("language", "category", "difficulty"):
            known = choices(field)
            if getattr(self, field) not in known:
                raise MisuseError(
                    f"{field} {getattr(self, field)!r} is not known.", f"Choose one of: {', '.join(known)}."
                )


def choices(field: str) -> tuple[str, ...]:
    """What a field of ``[metadata.swe_together]`` may say."""
    return get_args(TaskMetadata.model_fields[field].annotation)


def in_order(names: Iterable[str]) -> list[str]:
    """Files of a task in the order in which a person writes them; those of no known place come last."""
    places = len(_ORDER)
    return sorted(names, key=lambda name: next((n for n in range(places) if fnmatch(name, _ORDER[n])), places))


def write_scaffold(folder: Path, wish: Wish) -> Path:
    """Write the directory of a new task, with the generated parts in it.

    Args:
        folder: Where tasks lie; the directory ``wish.id`` is made in it.
        wish: What it is about.

    Raises:
        MisuseError: There is something of that name already.
    """
    task = folder / wish.id
    if task.exists():
        raise MisuseError(f"{task} is there already.", "Choose another id, or remove it.")
    for name, text in _files(wish):
        write_atomically(task / name, text)
        if name.endswith(".sh"):
            (task / name).chmod(0o755)
    format_task(task)
    return task


def _files(wish: Wish) -> Iterator[tuple[str, str]]:
    values = {
        "id": wish.id,
        "language": wish.language,
        "category": wish.category,
        "difficulty": wish.difficulty,
        "license": wish.license or gap("SPDX expression of the code base's licence"),
        "source": wish.pin.toml,
        "where": wish.pin.where,
        "download": wish.pin.download,
        "tools": " ".join(sorted({*COMMON, *TOOLCHAINS[wish.language]})),
        "exclude": json.dumps(EXCLUDED.get(wish.language, ())),
        "settings": SETTINGS.get(wish.language, ""),
        "built": BUILT.get(wish.language, ""),
        "today": datetime.now(UTC).date().isoformat(),
        "example": _EXAMPLES.get(wish.language, _OTHER),
        "check": json.dumps(_CHECK.format(gap("compare what the code gives for inputs that cases.py does not have"))),
    }
    for template in sorted(_ASSETS.rglob("*.in")):
        name = template.relative_to(_ASSETS).as_posix().removesuffix(".in")
        text = re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], template.read_text(encoding="utf-8"))
        yield _PLACES.get(name, name), text
