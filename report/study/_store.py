"""The folder of a study, open: items out, answers in. An answer that was acknowledged is on the disk."""

import fcntl
import hashlib
import json
import os
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from swe_together.errors import MisuseError, TogetherError
from swe_together.report.study._format import (
    ANSWERS,
    ITEMS,
    KEY,
    STUDY,
    Answer,
    GoalsItem,
    Key,
    Kind,
    MessagesItem,
    Study,
)

ORDER: tuple[Kind, ...] = ("pair", "messages", "goals")


class RefusedError(ValueError):
    """An answer that can't be entered; the text says why, for the annotator."""


class OpenStudy:
    """A study that is being answered, by any number of annotators and even of servers at once.

    Args:
        folder: What ``prepare`` wrote.

    Raises:
        MisuseError: It is no study.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.study = read_study(folder)
        self._answers = folder / ANSWERS
        self._lock = threading.Lock()
        self._given: dict[tuple[str, str], Answer] = {}
        self._ids: set[str] = set()
        self._read_to = 0
        self.unreadable = 0
        with self._locked() as handle:
            # A line that a dying machine left unfinished was never acknowledged: it must not spoil the next one.
            if _unfinished(handle):
                os.write(handle, b"\n")
                os.fsync(handle)
            self._catch_up(handle)

    def item(self, identity: str) -> bytes | None:
        """What an annotator sees of an item, as JSON; None if there is no such item."""
        if identity not in self.study.items:
            return None
        return (self.folder / ITEMS / f"{identity}.json").read_bytes()

    def agenda(self, annotator: str) -> list[dict[str, Any]]:
        """All items in this annotator's own order, kind after kind, each with the answer that they gave."""
        with self._lock:
            given = dict(self._given)
        items = list(self.study.items.items())
        random.Random(f"{self.study.seed} {annotator}").shuffle(items)
        items.sort(key=lambda item: ORDER.index(item[1]))
        return [{"id": i, "kind": kind, "answer": _mine(given.get((annotator, i)))} for i, kind in items]

    def enter(self, body: object) -> Answer:
        """Write an answer down. The same one sent again is entered once.

        Raises:
            RefusedError: It is no answer, or none to that item.
        """
        try:
            answer = Answer.model_validate(body)
        except ValidationError as error:
            first = error.errors()[0]
            raise RefusedError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
        self._check(answer)
        answer = answer.model_copy(update={"at": datetime.now(UTC).isoformat(timespec="seconds")})
        with self._locked() as handle:
            self._catch_up(handle)
            if answer.id not in self._ids:
                line = f"{answer.model_dump_json(exclude_defaults=True)}\n".encode()
                _append(handle, line)
                self._catch_up(handle)
        return answer

    @property
    def entered(self) -> int:
        """Items that somebody has answered, each counted once for every annotator."""
        return len(self._given)

    def _check(self, answer: Answer) -> None:
        kind = self.study.items.get(answer.item)
        if kind is None:
            raise RefusedError(f"item: there is no {answer.item}")
        told = {"pair": answer.choice, "messages": answer.tags, "goals": answer.goals}
        wrong = [name for name, value in told.items() if (value is not None) != (name == kind)]
        if wrong:
            raise RefusedError(f"an answer to {answer.item} is about {kind} and nothing else")
        if kind == "messages":
            item = self._body(answer.item, MessagesItem)
            asked: set[object] = {turn.number for turn in item.session if turn.number > 1}
            _same(asked, set(answer.tags or {}), "turns")
        elif kind == "goals":
            _same({goal.id for goal in self._body(answer.item, GoalsItem).goals}, set(answer.goals or {}), "goals")

    def _body[M: BaseModel](self, identity: str, model: type[M]) -> M:
        return model.model_validate_json((self.folder / ITEMS / f"{identity}.json").read_bytes())

    @contextmanager
    def _locked(self) -> Iterator[int]:
        """The file of answers, for this thread of this process alone."""
        with self._lock:
            handle = os.open(self._answers, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)
                yield handle
            finally:
                os.close(handle)

    def _catch_up(self, handle: int) -> None:
        """Read what was appended since the last time, by whomever."""
        size = os.fstat(handle).st_size
        if size < self._read_to:
            raise TogetherError(f"{self._answers} has become shorter.", "Answers are only ever added; bring it back.")
        content = os.pread(handle, size - self._read_to, self._read_to)
        self._read_to = size
        for line in content.split(b"\n"):
            if line.strip():
                answer = _answer(line)
                if answer is None:
                    self.unreadable += 1
                elif answer.id not in self._ids:
                    self._ids.add(answer.id)
                    self._given[answer.annotator, answer.item] = answer


def read_study(folder: Path) -> Study:
    """``study.json`` of a folder.

    Raises:
        MisuseError: There is none, or it is no such file.
    """
    return _read(folder / STUDY, Study)


def read_key(folder: Path, study: Study) -> Key:
    """``key.json`` of a folder, the one that the study was made with.

    Raises:
        MisuseError: There is none, or it is another one.
    """
    key = _read(folder / KEY, Key)
    if hashlib.sha256((folder / KEY).read_bytes()).hexdigest() != study.key_sha256:
        raise MisuseError(f"{folder / KEY} was changed after the study was made.", "Bring the first one back.")
    return key


def read_answers(folder: Path) -> tuple[list[Answer], int]:
    """Every line of ``answers.jsonl`` in its order, and how many lines are none."""
    path = folder / ANSWERS
    try:
        lines = [line for line in path.read_bytes().split(b"\n") if line.strip()]
    except FileNotFoundError:
        return [], 0
    found = [_answer(line) for line in lines]
    return [answer for answer in found if answer is not None], found.count(None)


def _read[M: BaseModel](path: Path, model: type[M]) -> M:
    remedy = "Name a folder that swe-together study prepare wrote."
    try:
        return model.model_validate_json(path.read_bytes())
    except OSError as error:
        raise MisuseError(f"{path}: can't be read: {error.strerror}.", remedy) from None
    except ValidationError as error:
        first = error.errors()[0]
        raise MisuseError(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}.", remedy) from None


def _answer(line: bytes) -> Answer | None:
    try:
        return Answer.model_validate_json(line)
    except ValidationError:
        return None


def _append(handle: int, line: bytes) -> None:
    """The whole line or none of it, on the disk before this returns."""
    before = os.fstat(handle).st_size
    try:
        written = os.write(handle, line)
        if written != len(line):
            raise OSError(f"{written} of {len(line)} bytes could be written")
        os.fsync(handle)
    except OSError:
        os.ftruncate(handle, before)
        raise


def _unfinished(handle: int) -> bool:
    size = os.fstat(handle).st_size
    return size > 0 and os.pread(handle, 1, size - 1) != b"\n"


def _mine(answer: Answer | None) -> dict[str, Any] | None:
    if answer is None:
        return None
    told: dict[str, Any] = json.loads(answer.model_dump_json(include={"choice", "confidence", "tags", "goals", "note"}))
    return told


def _same(asked: set[object], told: set[object], what: str) -> None:
    if asked != told:
        raise RefusedError(f"{what}: {sorted(map(str, asked ^ told))} don't fit the item")
