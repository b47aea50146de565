"""Databases of opencode: every text in every row redacted, into a new file that no old page is copied to."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from swe_together.errors import MisuseError
from swe_together.pipeline.privacy._model import PrivacyError, Report
from swe_together.pipeline.privacy._redactor import Redactor

_BATCH: Final = 200


def learn(source: Path, redactor: Redactor) -> Report:
    """Remember what is secret or personal in a database. The report is empty."""
    with _opened(source) as old:
        for table in _tables(_schema(old, source.name, redactor)):
            for _, _, row in _rows(old, table):
                for cell in row:
                    redactor.learn(_value(cell, f"{source.name}: table {table}"))
    return Report()


def copy(source: Path, target: Path, redactor: Redactor) -> Report:
    """Write a redacted copy of a SQLite database, with its tables, rows and indexes.

    Raises:
        PrivacyError: It has virtual tables, a text in its schema or column names that must go, or a value that is
            no text.
        MisuseError: It can't be read.
    """
    report = Report()
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.part")
    temporary.unlink(missing_ok=True)
    try:
        with _opened(source) as old, closing(sqlite3.connect(temporary)) as new:
            schema = _schema(old, source.name, redactor)
            tables = _tables(schema)
            for _, name, sql in schema:
                if name in tables:
                    new.execute(sql)
            for table in tables:
                _copy(old, new, table, redactor, report)
            for _, name, sql in schema:
                if name not in tables and not name.startswith("sqlite_"):
                    new.execute(sql)
            new.commit()
        if redactor.holds_known_secret(temporary.read_bytes()):
            raise PrivacyError(f"{target.name}: the copy still holds a secret.", "Report it.")
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    return report


@contextmanager
def _opened(source: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as database:
            yield database
    except sqlite3.Error as error:
        raise MisuseError(f"{source}: not readable as a database: {error}.", "Close what writes it.") from None


def _schema(database: sqlite3.Connection, name: str, redactor: Redactor) -> list[tuple[str, str, str]]:
    """Type, name and SQL of everything in the database."""
    schema = database.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    _refuse(schema, name, redactor)
    return schema


def _tables(schema: list[tuple[str, str, str]]) -> list[str]:
    return [name for kind, name, _ in schema if kind == "table" and not name.startswith("sqlite_")]


def _refuse(schema: list[tuple[str, str, str]], name: str, redactor: Redactor) -> None:
    for _, item, sql in schema:
        if "VIRTUAL TABLE" in sql.upper():
            raise PrivacyError(f"{name}: table {item} is virtual: its index can't be looked through.", "Export it.")
        if redactor.text(sql).report.findings:
            raise PrivacyError(f"{name}: the schema itself holds something to redact.", "Export the sessions instead.")


def _rows(database: sqlite3.Connection, table: str) -> Iterator[tuple[int, list[str], tuple[Any, ...]]]:
    cursor = database.execute(f'SELECT * FROM "{table.replace(chr(34), chr(34) * 2)}"')
    columns = [column[0] for column in cursor.description]
    number = 0
    while batch := cursor.fetchmany(_BATCH):
        for row in batch:
            number += 1
            yield number, columns, row


def _value(cell: Any, place: str) -> Any:
    """A cell as text, number or None."""
    if not isinstance(cell, bytes):
        return cell
    try:
        return cell.decode("utf-8")
    except UnicodeDecodeError:
        raise PrivacyError(f"{place}: a value is neither text nor number.", "Export the sessions instead.") from None


def _copy(old: sqlite3.Connection, new: sqlite3.Connection, table: str, redactor: Redactor, report: Report) -> None:
    quoted = table.replace('"', '""')
    for number, columns, row in _rows(old, table):
        cells = []
        for column, cell in zip(columns, row, strict=True):
            clean = redactor.apply(_value(cell, f"table {table}"), f"table {table} row {number} /{column}")
            report.extend(clean.report)
            cells.append(clean.value.encode() if isinstance(cell, bytes) else clean.value)
        new.execute(f'INSERT INTO "{quoted}" VALUES ({", ".join("?" * len(cells))})', cells)
