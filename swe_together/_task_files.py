"""Reading the single files of a task directory. Whatever is wrong with one is a ``TaskError`` with the remedy in it."""

import json
import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError

from swe_together import defaults
from swe_together.canary import without_canary
from swe_together.errors import TaskError
from swe_together.schema import SimulatorScript, TaskMetadata


def text_of(path: Path) -> str:
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


def read_prose(path: Path) -> str:
    """A message or contract; never empty."""
    text = without_canary(text_of(path))
    if not text.strip():
        raise TaskError(path, "", None, "the file is empty", "Write the message.")
    return text


def read_toml(path: Path) -> dict[str, Any]:
    """``task.toml``."""
    try:
        return tomllib.loads(text_of(path))
    except tomllib.TOMLDecodeError as error:
        raise TaskError(path, "", None, f"is not valid TOML: {error}", "Correct the line.") from None


def metadata_of(path: Path, config: dict[str, Any]) -> TaskMetadata:
    """Our own table of ``task.toml``."""
    name = config.get("task", {}).get("name") if isinstance(config.get("task"), dict) else None
    if not isinstance(name, str) or not re.fullmatch(r"[\w.-]+/[\w.-]+", name):
        raise TaskError(
            path, "task.name", name, "must be a name of the form org/task", 'Write name = "swe-together/<id>".'
        )
    table = config.get("metadata", {}).get("swe_together")
    if not isinstance(table, dict):
        raise TaskError(path, "metadata.swe_together", table, "the table is missing", "Add [metadata.swe_together].")
    return _validated(path, TaskMetadata, table, "metadata.swe_together")


def read_simulator(path: Path) -> tuple[SimulatorScript, str]:
    """``simulator.md``: its front matter, and the session analysis below."""
    text = text_of(path)
    match = re.fullmatch(r"---\n(.*?\n)---\n(.*)", text, re.DOTALL)
    if match is None:
        raise TaskError(
            path, "", text[:20], "has no YAML front matter", "Start with --- and end the front matter with ---."
        )
    try:
        front = _yaml(match[1])
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 2}" if mark is not None else ""
        problem = getattr(error, "problem", None) or "cannot be read"
        raise TaskError(
            path, "", None, f"the front matter is not valid YAML{where}: {problem}", "Correct the line."
        ) from None
    if (cut := _cut_off(match[1])) is not None:
        line, text = cut
        raise TaskError(
            path,
            "",
            text,
            f"YAML takes the rest of line {line + 2} as a comment",
            "Put the text in quotes.",
        )
    if not match[2].strip():
        raise TaskError(
            path, "", None, "has no session analysis below the front matter", "Write what the user wants and knows."
        )
    return _validated(path, SimulatorScript, front), match[2].strip()


@lru_cache(maxsize=64)
def _cut_off(text: str) -> tuple[int, str] | None:
    """Line, from 0, and end of the first unquoted text that a `` #`` in it cuts off; single words may have remarks."""
    lines = text.splitlines()
    for token in yaml.scan(text):
        if isinstance(token, yaml.ScalarToken) and token.plain and " " in token.value:
            end = token.end_mark
            if end.line < len(lines) and re.match(r"\s+#", lines[end.line][end.column :]):
                return end.line, token.value[-40:]
    return None


@lru_cache(maxsize=64)
def _yaml(text: str) -> Any:
    """Parsed once for all trials of a task: many that begin together would hold each other up. Nobody changes it."""
    return yaml.safe_load(text)


def read_json[M: BaseModel](path: Path, model: type[M]) -> M:
    """A JSON file of one of our schemas."""
    try:
        value = json.loads(text_of(path))
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
