"""Sessions as prose from templates: two people talk, at about the published lengths, hardly ever in the same words."""

from collections.abc import Iterator, Sequence
from statistics import NormalDist

from swe_together.memorycode._dialogue import Item, Kind, Meeting, People
from swe_together.memorycode._dice import Dice
from swe_together.memorycode._laws import WORDS
from swe_together.memorycode._people import COLLEAGUES
from swe_together.memorycode._phrases import Exchange, phrases
from swe_together.memorycode._spin import Slots, render

FEWEST_WORDS, MOST_WORDS = 70, 1200
_TRIES = 40
_SHARED = ("project", "project2", "customer", "thing", "meeting", "place")


def target_words(meeting: Meeting, draw: float) -> int:
    """How many words a session should have, by its length class and number of topics.

    Args:
        meeting: The session.
        draw: From 0 to 1: where in the normal distribution of lengths, which is cut off at three standard deviations.
    """
    mean, spread = WORDS[meeting.length][max(1, min(3, len(meeting.items)))]
    deviations = NormalDist().inv_cdf(min(0.99865, max(0.00135, draw)))
    return round(min(MOST_WORDS, max(FEWEST_WORDS, mean + spread * deviations)))


class TemplateWriter:
    """Writes the sessions of one dialogue, one after another.

    Args:
        people: Who meets.
        dice: The dialogue's own, for its prose alone.
    """

    def __init__(self, people: People, dice: Dice) -> None:
        self._people = people
        self._dice = dice
        self._phrases = phrases()
        self._said: set[str] = set()
        self._colleagues = dice.several(COLLEAGUES, 7)

    def write(self, number: int, meeting: Meeting, words: int) -> str:
        """The prose of session ``number``, from 1, of about ``words`` words: a line a turn, begun by who speaks."""
        turns = list(self._exchange(self._phrases.first_meeting if number == 1 else self._phrases.openings, number))
        closing = list(self._exchange(self._phrases.closings, number))
        blocks = [list(self._block(item, number)) for item in meeting.items]
        left = words - _words([*turns, *closing, *(turn for block in blocks for turn in block)])
        fillers: list[list[str]] = []
        waiting: list[Exchange] = []
        while left > 0:
            # Each kind of talk comes up before any comes up again.
            waiting = waiting or self._dice.several(self._phrases.padding, len(self._phrases.padding))
            filler = list(self._exchange([waiting.pop()], number))
            left -= _words(filler)
            # The last exchange goes in or stays out by whichever comes nearer to the target.
            if left >= 0 or -left < _words(filler) / 2:
                fillers.append(filler)
        for filler in fillers:
            blocks.insert(self._dice.below(len(blocks) + 1), filler)
        return "\n".join([*turns, *(turn for block in blocks for turn in block), *closing])

    def _block(self, item: Item, number: int) -> Iterator[str]:
        if item.kind in (Kind.SMALL_TALK, Kind.SMALL_TALK_AGAIN):
            fact, fact2 = self._dice.several(self._phrases.topics[item.topic], 2)
            frames = getattr(self._phrases, item.kind.name.lower())
            yield from self._exchange(frames, number, topic=item.topic, fact=fact, fact2=fact2)
            return
        frames = getattr(self._phrases, item.kind.name.lower())
        yield self._turn(self._people.mentor, frames, number, rule=sentence(item.text))
        yield self._turn(self._people.mentee, self._phrases.accept, number)

    def _exchange(self, exchanges: Sequence[Exchange], number: int, **slots: str) -> Iterator[str]:
        asked, answered = self._dice.choice(exchanges)
        # Both speak of the same things.
        same = {name: self._dice.choice(self._phrases.words[name]) for name in _SHARED}
        yield self._turn(self._people.mentor, [asked], number, **same, **slots)
        yield self._turn(self._people.mentee, [answered], number, **same, **slots)

    def _turn(self, who: str, templates: Sequence[str], number: int, **slots: str) -> str:
        """What somebody says: words that nobody has said before, as far as ``_TRIES`` draws find them."""
        filled: Slots = {
            **self._phrases.words,
            "mentor": self._people.mentor,
            "mentee": self._people.mentee,
            "firm": self._people.firm,
            "product": self._people.product,
            "colleague": self._colleagues,
            "count": str(number),
            "nth": _nth(number),
            **slots,
        }
        text = ""
        for _ in range(_TRIES):
            text = render(self._dice.choice(templates), filled, self._dice)
            if text not in self._said:
                break
        self._said.add(text)
        return f"{who}: {_polished(text)}"


def sentence(text: str) -> str:
    """The text with a capital at its beginning and a sign at its end."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def _words(turns: Sequence[str]) -> int:
    return sum(len(turn.split()) for turn in turns)


def _polished(text: str) -> str:
    """A capital after each sign that ends a sentence, where a slot or a choice began in lower case."""
    marks = (". ", "? ", "! ")
    for mark in marks:
        head, *rest = text.split(mark)
        text = mark.join([head, *(part[:1].upper() + part[1:] for part in rest)])
    return text[:1].upper() + text[1:]


def _nth(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number % 100 not in (11, 12, 13) else "th"
    return f"{number}{ending}"
