"""Results kept outside git, one file per step, so that an interrupted check goes on where it was."""

import hashlib
import os
import secrets
from functools import cache
from importlib import resources
from importlib.metadata import version
from pathlib import Path

from pydantic import ValidationError

from swe_together.pipeline.check.model import CHECK_VERSION
from swe_together.schema import Strict


def cache_root() -> Path:
    """``$XDG_CACHE_HOME/swe-together/check``, in ``~/.cache`` by default."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "swe-together" / "check"


class Cache:
    """Results of one task by step. A step's key covers everything that the step depends on.

    Args:
        folder: Where the task's results lie.
        fresh: Look at nothing that was kept; results are kept all the same.
    """

    def __init__(self, folder: Path, fresh: bool = False) -> None:
        self._folder = folder
        self._fresh = fresh

    def get[M: Strict](self, step: str, key: str, model: type[M]) -> M | None:
        """A kept result, or None."""
        if self._fresh:
            return None
        try:
            return model.model_validate_json(self._path(step, key).read_bytes())
        except (OSError, ValidationError):
            return None

    def put(self, step: str, key: str, value: Strict) -> None:
        """Keep a result, whole or not at all; earlier results of the step go."""
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._path(step, key)
        temporary = path.with_name(f".{secrets.token_hex(6)}")
        temporary.write_text(value.model_dump_json(), encoding="utf-8")
        temporary.replace(path)
        for old in self._folder.glob(f"{step}.*.json"):
            if old != path:
                old.unlink(missing_ok=True)

    def _path(self, step: str, key: str) -> Path:
        return self._folder / f"{step}.{key}.json"


def key_of(*parts: Path | str, below: Path) -> str:
    """Key over texts and files (folders with all they hold), this check's version and Harbor's.

    Args:
        parts: Files and folders, or texts. What doesn't exist counts as missing.
        below: Names of files are taken relative to this folder, so that a moved task keeps its results.
    """
    found = hashlib.sha256(f"{CHECK_VERSION} {version('harbor')}".encode())
    for part in parts:
        if isinstance(part, str):
            found.update(f"text {len(part)} {part}\n".encode())
            continue
        files = sorted(p for p in part.rglob("*") if p.is_file()) if part.is_dir() else [part]
        for file in files:
            if "__pycache__" in file.parts:
                continue
            content = hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else "missing"
            mode = bool(file.stat().st_mode & 0o100) if file.is_file() else False
            # The project's own files go by their names alone.
            name = file.relative_to(below) if file.is_relative_to(below) else file.name
            found.update(f"file {name} {int(mode)} {content}\n".encode())
    return found.hexdigest()[:24]


@cache
def code_digest() -> str:
    """Digest of the code that a played session depends on; what models need lies in folders of their own."""
    return _digest_of(
        "defaults.py",
        "tasks.py",
        "pipeline/check/dialogues.py",
        *(f"{part}/*.py" for part in ("adapter", "adapter/_scripts", "simulator", "schema")),
    )


@cache
def judge_digest() -> str:
    """Digest of the code by which the goals' own commands judge a state."""
    judge = (f"judge/_{name}.py" for name in ("checks", "assemble", "score"))
    adapter = (f"adapter/{name}.py" for name in ("verifier", "judging", "hands"))
    scripts = (f"adapter/_scripts/{name}.py" for name in ("probe", "kill", "tidy"))
    return _digest_of(*judge, *adapter, *scripts)


def _digest_of(*patterns: str) -> str:
    """Digest of files of this package."""
    root = Path(str(resources.files("swe_together")))
    found = hashlib.sha256()
    for pattern in patterns:
        folder, _, name = pattern.rpartition("/")
        for file in sorted((root / folder).resolve().glob(name)):
            found.update(file.read_bytes())
    return found.hexdigest()
