"""Whole files: transcripts of any format, written anew or not at all."""

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

from swe_together.errors import MisuseError
from swe_together.pipeline.privacy import _database as database
from swe_together.pipeline.privacy._bodies import is_picture
from swe_together.pipeline.privacy._model import PrivacyError, Problem, Report
from swe_together.pipeline.privacy._redactor import Redactor

LARGEST_LINE: Final = 256 << 20
"""Bytes of one record; a longer one is refused."""
_LINES: Final = re.compile(r"\.(?:jsonl|ndjson)(?:\.\d+)?$")
_SQLITE: Final = b"SQLite format 3\0"
_ARCHIVES: Final = (b"\x1f\x8b", b"PK\x03\x04", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf")


def learn_file(source: Path, redactor: Redactor) -> None:
    """Remember what is secret or personal in a file, without writing anything.

    Give all files of a dataset to this first, and a name that one of them gives away is replaced in the others too.

    Raises:
        PrivacyError: As ``redact_file``.
        MisuseError: As ``redact_file``.
    """
    _dispatch(source, None, redactor)


def redact_file(source: Path, target: Path, redactor: Redactor) -> Report:
    """Write a redacted copy of a file: JSON Lines record by record, JSON, an opencode database, or plain text.

    A line of JSON Lines that is no JSON is left out and reported. The copy appears at ``target`` whole, after it was
    looked through once more for every secret that was learnt; otherwise nothing appears.

    Raises:
        PrivacyError: Something couldn't be looked through: an archive, a picture, bytes that are no text.
        MisuseError: The file can't be read or the target not be written.
    """
    _dispatch(source, None, redactor)
    return _dispatch(source, target, redactor)


def _dispatch(source: Path, target: Path | None, redactor: Redactor) -> Report:
    """Learn from the file (no target) or write what was learnt before."""
    try:
        with source.open("rb") as file:
            head = file.read(64)
            if head.startswith(_SQLITE):
                return database.copy(source, target, redactor) if target else database.learn(source, redactor)
            if head.startswith(_ARCHIVES) or is_picture(head):
                raise PrivacyError(f"{source.name}: an archive or a picture can't be looked through.", "Unpack it.")
            whole = _whole_json(file)
            if whole is None and _is_lines(file, source.name):
                return _redact_lines(file, source.name, target, redactor)
            return _redact_whole(file, whole, source.name, target, redactor)
    except OSError as error:
        raise MisuseError(f"{error.filename or source}: {error.strerror}.", "Check the paths.") from None


def _whole_json(file: BinaryIO) -> tuple[Any] | None:
    """The file as one JSON value, in a tuple; None where it is none. A value that one line holds counts as lines."""
    file.seek(0)
    first = file.readline(LARGEST_LINE + 1)
    if _parsed(first) is not None:
        return None
    file.seek(0)
    if file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"["):
        return None
    file.seek(0)
    return _parsed(file.read())


def _is_lines(file: BinaryIO, name: str) -> bool:
    """Whether a file is JSON Lines: by its name, or because its first line that is not empty is a record."""
    if _LINES.search(name):
        return True
    file.seek(0)
    while line := file.readline(LARGEST_LINE + 1):
        if line.strip():
            value = _parsed(line)
            return value is not None and isinstance(value[0], dict | list)
    return False


def _parsed(line: bytes) -> tuple[Any] | None:
    """The JSON value in some bytes, in a tuple; None where there is none."""
    import orjson

    try:
        return (orjson.loads(line.removeprefix(b"\xef\xbb\xbf")),)
    except orjson.JSONDecodeError:
        pass
    try:
        # Lone surrogates and NaN are no JSON to orjson, and are in recorded sessions.
        return (json.loads(line.decode("utf-8-sig")),)
    except (ValueError, RecursionError):
        return None


def _redact_lines(file: BinaryIO, name: str, target: Path | None, redactor: Redactor) -> Report:
    report = Report()
    if target is None:
        for _, value in _records(file, name):
            if value is not None:
                redactor.learn(value[0])
        return report
    with _Writing(target, redactor) as out:
        for number, value in _records(file, name):
            if value is None:
                report.problems.append(Problem(f"line {number}", "not JSON, so it was left out"))
                continue
            clean = redactor.apply(value[0], f"line {number} ")
            report.extend(clean.report)
            out.write(_dumped(clean.value) + b"\n")
    return report


def _records(file: BinaryIO, name: str) -> Iterator[tuple[int, tuple[Any] | None]]:
    file.seek(0)
    number = 0
    while line := file.readline(LARGEST_LINE + 1):
        number += 1
        if len(line) > LARGEST_LINE:
            raise PrivacyError(f"{name}: line {number} is longer than {LARGEST_LINE} bytes.", "Leave it out.")
        if line.strip():
            yield number, _parsed(line)


def _redact_whole(
    file: BinaryIO, value: tuple[Any] | None, name: str, target: Path | None, redactor: Redactor
) -> Report:
    if value is None:
        file.seek(0)
        try:
            value = (file.read().decode("utf-8"),)
        except UnicodeDecodeError:
            raise PrivacyError(f"{name}: neither JSON nor UTF-8 text.", "Leave the file out.") from None
        data: Callable[[Any], bytes] = _encoded
    else:
        data = _dumped_whole
    if target is None:
        redactor.learn(value[0])
        return Report()
    clean = redactor.apply(value[0])
    with _Writing(target, redactor) as out:
        out.write(data(clean.value))
    return clean.report


def _encoded(text: str) -> bytes:
    return text.encode("utf-8")


def _dumped_whole(value: Any) -> bytes:
    return _dumped(value, indent=True) + b"\n"


def _dumped(value: Any, *, indent: bool = False) -> bytes:
    import orjson

    try:
        return orjson.dumps(value, option=orjson.OPT_INDENT_2 if indent else 0)
    except (orjson.JSONEncodeError, TypeError):
        return json.dumps(value, indent=2 if indent else None).encode("ascii")


class _Writing:
    """A file that is renamed into place only if all went well and no known secret stands in it."""

    def __init__(self, target: Path, redactor: Redactor) -> None:
        self._target = target
        self._redactor = redactor

    def __enter__(self) -> "BinaryIO":
        self._target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{self._target.name}.", dir=self._target.parent)
        self._path = Path(name)
        self._file = os.fdopen(handle, "w+b")
        return self._file

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        try:
            if kind is None:
                self._check()
                self._file.flush()
                os.fsync(self._file.fileno())
                self._file.close()
                self._path.replace(self._target)
        finally:
            self._file.close()
            self._path.unlink(missing_ok=True)

    def _check(self) -> None:
        self._file.seek(0)
        for number, line in enumerate(self._file, start=1):
            if self._redactor.holds_known_secret(line):
                raise PrivacyError(f"{self._target.name}: line {number} still holds a secret.", "Report it.")
