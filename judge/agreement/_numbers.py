"""Agreement in numbers. None where a number is undefined: that is neither agreement nor its lack."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass


def cohen_kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Agreement of two raters beyond chance.

    Args:
        pairs: Their verdicts on each unit that both have rated.

    Returns:
        1 for full agreement, 0 for chance; None without pairs, and where both always say the same one thing, since
        chance alone agrees fully then.
    """
    count = len(pairs)
    if not count:
        return None
    observed = sum(one == other for one, other in pairs) / count
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    expected = sum(first[value] * second[value] for value in first) / count**2
    return None if expected >= 1 else (observed - expected) / (1 - expected)


def krippendorff_alpha(units: Sequence[Sequence[Hashable]]) -> float | None:
    """Agreement of any number of raters, some of whom may not have rated some units; nominal values.

    Args:
        units: The values that each unit was given. Units with fewer than two say nothing and are left out.

    Returns:
        1 for full agreement, 0 for chance; None where nothing can be paired or there is only one value.
    """
    paired = [unit for unit in units if len(unit) >= 2]
    total = sum(len(unit) for unit in paired)
    values = Counter(value for unit in paired for value in unit)
    if len(values) < 2:
        return None
    disagreed = sum((len(unit) ** 2 - _same(Counter(unit))) / (len(unit) - 1) for unit in paired)
    by_chance = (total**2 - _same(values)) / (total - 1)
    return 1 - disagreed / by_chance


@dataclass(frozen=True)
class Errors:
    """How a judge errs against a reference.

    Attributes:
        false_pass: Share of the goals that the reference calls not met, called met; None where there are none.
        false_fail: Share of the goals that the reference calls met, called not met; None where there are none.
        not_met: Goals that the reference calls not met.
        met: Goals that it calls met.
    """

    false_pass: float | None
    false_fail: float | None
    not_met: int
    met: int


def errors_against(pairs: Sequence[tuple[bool, bool]]) -> Errors:
    """Both error rates.

    Args:
        pairs: Verdicts of the judge and of the reference.
    """
    on_failed = [judged for judged, truth in pairs if not truth]
    on_met = [judged for judged, truth in pairs if truth]
    return Errors(
        sum(on_failed) / len(on_failed) if on_failed else None,
        sum(not one for one in on_met) / len(on_met) if on_met else None,
        len(on_failed),
        len(on_met),
    )


@dataclass(frozen=True)
class PairAgreement:
    """Two raters.

    Attributes:
        units: Goals that both have rated.
        raw: Share on which they agree; None without any.
        prevalence: Share of met among all their verdicts: kappa is low where one verdict is rare.
        kappa: Cohen's.
    """

    one: str
    other: str
    units: int
    raw: float | None
    prevalence: float | None
    kappa: float | None


def pair_agreement(one: str, other: str, pairs: Sequence[tuple[bool, bool]]) -> PairAgreement:
    """Raw agreement and prevalence beside kappa, which says little without them."""
    count = len(pairs)
    raw = sum(first == second for first, second in pairs) / count if count else None
    met = sum(first + second for first, second in pairs) / (2 * count) if count else None
    return PairAgreement(one, other, count, raw, met, cohen_kappa(pairs))


def _same(counts: Counter[Hashable]) -> int:
    return sum(count**2 for count in counts.values())
