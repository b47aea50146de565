"""Task directories: load, validate, digest. Every problem names file, field, value and remedy."""

import hashlib
import os
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from swe_together import defaults
from swe_together._task_files import metadata_of, read_json, read_prose, read_simulator, read_toml, text_of
from swe_together.errors import MisuseError, TaskError
from swe_together.gaps import find_gaps
from swe_together.schema import Anchor, Intents, Rubric, SimulatorScript, SourceSession, TaskMetadata
from swe_together.simulator import validate_script

PRIVATE_FILES = ("spec.md", "simulator.md", "rubric.json", "intents.json", "session.json")
"""Files that no container sees. A Hub package carries only Harbor's folders, so they may lie under ``solution/``."""

RELEASED_FILES = ("user_simulation_prompt.md", "canonical_goals.json")
"""What a task of the paper's own release has; such a task is played as it lies, see ``swe_together.released``."""

DRAFT = "rubric.draft.json"
"""A rubric on its way: no part of the task, whatever folder it lies in."""

_IGNORED = {"__pycache__", ".DS_Store", ".pytest_cache", ".ruff_cache", DRAFT}


@dataclass(frozen=True)
class UnjudgedTask:
    """A task directory but for its rubric, read and found sound.

    Attributes:
        path: The directory.
        name: Harbor's name of the task, e.g. ``swe-together/ical-lists``.
        metadata: ``[metadata.swe_together]`` of task.toml.
        config: task.toml as a whole.
        instruction: The first user message.
        spec: The whole contract in one message.
        script: Front matter of simulator.md.
        analysis: The session analysis below it.
    """

    path: Path
    name: str
    metadata: TaskMetadata
    config: dict[str, Any]
    instruction: str
    spec: str
    script: SimulatorScript
    analysis: str
    intents: Intents
    session: SourceSession

    @property
    def id(self) -> str:
        """The directory's name."""
        return self.path.name

    @property
    def solution(self) -> Path:
        """Folder of the reference and of the patches that prove the tests."""
        return self.path / "solution"

    @cached_property
    def digest(self) -> str:
        """Digest over every file of the task; the same for the packed form."""
        return task_digest(self.path)

    @property
    def user(self) -> str:
        """Who works in the task's container."""
        return str((self.config.get("agent") or {}).get("user") or defaults.AGENT_USER)

    @property
    def stages(self) -> list[int]:
        """Turns that have a patch, ascending."""
        return sorted(
            int(match[1]) for p in self.solution.iterdir() if (match := re.fullmatch(r"turn-(\d+)\.patch", p.name))
        )

    def stage_patch(self, turn: int) -> Path | None:
        """The reference's patch for a turn, or None where the turn only asks."""
        path = self.solution / f"turn-{turn}.patch"
        return path if path.is_file() else None

    @property
    def reference_patches(self) -> list[str]:
        """Texts of the reference's patches, in the order of their turns."""
        return [(self.solution / f"turn-{turn}.patch").read_text("utf-8", "replace") for turn in self.stages]

    def stage_reply(self, turn: int) -> str:
        """What the reference says after a turn."""
        return text_of(self.solution / f"turn-{turn}.md")

    def anchor(self, identifier: str) -> Anchor:
        """The anchor of this id."""
        return next(anchor for anchor in self.script.anchors if anchor.id == identifier)


@dataclass(frozen=True)
class TaskBundle(UnjudgedTask):
    """A task directory, read and found sound."""

    rubric: Rubric


def is_released_task(path: Path) -> bool:
    """Whether the directory is a task in the layout of the paper's release, and none of ours."""
    return all((path / name).is_file() for name in RELEASED_FILES) and not _has_our_table(path)


def is_together_task(path: Path) -> bool:
    """Whether the directory holds a session: a task of ours, or one of the paper's release."""
    return _has_our_table(path) or is_released_task(path)


