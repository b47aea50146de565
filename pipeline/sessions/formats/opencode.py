"""opencode's sessions: its SQLite database, a session file of its older storage tree, or an export."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from swe_together.errors import SessionFileError
from swe_together.pipeline.sessions._model import Format, Session
from swe_together.pipeline.sessions._opencode import OpencodeReader
from swe_together.pipeline.sessions._opencode_store import MAGIC, from_database, from_tree
from swe_together.pipeline.sessions._source import Head, Source
from swe_together.pipeline.sessions._values import as_dict, as_list

NAME: Final[Format] = "opencode"


def sniff(head: Head) -> bool:
    """Whether the file is an SQLite database with opencode's tables, a session file, or an export."""
    if head.first.startswith(MAGIC):
        return "opencode" in head.path.name or (b"`session`" in head.first and b"`part`" in head.first)
    return any(_is_export(record) or _is_session_file(record) for record in head.records[:1])


def read(source: Source) -> Iterator[Session]:
    """The file's sessions: one of a file, all of a database. A session in which nothing happened is left out.

    Raises:
        SessionFileError: The database is damaged or isn't opencode's, or the document is neither a session nor an
            export of one.
    """
    with source.open() as file:
        is_database = file.read(len(MAGIC)) == MAGIC
    if is_database:
        for info, messages in from_database(source):
            yield from OpencodeReader(source, info).read(messages)
        return
    document = as_dict(source.document())
    if _is_export(document):
        messages = ((number, message) for number, message in enumerate(as_list(document["messages"]), 1))
        yield from OpencodeReader(source, document["info"]).read(messages)
    elif _is_session_file(document):
        yield from OpencodeReader(source, document).read(from_tree(source, document))
    else:
        raise SessionFileError(
            f"{source.path}: neither an opencode session nor an export of one.", "Write one with `opencode export`."
        )


def _is_export(record: Mapping[str, Any]) -> bool:
    return _is_session_file(as_dict(record.get("info"))) and isinstance(record.get("messages"), list)


def _is_session_file(record: Mapping[str, Any]) -> bool:
    identity = record.get("id")
    return isinstance(identity, str) and identity.startswith("ses_") and "time" in record and "title" in record
