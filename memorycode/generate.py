"""Dialogues from a seed: the same bytes for the same seed, on every Python and machine."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from swe_together.errors import MisuseError, TogetherError
from swe_together.memorycode._dialogue import Dialogue, Meeting, People
from swe_together.memorycode._dice import Dice
from swe_together.memorycode._laws import LENGTHS, PER_SIZE, SIZES
from swe_together.memorycode._people import FIRMS, MENTEE_CHARACTERS, MENTEES, MENTOR_CHARACTERS, MENTORS
from swe_together.memorycode._pool import POOLS, Pool, draw_pool
from swe_together.memorycode._prose import TemplateWriter, target_words
from swe_together.memorycode._rates import Spread
from swe_together.memorycode._requests import draw_requests
from swe_together.memorycode._sampling import draw_sessions
from swe_together.memorycode.contradictions import contradictions

MOST_SESSIONS = 1000


@dataclass(frozen=True)
class Recipe:
    """What is generated.

    Attributes:
        seed: Any whole number.
        sizes: Sessions of a dialogue, per group of dialogues.
        per_size: Dialogues of each size.
        pool: Which rules dialogues draw from.
        isolated: Rules of each dialogue that get a task of their own in the arm ``isolated``; None: all.

    Raises:
        MisuseError: A number is out of range.
    """

    seed: int
    sizes: Sequence[int] = SIZES
    per_size: int = PER_SIZE
    pool: Pool = "all"
    isolated: int | None = 1

    def __post_init__(self) -> None:
        wrong = [size for size in self.sizes if not 1 <= size <= MOST_SESSIONS]
        if wrong or not self.sizes or len(set(self.sizes)) < len(self.sizes):
            raise MisuseError(
                f"sizes {', '.join(map(str, self.sizes)) or '(none)'} can't be generated.",
                f"Give different numbers of sessions from 1 to {MOST_SESSIONS}.",
            )
        if self.per_size < 1 or (self.isolated is not None and self.isolated < 0):
            raise MisuseError("There is nothing to generate.", "Ask for at least one dialogue of each size.")
        if self.pool not in POOLS:
            raise MisuseError(f"there is no pool {self.pool!r}.", f"Pools: {', '.join(POOLS)}.")


class Writer(Protocol):
    """Writes sessions in place of the templates."""

    @property
    def name(self) -> str:
        """Who is recorded as the writer."""
        ...

    def write(self, people: People, number: int, meeting: Meeting, words: int, dialogue: str) -> str:
        """The prose of a session, of about so many words; ``dialogue`` says which dialogue it is of."""
        ...


def generate(recipe: Recipe, writer: Writer | None = None) -> Iterator[Dialogue]:
    """The dialogues, size by size."""
    for size in recipe.sizes:
        for number in range(1, recipe.per_size + 1):
            yield make_dialogue(recipe, size, number, writer)


def make_dialogue(recipe: Recipe, size: int, number: int, writer: Writer | None = None) -> Dialogue:
    """One dialogue, the same whatever else is generated.

    Args:
        recipe: Seed and pool.
        size: Its number of sessions.
        number: Among the dialogues of its size, from 1.
        writer: Writes the prose; None: templates.

    Raises:
        TogetherError: Rules in force contradict each other: a defect of the sampling, never let through.
    """

    def dice(purpose: str) -> Dice:
        return Dice("memorycode 1", recipe.seed, recipe.pool, size, number, purpose)

    people = _people(dice("people"))
    spread = Spread(("memorycode 1", recipe.seed, recipe.pool, size), number)
    items = draw_sessions(size, draw_pool(recipe.pool, dice("pool")), spread, dice("sessions"))
    meetings = [
        Meeting(length=LENGTHS[spread.between(0, len(LENGTHS) - 1, "length", place)], items=held)
        for place, held in enumerate(items)
    ]
    name = f"s{size:03}-{number:02}"
    draft = Dialogue(
        name=name, seed=recipe.seed, number=number, pool=recipe.pool, people=people, sessions=meetings, requests=["-"]
    )
    clash = contradictions(draft.active)
    if clash:
        raise TogetherError(f"dialogue {name}: rules {clash} can't be obeyed together.", "Report this as a defect.")
    rules = [rule.rule for rule in draft.active_rules]
    drawn = dice("requests")
    drafted = TemplateWriter(people, dice("prose"))
    told = []
    for place, meeting in enumerate(meetings, 1):
        words = target_words(meeting, spread.draw("words", place))
        if writer is None:
            text = drafted.write(place, meeting, words)
        else:
            text = writer.write(people, place, meeting, words, f"{recipe.seed} {recipe.pool} {name}")
        told.append(meeting.model_copy(update={"text": text}))
    alone = len(rules) if recipe.isolated is None else min(recipe.isolated, len(rules))
    return draft.model_copy(
        update={
            "sessions": told,
            "prose": "templates" if writer is None else writer.name,
            "requests": draw_requests(rules, size, drawn),
            "isolated": sorted(dice("isolated").several(rules, alone)),
        }
    )


def _people(dice: Dice) -> People:
    firm, product = dice.choice(FIRMS)
    return People(
        mentor=dice.choice(MENTORS),
        mentee=dice.choice(MENTEES),
        firm=firm,
        product=product,
        mentor_character=dice.choice(MENTOR_CHARACTERS),
        mentee_character=dice.choice(MENTEE_CHARACTERS),
    )
