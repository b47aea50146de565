"""Writing results: whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def write_atomically(path: Path, text: str) -> None:
    """Write a UTF-8 file by rename, so that a killed process or a full disk leaves the old one or the new one."""
    with open_atomically(path) as file:
        file.write(text.encode())


@contextmanager
def open_atomically(path: Path) -> Iterator[BinaryIO]:
    """A file to write that takes ``path``'s place when all went well, and leaves no trace otherwise."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
