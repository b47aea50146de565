"""The mean of judgements whose annotators are crossed with tasks: everybody judges many tasks, each task has many."""

import math
from collections.abc import Sequence

from swe_together.report.stats import Estimate, clustered_mean
from swe_together.report.stats._student import quantile

METHOD = "two-way: CR2 by task + by annotator - by both; the fewer degrees of freedom"
ONE = "fewer than two tasks or annotators: nothing is known of others"


def crossed_mean(
    values: Sequence[float], tasks: Sequence[str], annotators: Sequence[str], *, level: float = 0.95
) -> Estimate:
    """The mean with an interval for other tasks and other annotators.

    The error is that of clusters by task, plus that by annotator, less that by both at once, which the two count
    twice (Cameron, Gelbach and Miller). With few annotators the interval is wide: so little do they tell of others.

    Args:
        values: One a judgement.
        tasks: The task of each.
        annotators: Who gave each.
        level: Of the interval.
    """
    both = list(zip(tasks, annotators, strict=True))
    parts = [clustered_mean(values, labels, level=level) for labels in (tasks, annotators, both)]
    by_task, by_annotator, by_both = parts
    if by_task.mean is None:
        return by_task
    if by_task.se is None or by_annotator.se is None or by_task.df is None or by_annotator.df is None:
        why = ONE if min(by_task.clusters, by_annotator.clusters) < 2 else by_task.warning or by_annotator.warning
        return Estimate(by_task.mean, None, None, None, None, by_task.n, by_task.clusters, METHOD, why, level)
    larger = max(by_task.se, by_annotator.se)
    square = by_task.se**2 + by_annotator.se**2 - (by_both.se or 0.0) ** 2
    # Taking away can leave less than either of them alone, even nothing.
    se = max(math.sqrt(max(square, 0.0)), larger)
    df = min(by_task.df, by_annotator.df)
    half = quantile((1 + level) / 2, df) * se
    warnings = dict.fromkeys(part.warning for part in (by_task, by_annotator) if part.warning)
    return Estimate(
        by_task.mean, by_task.mean - half, by_task.mean + half, se, df, by_task.n, by_task.clusters, METHOD,
        "; ".join(warnings), level,
    )  # fmt: skip
