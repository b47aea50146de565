"""Shares of success from the trials of each task: pass@1, stable solve rate, pass^k, and the threshold curve."""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace

from swe_together.defaults import PASS_THRESHOLD
from swe_together.judge import passes
from swe_together.report.stats._estimate import Estimate, joined
from swe_together.report.stats._share import clustered_share
from swe_together.report.stats._values import numbers

type Scores = Sequence[Sequence[float]]

THRESHOLDS = tuple(step / 20 for step in range(10, 21))


@dataclass(frozen=True)
class CurvePoint:
    """pass@1 at one threshold."""

    threshold: float
    estimate: Estimate


def pass_hat_k(c: int, n: int, k: int) -> float | None:
    """Probability that ``k`` trials of a task all pass, estimated without bias: C(c,k)/C(n,k).

    Args:
        c: Trials that passed.
        n: Trials.
        k: At least 1.

    Returns:
        None with fewer than ``k`` trials: undefined, neither 0 nor 1.

    Raises:
        ValueError: ``c`` isn't between 0 and ``n``, or ``k`` below 1.
    """
    if not 0 <= c <= n or k < 1:
        raise ValueError(f"c is {c}, n is {n}, k is {k}: 0 ≤ c ≤ n and k ≥ 1 are needed")
    return None if n < k else math.comb(c, k) / math.comb(n, k)


def pass_hat(
    scores: Scores, clusters: Sequence[Hashable] | None = None, *, k: int, threshold: float = PASS_THRESHOLD,
    level: float = 0.95,
) -> Estimate:  # fmt: skip
    """Mean of pass^k over the tasks with at least ``k`` trials.

    Args:
        scores: For each task the scores of its trials; those without a score have no place here.
        clusters: The cluster (repository) of each task.
        k: Trials that must all pass.
        threshold: Score from which a trial passes.
        level: Of the interval.

    Returns:
        A clustered share; its warning counts the tasks with too few trials.

    Raises:
        ValueError: A score is missing, lengths differ, or ``k`` is below 1.
    """

    def one(trials: Sequence[float]) -> float | None:
        return pass_hat_k(sum(passes(score, threshold) for score in trials), len(trials), k)

    return _over_tasks(scores, clusters, one, level, f"fewer than {k} trials" if k > 1 else "no trial")


def pass_at_1(
    scores: Scores, clusters: Sequence[Hashable] | None = None, *, threshold: float = PASS_THRESHOLD,
    level: float = 0.95,
) -> Estimate:  # fmt: skip
    """Probability that a trial passes: the mean over tasks of the share of their trials that do. That is pass^1."""
    return pass_hat(scores, clusters, k=1, threshold=threshold, level=level)


def stable_solve_rate(
    scores: Scores, clusters: Sequence[Hashable] | None = None, *, threshold: float = PASS_THRESHOLD,
    level: float = 0.95,
) -> Estimate:  # fmt: skip
    """Share of tasks whose mean score over their trials reaches the threshold. Arguments as for pass^k."""

    def one(trials: Sequence[float]) -> float | None:
        return float(passes(sum(trials) / len(trials), threshold)) if trials else None

    return _over_tasks(scores, clusters, one, level, "no trial")


def threshold_curve(
    scores: Scores, clusters: Sequence[Hashable] | None = None, *, thresholds: Sequence[float] = THRESHOLDS,
    level: float = 0.95,
) -> tuple[CurvePoint, ...]:  # fmt: skip
    """pass@1 with its interval at each threshold. Other arguments as for pass^k."""
    return tuple(CurvePoint(one, pass_at_1(scores, clusters, threshold=one, level=level)) for one in thresholds)


def _over_tasks(
    scores: Scores,
    clusters: Sequence[Hashable] | None,
    one: Callable[[Sequence[float]], float | None],
    level: float,
    lacking: str,
) -> Estimate:
    labels: Sequence[Hashable] = range(len(scores)) if clusters is None else clusters
    if len(labels) != len(scores):
        raise ValueError(f"clusters: {len(labels)} labels for {len(scores)} tasks")
    known = []
    for index, (trials, label) in enumerate(zip(scores, labels, strict=True)):
        value = one(numbers(trials, f"scores[{index}]").tolist())
        if value is not None:
            known.append((value, label))
    estimate = clustered_share([value for value, _ in known], [label for _, label in known], level=level)
    left_out = len(scores) - len(known)
    said = f"{left_out} of {len(scores)} tasks left out: {lacking}" if left_out else ""
    return replace(estimate, warning=joined(said, estimate.warning))
