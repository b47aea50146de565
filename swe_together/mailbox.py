"""Requests and answers between two processes, as files of a folder: no port, no lock, works wherever files do.

One side serves: it reads ``inbox/<id>.json`` and writes ``outbox/<id>.json``. The other side asks.
"""

import json
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from swe_together.errors import TogetherError
from swe_together.files import write_atomically

POLL_SEC = 0.2
"""How often the serving side looks."""


class Mailbox:
    """A folder with an inbox and an outbox.

    Args:
        folder: The folder; ``open`` makes it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def open(self) -> None:
        """Make the folder, ready for requests."""
        for name in ("inbox", "outbox"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)

    def requests(self) -> list[Path]:
        """Requests that wait for an answer, oldest first."""
        return sorted((self.folder / "inbox").glob("*.json"), key=lambda path: path.stat().st_mtime_ns)

    def answer(self, request: Path, body: dict[str, Any]) -> None:
        """Answer a request, which is gone then."""
        write_atomically(self.folder / "outbox" / request.name, json.dumps(body))
        request.unlink()

    def ask(self, body: dict[str, Any], wait: float, alive: Callable[[], bool] = lambda: True) -> dict[str, Any]:
        """Send a request and wait for its answer.

        Args:
            body: The request.
            wait: Seconds.
            alive: Whether the serving side is still there.

        Raises:
            TogetherError: No answer came, or the answer is an error.
        """
        name = f"{uuid.uuid4().hex}.json"
        write_atomically(self.folder / "inbox" / name, json.dumps(body))
        path = self.folder / "outbox" / name
        deadline = time.monotonic() + wait
        while not path.is_file():
            if time.monotonic() > deadline or not alive():
                raise TogetherError("the session doesn't answer.", "Is its harbor process still running?")
            time.sleep(0.05)
        answer: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if "error" in answer:
            raise TogetherError(f"the session refused: {answer['error']}.")
        return answer


def read_request(request: Path) -> Any:
    """What a request says.

    Raises:
        ValueError: It is no JSON; the text says so.
    """
    try:
        return json.loads(request.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"the request is not JSON: {error}") from None
