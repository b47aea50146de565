"""Votes and outcomes of commands on disk, each under the digest of everything that it rests on."""

from collections.abc import Callable
from pathlib import Path

from pydantic import BaseModel, ValidationError

from swe_together.errors import JudgeError
from swe_together.files import write_atomically
from swe_together.schema import CheckRun, FailedVote, Vote


class JudgementStore:
    """A folder of finished parts of judgements. A judging that is cut off goes on where it stood.

    Args:
        folder: Created when the first part is written.
        earlier: Folders whose parts count as well; nothing is written there.
    """

    def __init__(self, folder: Path, *earlier: Path) -> None:
        self.folder = folder
        self._earlier = earlier

    def vote(self, key: str) -> Vote | None:
        """A finished vote.

        Raises:
            JudgeError: There is a file, but it holds no such vote.
        """
        return self._find(f"votes/{key}.json", Vote, lambda vote: vote.key == key)

    def checks(self, key: str) -> CheckRun | None:
        """Outcomes of a rubric's commands.

        Raises:
            JudgeError: There is a file, but it holds no such outcomes.
        """
        return self._find(f"checks/{key}.json", CheckRun, lambda run: run.key == key)

    def keep(self, part: Vote | CheckRun) -> None:
        """Write a finished part, whole or not at all."""
        kind = "votes" if isinstance(part, Vote) else "checks"
        write_atomically(self.folder / kind / f"{part.key}.json", part.model_dump_json(indent=1))

    def keep_failure(self, failed: FailedVote) -> None:
        """Write what a failed vote cost. It is never read in place of a vote."""
        folder = self.folder / "failed"
        number = len(list(folder.glob(f"{failed.key}-*.json"))) + 1
        write_atomically(folder / f"{failed.key}-{number}.json", failed.model_dump_json(indent=1))

    def _find[M: BaseModel](self, name: str, model: type[M], belongs: Callable[[M], bool]) -> M | None:
        found = (self._read(folder / name, model, belongs) for folder in (self.folder, *self._earlier))
        return next((part for part in found if part is not None), None)

    def _read[M: BaseModel](self, path: Path, model: type[M], belongs: Callable[[M], bool]) -> M | None:
        if not path.is_file():
            return None
        try:
            part = model.model_validate_json(path.read_bytes())
        except (OSError, ValidationError) as error:
            problem = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
            raise JudgeError(f"{path} can't be used: {problem}.", "Delete it to have it made again.") from error
        if not belongs(part):
            raise JudgeError(f"{path} holds something else than its name says.", "Delete it to have it made again.")
        return part
