"""How far judges, votes or people agree, and how a judge errs against a reference."""

from dataclasses import dataclass
from itertools import combinations

from swe_together.errors import MisuseError
from swe_together.judge.agreement._numbers import (
    Errors,
    PairAgreement,
    cohen_kappa,
    errors_against,
    krippendorff_alpha,
    pair_agreement,
)
from swe_together.judge.agreement._raters import CHECKS, of_judgements
from swe_together.judge.agreement._ratings import Ratings, Unit
from swe_together.judge.agreement._reading import read_ratings


@dataclass(frozen=True)
class Agreement:
    """All raters of a set of goals.

    Attributes:
        raters: Their names.
        units: Goals that anybody has rated.
        alpha: Krippendorff's, over all raters.
        pairs: Every two of them.
        errors: Of every other rater against the reference; empty without one.
        disagreements: Goals on which not all say the same.
    """

    raters: list[str]
    units: int
    alpha: float | None
    pairs: list[PairAgreement]
    errors: dict[str, Errors]
    disagreements: list[Unit]


def agreement(ratings: Ratings, reference: str | None = None) -> Agreement:
    """Compare all raters.

    Args:
        ratings: Their verdicts.
        reference: The rater that the others are measured against.

    Raises:
        MisuseError: Nobody of that name has rated anything.
    """
    raters = ratings.raters
    if reference is not None and reference not in raters:
        raise MisuseError(f"There is no rater {reference!r}.", f"Raters: {', '.join(raters) or 'none'}.")
    others = [rater for rater in raters if rater != reference] if reference else []
    return Agreement(
        raters,
        len(ratings.verdicts),
        krippendorff_alpha(ratings.units()),
        [pair_agreement(one, other, ratings.pairs(one, other)) for one, other in combinations(raters, 2)],
        {rater: errors_against(ratings.pairs(rater, str(reference))) for rater in others},
        [unit for unit, given in ratings.verdicts.items() if len(set(given.values())) > 1],
    )


__all__ = [
    "CHECKS",
    "Agreement",
    "Errors",
    "PairAgreement",
    "Ratings",
    "Unit",
    "agreement",
    "cohen_kappa",
    "errors_against",
    "krippendorff_alpha",
    "of_judgements",
    "pair_agreement",
    "read_ratings",
]