def _has_our_table(path: Path) -> bool:
    try:
        config = tomllib.loads((path / "task.toml").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return False
    metadata = config.get("metadata")
    return isinstance(metadata, dict) and "swe_together" in metadata


def load_task(path: Path | str) -> TaskBundle:
    """Read a task directory.

    Raises:
        MisuseError: There is no such directory.
        TaskError: The first thing found wrong.
    """
    directory = _directory(path)
    if is_released_task(directory):
        from swe_together.released import read_released  # the judge's form of rubrics comes with it

        return read_released(directory)
    problems = find_gaps(directory)
    bundle = None if problems else _read(directory, problems)
    if problems or bundle is None:
        raise problems[0]
    return bundle


def load_unjudged(path: Path | str) -> UnjudgedTask:
    """Read a task directory whose rubric isn't there yet, or doesn't count.

    Raises:
        MisuseError: There is no such directory.
        TaskError: The first thing found wrong.
    """
    directory = _directory(path)
    problems = [gap for gap in find_gaps(directory) if Path(gap.path).name != "rubric.json"]
    bundle = None if problems else _read_unjudged(directory, problems)
    if problems or bundle is None:
        raise problems[0]
    return bundle


def find_problems(path: Path | str) -> list[TaskError]:
    """Everything wrong with a task directory that can be seen without a container; its gaps come first.

    Raises:
        MisuseError: There is no such directory.
    """
    directory = _directory(path)
    gaps = find_gaps(directory)
    problems: list[TaskError] = []
    _read(directory, problems)
    unfinished = {gap.path for gap in gaps}
    return gaps + [problem for problem in problems if problem.path not in unfinished]


def task_digest(path: Path) -> str:
    """SHA-256 over path, executable bit and content of every file of the task, whatever folder private files are in."""
    lines = []
    for file in _files(path):
        name = file.relative_to(path).as_posix()
        folder, _, base = name.rpartition("/")
        if folder == "solution" and base in PRIVATE_FILES:
            name = base
        executable = bool(file.stat().st_mode & 0o100)
        lines.append(f"{name}\0{int(executable)}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\n")
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()


def private_file(path: Path, name: str) -> Path:
    """Where a private file of the task lies: at its root, or under ``solution/`` in a Hub package."""
    packed = path / "solution" / name
    return packed if packed.is_file() and not (path / name).exists() else path / name


def _directory(path: Path | str) -> Path:
    directory = Path(path)
    if not directory.is_dir():
        raise MisuseError(
            f"{directory}: there is no such task directory.", "Give the path of a directory with a task.toml."
        )
    return directory.resolve()


def _files(path: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(f for f in folders if f not in _IGNORED)
        for name in sorted(names):
            if name not in _IGNORED and not name.endswith(".pyc"):
                yield Path(folder) / name


def _read(path: Path, problems: list[TaskError]) -> TaskBundle | None:
    task = _read_unjudged(path, problems)
    try:
        rubric = read_json(private_file(path, "rubric.json"), Rubric)
    except TaskError as problem:
        problems.append(problem)
        return None
    return None if task is None else TaskBundle(**vars(task), rubric=rubric)


def _read_unjudged(path: Path, problems: list[TaskError]) -> UnjudgedTask | None:
    def attempt[T](read: Callable[[], T]) -> T | None:
        try:
            return read()
        except TaskError as problem:
            problems.append(problem)
            return None

    config = attempt(lambda: read_toml(path / "task.toml"))
    metadata = attempt(lambda: metadata_of(path / "task.toml", config)) if config is not None else None
    instruction = attempt(lambda: read_prose(path / "instruction.md"))
    spec = attempt(lambda: read_prose(private_file(path, "spec.md")))
    simulator = attempt(lambda: read_simulator(private_file(path, "simulator.md")))
    intents = attempt(lambda: read_json(private_file(path, "intents.json"), Intents))
    session = attempt(lambda: read_json(private_file(path, "session.json"), SourceSession))
    if simulator is not None:
        file = private_file(path, "simulator.md")
        script = simulator[0]
        problems += [
            TaskError(file, _by_id(p.field, script), p.value, p.problem, p.remedy) for p in validate_script(script)
        ]
        if intents is not None:
            problems += _unknown_intents(file, simulator[0], intents)
            problems += _turns(path, simulator[0], intents)
    if not (path / "solution").is_dir():
        problems.append(TaskError(path / "solution", "", None, "the folder is missing", "Add the reference solution."))
    if problems or config is None or metadata is None or simulator is None:
        return None
    if instruction is None or spec is None or intents is None or session is None:
        return None
    return UnjudgedTask(path, config["task"]["name"], metadata, config, instruction, spec, *simulator, intents, session)


def _by_id(field: str, script: SimulatorScript) -> str:
    """The field with anchors named by their id."""
    return re.sub(r"^anchors\.(\d+)", lambda match: f"anchors[{script.anchors[int(match[1])].id}]", field)


def _unknown_intents(file: Path, script: SimulatorScript, intents: Intents) -> list[TaskError]:
    known = {intent.id for intent in intents.intents}
    return [
        TaskError(
            file,
            f"anchors[{anchor.id}].intents",
            intent,
            "names an intent that intents.json doesn't hold",
            f"Use one of: {', '.join(sorted(known)) or 'none are defined'}.",
        )
        for anchor in script.anchors
        for intent in anchor.intents
        if intent not in known
    ]


def _turns(path: Path, script: SimulatorScript, intents: Intents) -> list[TaskError]:
    """Every turn has the reference's reply; intents and patches belong to a turn that an anchor has."""
    turns = {0} | {anchor.source_turn for anchor in script.anchors}
    problems = [
        TaskError(path / "solution" / f"turn-{turn}.md", "", None, "the reference's reply is missing", "Write it.")
        for turn in sorted(turns)
        if not (path / "solution" / f"turn-{turn}.md").is_file()
    ]
    file = private_file(path, "intents.json")
    problems += [
        TaskError(file, f"intents[{i.id}].source_turn", i.source_turn, "no anchor has this turn", "Correct the number.")
        for i in intents.intents
        if i.source_turn not in turns
    ]
    for patch in (path / "solution").glob("turn-*.patch"):
        match = re.fullmatch(r"turn-(\d+)\.patch", patch.name)
        if match is None or int(match[1]) not in turns:
            problems.append(TaskError(patch, "", None, "belongs to no turn of the session", "Rename or remove it."))
    return problems
