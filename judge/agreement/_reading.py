"""Reading verdicts: from trials and judgements, and from people's CSV or JSON."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from swe_together.errors import TogetherError
from swe_together.judge.agreement._raters import of_judgements, state_of
from swe_together.judge.agreement._ratings import COLUMNS, Ratings, add_rows
from swe_together.schema import Judgement

_OWN = Path("verifier/judgement.json")
_AGAIN = "judgements"


def read_ratings(paths: Sequence[Path], *, votes: bool = False) -> Ratings:
    """Read verdicts of judges and people.

    Args:
        paths: Folders of trials, with all judgements in them; judgements; ``.csv`` or ``.json`` files with rows of
            ``trial``, ``goal``, ``rater`` and ``met``. A row's trial is the name of a trial's folder among the paths,
            or that of a state.
        votes: Of judgements, each vote of a model is a rater, and nobody else.

    Raises:
        TogetherError: A file can't be read or holds something else, a rater contradicts itself, or one state was
            judged by different rubrics.
    """
    judgements: dict[Path, Judgement] = {}
    people: dict[Path, list[Any]] = {}
    names: dict[str, str] = {}
    for path in paths:
        for file in _judgements_in(path) if path.is_dir() else [path]:
            found = _read(file)
            if isinstance(found, Judgement):
                judgements[file] = found
                names[path.name] = state_of(found)
            else:
                people[file] = found
    _refuse_other_rubrics(judgements)
    ratings = of_judgements(judgements.values(), votes=votes)
    for file, rows in people.items():
        try:
            add_rows(ratings, rows, names)
        except ValueError as error:
            raise _problem(file, str(error)) from None
    return ratings


def _judgements_in(trial: Path) -> Iterable[Path]:
    return [file for file in [trial / _OWN, *sorted((trial / _AGAIN).glob("*.json"))] if file.is_file()]


def _read(path: Path) -> Judgement | list[Any]:
    try:
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix == ".csv":
            return list(csv.DictReader(io.StringIO(text)))
        value = json.loads(text)
        if isinstance(value, list) and all(isinstance(row, dict) for row in value):
            return value
        if isinstance(value, dict):
            return Judgement.model_validate(value)
    except ValidationError as error:
        raise _problem(path, error.errors()[0]["msg"]) from None
    except (OSError, ValueError, csv.Error) as error:
        raise _problem(path, str(error)) from None
    raise _problem(path, "is neither a judgement nor a list of rows")


def _refuse_other_rubrics(judgements: dict[Path, Judgement]) -> None:
    first: dict[str, tuple[Path, str]] = {}
    for path, judgement in judgements.items():
        other, rubric = first.setdefault(state_of(judgement), (path, judgement.digests.rubric))
        if rubric != judgement.digests.rubric:
            raise TogetherError(
                f"{other} and {path} judge the same state by different rubrics: their goals can't be compared.",
                "Judge the trial again by the rubric that counts, and leave the other judgement out.",
            )


def _problem(path: Path, problem: str) -> TogetherError:
    return TogetherError(f"{path}: {problem}.", f"Rows have {', '.join(COLUMNS)}; met is true, false or empty.")
