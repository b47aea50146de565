"""Draws what a dialogue's sessions hold, by the published laws; contradictory rules never hold at the same time."""

from collections.abc import Iterable, Sequence

from swe_together.memorycode._dialogue import Item, Kind
from swe_together.memorycode._dice import Dice
from swe_together.memorycode._irrelevant import DISTRACTORS
from swe_together.memorycode._laws import PER_INSTRUCTION_SESSION, SMALL_TALK_REUSE, law
from swe_together.memorycode._phrases import phrases
from swe_together.memorycode._pool import Stock
from swe_together.memorycode._rates import Rates, Spread, draw_rates
from swe_together.memorycode.contradictions import contradictions
from swe_together.memorycode.rules import RULES


def draw_sessions(size: int, pool: Sequence[Stock], spread: Spread, dice: Dice) -> list[list[Item]]:
    """The items of each session: small talk or a distractor first, then rules.

    Args:
        size: Number of sessions.
        pool: The rules that may be told.
        spread: Draws that decide how many of a kind there are.
        dice: All other draws.
    """
    rates = draw_rates(size, spread)
    count = int(size * rates.share)
    places = dice.several(range(size), count)
    alone = set(dice.several(places, min(count, spread.between(0, law(size).only, "instruction only"))))
    rules = _Rules(pool, rates.updates, spread, dice)
    fillers = _Fillers(size - len(alone), rates, spread, dice)
    told = {
        place: rules.session(spread.between(*PER_INSTRUCTION_SESSION, "instructions", number))
        for number, place in enumerate(sorted(places))
    }
    return [[*([] if place in alone else [fillers.next()]), *told.get(place, [])] for place in range(size)]


class _Rules:
    """Tells rules, and tells them anew.

    The published procedure: one rule is drawn of each group; with the rate's chance, or where nothing new is left, one
    that was told before is updated; a rule whose variants are used up leaves. What no code could obey together with
    the rules that hold is drawn again.
    """

    def __init__(self, pool: Sequence[Stock], rate: float, spread: Spread, dice: Dice) -> None:
        self._left = {stock.rule: stock for stock in pool}
        self._groups = list(dict.fromkeys(stock.group for stock in pool))
        self._told: dict[str, Stock] = {}
        self._active: dict[str, str] = {}
        self._rate = rate
        self._spread = spread
        self._slots = 0
        self._dice = dice

    def session(self, count: int) -> list[Item]:
        """The rules of one session, each at most once; fewer than ``count`` only where the pool is used up."""
        items: list[Item] = []
        for _ in range(count):
            item = self._next({item.topic for item in items})
            if item is not None:
                items.append(item)
        return items

    def _next(self, seen: set[str]) -> Item | None:
        drawn: list[Stock] = []
        for group in self._groups:
            members = [stock for stock in self._left.values() if stock.group == group]
            if members:
                drawn.append(self._dice.choice(members))
        new = [stock for stock in drawn if stock.rule not in self._told and stock.rule not in seen]
        again = [stock for stock in self._told.values() if stock.rule not in seen]
        to_come = [s for s in self._left.values() if s.updatable and s.rule not in self._told and s.rule not in seen]
        self._slots += 1
        update = self._spread.draw("update", self._slots) < self._rate
        order = [again or to_come, new, again] if update else [new, again or to_come]
        for stocks in [*order, list(self._left.values())]:
            item = self._first_fitting([stock for stock in stocks if stock.rule not in seen])
            if item is not None:
                return item
        return None

    def _first_fitting(self, stocks: Iterable[Stock]) -> Item | None:
        candidates = list(stocks)
        for stock in self._dice.several(candidates, len(candidates)):
            for variant in stock.variants:
                if self._fits(stock.rule, variant):
                    return self._tell(stock, variant)
        return None

    def _fits(self, rule: str, variant: str) -> bool:
        return not contradictions({**self._active, rule: variant})

    def _tell(self, stock: Stock, variant: str) -> Item:
        stock.variants.remove(variant)
        kind = Kind.RULE_UPDATE if stock.rule in self._active else Kind.RULE
        if stock.updatable:
            self._told[stock.rule] = stock
        if not stock.variants:
            self._left.pop(stock.rule)
            self._told.pop(stock.rule, None)
        self._active[stock.rule] = variant
        text = RULES[stock.rule].variant(variant).text
        return Item(kind=kind, topic=stock.rule, variant=variant, text=text)


class _Fillers:
    """Small talk, up to three times a topic, and distractors with their updates."""

    def __init__(self, count: int, rates: Rates, spread: Spread, dice: Dice) -> None:
        topics = list(phrases().topics)
        self._talk = {dice.choice(topics): SMALL_TALK_REUSE for _ in range(count)}
        self._talked: set[str] = set()
        self._distractors = {one.id: dice.several(one.variants, len(one.variants)) for one in DISTRACTORS}
        self._told: set[str] = set()
        self._rates = rates
        self._spread = spread
        self._slots = 0
        self._dice = dice

    def next(self) -> Item:
        """What the session begins with."""
        self._slots += 1
        if self._spread.draw("filler", self._slots) < self._rates.small_talk or not self._distractors:
            return self._small_talk()
        again = sorted(self._told & self._distractors.keys())
        update = bool(again) and self._dice.chance(self._rates.irrelevant_updates)
        fresh = [one for one in self._distractors if one not in self._told]
        topic = self._dice.choice(again if update or not fresh else fresh)
        text, mark = self._distractors[topic].pop(0)
        if not self._distractors[topic]:
            del self._distractors[topic]
        kind = Kind.DISTRACTOR_UPDATE if topic in self._told else Kind.DISTRACTOR
        self._told.add(topic)
        return Item(kind=kind, topic=topic, variant=mark, text=text, mark=mark)

    def _small_talk(self) -> Item:
        topic = self._dice.choice(list(self._talk) or list(phrases().topics))
        self._talk[topic] = self._talk.get(topic, 1) - 1
        if self._talk[topic] <= 0:
            del self._talk[topic]
        kind = Kind.SMALL_TALK_AGAIN if topic in self._talked else Kind.SMALL_TALK
        self._talked.add(topic)
        return Item(kind=kind, topic=topic)
