"""Harbor's trajectories (ATIF): one JSON document; those of our own trials have the user's steps marked."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from swe_together.errors import SessionFileError
from swe_together.pipeline.sessions._atif import AtifReader
from swe_together.pipeline.sessions._model import Format, Session
from swe_together.pipeline.sessions._source import Head, Source
from swe_together.pipeline.sessions._values import as_dict

NAME: Final[Format] = "atif"


def sniff(head: Head) -> bool:
    """Whether the file is a document with ATIF's version and steps."""
    return any(_is_trajectory(record) for record in head.records[:1])


def read(source: Source) -> Iterator[Session]:
    """The trajectory as a session; none where nothing happened in it.

    Raises:
        SessionFileError: The document is no trajectory.
    """
    document = as_dict(source.document())
    if not _is_trajectory(document):
        raise SessionFileError(f"{source.path}: not an ATIF trajectory.", "Give a trajectory.json as Harbor writes it.")
    session = AtifReader(source, document).session()
    if session is not None:
        yield session


def _is_trajectory(record: Mapping[str, Any]) -> bool:
    version = record.get("schema_version")
    return isinstance(version, str) and version.startswith("ATIF") and isinstance(record.get("steps"), list)
