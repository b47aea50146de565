"""The clustered mean: against a matrix implementation of its own, by hand, and in its edge cases."""

import json
import math
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import linalg, stats

from swe_together.report.stats import Estimate, clustered_mean, clustered_regression
from tests.report.stats.designs import PAPER_SIZES, Floats, clustered


def brute_force(values: Floats, design: Floats, groups: Floats, rho: float) -> list[tuple[float, float, float]]:
    """Coefficient, CR2 error and Satterthwaite df by whole N x N matrices and eigenvalues."""
    count = len(values)
    bread = np.linalg.inv(design.T @ design)
    hat = design @ bread @ design.T
    keep = np.eye(count) - hat
    residuals = keep @ values
    same = groups[:, None] == groups[None, :]
    omega = np.where(same, rho, 0.0)
    np.fill_diagonal(omega, 1.0)
    out = []
    for index in range(design.shape[1]):
        quadratic = np.zeros((count, count))
        for group in np.unique(groups):
            inside = np.flatnonzero(groups == group)
            pick = np.eye(count)[inside]
            root = np.linalg.inv(linalg.sqrtm(pick @ keep @ pick.T).real)
            vector = pick.T @ root @ pick @ design @ bread[:, index]
            quadratic += np.outer(vector, vector)
        form = keep @ quadratic @ keep
        eigenvalues = np.linalg.eigvals(form @ omega).real
        variance = residuals @ quadratic @ residuals
        out.append((float((bread @ design.T @ values)[index]), math.sqrt(variance),
                    float(eigenvalues.sum() ** 2 / (eigenvalues**2).sum())))  # fmt: skip
    return out


def working(values: Floats, design: Floats, groups: Floats) -> float:
    """Mean product of residuals over pairs of one cluster, by the variance, pair by pair."""
    rest = values - design @ np.linalg.lstsq(design, values, rcond=None)[0]
    pairs = [rest[i] * rest[j] for i in range(len(rest)) for j in range(len(rest)) if i != j and groups[i] == groups[j]]
    return float(np.clip(np.mean(pairs) / np.mean(rest**2), 0, 1))


@pytest.mark.parametrize("sizes", [(3, 2), (5, 4, 1, 1), PAPER_SIZES])
@pytest.mark.parametrize("icc", [0.0, 0.6])
def test_the_mean_agrees_with_matrices(sizes: tuple[int, ...], icc: float) -> None:
    values, groups = clustered(len(sizes), sizes, icc)
    design = np.ones((len(values), 1))
    found = clustered_mean(values, groups)
    [(mean, se, df)] = brute_force(values, design, groups, working(values, design, groups))
    assert (found.mean, found.se, found.df) == pytest.approx((mean, se, df), abs=1e-9)
    half = stats.t.ppf(0.975, df) * se
    assert (found.low, found.high) == pytest.approx((mean - half, mean + half), abs=1e-9)


@pytest.mark.parametrize("correlation", [None, 0.0, 0.35])
def test_a_regression_agrees_with_matrices(correlation: float | None) -> None:
    values, groups = clustered(7, (8, 6, 5, 3, 2, 2, 1))
    random = np.random.default_rng(8)
    columns = {"one": np.ones(len(values)), "length": random.normal(size=len(values)),
               "language": (groups % 2).astype(float)}  # fmt: skip
    design = np.column_stack(list(columns.values()))
    found = clustered_regression(values, columns, groups, correlation=correlation)
    rho = working(values, design, groups) if correlation is None else correlation
    for coefficient, name, (value, se, df) in zip(
        found, columns, brute_force(values, design, groups, rho), strict=True
    ):
        assert coefficient.name == name
        assert (coefficient.mean, coefficient.se, coefficient.df) == pytest.approx((value, se, df), abs=1e-9)
        assert coefficient.p == pytest.approx(2 * stats.t.sf(abs(value / se), df), abs=1e-9)


def test_an_intercept_alone_is_the_mean() -> None:
    values, groups = clustered(3, PAPER_SIZES)
    mean = clustered_mean(values, groups)
    [one] = clustered_regression(values, {"one": np.ones(len(values))}, groups)
    for field in ("mean", "low", "high", "se", "df"):
        assert getattr(one, field) == pytest.approx(getattr(mean, field), abs=1e-9)


def test_by_hand() -> None:
    # Clusters {1, 3} and {5}: mean 3, sums of residuals -2 and 2, kept shares 1/3 and 2/3.
    # V = (4/(1/3) + 4/(2/3))/9 = 2. The only pair of a cluster has the product 0: no correlation. With two clusters
    # there is one contrast, so one degree of freedom.
    found = clustered_mean([1, 3, 5], ["a", "a", "b"])
    assert (found.mean, found.n, found.clusters) == (3, 3, 2)
    assert found.se == pytest.approx(math.sqrt(2))
    assert found.df == pytest.approx(1)
    assert found.high == pytest.approx(3 + 12.706204736 * math.sqrt(2))
    assert "degrees of freedom" in found.warning


