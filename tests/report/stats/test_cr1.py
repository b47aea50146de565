"""The plain clustered interval agrees with statsmodels."""

import numpy as np
import pytest
import statsmodels.api as sm

from swe_together.report.stats import plain_clustered
from tests.report.stats.designs import PAPER_SIZES, clustered


@pytest.mark.parametrize("sizes", [(3, 2), (5, 4, 1, 1), PAPER_SIZES])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_agrees_with_statsmodels(sizes: tuple[int, ...], level: float) -> None:
    values, groups = clustered(11, sizes)
    fit = sm.OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    [[low, high]] = fit.conf_int(1 - level)
    found = plain_clustered(values, groups, level=level)
    assert (found.mean, found.se) == pytest.approx((fit.params[0], fit.bse[0]), abs=1e-9)
    assert (found.low, found.high, found.df) == pytest.approx((low, high, len(sizes) - 1), abs=1e-9)


def test_by_hand() -> None:
    # Residual sums of {1, 3} and {5} are -2 and 2: √(2/1 · 8)/3.
    assert plain_clustered([1, 3, 5], "aab").se == pytest.approx(4 / 3)


def test_without_values_or_clusters() -> None:
    assert plain_clustered([]).mean is None
    assert plain_clustered([1.0, 0.0], "aa").low is None
