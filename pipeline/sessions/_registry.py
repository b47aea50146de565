"""Which format a file is of, and its sessions."""

import importlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol, cast

from swe_together.errors import SessionFileError
from swe_together.pipeline.sessions._model import Format, Session
from swe_together.pipeline.sessions._places import Place
from swe_together.pipeline.sessions._source import Head, Source, shape_told

FORMATS: Final = (
    "store",
    "entire",
    "claude_code",
    "codex",
    "pi",
    "opencode",
    "gemini",
    "atif",
    "dataclaw",
    "release",
)
"""Modules of ``formats``, in the order in which they are asked: the first that says yes reads the file."""

_DAMAGE: Final = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError, sqlite3.Error)


class FormatModule(Protocol):
    """What a module of ``formats`` has."""

    NAME: Format

    def sniff(self, head: Head) -> bool:
        """Whether the file is of this format."""
        ...

    def read(self, source: Source) -> Iterator[Session]:
        """The file's sessions."""
        ...


def format_modules() -> Iterator[FormatModule]:
    """The modules, in order, imported when they are reached."""
    for name in FORMATS:
        yield cast(FormatModule, importlib.import_module(f"swe_together.pipeline.sessions.formats.{name}"))


def sniff_format(source: Source | Path) -> FormatModule:
    """The module that reads the file.

    Raises:
        SessionFileError: The file can't be read, or no format is known that begins like it.
    """
    source = source if isinstance(source, Source) else Source(source)
    head = source.head()
    for module in format_modules():
        if module.sniff(head):
            return module
    raise SessionFileError(
        f"{source.path}: of no known format of recorded sessions.",
        f"Known are {', '.join(module.NAME for module in format_modules())}.",
    )


def read_sessions(source: Source | Place | Path) -> Iterator[Session]:
    """The sessions of a file, one by one.

    Raises:
        SessionFileError: The file can't be read, is of no known format, or is damaged as a whole.
    """
    if isinstance(source, Place):
        source = source.source()
    source = source if isinstance(source, Source) else Source(source)
    yield from read_as(sniff_format(source), source)


def read_as(module: FormatModule, source: Source) -> Iterator[Session]:
    """The sessions of a file of this module's format.

    Raises:
        SessionFileError: The file can't be read, or is damaged as a whole.
    """
    try:
        yield from module.read(source)
    except _DAMAGE as error:
        # Records are looked at one by one; what comes out of that is a shape that no record may have.
        raise SessionFileError(
            f"{source.path}: damaged, as {module.NAME}: {shape_told(error)}.",
            "Give the file as it was recorded.",
        ) from error
