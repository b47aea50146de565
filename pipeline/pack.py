"""Tasks in the shape that Harbor's Hub carries: its own folders alone, our private files under ``solution/``.

The same input gives the same bytes. A task's digest doesn't depend on where its private files lie, so a packed task has
the digest of its source; a sealed one, whose ``task.toml`` says something else, has one of its own.
"""

import json
import os
import re
import shutil
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from swe_together.errors import MisuseError, TaskError
from swe_together.files import write_atomically
from swe_together.pipeline.check.static import collect, helpers, lint, settings
from swe_together.tasks import DRAFT, PRIVATE_FILES, TaskBundle, load_task, task_digest

SEALED_MODE: Final = "allowlist"
"""Harbor's mode that closes the network but for listed hosts; it adds the model's own host by itself."""
_ROOT_FILES: Final = ("task.toml", "instruction.md", "README.md", *PRIVATE_FILES)
_FOLDERS: Final = ("environment", "tests", "solution")
_LEFT_OUT: Final = ("__pycache__", ".DS_Store", ".pytest_cache", ".ruff_cache", DRAFT)
_AGENT: Final = re.compile(r"(?m)^[ \t]*\[[ \t]*agent[ \t]*\][ \t]*(?:#.*)?$")
_MODE: Final = re.compile(r"(?m)^[ \t]*network_mode[ \t]*=.*\n")
_ANY_TABLE: Final = re.compile(r"(?m)^[ \t]*\[")


@dataclass(frozen=True)
class Packed:
    """A packed task.

    Attributes:
        name: Harbor's name of it.
        folder: Its folder's name.
        digest: Ours, over every file.
        content: Harbor's, by which a dataset on the Hub pins it.
    """

    name: str
    folder: str
    digest: str
    content: str


def pack(
    tasks: Sequence[Path], target: Path, *, dataset: str, version: str | None = None, sealed: bool = False
) -> list[Packed]:
    """Write tasks and their dataset to a folder, whole or not at all.

    Args:
        tasks: Task directories; each must be whole, pass ``harbor lint`` and hold the generated parts as they are now.
        target: The folder; it may not hold anything.
        dataset: Name of the dataset, without the organisation, which is that of the tasks.
        version: Its version; with one, ``registry.json`` is written too.
        sealed: Close the agent's network during its turns.

    Raises:
        MisuseError: The folder isn't empty, or the tasks don't go together.
        TaskError: The first thing found wrong with a task.
    """
    bundles = [_sound(path) for path in tasks]
    _go_together(bundles)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise MisuseError(f"{target} is not an empty folder.", "Name a folder that doesn't exist yet.")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as staging:
        folder = Path(staging) / "pack"
        packed = [_pack_task(bundle, folder / bundle.id, sealed=sealed) for bundle in sorted(bundles, key=_id)]
        write_atomically(folder / "dataset.toml", _manifest(packed, dataset, version, sealed=sealed))
        if version is not None:
            write_atomically(folder / "registry.json", _registry(packed, dataset, version, sealed=sealed))
        folder.chmod(0o755)
        if target.exists():
            target.rmdir()
        folder.rename(target)
    return packed


def seal(text: str, file: Path) -> str:
    """The text of task.toml with the agent's network closed; every other byte stays.

    Raises:
        TaskError: It has a mode of its own, or is written in an unusual way.
    """
    config = tomllib.loads(text)
    told = config.get("agent", {}).get("network_mode")
    if told == SEALED_MODE:
        return text
    if told not in (None, "public"):
        raise TaskError(file, "agent.network_mode", told, "is a mode of the task's own", "Take the line out.")
    line = f'network_mode = "{SEALED_MODE}"\n'
    table = _AGENT.search(text)
    if table is None:
        written = f"{text.rstrip()}\n\n[agent]\n{line}"
    else:
        following = _ANY_TABLE.search(text, table.end())
        end = following.start() if following else len(text)
        written = f"{text[: table.end()]}\n{line}{_MODE.sub('', text[table.end() + 1 : end])}{text[end:]}"
    try:
        right = tomllib.loads(written) == config | {"agent": config.get("agent", {}) | {"network_mode": SEALED_MODE}}
    except tomllib.TOMLDecodeError:
        right = False
    if not right:
        raise TaskError(file, "agent", None, "is written in an unusual way", f"Write {line.strip()} in [agent].")
    return written


