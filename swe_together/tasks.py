"""Task directories: load, validate, digest. Every problem names file, field, value and remedy."""

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError

from swe_together import defaults
from swe_together.errors import MisuseError, TaskError
from swe_together.schema import Anchor, Intents, Rubric, SimulatorScript, SourceSession, TaskMetadata
from swe_together.simulator import validate_script

PRIVATE_FILES = ("spec.md", "simulator.md", "rubric.json", "intents.json", "session.json")
"""Files that no container sees. A Hub package carries only Harbor's folders, so they may lie under ``solution/``."""

_IGNORED = {"__pycache__", ".DS_Store", ".pytest_cache", ".ruff_cache"}


@dataclass(frozen=True)
class TaskBundle:
    """A task directory, read and found sound.

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
    rubric: Rubric
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
    def stages(self) -> list[int]:
        """Turns that have a patch, ascending."""
        return sorted(
            int(match[1]) for p in self.solution.iterdir() if (match := re.fullmatch(r"turn-(\d+)\.patch", p.name))
        )

    def stage_patch(self, turn: int) -> Path | None:
        """The reference's patch for a turn, or None where the turn only asks."""
        path = self.solution / f"turn-{turn}.patch"
        return path if path.is_file() else None

    def stage_reply(self, turn: int) -> str:
        """What the reference says after a turn."""
        return _text(self.solution / f"turn-{turn}.md")

    def anchor(self, identifier: str) -> Anchor:
        """The anchor of this id."""
        return next(anchor for anchor in self.script.anchors if anchor.id == identifier)


def is_together_task(path: Path) -> bool:
    """Whether the directory is one of our tasks: its task.toml has ``[metadata.swe_together]``."""
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
    problems: list[TaskError] = []
    bundle = _read(_directory(path), problems)
    if problems or bundle is None:
        raise problems[0]
    return bundle


def find_problems(path: Path | str) -> list[TaskError]:
    """Everything wrong with a task directory that can be seen without a container.

    Raises:
        MisuseError: There is no such directory.
    """
    problems: list[TaskError] = []
    _read(_directory(path), problems)
    return problems


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


def _text(path: Path) -> str:
    """Content of a text file of a task.

    Raises:
        TaskError: Missing, too large, a link, or not UTF-8.
    """
    if path.is_symlink():
        raise TaskError(path, "", None, "is a symbolic link", "Put the file itself there.")
    if not path.is_file():
        raise TaskError(path, "", None, "the file is missing", "Add it; docs/task-format.md says what it holds.")
    size = path.stat().st_size
    if size > defaults.TASK_FILE_BYTES:
        limit = defaults.TASK_FILE_BYTES
        raise TaskError(path, "", size, f"the file is larger than {limit} bytes", "Shorten it.")
    data = path.read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise TaskError(
            path, "", data[error.start : error.start + 4], f"byte {error.start} is not UTF-8", "Save the file as UTF-8."
        ) from None


def _read(path: Path, problems: list[TaskError]) -> TaskBundle | None:
    def attempt[T](read: Callable[[], T]) -> T | None:
        try:
            return read()
        except TaskError as problem:
            problems.append(problem)
            return None

    config = attempt(lambda: _toml(path / "task.toml"))
    metadata = attempt(lambda: _metadata(path / "task.toml", config)) if config is not None else None
    instruction = attempt(lambda: _prose(path / "instruction.md"))
    spec = attempt(lambda: _prose(private_file(path, "spec.md")))
    simulator = attempt(lambda: _simulator(private_file(path, "simulator.md")))
    rubric = attempt(lambda: _json(private_file(path, "rubric.json"), Rubric))
    intents = attempt(lambda: _json(private_file(path, "intents.json"), Intents))
    session = attempt(lambda: _json(private_file(path, "session.json"), SourceSession))
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
    if instruction is None or spec is None or rubric is None or intents is None or session is None:
        return None
    return TaskBundle(
        path, config["task"]["name"], metadata, config, instruction, spec, *simulator, rubric, intents, session
    )


def _prose(path: Path) -> str:
    text = _text(path)
    if not text.strip():
        raise TaskError(path, "", None, "the file is empty", "Write the message.")
    return text


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(path))
    except tomllib.TOMLDecodeError as error:
        raise TaskError(path, "", None, f"is not valid TOML: {error}", "Correct the line.") from None


def _metadata(path: Path, config: dict[str, Any]) -> TaskMetadata:
    name = config.get("task", {}).get("name") if isinstance(config.get("task"), dict) else None
    if not isinstance(name, str) or not re.fullmatch(r"[\w.-]+/[\w.-]+", name):
        raise TaskError(
            path, "task.name", name, "must be a name of the form org/task", 'Write name = "swe-together/<id>".'
        )
    table = config.get("metadata", {}).get("swe_together")
    if not isinstance(table, dict):
        raise TaskError(path, "metadata.swe_together", table, "the table is missing", "Add [metadata.swe_together].")
    return _validated(path, TaskMetadata, table, "metadata.swe_together")


def _simulator(path: Path) -> tuple[SimulatorScript, str]:
    text = _text(path)
    match = re.fullmatch(r"---\n(.*?\n)---\n(.*)", text, re.DOTALL)
    if match is None:
        raise TaskError(
            path, "", text[:20], "has no YAML front matter", "Start with --- and end the front matter with ---."
        )
    try:
        front = yaml.safe_load(match[1])
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 2}" if mark is not None else ""
        problem = getattr(error, "problem", None) or "cannot be read"
        raise TaskError(
            path, "", None, f"the front matter is not valid YAML{where}: {problem}", "Correct the line."
        ) from None
    if not match[2].strip():
        raise TaskError(
            path, "", None, "has no session analysis below the front matter", "Write what the user wants and knows."
        )
    return _validated(path, SimulatorScript, front), match[2].strip()


def _json[M: BaseModel](path: Path, model: type[M]) -> M:
    try:
        value = json.loads(_text(path))
    except json.JSONDecodeError as error:
        raise TaskError(path, "", None, f"is not valid JSON: {error}", "Correct the line.") from None
    return _validated(path, model, value)


def _validated[M: BaseModel](path: Path, model: type[M], value: object, prefix: str = "") -> M:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = _field(first["loc"], value)
        field = ".".join(part for part in (prefix, field) if part)
        problem = first["msg"].removeprefix("Value error, ")
        if first["type"] == "extra_forbidden":
            problem = "is not a field that is known here"
        elif first["type"] == "missing":
            problem = "is missing"
        shown = (
            None if first["type"] in ("missing", "value_error") and isinstance(first["input"], dict) else first["input"]
        )
        raise TaskError(path, field, shown, problem, "docs/task-format.md describes the field.") from None


def _field(location: tuple[int | str, ...], value: object) -> str:
    """Dotted path of a field; list elements by their id where they have one, the union's own tags left out."""
    parts: list[str] = []
    for part in location:
        if isinstance(part, int):
            value = value[part] if isinstance(value, list) and part < len(value) else None
            identifier = value.get("id") if isinstance(value, dict) else None
            parts.append(f"{parts.pop() if parts else ''}[{identifier if isinstance(identifier, str) else part}]")
        elif isinstance(value, dict) and part in value:
            value = value[part]
            parts.append(part)
        elif part == location[-1] and (not parts or parts[-1] != part):
            parts.append(part)
    return ".".join(parts)


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
