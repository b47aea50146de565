"""A recorded session with a secret of every kind in every place, and a look at all that a command left of it."""

import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from swe_together.judge import Conversation
from swe_together.pipeline.fake import FakeReader
from tests.pipeline.privacy.plants import PLANTS
from tests.pipeline.privacy.wrapping import survivors
from tests.pipeline.recorded import BEFORE, at

SEED = 20260414
HOME = "zorvatek"
"""Whose session it is: in its folder, its branch, and in what was said."""
SEARCHED = 200_000
"""Bytes of an output that are decoded in every way; a longer one is looked at as it is."""


def plants() -> tuple[str, tuple[str, ...]]:
    """One snippet of every kind, and the values of which nothing may survive."""
    dice = random.Random(SEED)
    made = [make(dice) for make in PLANTS.values()]
    return "\n\n".join(one.text for one in made), (*(value for one in made for value in one.values), HOME)


def planted(file: Path, *, code: bool = True) -> tuple[str, ...]:
    """Write a session in Claude Code's form with all plants in what is said, done, printed and read.

    Args:
        file: Where.
        code: Also in a file that the agent writes.

    Returns:
        The values of which nothing may survive.
    """
    text, values = plants()
    parts = text.split("\n\n")
    first, second = "\n\n".join(parts[: len(parts) // 2]), "\n\n".join(parts[len(parts) // 2 :])
    old, new = 'text.split(",")', 'text.replace(";", ",").split(",")'
    log = _Log(f"/home/{HOME}/wordbox")
    log.says(f"strip {values[0]} for {HOME}\n\n{first}")
    log.calls("Bash", {"command": f"cat <<'END'\n{text}\nEND"}, text, {"stdout": text, "stderr": ""})
    log.calls("Read", {"file_path": log.path(".env")}, text, {"file": {"content": text}})
    log.replies(f"Here it is:\n\n{text}")
    log.says(f"and split at semicolons, {HOME} wants it\n\n{second}")
    log.edits("wordbox.py", old, new, BEFORE)
    log.calls("Edit", {"file_path": log.path(f"{HOME}.md"), "old_string": "a", "new_string": "b"}, "edited", {})
    if code:
        log.writes(f"by-{HOME}.txt", "a file\n")
        log.writes("settings.txt", f"{text}\n")
        log.says("and say so in the settings too")
        log.edits("settings.txt", "\n\n", "\n# more\n", f"{text}\n")
    log.replies(f"Done, with\n\n{second}")
    log.says(first)
    log.replies("Nothing is left to do.")
    file.write_text("".join(json.dumps(record) + "\n" for record in log.records))
    return values


class _Log:
    """Records as Claude Code writes them, a minute apart."""

    def __init__(self, cwd: str) -> None:
        self.records: list[dict[str, Any]] = []
        self._cwd = cwd

    def path(self, name: str) -> str:
        return f"{self._cwd}/{name}"

    def says(self, text: str) -> None:
        self._add("user", {"role": "user", "content": text})

    def replies(self, text: str) -> None:
        self._assistant({"type": "text", "text": text})

    def edits(self, path: str, old: str, new: str, before: str) -> None:
        given = {"file_path": self.path(path), "old_string": old, "new_string": new}
        self.calls("Edit", given, "edited", {"filePath": self.path(path), "originalFile": before})

    def writes(self, path: str, content: str) -> None:
        given = {"file_path": self.path(path), "content": content}
        self.calls("Write", given, f"wrote\n{content}", {"type": "create", "filePath": self.path(path)})

    def calls(self, tool: str, given: Mapping[str, Any], told: str, result: Mapping[str, Any]) -> None:
        name = f"t{len(self.records)}"
        self._assistant({"type": "tool_use", "id": name, "name": tool, "input": given})
        block = {"type": "tool_result", "tool_use_id": name, "content": told}
        self._add("user", {"role": "user", "content": [block]}, toolUseResult=result)

    def _assistant(self, block: Mapping[str, Any]) -> None:
        self._add("assistant", {"id": f"m{len(self.records)}", "role": "assistant", "content": [block]})

    def _add(self, kind: str, message: Mapping[str, Any], **more: Any) -> None:
        number = len(self.records)
        self.records.append(
            {"type": kind, "uuid": f"u{number}", "sessionId": "session-0001", "cwd": self._cwd,
             "gitBranch": f"{HOME}/words", "timestamp": at(number).isoformat(), "message": message, **more}
        )  # fmt: skip


def answer(body: Mapping[str, Any]) -> dict[str, Any]:
    """What the stand-in for a model says to a request, for a server of such models."""
    import asyncio

    page = body["messages"][-1]["content"]
    shown = page if isinstance(page, str) else "".join(part["text"] for part in page)
    named = body["tools"][0]["function"]["name"]

    class Named:
        name = named

    said = asyncio.run(FakeReader().answer(Conversation("", shown, [Named()]), 1.0))  # type: ignore[list-item]
    return {"tool": named, "arguments": json.loads(said.calls[0].arguments)}


def left_in(folder: Path, values: Iterable[str], passed: Iterable[str] = ()) -> list[str]:
    """Which values can still be read in the files below a folder, or in their names, and where."""
    values = tuple(values)
    found = [f"{value} in the name {name}" for name, _ in _files(folder) for value in read_in(name.encode(), values)]
    for name, data in _files(folder):
        if Path(name).name not in passed:
            found += [f"{value} in {name}" for value in read_in(data, values)]
    return found


def read_in(data: bytes, values: Iterable[str]) -> list[str]:
    """Which values can be read in some bytes: as they are, encoded, or as an identifier is made of them."""
    values = tuple(values)
    lowered = re.sub(rb"[^a-z0-9]+", b"-", data.lower())
    slugs = {value: re.sub(r"[^a-z0-9]+", "-", value.lower()).encode() for value in values if len(value) >= 12}
    plain = [value for value in values if value.encode() in data or slugs.get(value, b"\0") in lowered]
    hidden = survivors(data, [one for one in values if one not in plain]) if len(data) <= SEARCHED else []
    return plain + hidden


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path.read_bytes()
