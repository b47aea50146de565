"""Candidates as they are written: one JSON object a line, with the facts and no word of the session."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson

from swe_together.errors import MisuseError, SessionFileError
from swe_together.pipeline.collect._facts import Facts, facts_from
from swe_together.pipeline.collect._rules import Reason
from swe_together.pipeline.sessions import Place, Session, read_sessions
from swe_together.pipeline.sessions._source import Checkpoint

VERSION: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One session of a file, and what the rules say."""

    place: Place
    number: int
    """Which of the file's sessions it is, from 0."""
    facts: Facts
    reasons: tuple[Reason, ...] = ()

    def session(self) -> Session:
        """The session itself, read again.

        Raises:
            SessionFileError: The file isn't there any more, or has changed so that it no longer holds the session.
        """
        for number, session in enumerate(read_sessions(self.place)):
            if number == self.number and session.origin.session_id == self.facts.session_id:
                return session
        raise SessionFileError(
            f"{self.place.key}: holds no session {self.facts.session_id!r} any more.",
            "Run `swe-together collect` again.",
        )


def candidate_line(candidate: Candidate) -> bytes:
    """The line that is written, with its line break."""
    record = {
        "version": VERSION,
        "place": candidate.place,
        "number": candidate.number,
        "facts": candidate.facts,
        "reasons": candidate.reasons,
    }
    return orjson.dumps(record, default=str, option=orjson.OPT_APPEND_NEWLINE)


def read_candidates(path: Path) -> Iterator[Candidate]:
    """The candidates of a file that ``swe-together collect`` wrote.

    Raises:
        MisuseError: The file can't be read, or a line is none of its lines.
    """
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    yield _candidate(orjson.loads(line))
                except (orjson.JSONDecodeError, KeyError, TypeError) as error:
                    raise MisuseError(
                        f"{path}: line {number} is no candidate: {error}.", "Run `swe-together collect` again."
                    ) from error
    except OSError as error:
        raise MisuseError(f"{path}: can't be read: {error.strerror}.", "Run `swe-together collect` first.") from error


def _candidate(record: Mapping[str, Any]) -> Candidate:
    if record["version"] != VERSION:
        raise TypeError(f"version {record['version']!r}, this program reads {VERSION}")
    return Candidate(
        place=place_from(record["place"]),
        number=record["number"],
        facts=facts_from(record["facts"]),
        reasons=tuple(Reason(**reason) for reason in record["reasons"]),
    )


def place_from(record: Mapping[str, Any]) -> Place:
    """A place as it was written."""
    checkpoint = record["checkpoint"]
    return Place(
        **{
            **record,
            "path": Path(record["path"]),
            "blobs": tuple(record["blobs"]),
            "parts": tuple(map(Path, record["parts"])),
            "checkpoint": Checkpoint(**{**checkpoint, "commits": tuple(checkpoint["commits"])}) if checkpoint else None,
        }
    )
