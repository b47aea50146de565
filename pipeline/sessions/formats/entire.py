"""Entire's checkpoints: another program's log, with the commits that came of the session."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from swe_together.errors import SessionFileError
from swe_together.pipeline.sessions._checkpoints import CHECKPOINT_LOGS, beside
from swe_together.pipeline.sessions._model import Format, Session
from swe_together.pipeline.sessions._source import Checkpoint, Head, Source

NAME: Final[Format] = "entire"


def sniff(head: Head) -> bool:
    """Whether the log lies in a checkpoint: it was found there, or has a checkpoint's metadata beside it."""
    return head.checkpoint is not None or _beside(head.path) is not None


def read(source: Source) -> Iterator[Session]:
    """The log's session, with what the checkpoint knows about it.

    Raises:
        SessionFileError: The log can't be read, or is of no known format.
    """
    from swe_together.pipeline.sessions._registry import format_modules

    facts = source.checkpoint or _beside(source.path)
    if facts is None:
        raise SessionFileError(f"{source.path}: no checkpoint's metadata lie beside it.", "Keep metadata.json there.")
    head = source.head()
    inner = next((module for module in format_modules() if module.NAME != NAME and module.sniff(head)), None)
    if inner is None:
        raise SessionFileError(f"{source.path}: {source.name} holds a log of no known format.")
    for session in inner.read(source):
        origin = session.origin
        yield replace(
            session,
            origin=replace(
                origin,
                format=NAME,
                session_id=facts.session_id or origin.session_id,
                branch=origin.branch or facts.branch,
                agent=facts.agent or inner.NAME,
                agent_share=facts.agent_share,
                commits=facts.commits,
            ),
        )


def _beside(path: Path) -> Checkpoint | None:
    return beside(path) if path.name in CHECKPOINT_LOGS else None
