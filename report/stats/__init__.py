"""Statistics as pure numbers over sequences: no files, no tables.

Everything takes values of tasks with their clusters (repositories) and gives frozen dataclasses that
`dataclasses.asdict` turns into JSON. What is missing is refused by name; of no values come Nones, never zeros.
"""

from swe_together.report.stats._correlation import Correlation, fisher_interval, pearson_interval, spearman_interval
from swe_together.report.stats._cr1 import plain_clustered
from swe_together.report.stats._cr2 import clustered_mean
from swe_together.report.stats._equivalence import Equivalence, equivalence
from swe_together.report.stats._estimate import Difference, Estimate
from swe_together.report.stats._holm import holm
from swe_together.report.stats._paired import paired_difference
from swe_together.report.stats._power import Detectable, Plan, expected_half_width, minimum_detectable_difference
from swe_together.report.stats._ranks import Pair, Rank, RankBand, rank_band
from swe_together.report.stats._regression import Coefficient, clustered_regression
from swe_together.report.stats._share import clustered_share
from swe_together.report.stats._trials import (
    CurvePoint,
    pass_at_1,
    pass_hat,
    pass_hat_k,
    stable_solve_rate,
    threshold_curve,
)
from swe_together.report.stats._variance import (
    VarianceParts,
    effect_correlation,
    variance_from_passes,
    variance_parts,
)
from swe_together.report.stats._wild import wild_bootstrap
from swe_together.report.stats._wilson import wilson

__all__ = [
    "Coefficient",
    "Correlation",
    "CurvePoint",
    "Detectable",
    "Difference",
    "Equivalence",
    "Estimate",
    "Pair",
    "Plan",
    "Rank",
    "RankBand",
    "VarianceParts",
    "clustered_mean",
    "clustered_regression",
    "clustered_share",
    "effect_correlation",
    "equivalence",
    "expected_half_width",
    "fisher_interval",
    "holm",
    "minimum_detectable_difference",
    "paired_difference",
    "pass_at_1",
    "pass_hat",
    "pass_hat_k",
    "pearson_interval",
    "plain_clustered",
    "rank_band",
    "spearman_interval",
    "stable_solve_rate",
    "threshold_curve",
    "variance_from_passes",
    "variance_parts",
    "wild_bootstrap",
    "wilson",
]
