"""Where opencode keeps sessions: the SQLite database, and the tree of JSON files that came before it."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from swe_together.errors import SessionFileError
from swe_together.pipeline.sessions._source import Source, parse_line

MAGIC: Final = b"SQLite format 3\0"

Messages = Iterator[tuple[int, Any]]
"""Messages with their index in the session, as ``{"info": …, "parts": […]}``."""


def from_database(source: Source) -> Iterator[tuple[dict[str, Any], Messages]]:
    """The sessions of a database, each with its messages, which must be read before the next session is.

    Raises:
        SessionFileError: The database can't be read, or has other tables.
    """
    with contextlib.closing(_connect(source)) as database:
        try:
            columns = [row[1] for row in database.execute("PRAGMA table_info(session)")]
            wanted = [name for name in _SESSION if name in columns]
            if "id" not in wanted or not _has_tables(database):
                raise SessionFileError(
                    f"{source.path}: an SQLite database without opencode's tables.", "Give opencode.db."
                )
            for row in database.execute(f"SELECT {', '.join(wanted)} FROM session ORDER BY time_created, id"):
                info = {_SESSION[name]: value for name, value in zip(wanted, row, strict=True)}
                info["revert"] = _parsed(info.get("revert"))
                yield info, _messages(source, database, info["id"])
        except sqlite3.Error as error:
            raise _damaged(source, error) from error


def from_tree(source: Source, info: dict[str, Any]) -> Messages:
    """The messages of a session file, from the folders beside its own.

    Raises:
        SessionFileError: The session was not read from a folder, or none with its messages stands there.
    """
    session = str(info["id"])
    # storage/session/PROJECT/SESSION.json, or in the first versions storage/session/info/SESSION.json.
    for base, nested in ((source.path.parent.parent.parent, False), (source.path.parent.parent, True)):
        folder = base / "message" / session
        if source.opener is None and folder.is_dir():
            parts = base / "part" / session if nested else base / "part"
            for number, (name, message) in enumerate(_files(source, folder), 1):
                found = [part for _, part in _files(source, parts / name, number)]
                yield number, {"info": message, "parts": found}
            return
    raise SessionFileError(
        f"{source.path}: a session whose messages are missing: no folder message/{session} stands in its storage.",
        "Give the file where opencode put it, with the folders message and part.",
    )


_SESSION: Final = {
    "id": "id",
    "parent_id": "parentID",
    "directory": "directory",
    "title": "title",
    "version": "version",
    "revert": "revert",
    "time_created": "time",
}


def _connect(source: Source) -> sqlite3.Connection:
    try:
        if source.opener is None:
            # Immutable would leave out what a running opencode has not yet moved into the file.
            database = sqlite3.connect(f"{source.path.absolute().as_uri()}?mode=ro", uri=True)
            try:
                database.execute("SELECT 1 FROM sqlite_master")
            except sqlite3.OperationalError:
                # A folder that can't be written: the files beside the database can't be made.
                database.close()
                database = sqlite3.connect(f"{source.path.absolute().as_uri()}?immutable=1", uri=True)
        else:
            with source.open() as file:
                data = bytearray(file.read())
            # A database in memory has no log beside it.
            data[18:20] = b"\1\1"
            database = sqlite3.connect(":memory:")
            database.deserialize(bytes(data))
    except sqlite3.Error as error:
        raise SessionFileError(f"{source.path}: can't be opened: {error}.", "Check it with sqlite3.") from error
    database.text_factory = lambda data: data.decode("utf-8", "replace")
    return database


def _damaged(source: Source, error: sqlite3.Error) -> SessionFileError:
    return SessionFileError(f"{source.path}: a damaged database: {error}.", "Check it with sqlite3.")


def _has_tables(database: sqlite3.Connection) -> bool:
    names = {row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return {"session", "message", "part"} <= names


def _messages(source: Source, database: sqlite3.Connection, session: str) -> Messages:
    query = "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id"
    try:
        for number, (key, data) in enumerate(database.execute(query, (session,)), 1):
            info = _row(source, number, key, data)
            if info is not None:
                stored = database.execute("SELECT id, data FROM part WHERE message_id = ? ORDER BY id", (key,))
                parts = (_row(source, number, part_key, part_data) for part_key, part_data in stored)
                yield number, {"info": info, "parts": [part for part in parts if part is not None]}
    except sqlite3.Error as error:
        raise _damaged(source, error) from error


def _row(source: Source, number: int, key: str, data: object) -> dict[str, Any] | None:
    value = _parsed(data)
    if isinstance(value, dict):
        return {"id": key, **value}
    source.problem(number, f"{key}: no JSON object in its row")
    return None


def _parsed(data: object) -> Any:
    return parse_line(data.encode() if isinstance(data, str) else data) if isinstance(data, str | bytes) else None


def _files(source: Source, folder: Path, number: int | None = None) -> Iterator[tuple[str, dict[str, Any]]]:
    """The JSON objects of a folder with their names, in the order of the names, which is that of time."""
    for place, path in enumerate(sorted(folder.glob("*.json")), 1):
        try:
            value = _parsed(path.read_bytes())
        except OSError:
            value = None
        if isinstance(value, dict):
            yield path.stem, value
        else:
            source.problem(number or place, f"{path.name}: no JSON object in it")
