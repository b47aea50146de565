"""Rewrites the generated parts of a task: the common test helpers, the collect command and the canary."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from swe_together import defaults
from swe_together.adapter.state import collect_command
from swe_together.canary import FILES as CANARY_FILES
from swe_together.canary import with_canary
from swe_together.errors import MisuseError, TaskError
from swe_together.files import write_atomically
from swe_together.pipeline.check.subject import ASSETS, HELPERS
from swe_together.tasks import private_file

_TABLE = re.compile(r"(?m)^[ \t]*\[\[[ \t]*verifier[ \t]*\.[ \t]*collect[ \t]*\]\][ \t]*(?:#.*)?$")
_ANY_TABLE = re.compile(r"(?m)^[ \t]*\[")
_COMMAND = re.compile(
    r"""(?m)^(?P<key>[ \t]*command[ \t]*=[ \t]*)
    (?:\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')""",
    re.VERBOSE,
)


def format_task(path: Path, check: bool = False) -> list[str]:
    """Rewrite what is generated; hands back the files that changed, or would with ``check``.

    Raises:
        MisuseError: There is no such directory.
        TaskError: task.toml can't be read.
    """
    if not path.is_dir():
        raise MisuseError(f"{path}: there is no such task directory.", "Give the path of a directory with a task.toml.")
    changed = []
    for name in HELPERS:
        changed += _put(path / "tests" / name, (ASSETS / name).read_text(encoding="utf-8"), path, check)
    file = path / "task.toml"
    try:
        text = file.read_text(encoding="utf-8")
        config = tomllib.loads(text)
    except OSError:
        raise TaskError(
            file, "", None, "the file is missing", "Add it; docs/task-format.md says what it holds."
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TaskError(file, "", None, f"is not valid TOML: {error}", "Correct the line.") from None
    table = config.get("metadata", {}).get("swe_together", {})
    try:
        command = collect_command(table.get("trees", [defaults.WORKSPACE]), table.get("exclude", []))
    except ValueError as error:
        raise TaskError(file, "metadata.swe_together", None, str(error), "Correct trees or exclude.") from None
    written = _with_command(text, command, file)
    if _without_command(tomllib.loads(written)) != _without_command(config):
        raise TaskError(file, "verifier.collect", None, "is written in an unusual way", f"Set command = {command!r}.")
    changed += _put(file, with_canary("task.toml", written), path, check)
    for name in CANARY_FILES:
        changed += _put_canary(private_file(path, name), name, path, check) if name != "task.toml" else []
    return changed


def _put_canary(file: Path, name: str, task: Path, check: bool) -> list[str]:
    """A file that isn't there, or can't be read, is for the task's own check to name."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return []
    return _put(file, with_canary(name, text), task, check)


def _put(file: Path, text: str, task: Path, check: bool) -> list[str]:
    if file.is_file() and file.read_bytes() == text.encode():
        return []
    if not check:
        write_atomically(file, text)
    return [file.relative_to(task).as_posix()]


def _with_command(text: str, command: str, file: Path) -> str:
    """The text of task.toml with this collect command; every other byte stays."""
    line = f"command = {_toml_string(command)}"
    tables = list(_TABLE.finditer(text))
    if not tables:
        new = f'[[verifier.collect]]\n{line}\nuser = "root"\ntimeout_sec = 300\n'
        return f"{text.rstrip()}\n\n{new}"
    if len(tables) > 1:
        raise TaskError(file, "verifier.collect", len(tables), "there must be one table", "Remove the others.")
    start = tables[0].end()
    found, following = _COMMAND.search(text, start), _ANY_TABLE.search(text, start)
    if found is None or (following and following.start() < found.start()):
        return f"{text[:start]}\n{line}{text[start:]}"
    return text[: found.start()] + line + text[found.end() :]


def _without_command(config: dict[str, Any]) -> dict[str, Any]:
    """Everything but the verifier's collect tables, which hold the command."""
    verifier = {key: value for key, value in config.get("verifier", {}).items() if key != "collect"}
    return config | {"verifier": verifier}


def _toml_string(value: str) -> str:
    """A basic string of TOML; JSON escapes the same way but for DEL, which no command holds."""
    return json.dumps(value, ensure_ascii=False)
