"""Least squares over clustered values with CR2 and Satterthwaite's degrees of freedom: covariates and group contrasts.

V = B Σ_g X_g' A_g e_g e_g' A_g X_g B, with B = (X'X)⁻¹, e the residuals and A_g = (I - X_g B X_g')^(-1/2), the
symmetric root of the generalised inverse. Degrees of freedom per coefficient as in the mean's module, whose closed
form is the case of an intercept alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from swe_together.report.stats._estimate import NO_SPREAD, NO_VALUES, Difference, Estimate, few, tested
from swe_together.report.stats._student import quantile
from swe_together.report.stats._values import ROUNDING, Codes, Floats, Labels, Numbers, check_level, codes, numbers

METHOD = "least squares, CR2, Satterthwaite df"


@dataclass(frozen=True)
class Coefficient(Difference):
    """A coefficient as an estimate tested against 0: ``mean`` holds it.

    Attributes:
        name: Of its column.
    """

    name: str = ""


def clustered_regression(
    values: Numbers,
    columns: Mapping[str, Numbers],
    clusters: Labels | None = None,
    *,
    level: float = 0.95,
    correlation: float | None = None,
) -> tuple[Coefficient, ...]:
    """Coefficients of the columns.

    Args:
        values: One a task.
        columns: The covariates by name, each as long as ``values``. No intercept is added: give a column of ones.
        clusters: The cluster of each value; without it every value is its own.
        level: Of the intervals.
        correlation: Working correlation of two values of one cluster; estimated from the residuals unless given.

    Returns:
        One coefficient a column, in their order; without values, or with too few of them, without numbers.

    Raises:
        ValueError: Something is missing, lengths differ, there are no columns, or they depend on each other.
    """
    check_level(level)
    found = numbers(values)
    groups = codes(clusters, len(found))
    design = _design(columns, len(found))
    count = len(np.unique(groups))
    if len(found) <= design.shape[1] or count < 2:
        said = "too few values or clusters for the columns" if len(found) else NO_VALUES
        return tuple(
            Coefficient(None, None, None, None, None, len(found), count, METHOD, said, level, name=name)
            for name in columns
        )
    if np.linalg.matrix_rank(design) < design.shape[1]:
        raise ValueError(f"columns {', '.join(columns)} depend on each other: leave one out")
    fit = _Fit.of(found, design, groups)
    rho = fit.correlation() if correlation is None else correlation
    said = f"{METHOD} at a working correlation of {rho:.2f}"
    one = [_coefficient(fit, index, rho, level, said) for index in range(design.shape[1])]
    return tuple(Coefficient(**vars(tested(e)), name=name) for e, name in zip(one, columns, strict=True))


@dataclass(frozen=True)
class _Fit:
    """A fit: coefficients (K), residuals (N), and per value the score ``A_g X_g B`` that its residual counts with."""

    groups: Codes
    design: Floats
    bread: Floats
    coefficients: Floats
    residuals: Floats
    scores: Floats
    scale: float

    @classmethod
    def of(cls, values: Floats, design: Floats, groups: Codes) -> Self:
        bread = np.linalg.inv(design.T @ design)
        coefficients = bread @ design.T @ values
        scores = np.empty_like(design)
        for members in _members(groups):
            part = design[members]
            scores[members] = _root(np.eye(len(members)) - part @ bread @ part.T) @ part @ bread
        scale = float(np.abs(values).max())
        return cls(groups, design, bread, coefficients, values - design @ coefficients, scores, scale)

    def correlation(self) -> float:
        """Working correlation from the residuals: as that of the mean, with residuals in place of differences."""
        sizes = np.bincount(self.groups)
        pairs, squares = float((sizes * (sizes - 1)).sum()), float(self.residuals @ self.residuals)
        if not pairs or np.sqrt(squares / len(self.residuals)) <= ROUNDING * self.scale:
            return 0.0
        sums = np.bincount(self.groups, weights=self.residuals)
        return float(np.clip((sums @ sums - squares) / pairs / (squares / len(self.residuals)), 0, 1))

    def df(self, index: int, correlation: float) -> float:
        """Satterthwaite's degrees of freedom of one coefficient's error."""
        count = int(self.groups.max()) + 1
        forms = np.zeros((len(self.groups), count))
        forms[np.arange(len(self.groups)), self.groups] = self.scores[:, index]
        forms -= self.design @ (self.bread @ (self.design.T @ forms))
        sums = np.stack([forms[members].sum(axis=0) for members in _members(self.groups)])
        inner = (1 - correlation) * forms.T @ forms + correlation * sums.T @ sums
        return float(np.trace(inner) ** 2 / (inner**2).sum())


def _coefficient(fit: _Fit, index: int, correlation: float, level: float, method: str) -> Estimate:
    value = float(fit.coefficients[index])
    sums = np.bincount(fit.groups, weights=fit.scores[:, index] * fit.residuals)
    se = float(np.sqrt(sums @ sums))
    n, count = len(fit.residuals), int(fit.groups.max()) + 1
    if se <= ROUNDING * max(fit.scale, abs(value)):
        return Estimate(value, None, None, None, None, n, count, method, NO_SPREAD, level)
    df = fit.df(index, correlation)
    half = quantile((1 + level) / 2, df) * se
    return Estimate(value, value - half, value + half, se, df, n, count, method, few(df), level)


def _design(columns: Mapping[str, Numbers], count: int) -> Floats:
    if not columns:
        raise ValueError("columns: at least one is needed")
    found = {name: numbers(column, name) for name, column in columns.items()}
    for name, column in found.items():
        if len(column) != count:
            raise ValueError(f"{name}: {len(column)} numbers for {count} values")
    return np.column_stack(list(found.values()))


def _members(groups: Codes) -> list[Codes]:
    return [np.flatnonzero(groups == code) for code in range(int(groups.max()) + 1)]


def _root(matrix: Floats) -> Floats:
    """Symmetric root of the generalised inverse: a cluster that alone carries a coefficient leaves a zero there."""
    values, vectors = np.linalg.eigh(matrix)
    inverse = np.zeros_like(values)
    kept = values > 1e-10
    inverse[kept] = values[kept] ** -0.5
    scaled: Floats = (vectors * inverse) @ vectors.T
    return scaled
