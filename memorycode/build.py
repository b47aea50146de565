"""Writes a folder of generated dialogues and tasks."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from swe_together.errors import MisuseError
from swe_together.files import write_atomically
from swe_together.memorycode._arms import Arm
from swe_together.memorycode.files import (
    DIALOGUES,
    MANIFEST,
    TASKS,
    Manifest,
    dialogue_text,
    digest,
    require_own,
    write_manifest,
)
from swe_together.memorycode.generate import Recipe, Writer, generate
from swe_together.memorycode.tasks import LONGEST_PROMPT, left_out, tasks_of, write_task

READY: Final = Recipe(seed=10, sizes=(1, 5, 10, 15, 30), per_size=1)
"""The dialogues of the dataset ``memorycode@1.0``, each in every arm."""


def write_ready(folder: Path) -> list[str]:
    """Write the tasks of the dataset ``memorycode@1.0``; what lies in the folder is replaced.

    Returns:
        The names of the tasks, in order.

    Raises:
        MisuseError: The folder holds something else than tasks.
    """
    foreign = [path.name for path in folder.iterdir() if not (path / "task.toml").is_file()] if folder.is_dir() else []
    if foreign:
        raise MisuseError(f"{folder} holds {foreign[0]}, which is no task.", "Give another folder.")
    shutil.rmtree(folder, ignore_errors=True)
    names = []
    for dialogue in generate(READY):
        for name, arm, rule in tasks_of(dialogue, list(Arm)):
            write_task(folder / name, dialogue, arm, rule)
            names.append(name)
    return names


def build(
    folder: Path, recipe: Recipe, arms: Sequence[str] = (), longest: int = LONGEST_PROMPT, writer: Writer | None = None
) -> Manifest:
    """Write dialogues, tasks of the arms, and what they are; what the generator wrote there before is replaced.

    Args:
        folder: A new or empty folder, or one that the generator wrote.
        recipe: What is generated.
        arms: Arms that tasks are written for.
        longest: Longest single prompt in bytes; 0 sets no limit.
        writer: A model that writes the prose; None: templates.

    Raises:
        MisuseError: The folder holds something else.
        ProseError: The model came to no usable prose.
    """
    require_own(folder)
    # First of all, so that a run that is cut off leaves a folder that may be written again.
    write_atomically(folder / MANIFEST, "{}\n")
    for part in (DIALOGUES, TASKS):
        shutil.rmtree(folder / part, ignore_errors=True)
    (folder / DIALOGUES).mkdir()
    texts: list[str] = []
    written, missed = 0, {}
    for dialogue in generate(recipe, writer):
        texts.append(dialogue_text(dialogue))
        (folder / DIALOGUES / f"{dialogue.name}.json").write_text(texts[-1], encoding="utf-8", newline="\n")
        for name, arm, rule in tasks_of(dialogue, [Arm(arm) for arm in arms]):
            why = left_out(dialogue, arm, longest)
            if why is not None:
                missed[name] = why
                continue
            write_task(folder / TASKS / name, dialogue, arm, rule)
            written += 1
    manifest = Manifest(
        seed=recipe.seed,
        pool=recipe.pool,
        prose="templates" if writer is None else writer.name,
        sizes=list(recipe.sizes),
        per_size=recipe.per_size,
        dialogues=len(texts),
        sha256=digest(texts),
        tasks=written,
        left_out=missed,
    )
    write_manifest(folder, manifest)
    return manifest
