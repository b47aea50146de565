"""Where recorded sessions are read from: a file, or one inside a git repository's tree."""

import io
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Final

import orjson

from swe_together.errors import SessionFileError
from swe_together.pipeline.sessions._model import Problem

HEAD_BYTES: Final = 65_536
HEAD_RECORDS: Final = 10
DOCUMENT_BYTES: Final = 512_000_000
"""A file that is one JSON document has to be held in memory: a larger one is refused."""
_BUFFER: Final = 1 << 20
BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """What a store of checkpoints tells of a session beside its log."""

    session_id: str
    agent: str | None = None
    branch: str | None = None
    agent_share: float | None = None
    """Of a linked commit's lines, 0 to 1, where it is largest."""
    commits: tuple[str, ...] = ()
    """Linked by a trailer, oldest first."""
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class Head:
    """What a file begins with: enough to tell its format."""

    path: Path
    first: bytes
    """At most ``HEAD_BYTES``."""
    records: tuple[Mapping[str, Any], ...]
    """The first records that are JSON objects: of lines, of one list, or the one document. Broken ones are left out."""
    checkpoint: Checkpoint | None = None
    """Where the file was found in a store of checkpoints."""


@dataclass(slots=True)
class Source:
    """One file, read lazily and as often as needed. What can't be read in it gathers in ``problems``."""

    path: Path
    """Of the file, or of the repository that ``opener`` reads from."""
    name: str = ""
    """What a session's origin calls it: without the folder."""
    opener: Callable[[], BinaryIO] | None = None
    checkpoint: Checkpoint | None = None
    problems: list[Problem] = field(default_factory=list)
    _document: Any = None

    def __post_init__(self) -> None:
        self.name = self.name or self.path.name

    def open(self) -> BinaryIO:
        """The bytes.

        Raises:
            SessionFileError: The file can't be opened.
        """
        try:
            return self.opener() if self.opener else self.path.open("rb", _BUFFER)
        except OSError as error:
            raise unreadable(self.path, error) from error

    def problem(self, record: int, reason: str) -> None:
        """Report a record that is skipped."""
        self.problems.append(Problem(record=record, reason=reason))

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Lines with their numbers, 1-based; blank ones are left out.

        Raises:
            SessionFileError: The file can't be read.
        """
        with self.open() as file:
            try:
                for number, line in enumerate(file, 1):
                    if number == 1 and line.startswith(BOM):
                        line = line[len(BOM) :]
                    if not line.isspace():
                        yield number, line
            except OSError as error:
                raise unreadable(self.path, error) from error

    def salvage(self, number: int, line: bytes) -> list[dict[str, Any]]:
        """The JSON objects of a line that orjson refuses; reported unless nothing of it is lost.

        Half an emoji, as JavaScript writes it, is JSON that only a strict parser refuses: it becomes U+FFFD. A line on
        which a second record was written without a line break holds both.
        """
        found, wrong = _tolerant(line)
        if wrong:
            self.problem(number, wrong)
        elif len(found) > 1:
            self.problem(number, f"{len(found)} records on one line; all were read")
        return found

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The JSON objects of a file that has one a line, with their numbers. Broken lines are reported and skipped."""
        for number, line in self.lines():
            try:
                value = orjson.loads(line)
            except orjson.JSONDecodeError:
                for value in self.salvage(number, line):
                    yield number, value
                continue
            if isinstance(value, dict):
                yield number, value
            else:
                self.problem(number, f"a JSON {type(value).__name__} where an object belongs")

    def objects(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The JSON objects of a file that has one a line, or is one, or is one list of them; numbered from 1.

        Raises:
            SessionFileError: The file can't be read, or is neither.
        """
        first = b"" if self._document is not None else next((line for _, line in self.lines()), b"")
        if isinstance(parse_line(first), dict):
            yield from self.records()
            return
        document = self.document()
        for number, value in enumerate(document if isinstance(document, list) else [document], 1):
            if isinstance(value, dict):
                yield number, value
            else:
                self.problem(number, f"a JSON {type(value).__name__} where an object belongs")

    def document(self) -> Any:
        """The JSON document that the whole file is; parsed once.

        Raises:
            SessionFileError: It isn't one, or is larger than ``DOCUMENT_BYTES``.
        """
        if self._document is None:
            with self.open() as file:
                try:
                    data = file.read(DOCUMENT_BYTES + 1)
                except OSError as error:
                    raise unreadable(self.path, error) from error
            if len(data) > DOCUMENT_BYTES:
                raise SessionFileError(
                    f"{self.path}: one JSON document of more than {DOCUMENT_BYTES:,} bytes.", "Split it by session."
                )
            try:
                self._document = orjson.loads(data.removeprefix(BOM))
            except orjson.JSONDecodeError as error:
                found, wrong = _tolerant(data.removeprefix(BOM))
                if wrong or len(found) != 1:
                    raise SessionFileError(
                        f"{self.path}: not JSON: {error}.", "Give the file as it was recorded."
                    ) from error
                self._document = found[0]
        return self._document

    def head(self) -> Head:
        """The file's beginning.

        Raises:
            SessionFileError: The file can't be read.
        """
        with self.open() as file:
            first = file.read(HEAD_BYTES)
        return Head(self.path, first, self._first_records(first), self.checkpoint)

    def _first_records(self, first: bytes) -> tuple[Mapping[str, Any], ...]:
        first = first.removeprefix(BOM)
        # A log whose beginning is cut off or was never written is still one.
        if b"{" not in first or first.startswith(b"SQLite format 3"):
            return ()
        whole = len(first) < HEAD_BYTES - len(BOM)
        parts = first.split(b"\n", HEAD_RECORDS)
        # What stands after the last line break may go on after the head, or is more than was asked for.
        lines = [line for line in (parts if whole else parts[:-1]) if line and not line.isspace()][:HEAD_RECORDS]
        if not lines:
            lines = [line for _, line in islice(self.lines(), HEAD_RECORDS)]
            whole = len(lines) == 1
        values = [parse_line(line) for line in lines]
        if values and values[0] is None:
            # An indented document, or records of which the first is broken.
            try:
                document = self.document()
            except SessionFileError:
                pass
            else:
                values, whole = [document], True
        if whole and len(values) == 1:
            self._document = values[0]
            values = values[0][:HEAD_RECORDS] if isinstance(values[0], list) else values
        return tuple(value for value in values if isinstance(value, dict))


def of_bytes(path: Path, name: str, data: bytes) -> Source:
    """A source that holds its bytes already."""
    return Source(path, name, lambda: io.BytesIO(data))


def unreadable(path: Path, error: OSError) -> SessionFileError:
    """The error of a file that the system doesn't give."""
    return SessionFileError(f"{path}: can't be read: {error.strerror or error}.", "Check that it exists and is yours.")


def shape_told(error: Exception) -> str:
    """What is wrong with a record's shape. Messages that quote the value stay out: a problem holds no word of it."""
    name = type(error).__name__
    return name if isinstance(error, ValueError | KeyError) else f"{name}: {error}"


def _without_halves(value: Any) -> Any:
    """The value with U+FFFD for each half of a surrogate pair, which no UTF-8 can hold."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, list):
        return [_without_halves(item) for item in value]
    if isinstance(value, dict):
        return {_without_halves(key): _without_halves(item) for key, item in value.items()}
    return value


def _tolerant(line: bytes) -> tuple[list[dict[str, Any]], str]:
    """The line's objects up to where it can't be read, and what is wrong there."""
    text = line.decode("utf-8", "replace").strip()
    decoder = json.JSONDecoder(strict=False)
    found: list[dict[str, Any]] = []
    position = 0
    while position < len(text):
        try:
            value, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            return found, f"not JSON: {error}"
        if not isinstance(value, dict):
            return found, f"a JSON {type(value).__name__} where an object belongs"
        found.append(_without_halves(value))
    return found, ""


def parse_line(line: bytes) -> Any:
    """The line's first JSON value; None where it has none."""
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        found, _ = _tolerant(line)
        return found[0] if found else None
