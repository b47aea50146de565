"""Rows that were read before, by the size and time of change of the records that they came from.

One file a job, in the user's cache folder, never in the job: results stay as they were left. It may be deleted at any
time. A changed reader doesn't know the rows of another one.
"""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic_core import from_json, to_json

from swe_together import __version__
from swe_together.files import write_atomically
from swe_together.report._measured import Row

_READERS = ("_reading.py", "_measured.py", "_outcome.py", "_records.py", "_files.py")

Fingerprint = list[list[int] | None]


class RowCache:
    """What is known of one job. Nothing that goes wrong with it is ever the report's fault.

    Args:
        folder: The cache folder; None keeps nothing.
        job: The job's folder.
    """

    def __init__(self, folder: Path | None, job: Path) -> None:
        self._file = None if folder is None else folder / f"{_digest(os.fspath(job.resolve()).encode())}.json"
        self._version = _version()
        self._known = self._load()
        self._seen: dict[str, Any] = {}

    def get(self, trial: str, fingerprint: Fingerprint) -> Row | None:
        """The row of a trial whose records are as they were."""
        entry = self._known.get(trial)
        if isinstance(entry, list) and len(entry) == 2 and entry[0] == fingerprint and isinstance(entry[1], dict):
            self._seen[trial] = entry
            return dict(entry[1])
        return None

    def put(self, trial: str, fingerprint: Fingerprint, row: Row) -> None:
        """Keep a row."""
        self._seen[trial] = [fingerprint, row]

    def save(self, *, whole: bool) -> None:
        """Write what was read or found again, where that changed anything.

        Args:
            whole: Whether the whole job was read: trials that are gone are forgotten then.
        """
        rows = self._seen if whole else {**self._known, **self._seen}
        if self._file is None or rows == self._known:
            return
        try:
            text = to_json({"version": self._version, "rows": rows}).decode()
            write_atomically(self._file, text)
        except (OSError, ValueError):
            return

    def _load(self) -> Mapping[str, Any]:
        if self._file is None:
            return {}
        try:
            found = from_json(self._file.read_bytes())
        except (OSError, ValueError):
            return {}
        known = isinstance(found, dict) and found.get("version") == self._version
        rows = found.get("rows") if known else None
        return rows if isinstance(rows, dict) else {}


def cache_folder() -> Path | None:
    """Where rows are kept: below ``XDG_CACHE_HOME``, else ``~/.cache``; None where there is no home."""
    told = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(told) if told else Path.home() / ".cache") / "swe-together" / "report"
    except RuntimeError:
        return None


def _version() -> str:
    here = Path(__file__).parent
    return f"{__version__}-{_digest(b''.join((here / name).read_bytes() for name in _READERS))}"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:24]
