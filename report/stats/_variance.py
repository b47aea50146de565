"""Where results differ: from trial to trial of a task, from task to task, and between repositories."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from swe_together.report.stats._estimate import joined
from swe_together.report.stats._values import Codes, Floats, Labels, codes, numbers

METHOD = "analysis of variance, unweighted over tasks"


@dataclass(frozen=True)
class VarianceParts:
    """Variances in squared units of the scores. None where the results can't tell.

    Attributes:
        within: Between trials of one task.
        between: Between the true means of tasks; the variance of measured means holds ``within`` as well.
        icc: Share of ``between`` that lies between clusters, 0 to 1.
        n: Tasks.
        clusters: Clusters among them.
        trials: All trials.
        df: Degrees of freedom of ``within``.
    """

    within: float | None
    between: float | None
    icc: float | None
    n: int
    clusters: int
    trials: int
    df: int
    method: str
    warning: str


def variance_parts(scores: Sequence[Sequence[float]], clusters: Labels | None = None) -> VarianceParts:
    """The parts of real results of one model.

    Args:
        scores: For each task the scores of its trials; a task without trials is left out.
        clusters: The cluster (repository) of each task.

    Returns:
        ``within`` needs a task with two trials, ``between`` two tasks as well, ``icc`` two clusters, one of two tasks.

    Raises:
        ValueError: A score or label is missing, or lengths differ.
    """
    labels = codes(clusters, len(scores))
    found = [
        (numbers(trials, f"scores[{index}]"), label)
        for index, (trials, label) in enumerate(zip(scores, labels, strict=True))
    ]
    tasks = [trials for trials, _ in found if len(trials)]
    groups = codes([label for trials, label in found if len(trials)], len(tasks))
    trials = sum(map(len, tasks))
    df = trials - len(tasks)
    count = len(set(groups.tolist()))
    within = sum(float(((one - one.mean()) ** 2).sum()) for one in tasks) / df if df else None
    if within is None or len(tasks) < 2:
        said = "no task has two trials" if within is None else "a single task"
        return VarianceParts(within, None, None, len(tasks), count, trials, df, METHOD, said)
    means = np.array([one.mean() for one in tasks])
    noise = within * float(np.mean([1 / len(one) for one in tasks]))
    between = float(means.var(ddof=1)) - noise
    return VarianceParts(
        within=within,
        between=max(0.0, between),
        icc=_icc(means, groups, noise),
        n=len(tasks),
        clusters=count,
        trials=trials,
        df=df,
        method=METHOD,
        warning=joined(
            "tasks differ less than their trials: taken as no difference" if between < 0 else "",
            f"only {len(tasks)} tasks" if len(tasks) < 20 else "",
        ),
    )


def variance_from_passes(pass_1: float, pass_2: float) -> VarianceParts:
    """The parts of pass or fail, from published pass@1 and pass^2 alone; counts are unknown and stand as 0.

    A task passes with probability q: pass@1 is E q, pass^2 is E q². So q varies by pass^2 - pass@1², and trials of one
    task by E q(1-q) = pass@1 - pass^2. Of two trials exactly one passes with twice that probability.

    Raises:
        ValueError: No such pair exists: pass@1² ≤ pass^2 ≤ pass@1 is needed.
    """
    if not pass_1**2 <= pass_2 <= pass_1 <= 1:
        raise ValueError(f"pass@1 {pass_1:g} and pass^2 {pass_2:g}: pass@1² ≤ pass^2 ≤ pass@1 ≤ 1 is needed")
    return VarianceParts(pass_1 - pass_2, pass_2 - pass_1**2, None, 0, 0, 0, 0, "from pass@1 and pass^2", "")


def effect_correlation(a: Sequence[Sequence[float]], b: Sequence[Sequence[float]]) -> float | None:
    """Correlation between two models of the true means of the same tasks, the noise of their trials taken out.

    Args:
        a: For each task the scores of its trials; every task needs one.
        b: Of the same tasks.

    Returns:
        Between -1 and 1; None where the results can't tell.

    Raises:
        ValueError: A score is missing, a task has no trial, or lengths differ.
    """
    if len(a) != len(b):
        raise ValueError(f"a has {len(a)} tasks and b has {len(b)}: give both for the same tasks")
    if not all(len(trials) for trials in (*a, *b)):
        raise ValueError("a task has no trial: leave it out of both")
    parts = [variance_parts(one) for one in (a, b)]
    if not all(part.between for part in parts):
        return None
    means = [np.array([np.mean(trials) for trials in one]) for one in (a, b)]
    product = float(np.prod([part.between for part in parts if part.between]))
    return min(1.0, max(-1.0, float(np.cov(means[0], means[1])[0, 1]) / math.sqrt(product)))


def _icc(means: Floats, groups: Codes, noise: float) -> float | None:
    """Between clusters against all between tasks, from the mean squares of an analysis of variance."""
    sizes = np.bincount(groups)
    count, total = len(sizes), len(means)
    if count < 2 or count == total:
        return None
    centres = np.bincount(groups, weights=means) / sizes
    among = float((sizes * (centres - means.mean()) ** 2).sum()) / (count - 1)
    inside = float(((means - centres[groups]) ** 2).sum()) / (total - count)
    usual = (total - float(sizes @ sizes) / total) / (count - 1)
    repositories = max(0.0, (among - inside) / usual)
    whole = repositories + max(0.0, inside - noise)
    return repositories / whole if whole else None
