"""Repositories and sessions made for tests of the pipeline, from a few words each."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from swe_together.pipeline.clearing import Cleared, Clearing, Keeps
from swe_together.pipeline.privacy import Salt
from swe_together.pipeline.sessions import Call, Event, Human, Interrupt, Origin, Outcome, Reply, Session

START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
CWD = "/home/somebody/wordbox"
BEFORE = 'def split(text):\n    return text.split(",")\n'
MIDDLE = 'def split(text):\n    return [w.strip() for w in text.split(",")]\n'
AFTER = 'def split(text):\n    return [w.strip() for w in text.replace(";", ",").split(",")]\n'
TEST = (
    "import wordbox\n\n\ndef test_blanks():\n    assert wordbox.split('a, b') == ['a', 'b']\n\n\n"
    "def test_semicolons():\n    assert wordbox.split('a;b') == ['a', 'b']\n\n\n"
    "def test_one():\n    assert wordbox.split('a') == ['a']\n"
)
OLD_TEST = "import wordbox\n\n\ndef test_one():\n    assert wordbox.split('a') == ['a']\n"
LICENCE = (
    "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy of this software\n"
)
FILES = {"wordbox.py": BEFORE, "test_wordbox.py": OLD_TEST, "LICENSE": LICENCE, "README.md": "Word lists.\n"}


def at(minutes: float) -> datetime:
    """A time of the session."""
    return START + timedelta(minutes=minutes)


def git(folder: Path, *arguments: str, when: datetime | None = None) -> str:
    """Run git as somebody who has no settings."""
    stamp = {} if when is None else dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), when.isoformat())
    names = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
             for what, value in (("NAME", "Somebody"), ("EMAIL", "somebody@example.org"))}  # fmt: skip
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", **names, **stamp}
    done = subprocess.run(["git", *arguments], cwd=folder, env=environment, capture_output=True, check=True)
    return done.stdout.decode().strip()


def commit(folder: Path, files: Mapping[str, str | bytes | None], when: datetime, message: str = "Change") -> str:
    """Write (or remove) files and commit them; makes the repository where there is none."""
    if not (folder / ".git").exists():
        folder.mkdir(parents=True, exist_ok=True)
        git(folder, "init", "-q", "-b", "main")
    for name, content in files.items():
        path = folder / name
        if content is None:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "--allow-empty", "-m", message, when=when)
    return git(folder, "rev-parse", "HEAD")


class Recording:
    """Events of a session, one after the other, a minute apart."""

    def __init__(self, cwd: str | None = CWD) -> None:
        self.events: list[Event] = []
        self._cwd = cwd

    @property
    def _next(self) -> dict[str, Any]:
        number = len(self.events) + 1
        return {"record": number, "at": at(number)}

    def says(self, text: str, **more: Any) -> "Recording":
        """The person says something."""
        self.events.append(Human(text=text, **{**self._next, **more}))
        return self

    def stops(self) -> "Recording":
        """The person stops the agent."""
        self.events.append(Interrupt(**self._next))
        return self

    def replies(self, text: str) -> "Recording":
        """The agent replies."""
        self.events.append(Reply(text=text, **self._next))
        return self

    def edits(
        self, path: str, old: str, new: str, *, before: str | None = None, status: Any = "ok", **more: Any
    ) -> "Recording":
        """The agent replaces a text."""
        given = {"file_path": self._absolute(path), "old_string": old, "new_string": new}
        return self._call("Edit", "edit", given, path, before=before, status=status, **more)

    def writes(self, path: str, content: str, *, before: str | None = None, **more: Any) -> "Recording":
        """The agent writes a file."""
        given = {"file_path": self._absolute(path), "content": content}
        return self._call("Write", "write", given, path, before=before, **more)

    def runs(self, command: str, output: str = "", code: int | None = 0) -> "Recording":
        """The agent runs a command."""
        return self._call("Bash", "run", {"command": command}, None, command=command, text=output, code=code)

    def _call(
        self, tool: str, action: Any, given: Mapping[str, Any], path: str | None, *, command: str | None = None,
        before: str | None = None, status: Any = "ok", text: str = "", code: int | None = None,
        after: str | None = None, outcome: bool = True,
    ) -> "Recording":  # fmt: skip
        name = f"call-{len(self.events)}"
        recorded = None if path is None else self._absolute(path)
        self.events.append(
            Call(call_id=name, tool=tool, action=action, input=given, path=recorded, command=command, **self._next)
        )
        if outcome:
            self.events.append(
                Outcome(
                    call_id=name, status=status, text=text, exit_code=code, before=before, after=after, **self._next
                )
            )
        return self

    def _absolute(self, path: str) -> str:
        return path if path.startswith("/") or self._cwd is None else f"{self._cwd}/{path}"

    def session(self, **origin: Any) -> Session:
        """The session."""
        told = {"format": "claude-code", "file": "s.jsonl", "session_id": "session-0001", "cwd": self._cwd, **origin}
        return Session(origin=Origin(**told), events=tuple(self.events))


def wordbox(folder: Path) -> tuple[Path, str]:
    """A small repository a day before the session; its folder and its commit."""
    return folder, commit(folder, FILES, START - timedelta(days=1), "Begin")


def cleared(recording: Recording, keeps: Keeps = "nothing", **origin: Any) -> Cleared:
    """The session as the pipeline takes it."""
    return Clearing(Salt(b"a salt that only tests have"), keeps).session(recording.session(**origin))


def two_turns() -> Recording:
    """A session of two requests, edited, tested and committed."""
    return (
        Recording()
        .says("split() keeps blanks around words, strip them")
        .edits("wordbox.py", 'text.split(",")', '[w.strip() for w in text.split(",")]', before=BEFORE)
        .replies("Blanks are stripped.")
        .says("and split at semicolons too")
        .edits("wordbox.py", 'text.split(",")', 'text.replace(";", ",").split(",")', before=MIDDLE)
        .writes("test_wordbox.py", TEST, before=OLD_TEST)
        .replies("Semicolons separate words as well.")
    )


def names(events: Sequence[Event]) -> list[str]:
    """Kinds of events."""
    return [type(event).__name__ for event in events]
