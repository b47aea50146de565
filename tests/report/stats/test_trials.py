"""pass@1, pass^k, stable solve rate and threshold curve, by hand."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swe_together.report.stats import (
    clustered_share,
    pass_at_1,
    pass_hat,
    pass_hat_k,
    stable_solve_rate,
    threshold_curve,
)

SCORES = [[1.0, 0.9], [0.85, 0.2], [0.8, 0.9], [0.1, 0.0]]
REPOSITORIES = ["a", "a", "b", "c"]


def test_shares_by_hand() -> None:
    # Passing trials: 2, 1, 1, 0 of 2. Means 0.95, 0.525, 0.85, 0.05.
    assert pass_at_1(SCORES, REPOSITORIES).mean == pytest.approx((1 + 0.5 + 0.5 + 0) / 4)
    assert pass_hat(SCORES, REPOSITORIES, k=2).mean == pytest.approx(1 / 4)
    assert stable_solve_rate(SCORES, REPOSITORIES).mean == pytest.approx(2 / 4)
    assert pass_at_1(SCORES, REPOSITORIES) == clustered_share([1, 0.5, 0.5, 0], REPOSITORIES)


def test_tasks_with_too_few_trials_are_left_out_and_counted() -> None:
    scores = [[1.0, 1.0, 0.0], [1.0], []]
    found = pass_hat(scores, ["a", "b", "c"], k=2)
    assert (found.mean, found.n) == (pytest.approx(1 / 3), 1)
    assert found.warning.startswith("2 of 3 tasks left out: fewer than 2 trials")
    assert pass_at_1(scores).n == stable_solve_rate(scores).n == 2
    assert pass_at_1(scores).warning.startswith("1 of 3 tasks left out: no trial")
    nothing = pass_hat(scores, k=4)
    assert (nothing.mean, nothing.n) == (None, 0)


def test_curve() -> None:
    curve = threshold_curve(SCORES, REPOSITORIES)
    assert [point.threshold for point in curve][::5] == [0.5, 0.75, 1.0]
    assert [point.estimate.mean for point in curve] == [5 / 8] * 7 + [4 / 8] + [3 / 8] + [1 / 8] * 2
    assert [p.threshold for p in threshold_curve(SCORES, thresholds=[0.3, 0.9])] == [0.3, 0.9]


def test_misuse() -> None:
    with pytest.raises(ValueError, match=r"scores\[1\]\[0\] is nan"):
        pass_at_1([[1.0], [float("nan")]])
    with pytest.raises(ValueError, match="1 labels for 2 tasks"):
        pass_at_1([[1.0], [0.0]], ["a"])
    for c, n, k in ((3, 2, 1), (-1, 2, 1), (1, 2, 0)):
        with pytest.raises(ValueError, match="k ≥ 1 are needed"):
            pass_hat_k(c, n, k)


@given(st.lists(st.booleans(), max_size=8), st.integers(1, 6))
def test_pass_hat_k_is_the_share_of_all_choices(trials: list[bool], k: int) -> None:
    chosen = [all(some) for some in combinations(trials, k)]
    found = pass_hat_k(sum(trials), len(trials), k)
    if chosen:
        assert found == pytest.approx(float(Fraction(sum(chosen), len(chosen))))
    else:
        assert found is None
