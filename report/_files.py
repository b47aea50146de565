"""Reading files that somebody else may have written: regular ones of bounded size, through no symbolic link."""

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from swe_together.providers import clean

RECORD_BYTES: Final = 64_000_000
"""No record that is read whole may be larger."""
LABEL_CHARS: Final = 300


class UnreadableError(Exception):
    """A record is there and can't be read; the text says which and why, without its folder."""


def read_bytes(folder: Path, name: str) -> bytes | None:
    """A record's bytes; None where it isn't there.

    Args:
        folder: The trial's or job's folder, trusted as far as its own path goes.
        name: Path of the record in it, with ``/``.

    Raises:
        UnreadableError: It is a link, a folder, a pipe or too large, lies behind a link, or can't be read.
    """
    handle = None
    try:
        inside, _, base = name.rpartition("/")
        where = os.open(folder / inside, os.O_RDONLY | os.O_DIRECTORY | (os.O_NOFOLLOW if inside else 0))
        try:
            # A pipe would block without O_NONBLOCK.
            handle = os.open(base, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=where)
        finally:
            os.close(where)
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise UnreadableError(f"{name} is no regular file")
        if found.st_size > RECORD_BYTES:
            raise UnreadableError(f"{name} has {found.st_size:,d} bytes; {RECORD_BYTES:,d} are allowed")
        with os.fdopen(handle, "rb") as file:
            handle = None
            return file.read(RECORD_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        link = (folder / name).is_symlink() or (folder / name).parent.is_symlink()
        why = "is, or lies behind, a symbolic link" if link else f"can't be read: {error.strerror}"
        raise UnreadableError(f"{name} {why}") from None
    finally:
        if handle is not None:
            os.close(handle)


def read_object(folder: Path, name: str) -> dict[str, Any] | None:
    """A record that is a JSON object; None where it isn't there.

    Raises:
        UnreadableError: It can't be read, or is no JSON object.
    """
    text = read_bytes(folder, name)
    if text is None:
        return None
    try:
        value = from_json(text)
    except ValueError as error:
        raise UnreadableError(f"{name} is no JSON: {str(error)[:120]}") from None
    if not isinstance(value, dict):
        raise UnreadableError(f"{name} is no JSON object")
    return value


def read_record[M: BaseModel](folder: Path, name: str, model: type[M]) -> M | None:
    """A record of ours; None where it isn't there.

    Raises:
        UnreadableError: It can't be read, or isn't what it should be.
    """
    text = read_bytes(folder, name)
    return None if text is None else _checked(name, lambda: model.model_validate_json(text))


def as_record[M: BaseModel](name: str, value: dict[str, Any], model: type[M]) -> M:
    """An object that was read already, as a record of ours.

    Raises:
        UnreadableError: It isn't what it should be.
    """
    return _checked(name, lambda: model.model_validate(value))


def _checked[M: BaseModel](name: str, validate: Callable[[], M]) -> M:
    try:
        return validate()
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UnreadableError(f"{name}: {f'{where}: ' if where else ''}{first['msg']}"[:LABEL_CHARS]) from None


def fingerprint(folder: Path, names: Sequence[str]) -> list[list[int] | None]:
    """Size, time of change in nanoseconds and kind of each record; None where it isn't there."""
    found: list[list[int] | None] = []
    for name in names:
        try:
            status = os.lstat(f"{folder}/{name}")
            found.append([status.st_size, status.st_mtime_ns, stat.S_IFMT(status.st_mode)])
        except OSError:
            found.append(None)
    return found


def folders_in(folder: Path) -> Iterator[tuple[Path, bool]]:
    """Folders below in the order of their names, and for each whether it is a symbolic link to one."""
    with os.scandir(folder) as entries:
        found = sorted((entry.name, entry.is_symlink()) for entry in entries if entry.is_dir())
    for name, link in found:
        yield folder / name, link


def label(value: object) -> str | None:
    """Text of others as one bounded line without control signs; None for what is no text, or empty."""
    if not isinstance(value, str):
        return None
    if value.isprintable() and len(value) <= LABEL_CHARS and "  " not in value and value == value.strip():
        return value or None
    text = " ".join(clean(value[: 4 * LABEL_CHARS]).split())
    return (text if len(text) <= LABEL_CHARS else f"{text[: LABEL_CHARS - 1]}…") or None
