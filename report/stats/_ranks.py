"""Ranks as far as they can be told: for each model the band of ranks that no test excludes."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import combinations

from swe_together.report.stats._estimate import Difference, joined
from swe_together.report.stats._holm import holm
from swe_together.report.stats._paired import paired_difference
from swe_together.report.stats._values import check_level

type ByTask = Mapping[str, float]


@dataclass(frozen=True)
class Pair:
    """Two models compared on the tasks that have a value of both.

    Attributes:
        difference: ``first`` less ``second``.
        p_holm: Its p-value among all pairs; None where there is none.
        separated: Whether they can be told apart.
    """

    first: str
    second: str
    difference: Difference
    p_holm: float | None
    separated: bool


@dataclass(frozen=True)
class Rank:
    """Where a model stands.

    Attributes:
        mean: Over its tasks; None without any.
        best: Best rank that the tests leave open; 1 is the highest mean.
        worst: Worst rank that they leave open.
        inseparable: The models it can't be told from, in the order of their means.
        n: Its tasks.
    """

    name: str
    mean: float | None
    best: int
    worst: int
    inseparable: tuple[str, ...]
    n: int


@dataclass(frozen=True)
class RankBand:
    """All models in the order of their means, and every pair.

    Attributes:
        n: Tasks with a value of any model.
        clusters: Clusters of those tasks.
        df: Smallest degrees of freedom of a pair; None where no pair could be tested.
    """

    ranks: tuple[Rank, ...]
    pairs: tuple[Pair, ...]
    alpha: float
    n: int
    clusters: int
    df: float | None
    method: str
    warning: str


def rank_band(
    values: Mapping[str, ByTask], clusters: Mapping[str, Hashable] | None = None, *, alpha: float = 0.05
) -> RankBand:
    """Bands of ranks from all paired differences together.

    Two models are separated where Holm's p-value among all pairs is below ``alpha``. A model's best rank is one more
    than the models that are surely better, its worst the number of models less those surely worse: with probability
    of at least 1 - alpha all bands are right at once.

    Args:
        values: For each model its value on each task; a task without one is left out.
        clusters: The cluster (repository) of each task; without it every task is its own.
        alpha: Probability of telling any two apart that are the same.

    Raises:
        ValueError: A value is missing inside the mapping (leave the task out instead), or a task has no cluster.
    """
    check_level(alpha, "alpha")
    tasks = {task for by_task in values.values() for task in by_task}
    if clusters is not None and (lost := sorted(tasks - clusters.keys())):
        raise ValueError(f"clusters: task {lost[0]} has none")
    means = {name: sum(by_task.values()) / len(by_task) for name, by_task in values.items() if by_task}
    names = sorted(values, key=lambda name: (-means.get(name, float("-inf")), name))
    compared = [(one, other, _compare(values[one], values[other], clusters)) for one, other in combinations(names, 2)]
    adjusted = holm([difference.p for _, _, difference in compared])
    pairs = tuple(
        Pair(one, other, difference, p, p is not None and p < alpha)
        for (one, other, difference), p in zip(compared, adjusted, strict=True)
    )
    untested = sum(pair.p_holm is None for pair in pairs)
    dfs = [pair.difference.df for pair in pairs if pair.difference.df is not None]
    return RankBand(
        ranks=tuple(_rank(name, names, means.get(name), len(values[name]), pairs) for name in names),
        pairs=pairs,
        alpha=alpha,
        n=len(tasks),
        clusters=len(tasks if clusters is None else {clusters[task] for task in tasks}),
        df=min(dfs, default=None),
        method="paired differences by task, CR2, Holm over all pairs",
        warning=joined(
            f"{untested} of {len(pairs)} pairs can't be tested and count as inseparable" if untested else "",
            "models don't all have the same tasks" if any(len(by) != len(tasks) for by in values.values()) else "",
        ),
    )


def _compare(one: ByTask, other: ByTask, clusters: Mapping[str, Hashable] | None) -> Difference:
    both = sorted(one.keys() & other.keys())
    labels = None if clusters is None else [clusters[task] for task in both]
    return paired_difference([one[task] for task in both], [other[task] for task in both], labels)


def _rank(name: str, names: list[str], mean: float | None, n: int, pairs: tuple[Pair, ...]) -> Rank:
    better = worse = 0
    same = []
    for other in names:
        pair = next((p for p in pairs if {p.first, p.second} == {name, other}), None)
        if pair is None:
            continue
        if not pair.separated or pair.difference.mean is None:
            same.append(other)
        elif (pair.difference.mean > 0) == (pair.first == name):
            worse += 1
        else:
            better += 1
    return Rank(name, mean, better + 1, len(names) - worse, tuple(same), n)
