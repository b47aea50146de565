"""Generated dialogues on disk: ``dialogues/<name>.json``, and ``memorycode.json``, which says what they are."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, Literal

from pydantic import Field, ValidationError

from swe_together.errors import MisuseError, TaskError
from swe_together.files import write_atomically
from swe_together.memorycode._dialogue import Dialogue
from swe_together.schema import Strict

MANIFEST: Final = "memorycode.json"
DIALOGUES: Final = "dialogues"
TASKS: Final = "tasks"


class Manifest(Strict):
    """``memorycode.json``: what was generated. ``sha256`` is over all dialogues in the order of their names."""

    format: Literal[1] = 1
    seed: int
    pool: str
    prose: str
    sizes: list[int]
    per_size: int
    dialogues: int
    sha256: str
    tasks: int = 0
    left_out: dict[str, str] = Field(default_factory=dict)


def dialogue_text(dialogue: Dialogue) -> str:
    """The dialogue as it stands in its file."""
    return json.dumps(dialogue.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n"


def digest(texts: Iterable[str]) -> str:
    """SHA-256 of files' texts, one after another."""
    total = hashlib.sha256()
    for text in texts:
        total.update(text.encode())
    return total.hexdigest()


def read_dialogues(folder: Path) -> Iterator[Dialogue]:
    """The dialogues of a generated folder, by name.

    Raises:
        MisuseError: It holds none.
        TaskError: One of them can't be read.
    """
    paths = sorted((folder / DIALOGUES).glob("*.json"))
    if not paths:
        raise MisuseError(f"{folder} holds no dialogues.", "Name a folder that `memorycode generate` has written.")
    for path in paths:
        yield read_dialogue(path)


def read_dialogue(path: Path) -> Dialogue:
    """One dialogue.

    Raises:
        TaskError: It can't be read, or isn't one.
    """
    try:
        return Dialogue.model_validate_json(path.read_bytes())
    except OSError as error:
        raise TaskError(path, "", None, f"can't be read: {error.strerror}", "Generate it again.") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise TaskError(path, where, first["input"], first["msg"], "Generate it again.") from error


def require_own(folder: Path) -> None:
    """Make sure that a folder may be written: new, empty, or written by the generator before.

    Raises:
        MisuseError: It holds something else.
    """
    if folder.exists() and not folder.is_dir():
        raise MisuseError(f"{folder} is no folder.", "Give another one.")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MANIFEST).is_file():
        raise MisuseError(f"{folder} holds files that the generator did not write.", "Give a new or an empty folder.")


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write ``memorycode.json``."""
    write_atomically(folder / MANIFEST, manifest.model_dump_json(indent=1) + "\n")
