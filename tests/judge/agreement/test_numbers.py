"""Kappa, alpha and error rates: values worked out by hand or printed with the textbook examples."""

import random
from collections import Counter
from itertools import product

import pytest

from swe_together.errors import MisuseError
from swe_together.judge.agreement import (
    Ratings,
    agreement,
    cohen_kappa,
    errors_against,
    krippendorff_alpha,
    pair_agreement,
)

YES_YES, YES_NO, NO_YES, NO_NO = (True, True), (True, False), (False, True), (False, False)


@pytest.mark.parametrize(
    ("table", "kappa"),
    [
        # observed 35/50; by chance 0.5·0.6 + 0.5·0.4 = 0.5
        ((20, 5, 10, 15), 0.4),
        # equal raw agreement of 60 of 100, unequal margins: chance is 0.54 and 0.46
        ((45, 15, 25, 15), 0.06 / 0.46),
        ((25, 35, 5, 35), 0.14 / 0.54),
        ((10, 0, 0, 10), 1.0),
        ((5, 5, 5, 5), 0.0),
        ((0, 5, 5, 0), -1.0),
        ((9, 1, 0, 0), 0.0),
    ],
)
def test_cohen(table: tuple[int, int, int, int], kappa: float) -> None:
    pairs = [pair for pair, count in zip((YES_YES, YES_NO, NO_YES, NO_NO), table, strict=True) for _ in range(count)]
    assert cohen_kappa(pairs) == pytest.approx(kappa)


def test_kappa_is_undefined_without_pairs_or_variation() -> None:
    assert cohen_kappa([]) is None
    assert cohen_kappa([YES_YES] * 10) is None


# Four observers, twelve units, values 1 to 5, gaps: the worked example of Krippendorff's paper on computing alpha.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def test_krippendorff() -> None:
    units = [[value for value in unit if value is not None] for unit in zip(*OBSERVERS, strict=True)]
    assert krippendorff_alpha(units) == pytest.approx(0.743, abs=0.0005)


def test_krippendorff_of_two_observers_binary() -> None:
    # Of 20 values 14 are 0 and 6 are 1; four units differ: 1 − 19·4 / (14·6)
    units = [list(pair) for pair in zip("0100000000", "1110010010", strict=True)]
    assert krippendorff_alpha(units) == pytest.approx(1 - 19 * 4 / (14 * 6))


def by_definition(units: list[list[bool]]) -> float:
    """Alpha from its coincidence matrix, cell by cell."""
    cells: Counter[tuple[bool, bool]] = Counter()
    for unit in units:
        if len(unit) < 2:
            continue
        for (i, one), (j, other) in product(enumerate(unit), repeat=2):
            if i != j:
                cells[one, other] += 1 / (len(unit) - 1)  # type: ignore[assignment]
    margins = {value: cells[value, True] + cells[value, False] for value in (True, False)}
    total = sum(margins.values())
    observed = cells[True, False] + cells[False, True]
    expected = 2 * margins[True] * margins[False] / (total - 1)
    return 1 - observed / expected


def test_krippendorff_agrees_with_its_definition() -> None:
    rng = random.Random(5)
    for _ in range(50):
        units = [[rng.random() < 0.6 for _ in range(rng.randint(0, 5))] for _ in range(30)]
        assert krippendorff_alpha(units) == pytest.approx(by_definition(units))


def test_alpha_is_undefined_without_pairs_or_variation() -> None:
    assert krippendorff_alpha([]) is None
    assert krippendorff_alpha([[True], [False], []]) is None
    assert krippendorff_alpha([[True, True], [True, True, True]]) is None
    assert krippendorff_alpha([[True, True], [False, False]]) == 1.0


def test_error_rates() -> None:
    # judge, reference: 3 of 4 failed goals called met, 1 of 6 met goals called failed
    pairs = [(True, False)] * 3 + [(False, False)] + [(False, True)] + [(True, True)] * 5
    found = errors_against(pairs)
    assert (found.false_pass, found.false_fail, found.not_met, found.met) == (0.75, pytest.approx(1 / 6), 4, 6)
    assert errors_against([(True, True)]).false_pass is None
    assert errors_against([(True, False)]).false_fail is None


def test_pairs_say_prevalence() -> None:
    found = pair_agreement("a", "b", [YES_YES] * 18 + [YES_NO, NO_YES])
    # raw 0.9, and yet by chance 0.95² + 0.05² = 0.905
    assert (found.units, found.raw, found.prevalence) == (20, 0.9, 0.95)
    assert found.kappa == pytest.approx((0.9 - 0.905) / 0.095)
    assert pair_agreement("a", "b", []).raw is None


def test_all_raters() -> None:
    ratings = Ratings()
    for goal, checks, person, model in (
        ("g1", True, True, True),
        ("g2", False, True, None),
        ("g3", False, False, True),
    ):
        ratings.add("t", goal, "checks", checks)
        ratings.add("t", goal, "person", person)
        ratings.add("t", goal, "model", model)
    found = agreement(ratings, "checks")
    assert (found.raters, found.units) == (["checks", "model", "person"], 3)
    assert [(one.one, one.other, one.units, one.raw) for one in found.pairs] == [
        ("checks", "model", 2, 0.5), ("checks", "person", 3, pytest.approx(2 / 3)), ("model", "person", 2, 0.5),
    ]  # fmt: skip
    assert (found.errors["person"].false_pass, found.errors["person"].false_fail) == (0.5, 0.0)
    assert [unit.goal for unit in found.disagreements] == ["g2", "g3"]
    assert agreement(ratings).errors == {}
    with pytest.raises(MisuseError, match="no rater 'nobody'"):
        agreement(ratings, "nobody")
