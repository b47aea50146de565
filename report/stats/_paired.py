"""Two models on the same tasks: the mean of the tasks' differences."""

from swe_together.report.stats._cr2 import clustered_mean
from swe_together.report.stats._estimate import Difference, tested
from swe_together.report.stats._values import Labels, Numbers, numbers


def paired_difference(a: Numbers, b: Numbers, clusters: Labels | None = None, *, level: float = 0.95) -> Difference:
    """The mean of ``a - b`` by task, CR2 by cluster, tested against 0.

    Args:
        a: One value a task.
        b: Of the same tasks in the same order: a task that lacks either value has no place here.
        clusters: The cluster (repository) of each task.
        level: Of the interval.

    Raises:
        ValueError: A value or label is missing, or lengths differ.
    """
    first, second = numbers(a, "a"), numbers(b, "b")
    if len(first) != len(second):
        raise ValueError(f"a has {len(first)} values and b has {len(second)}: give both for the same tasks")
    return tested(clustered_mean(first - second, clusters, level=level))
