"""Tasks that agents have built: found in what their trials left, read, and kept where they load."""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from swe_together.errors import MisuseError
from swe_together.gaps import find_marks
from swe_together.pipeline.fmt import format_task
from swe_together.tasks import find_problems


@dataclass(frozen=True)
class Harvested:
    """A task that came back.

    Attributes:
        trial: The trial's folder.
        task: Where it lies now; None where it doesn't load.
        problems: Why not.
        reviews: Marks of places that somebody should still read.
    """

    trial: Path
    task: Path | None
    problems: Sequence[str]
    reviews: int


def harvest(jobs: Sequence[Path], folder: Path) -> Iterator[Harvested]:
    """Take the tasks of finished trials.

    Args:
        jobs: Job or trial folders of Harbor.
        folder: Where tasks that load are written.

    Raises:
        MisuseError: A folder isn't there.
    """
    for job in jobs:
        if not job.is_dir():
            raise MisuseError(f"{job} is no folder.", "Give a job folder of Harbor, or a trial's.")
        for file in sorted(job.rglob("task/task.toml")):
            if "artifacts" in file.relative_to(job).parts:
                yield _take(file.parent, folder)


def _take(built: Path, folder: Path) -> Harvested:
    trial = next(one for one in built.parents if one.name == "artifacts").parent
    format_task(built)
    problems = [str(problem) for problem in find_problems(built)]
    reviews = sum(mark.kind == "review" for mark in find_marks(built))
    if problems:
        return Harvested(trial, None, problems, reviews)
    name = _name(built)
    target, number = folder / name, 2
    while target.exists():
        target, number = folder / f"{name}-{number}", number + 1
    shutil.copytree(built, target, symlinks=True)
    return Harvested(trial, target, [], reviews)


def _name(built: Path) -> str:
    import tomllib

    value = tomllib.loads((built / "task.toml").read_text(encoding="utf-8"))
    return str(value["task"]["name"]).rpartition("/")[2]
