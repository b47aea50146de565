"""What was read so far, kept beside the result so that a killed run goes on where it was.

One line a file, appended when the file is done; a file counts as known while its path, size and stamp are the same. A
last line that was cut off by a kill is passed over. Rules are no part of it: with other rules nothing is read again.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self

import orjson

from swe_together.errors import MisuseError
from swe_together.pipeline.collect._candidates import Candidate, place_from
from swe_together.pipeline.collect._facts import facts_from
from swe_together.pipeline.collect._read import FileResult
from swe_together.pipeline.sessions import Place

VERSION: Final = 1
"""Changes with the facts, or with what an importer makes of a file."""


class Journal:
    """An open journal. One process at a time may have it.

    Raises:
        MisuseError: Another process has it, or it can't be written.
    """

    def __init__(self, path: Path, fresh: bool = False) -> None:
        self._path = path
        self._lines: dict[str, tuple[str, int]] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: BinaryIO = path.open("a+b")
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise MisuseError(f"{path}: another collect is writing it.", "Wait for it, or name another -o.") from error
        except OSError as error:
            raise MisuseError(f"{path}: can't be written: {error.strerror}.", "Name another -o.") from error
        if fresh:
            os.ftruncate(self._file.fileno(), 0)
        self._index()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    @property
    def descriptor(self) -> int:
        """Of the open file, which holds the lock."""
        return self._file.fileno()

    def knows(self, place: Place) -> bool:
        """Whether the file was read, as it is now."""
        known = self._lines.get(place.key)
        return known is not None and known[0] == _state(place)

    def add(self, result: FileResult) -> None:
        """Keep what a file held."""
        line = orjson.dumps(
            {
                "version": VERSION,
                "place": result.place,
                "format": result.format,
                "error": result.error,
                "sessions": result.sessions,
            },
            default=str,
            option=orjson.OPT_APPEND_NEWLINE,
        )
        start = self._file.seek(0, os.SEEK_END)
        self._file.write(line)
        self._file.flush()
        self._lines[result.place.key] = (_state(result.place), start)

    def results(self, places: Iterable[Place]) -> Iterator[FileResult]:
        """What the files held, in the given order; those that aren't known are left out."""
        for place in places:
            known = self._lines.get(place.key)
            if known is None or known[0] != _state(place):
                continue
            self._file.seek(known[1])
            record = orjson.loads(self._file.readline())
            yield FileResult(
                place=place,
                format=record["format"],
                error=record["error"],
                sessions=tuple(facts_from(facts) for facts in record["sessions"]),
            )

    def _index(self) -> None:
        self._file.seek(0)
        start = end = 0
        for line in self._file:
            start, end = end, end + len(line)
            if not line.endswith(b"\n"):
                # Cut off by a kill: what is appended would stick to it.
                os.ftruncate(self._file.fileno(), start)
                break
            try:
                record = orjson.loads(line)
                if record["version"] == VERSION:
                    place = place_from(record["place"])
                    self._lines[place.key] = (_state(place), start)
            except (orjson.JSONDecodeError, KeyError, TypeError):
                continue


def candidates(result: FileResult) -> Iterator[Candidate]:
    """The file's sessions, not judged yet."""
    for number, facts in enumerate(result.sessions):
        yield Candidate(place=result.place, number=number, facts=facts)


def _state(place: Place) -> str:
    return f"{place.size}:{place.stamp}"
