"""Which rules a dialogue can draw from. A pool has the shape of the published set, whatever rules fill it.

That shape decides how often a rule can be updated, and with it the published figures: 51 rules in 19 groups, of which
ten, two in each of five groups, can be told anew.
"""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from swe_together.memorycode._dice import Dice
from swe_together.memorycode._rules_model import Rule
from swe_together.memorycode.rules import RULES

type Pool = Literal["all", "published", "new"]
POOLS: Final[tuple[str, ...]] = get_args(Pool.__value__)
NEW_UPDATED: Final = 4
"""Of the ten rules that can be updated, as many as this are not names' beginnings and endings in the pool ``all``."""
NEW_FIXED: Final = 16
"""Of the 41 others, as many as this are our own in the pool ``all``."""
MENDED: Final = ("p00",)
"""Rules with several variants that the published set told anew as if they were other rules; ours are updated."""
_NAMES = ("class-case", "contains", "prefix", "suffix", "digit")


@dataclass
class Stock:
    """A rule in a dialogue's pool.

    Attributes:
        rule: Its id.
        group: Each instruction is drawn among one rule of every group, so that no kind of rule dominates.
        updatable: Whether the dialogue may tell it anew.
        variants: Those not told yet, in the order in which they will be.
    """

    rule: str
    group: str
    updatable: bool
    variants: list[str]


def draw_pool(pool: Pool, dice: Dice) -> list[Stock]:
    """The pool of one dialogue."""
    ours = [rule for rule in RULES.values() if not rule.published]
    if pool == "new":
        return [_stock(rule, rule.family, rule.updatable, dice) for rule in ours]
    published = {rule.id: rule for rule in RULES.values() if rule.published}
    updated = {place: rule for place, rule in published.items() if rule.family in ("prefix", "suffix")}
    fixed = {place: rule for place, rule in published.items() if place not in updated}
    if pool == "all":
        many = dice.several([rule for rule in ours if rule.updatable], NEW_UPDATED)
        updated |= zip(dice.several(list(updated), NEW_UPDATED), many, strict=True)
        rest = dice.several([rule for rule in ours if rule not in many], NEW_FIXED)
        fixed |= zip(dice.several(list(fixed), NEW_FIXED), rest, strict=True)
    places = [*((*one, True) for one in updated.items()), *((*one, one[1].id in MENDED) for one in fixed.items())]
    return [_stock(rule, _group(published[place]), updatable, dice) for place, rule, updatable in places]


def _group(rule: Rule) -> str:
    if rule.family in _NAMES:
        return rule.objects[0].value
    return rule.family if rule.family == "import" else f"{rule.objects[0].value} {rule.family}"


def _stock(rule: Rule, group: str, updatable: bool, dice: Dice) -> Stock:
    variants = [variant.id for variant in dice.several(rule.variants, len(rule.variants))]
    return Stock(rule.id, group, updatable, variants if updatable else variants[:1])
