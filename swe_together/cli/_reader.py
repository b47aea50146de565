"""What ``screen`` and ``build`` share: the model that reads sessions, and the sessions that are named."""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from swe_together.errors import MisuseError, SessionFileError

if TYPE_CHECKING:
    from swe_together.judge import ChatModel
    from swe_together.pipeline.sessions import Place, Session


def add_model_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of a model."""
    parser.add_argument("--model", metavar="MODEL", help="LiteLLM's name of the model that reads sessions")
    parser.add_argument("--temperature", type=float, metavar="T", help="its temperature (the provider's own)")
    parser.add_argument("--base-url", metavar="URL", help="where it is served, if not by its provider")
    parser.add_argument("--api-key-env", metavar="NAME", default="SWE_TOGETHER_AUTHOR_API_KEY",
                        help="host variable with the key (SWE_TOGETHER_AUTHOR_API_KEY)")  # fmt: skip


def model_of(options: argparse.Namespace) -> "ChatModel | None":
    """The model that the arguments name; None without one.

    Raises:
        MisuseError: An argument can't be used, or the key isn't set.
    """
    if options.model is None:
        return None
    from pydantic import ValidationError

    from swe_together.judge import ModelChoice
    from swe_together.pipeline.asking import reading_model

    try:
        choice = ModelChoice(model=options.model, temperature=options.temperature, api_key_env=options.api_key_env,
                             base_url=options.base_url)  # fmt: skip
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = str(first["loc"][0]).replace("_", "-")
        raise MisuseError(f"--{name}: {first['msg']}.", "See --help.") from None
    return reading_model(choice)


def sessions_in(paths: Sequence[Path]) -> "Iterator[tuple[Session, Place, int]]":
    """The sessions of files and folders, or those that a list names: of ``collect``, or chosen by ``screen``.

    Each comes with where it lies, and which of that file's sessions it is. Files that can't be read are told and
    passed.

    Raises:
        MisuseError: A path isn't there, or a list can't be read.
    """
    from swe_together.pipeline.collect._candidates import read_candidates
    from swe_together.pipeline.screen import read_screened
    from swe_together.pipeline.sessions import find_sessions, read_sessions

    for path in paths:
        kind = _kind(path)
        named: list[tuple[Place, int | None]]
        if kind is None:
            named = [(place, None) for place in find_sessions([path])]
        elif kind == "collect":
            named = [(one.place, one.number) for one in read_candidates(path)]
        else:
            named = [(one.where, one.number) for one in read_screened(path) if one.chosen]
        for place, wanted in named:
            try:
                for number, session in enumerate(read_sessions(place)):
                    if wanted is None or number == wanted:
                        yield session, place, number
            except SessionFileError as error:
                if place.given or wanted is not None:
                    print(f"{place.key}: not read: {error}")


def _kind(path: Path) -> str | None:
    """Which command wrote a list; None where the file is none."""
    if path.suffix != ".jsonl" or not path.is_file():
        return None
    with path.open(encoding="utf-8", errors="replace") as lines:
        try:
            value = json.loads(lines.readline())
        except ValueError:
            return None
    if not isinstance(value, dict) or "place" not in value:
        return None
    return "collect" if "facts" in value else "screen" if "deliverable" in value else None