def test_without_clusters_it_is_the_plain_t_interval() -> None:
    values = np.random.default_rng(1).normal(size=40)
    found = clustered_mean(values)
    plain = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high), abs=1e-9)
    assert found.df == pytest.approx(39, abs=1e-9)
    assert found.warning == ""


def test_missing_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"values\[1\] is nan"):
        clustered_mean([0.5, math.nan, 1.0])
    with pytest.raises(ValueError, match=r"values\[1\] is nan"):
        clustered_mean([0.5, None, 1.0])  # type: ignore[list-item]
    with pytest.raises(ValueError, match=r"values\[0\] is inf"):
        clustered_mean([math.inf])
    with pytest.raises(ValueError, match="not all of them are numbers"):
        clustered_mean([0.5, "n/a"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match=r"clusters\[2\] is None"):
        clustered_mean([1, 2, 3], ["a", "a", None])
    with pytest.raises(ValueError, match="2 labels for 3 values"):
        clustered_mean([1, 2, 3], ["a", "a"])
    with pytest.raises(ValueError, match="one dimension"):
        clustered_mean([[1, 2]])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="level is 95"):
        clustered_mean([1, 2], level=95)


def test_what_the_values_cannot_tell_is_none() -> None:
    nothing = clustered_mean([])
    assert (nothing.mean, nothing.low, nothing.se, nothing.n, nothing.clusters) == (None, None, None, 0, 0)
    assert nothing.warning
    one = clustered_mean([0.2, 0.4], ["a", "a"])
    assert (one.mean, one.low, one.high, one.se, one.clusters) == (pytest.approx(0.3), None, None, None, 1)
    assert "fewer than two clusters" in one.warning
    for same in (clustered_mean([0.7] * 9, "aaabbbccc"), clustered_mean([0, 1, 0, 1], "aabb")):
        assert (same.low, same.high, same.se, same.df) == (None,) * 4
        assert "no spread" in same.warning


def test_a_regression_that_cannot_be_made() -> None:
    ones = [1.0] * 4
    with pytest.raises(ValueError, match="one, two depend on each other"):
        clustered_regression([1, 2, 3, 4], {"one": ones, "two": [2.0] * 4})
    with pytest.raises(ValueError, match="at least one"):
        clustered_regression([1, 2], {})
    with pytest.raises(ValueError, match=r"age\[0\] is nan"):
        clustered_regression([1.0], {"age": [math.nan]})
    with pytest.raises(ValueError, match="age: 1 numbers for 2"):
        clustered_regression([1, 2], {"age": [1.0]})
    [short] = clustered_regression([], {"one": []})
    assert (short.mean, short.p, short.n) == (None, None, 0)
    assert clustered_regression([3, 3, 3, 3], {"one": ones}, "aabb")[0].se is None


def test_a_share_near_its_end_is_warned_about() -> None:
    groups = np.repeat(np.arange(10), 5)
    assert "close to 0 or 1" in clustered_mean([1.0] * 45 + [0.0] * 5, groups).warning
    assert clustered_mean([0.0, 1.0] * 20).warning == ""
    assert "close to 0 or 1" not in clustered_mean([-0.9, 0.1, 0.2] * 9).warning


numbers = st.lists(st.tuples(st.floats(-1e3, 1e3, width=32), st.sampled_from("abcdef")), min_size=2, max_size=40)


def close(one: Estimate, other: Estimate, factor: float = 1, shift: float = 0) -> None:
    assert other.mean == pytest.approx((one.mean or 0) * factor + shift, abs=1e-6)
    if one.se is not None and other.se is not None:
        assert other.se == pytest.approx(one.se * abs(factor), rel=1e-3, abs=1e-6)


@given(numbers, st.randoms(use_true_random=False))
def test_order_and_names_of_clusters_do_not_matter(pairs: list[tuple[float, str]], random: object) -> None:
    mixed = list(pairs)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    one = clustered_mean([v for v, _ in pairs], [g for _, g in pairs])
    other = clustered_mean([v for v, _ in mixed], [ord(g) for _, g in mixed])
    close(one, other)
    assert one.clusters == other.clusters


@given(numbers)
def test_it_moves_and_scales_with_the_values(pairs: list[tuple[float, str]]) -> None:
    groups = [g for _, g in pairs]
    one = clustered_mean([v for v, _ in pairs], groups)
    close(one, clustered_mean([v * -2 + 5 for v, _ in pairs], groups), -2, 5)


@given(numbers)
def test_it_is_json_with_ends_in_order(pairs: list[tuple[float, str]]) -> None:
    found = clustered_mean([v for v, _ in pairs], [g for _, g in pairs])
    assert json.loads(json.dumps(asdict(found), allow_nan=False)) == asdict(found)
    assert found.mean is not None
    assert found.n == len(pairs)
    if found.low is None or found.high is None or found.df is None:
        assert found.warning
    else:
        assert found.low <= found.mean <= found.high
        assert 0.99 <= found.df <= found.clusters - 1 + 1e-6
