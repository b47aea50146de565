"""Asking a model about sessions: typed answers, kept by content, so that a run goes on where it stood."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from swe_together.errors import MisuseError, TogetherError
from swe_together.files import write_atomically
from swe_together.judge import ChatModel
from swe_together.pipeline.asking import ask
from swe_together.pipeline.base import turns_of
from swe_together.pipeline.clearing import Cleared
from swe_together.pipeline.collect._candidates import place_from
from swe_together.pipeline.screen._prompt import Assessment, Obstacle, screen_question
from swe_together.pipeline.screen._summary import summary_of
from swe_together.pipeline.sessions import Place
from swe_together.providers import Refused
from swe_together.schema import Ledger, Strict


class Screening(Strict):
    """What a model said of a session, and of which words of it."""

    format: int = 1
    session: str
    place: dict[str, Any] = Field(description="Where the session lies, as swe-together collect writes it.")
    number: int = Field(description="Which of that file's sessions it is, from 0.")
    messages: int
    summary: str
    deliverable: bool
    deliverable_reason: str
    reproducible: bool
    reproducible_reason: str
    obstacles: list[Obstacle]
    guided: bool
    guided_reason: str
    model: str
    prompt_sha256: str = Field(description="Of system text, the session's page and the answer's form.")
    ledger: Ledger

    @property
    def chosen(self) -> bool:
        """Whether the session goes on to be built."""
        return self.deliverable and self.reproducible and self.guided

    @property
    def where(self) -> Place:
        """Where the session lies."""
        return place_from(self.place)


@dataclass(frozen=True)
class Failed:
    """A session that no model could be asked about."""

    session: str
    place: Place
    reason: str


@dataclass(frozen=True)
class Page:
    """What a model is shown of a session.

    Attributes:
        session: Its id.
        place: Where it lies.
        number: Which of that file's sessions it is.
        messages: The user's.
        text: What is shown, without secrets and personal data.
    """

    session: str
    place: Place
    number: int
    messages: int
    text: str


def page_of(cleared: Cleared, place: Place, number: int) -> Page:
    """The page of a session.

    Raises:
        PrivacyError: It can't be looked through.
    """
    turns = turns_of(cleared.shown)
    return Page(cleared.shown.origin.session_id, place, number, len(turns), summary_of(cleared.shown, turns))


class Answers:
    """Answers by what was asked: model, system text, page and form. Another run of the same asks nobody again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, model: str, prompt: str) -> Screening | None:
        """The answer, or None; one that can't be read is none."""
        try:
            return Screening.model_validate_json(self._file(model, prompt).read_bytes())
        except (OSError, ValidationError):
            return None

    def put(self, screening: Screening) -> None:
        """Keep an answer."""
        write_atomically(
            self._file(screening.model, screening.prompt_sha256), screening.model_dump_json(indent=1) + "\n"
        )

    def _file(self, model: str, prompt: str) -> Path:
        return self._folder / f"{hashlib.sha256(json.dumps([model, prompt]).encode()).hexdigest()}.json"


async def screen_page(page: Page, model: ChatModel, answers: Answers) -> Screening:
    """Ask about one session, or take the answer that is kept.

    Args:
        page: The session.
        model: Who is asked.
        answers: What was answered before.

    Raises:
        NoAnswer: The model gave none that can be used.
    """
    question = screen_question(page.text)
    kept = answers.get(model.name, question.digest)
    where = json.loads(json.dumps(asdict(page.place), default=str))
    if kept is not None:
        return kept.model_copy(update={"session": page.session, "place": where, "number": page.number})
    answered = await ask(model, question, Assessment, _accepted)
    screening = Screening(
        session=page.session, place=where, number=page.number, messages=page.messages, **answered.value.model_dump(),
        model=answered.model, prompt_sha256=answered.prompt_sha256, ledger=answered.ledger,
    )  # fmt: skip
    answers.put(screening)
    return screening


async def screen(
    pages: Sequence[Page], model: ChatModel, answers: Answers, concurrent: int = 4
) -> AsyncIterator[Screening | Failed]:
    """Ask about many sessions; hands back what was said, or why nothing was, as it comes."""
    slots = asyncio.Semaphore(concurrent)

    async def one(page: Page) -> Screening | Failed:
        async with slots:
            try:
                return await screen_page(page, model, answers)
            except TogetherError as error:
                return Failed(page.session, page.place, str(error))

    tasks = [asyncio.ensure_future(one(page)) for page in pages]
    try:
        for done in asyncio.as_completed(tasks):
            yield await done
    finally:
        for task in tasks:
            task.cancel()


def read_screened(path: Path) -> list[Screening]:
    """What ``swe-together screen`` wrote.

    Raises:
        MisuseError: A line is none of its lines.
    """
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            found.append(Screening.model_validate_json(line))
        except ValidationError as error:
            told = error.errors(include_url=False, include_input=False)[0]["msg"]
            raise MisuseError(f"{path}: line {number} is no screening: {told}.", "Screen again.") from None
    return found


def _accepted(answer: Assessment) -> Assessment:
    if answer.reproducible and answer.obstacles:
        raise Refused("It names obstacles and says that it is reproducible.")
    if not answer.reproducible and not answer.obstacles:
        raise Refused("It says that it isn't reproducible and names no obstacle.")
    if len(set(answer.obstacles)) < len(answer.obstacles):
        raise Refused("An obstacle stands in it twice.")
    return answer
