"""All rules: the 51 published ones (``p00`` … ``p50``) and those of our own.

Variants of one rule replace each other: code that follows an earlier one, as its text says, breaks the later one.
"""

from collections.abc import Mapping
from types import MappingProxyType

from checker.errors import MisuseError
from checker._new_rules import NEW
from checker._published_rules import PUBLISHED
from checker._rules_model import Active, Rule, Variant

RULES: Mapping[str, Rule] = MappingProxyType({rule.id: rule for rule in (*PUBLISHED, *NEW)})
_VARIANTS = {(rule.id, variant.id): (rule, variant) for rule in RULES.values() for variant in rule.variants}
_PLACES = {rule_id: place for place, rule_id in enumerate(RULES)}


def active_variants(active: Active) -> list[tuple[Rule, Variant]]:
    """The rules and variants that ``active`` names, in the order of :data:`RULES`.

    Raises:
        MisuseError: No rule has such an id, or no variant of it.
    """
    for rule_id, variant_id in active.items():
        if (rule_id, variant_id) not in _VARIANTS:
            raise _unknown(rule_id, variant_id)
    return [_VARIANTS[rule_id, active[rule_id]] for rule_id in sorted(active, key=_PLACES.__getitem__)]


def _unknown(rule_id: str, variant_id: str) -> MisuseError:
    rule = RULES.get(rule_id)
    if rule is None:
        return MisuseError(f"there is no rule {rule_id!r}", "Name a rule of swe_together.memorycode.rules.RULES.")
    known = ", ".join(variant.id for variant in rule.variants)
    return MisuseError(f"rule {rule_id} has no variant {variant_id!r}", f"Choose one of {known}.")
