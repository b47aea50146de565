"""The folder that a Gemini CLI chat was held in. The chat itself has no more than a hash of it."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, Final

from swe_together.pipeline.sessions._model import Call
from swe_together.pipeline.sessions._source import Source
from swe_together.pipeline.sessions._values import as_list, as_text

_PATH_KEYS: Final = ("file_path", "path", "absolute_path", "dir_path", "directory", "paths", "include", "file_paths")
_ROOT_FILE: Final = ".project_root"


def working_directory(source: Source, meta: Mapping[str, Any], calls: Iterable[Call]) -> str | None:
    """The folder whose hash the chat has, among those above the paths that its calls name.

    Later versions write the folder into a file of their own, two folders above the chat.
    """
    wanted = as_text(meta.get("projectHash"))
    tried: set[str] = set()
    for path in _named(meta, calls):
        for folder in _above(path):
            if folder in tried:
                break
            tried.add(folder)
            if hashlib.sha256(folder.encode("utf-8", "replace")).hexdigest() == wanted:
                return folder
    return _written(source) if source.opener is None else None


def _named(meta: Mapping[str, Any], calls: Iterable[Call]) -> Iterator[str]:
    yield from (path for path in as_list(meta.get("directories")) if isinstance(path, str))
    for call in calls:
        for key in _PATH_KEYS:
            value = call.input.get(key)
            yield from (
                path for path in ([value] if isinstance(value, str) else as_list(value)) if isinstance(path, str)
            )


def _above(path: str) -> Iterator[str]:
    kind: type[PurePosixPath] | type[PureWindowsPath] = PurePosixPath if path.startswith("/") else PureWindowsPath
    pure = kind(path)
    if pure.is_absolute():
        yield str(pure)
        yield from (str(folder) for folder in pure.parents)


def _written(source: Source) -> str | None:
    for folder in list(Path(source.path).absolute().parents)[1:3]:
        try:
            return (folder / _ROOT_FILE).read_text("utf-8").strip() or None
        except (OSError, UnicodeDecodeError):
            continue
    return None
