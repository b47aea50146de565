"""A fake of Harbor's environment that runs nothing: it records what an agent asks of it and holds canned logs."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import SimpleNamespace
from typing import Any

import yaml

from tests.support.contract.said import Files

LOGS = "/logs/agent"


@dataclass(frozen=True, slots=True)
class Result:
    """What a command returned; all succeed."""

    stdout: str = ""
    stderr: str = ""
    return_code: int = 0


@dataclass(frozen=True, slots=True)
class Handed:
    """One thing that an agent handed to its box: a command with its variables, or a file."""

    command: str
    env: Mapping[str, str]
    file: str | None = None


class RecordingBox:
    """Stands where Harbor's container would. Its files lie below ``root``.

    Args:
        root: A folder of the test.
        answers: What commands print: the first pattern that is found in a command.
    """

    def __init__(self, root: Path, answers: Mapping[str, Callable[[RecordingBox], str]]) -> None:
        self.root = root
        self.environment_dir = root / "task" / "environment"
        self.trial_paths = SimpleNamespace(trial_dir=root / "trial")
        self.task_env_config = SimpleNamespace(workdir="/workspace", os="linux", mcp_servers=[], skills_dir=None)
        self.capabilities = SimpleNamespace(mounted=False, windows=False)
        self.default_user = "agent"
        self.session_id = "box"
        self.handed: list[Handed] = []
        self.later: Callable[[], Files] = dict
        self._answers = answers

    def inside(self, path: str | PurePosixPath) -> Path:
        """Where a path of the box lies."""
        return self.root / "box" / str(path).lstrip("/")

    def is_path_mounted(self, inside: Any, host: Any) -> bool:
        """Nothing is."""
        return False

    @contextmanager
    def with_default_user(self, user: Any) -> Iterator[None]:
        """As Harbor's own."""
        yield

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout_sec: float | None = None,
        user: Any = None,
        **more: Any,
    ) -> Result:
        """Record a command, do what it would have done to the logs, and answer it."""
        self.handed.append(Handed(command, dict(env or {})))
        if (moved := re.search(r"mkdir -p (\S+) && mv (\S+) ", command)) is not None:
            self._move(moved[2], moved[1])
        answer = next((answer(self) for pattern, answer in self._answers.items() if re.search(pattern, command)), "")
        return Result(answer)

    async def upload_file(self, source: Path | str, target: str) -> None:
        """Record a file and keep it."""
        text = Path(source).read_text(encoding="utf-8")
        self.handed.append(Handed(f"upload {target}", {}, text))
        path = self.inside(target)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    async def upload_dir(self, source: Path | str, target: str) -> None:
        """Folders carry no words of the user."""

    async def download_file(self, source: str, target: Path | str) -> None:
        """Copy a file out."""
        self.write_pending()
        shutil.copyfile(self.inside(source), target)

    async def download_dir(self, source: str, target: Path | str) -> None:
        """Copy a folder out, over what is there."""
        self.write_pending()
        self.inside(source).mkdir(parents=True, exist_ok=True)
        shutil.copytree(self.inside(source), target, dirs_exist_ok=True)

    async def is_file(self, path: str, **more: Any) -> bool:
        """Whether it is there."""
        return self.inside(path).is_file()

    async def is_dir(self, path: str, **more: Any) -> bool:
        """Whether it is there."""
        return self.inside(path).is_dir()

    def write_pending(self) -> None:
        """What the command line would have written in the turn."""
        for name, content in self.later().items():
            path = self.inside(f"{LOGS}/{name}")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def _move(self, source: str, target: str) -> None:
        if self.inside(source).exists():
            self.inside(target).mkdir(parents=True, exist_ok=True)
            shutil.move(self.inside(source), self.inside(target))


def words_of(handed: Handed) -> Iterator[str]:
    """Every text that a shell, a YAML or a JSON reader would get out of what was handed over."""
    texts = [*handed.env.values()]
    if handed.file is not None:
        texts.append(handed.file)
    else:
        texts += _heredocs(handed.command)
        texts += _tokens(handed.command)
    for text in texts:
        yield text
        yield from _inner(text)


def _heredocs(command: str) -> list[str]:
    return [found[2] for found in re.finditer(r"<<-? *'?(\w+)'?\n(.*?)\n?^\1$", command, re.DOTALL | re.MULTILINE)]


def _tokens(command: str) -> list[str]:
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.commenters = ""
    lexer.whitespace_split = True
    try:
        return list(lexer)
    except ValueError:
        return []


def _inner(text: str) -> Iterator[str]:
    """Strings inside a document, and those of JSON that stands in a program as a literal."""
    for read in (json.loads, yaml.safe_load):
        try:
            yield from _strings(read(text))
            return
        except (ValueError, yaml.YAMLError):
            continue
    for line in text.splitlines():
        if (literal := re.match(r"prompt = (['\"].*['\"])$", line)) is not None:
            import ast

            yield from _strings(json.loads(ast.literal_eval(literal[1])))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)
