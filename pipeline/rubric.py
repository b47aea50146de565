"""A task's rubric from the session: what the draft is made from, and the files it goes through."""

import json
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from swe_together import defaults
from swe_together.errors import MisuseError, TaskError
from swe_together.files import write_atomically
from swe_together.judge.drafting import KnownCase, Material, SessionTurn, refuse_candidates
from swe_together.pipeline.check.subject import declared_cases
from swe_together.schema import DraftRubric, Rubric
from swe_together.tasks import DRAFT, UnjudgedTask, private_file

RUBRIC = "rubric.json"


def known_cases(task: UnjudgedTask) -> list[KnownCase]:
    """The test cases that a task declares; none where it has no tests yet.

    Raises:
        TaskError: The tests can't be read.
    """
    if not (task.path / "tests" / "cases.py").is_file():
        return []
    return [KnownCase(case.id, case.kind.value, case.turn) for case in declared_cases(task.path)]


def material_of(task: UnjudgedTask, notes: Sequence[Path] = ()) -> Material:
    """What a draft is made from.

    Args:
        task: The task. Its proofs, wrong ones included, and any rubric are left out.
        notes: Further text files.

    Raises:
        MisuseError: The task's folder or a note holds what a candidate left, or a note is no text.
        TaskError: The tests can't be read.
    """
    for path in (task.path, *notes):
        refuse_candidates(path)
    said = {0: task.instruction}
    for anchor in sorted(task.script.anchors, key=lambda anchor: anchor.source_turn):
        earlier = said.get(anchor.source_turn)
        said[anchor.source_turn] = anchor.message if earlier is None else f"{earlier}\n\n{anchor.message}"
    cases = known_cases(task)
    files = [
        task.path / "instruction.md",
        *(private_file(task.path, name) for name in ("spec.md", "simulator.md", "intents.json")),
        *(task.solution / f"turn-{turn}.md" for turn in said),
        *(task.solution / f"turn-{turn}.patch" for turn in task.stages),
        *([task.path / "tests" / "cases.py"] if cases else []),
    ]
    return Material(
        task=task.name,
        trees=tuple(task.metadata.trees),
        turns=[SessionTurn(turn, words, task.stage_reply(turn), _patch(task, turn)) for turn, words in said.items()],
        spec=task.spec,
        analysis=task.analysis,
        intents=task.intents.intents,
        cases=cases,
        notes={path.name: _text(path) for path in notes},
        files={file.relative_to(task.path).as_posix(): file.read_bytes() for file in files},
    )


def draft_path(task: UnjudgedTask) -> Path:
    """Where a task's draft lies."""
    return private_file(task.path, DRAFT)


def rubric_path(task: UnjudgedTask) -> Path:
    """Where a task's rubric lies."""
    return private_file(task.path, RUBRIC)


def refuse_to_overwrite(path: Path, replace: bool) -> None:
    """Keep what is there, unless told otherwise.

    Raises:
        MisuseError: There is something.
    """
    if path.exists() and not replace:
        raise MisuseError(f"{path} is there already.", "Give --replace to write another one in its place.")


def read_draft(path: Path) -> DraftRubric:
    """A draft as a person has left it.

    Raises:
        MisuseError: There is none.
        TaskError: It has not the form of one.
    """
    if not path.is_file():
        raise MisuseError(f"{path}: there is no draft.", "Make one: swe-together rubric TASK --model MODEL.")
    try:
        return DraftRubric.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise TaskError(path, field, first["input"] if field else None, first["msg"], "Correct it.") from None


def write_draft(path: Path, draft: DraftRubric) -> None:
    """Write a draft for a person to edit."""
    write_atomically(path, draft.model_dump_json(indent=2) + "\n")


def write_rubric(path: Path, rubric: Rubric) -> None:
    """Write a frozen rubric."""
    value = {"format": rubric.format, **rubric.model_dump(mode="json", exclude_defaults=True)}
    write_atomically(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def _patch(task: UnjudgedTask, turn: int) -> str:
    patch = task.stage_patch(turn)
    return patch.read_text(encoding="utf-8", errors="replace") if patch is not None else ""


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > defaults.TASK_FILE_BYTES:
            raise MisuseError(f"{path} has more than {defaults.TASK_FILE_BYTES} bytes.", "Give a shorter text.")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise MisuseError(f"{path} is no text file: {error}.", "Give a file in UTF-8.") from None