def _sound(path: Path) -> TaskBundle:
    """The task, if it can be run as it is; whether it is a good one is for ``check`` to say."""
    bundle = load_task(path)
    verdicts = [
        lint(bundle.path),
        helpers(bundle.path),
        collect(bundle),
        settings(bundle.config, bundle.metadata, bundle.path / "environment" / "Dockerfile"),
    ]
    for verdict in verdicts:
        if not verdict.passed:
            remedy = f"Run: swe-together check --static {path}"
            raise TaskError(path, "", None, f"fails the check ({verdict.item}): {verdict.detail}", remedy)
    return bundle


def _go_together(bundles: Sequence[TaskBundle]) -> None:
    if not bundles:
        raise MisuseError("no task is named.", "Give task directories.")
    ids = [bundle.id for bundle in bundles]
    twice = sorted({one for one in ids if ids.count(one) > 1})
    if twice:
        raise MisuseError(f"two tasks are called {twice[0]}.", "Give each task once.")
    organisations = sorted({bundle.name.partition("/")[0] for bundle in bundles})
    if len(organisations) > 1:
        raise MisuseError(
            f"the tasks belong to several organisations: {', '.join(organisations)}.", "Pack them one by one."
        )


def _pack_task(bundle: TaskBundle, target: Path, *, sealed: bool) -> Packed:
    for name, source in _contents(bundle.path):
        place = target / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, place)
        place.chmod(0o755 if source.stat().st_mode & 0o100 else 0o644)
    for folder, _, _ in os.walk(target):
        Path(folder).chmod(0o755)
    digest = task_digest(target)
    if digest != bundle.digest:
        raise TaskError(bundle.path, "", None, "changed while it was packed", "Pack it again.")
    if sealed:
        file = target / "task.toml"
        file.write_text(seal(file.read_text(encoding="utf-8"), bundle.path / "task.toml"), encoding="utf-8")
        digest = task_digest(target)
    return Packed(bundle.name, bundle.id, digest, _content(target, bundle.path))


def _contents(task: Path) -> Iterator[tuple[str, Path]]:
    """Every file with its packed name. What Harbor would silently leave behind is an error."""
    for entry in sorted(task.iterdir()):
        if entry.name in _LEFT_OUT:
            continue
        if entry.is_symlink() or entry.name not in (_FOLDERS if entry.is_dir() else _ROOT_FILES):
            raise TaskError(entry, "", None, "has no place in a package", "Move it out of the task.")
        if entry.is_file():
            yield f"solution/{entry.name}" if entry.name in PRIVATE_FILES else entry.name, entry
            continue
        for folder, folders, names in os.walk(entry):
            folders[:] = sorted(name for name in folders if name not in _LEFT_OUT)
            for name in sorted(names):
                file = Path(folder) / name
                if name in _LEFT_OUT or name.endswith(".pyc"):
                    continue
                if not file.is_file() or file.is_symlink():
                    raise TaskError(file, "", None, "is no plain file", "Put a file in its place.")
                yield file.relative_to(task).as_posix(), file


def _content(target: Path, source: Path) -> str:
    """Harbor's digest of the packed task, over all that is in it."""
    from harbor.publisher.packager import Packager

    digest, files = Packager.compute_content_hash(target)
    there = {path.resolve() for path in target.rglob("*") if path.is_file()}
    left = sorted(there - set(files))
    if left:
        name = left[0].relative_to(target.resolve())
        raise TaskError(source / name, "", None, "would be left out of Harbor's package", "Give it another name.")
    return str(digest)


def _manifest(packed: Sequence[Packed], dataset: str, version: str | None, *, sealed: bool) -> str:
    name = f"{packed[0].name.partition('/')[0]}/{dataset}"
    lines = ['schema_version = "1.0"', "", "[dataset]", f"name = {json.dumps(name)}"]
    lines += [f"version = {json.dumps(version)}"] if version is not None else []
    lines += [f"description = {json.dumps(_description(packed, sealed=sealed))}"]
    for task in packed:
        lines += ["", "[[tasks]]", f"name = {json.dumps(task.name)}", f'digest = "sha256:{task.content}"']
    return "\n".join(lines) + "\n"


def _registry(packed: Sequence[Packed], dataset: str, version: str, *, sealed: bool) -> str:
    entry = {
        "name": dataset,
        "version": version,
        "description": _description(packed, sealed=sealed),
        "tasks": [{"name": task.folder, "path": task.folder} for task in packed],
    }
    return json.dumps([entry], indent=1) + "\n"


def _description(packed: Sequence[Packed], *, sealed: bool) -> str:
    closed = ", the agent's network closed but for its model" if sealed else ""
    return f"Whole user sessions for coding agents: {len(packed)} task{'' if len(packed) == 1 else 's'}{closed}."


def _id(bundle: TaskBundle) -> Any:
    return bundle.id
