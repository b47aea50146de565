"""What a dialogue asks for at its end: few queries, so chosen that every rule in force has something to apply to."""

from collections.abc import Sequence
from typing import Final

from swe_together.memorycode._dice import Dice
from swe_together.memorycode.queries import QUERIES, serving

FEWEST: Final = 2
"""A dialogue of more than two sessions asks for at least so many, so that no rule hangs on a single answer."""


def draw_requests(rules: Sequence[str], size: int, dice: Dice) -> list[str]:
    """Ids of the queries, in the order in which they are asked for.

    The next one is always that which serves most of the rules that none serves yet; ties are drawn.
    """
    chosen: list[str] = []
    open_rules = set(rules)
    order = dice.several(list(QUERIES), len(QUERIES))
    while open_rules:
        best = max(order, key=lambda query: sum(query in serving(rule) for rule in open_rules))
        chosen.append(best)
        order.remove(best)
        open_rules -= {rule for rule in open_rules if best in serving(rule)}
    while len(chosen) < (FEWEST if size > 2 else 1):
        chosen.append(order.pop(0))
    return dice.several(chosen, len(chosen))
