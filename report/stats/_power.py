"""What a plan can see, before it is run: half-width of an interval, and the smallest difference likely to be found."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from swe_together.report.stats._cr2 import satterthwaite
from swe_together.report.stats._estimate import few
from swe_together.report.stats._student import beyond, quantile
from swe_together.report.stats._values import Floats, check_level

BISECTIONS = 200


@dataclass(frozen=True)
class Plan:
    """A plan of trials, and what is supposed of their results.

    Attributes:
        tasks: Their number.
        replicates: Trials of each task by each model (k).
        between: Variance between the true means of tasks, of one model.
        within: Variance between trials of one task.
        clusters: Repositories: how many (tasks spread as evenly as can be), or the tasks of each; None: one a task.
        icc: Share of ``between`` that lies between repositories.
        correlation: Between two models, of the true means of tasks: what pairing takes away.
        alpha: Of the two-sided test.
        power: Probability of finding the difference.

    Raises:
        ValueError: A number is out of its range, or the clusters don't add up to the tasks.
    """

    tasks: int
    replicates: int
    between: float
    within: float
    clusters: int | Sequence[int] | None = None
    icc: float = 0.0
    correlation: float = 0.5
    alpha: float = 0.05
    power: float = 0.8

    def __post_init__(self) -> None:
        ranges = {
            "tasks": (self.tasks >= 1, "at least 1"),
            "replicates": (self.replicates >= 1, "at least 1"),
            "between": (0 <= self.between < math.inf, "a variance"),
            "within": (0 <= self.within < math.inf, "a variance"),
            "icc": (0 <= self.icc <= 1, "a share from 0 to 1"),
            "correlation": (-1 <= self.correlation <= 1, "from -1 to 1"),
            "power": (self.alpha < self.power < 1, "between alpha and 1"),
        }
        for name, (good, wanted) in ranges.items():
            if not good:
                raise ValueError(f"{name} is {getattr(self, name):g}: {wanted} is needed")
        check_level(self.alpha, "alpha")
        if isinstance(self.clusters, int):
            if not 1 <= self.clusters <= self.tasks:
                raise ValueError(f"clusters is {self.clusters}: from 1 to the {self.tasks} tasks are needed")
        elif self.clusters is not None and (min(self.clusters, default=0) < 1 or sum(self.clusters) != self.tasks):
            raise ValueError(f"clusters add up to {sum(self.clusters)}: {self.tasks} tasks are needed, none empty")

    @property
    def sizes(self) -> Floats:
        """Tasks of each cluster."""
        if self.clusters is None:
            return np.ones(self.tasks)
        if isinstance(self.clusters, int):
            some, more = divmod(self.tasks, self.clusters)
            return np.array([float(some + (index < more)) for index in range(self.clusters)])
        return np.asarray(self.clusters, dtype=np.float64)


@dataclass(frozen=True)
class Detectable:
    """What a plan can see.

    Attributes:
        value: Half-width of the interval, or the smallest difference found with the plan's power; in the unit of the
            scores. None where there are fewer than two clusters.
        se: Standard error of the mean or of the difference.
        df: Degrees of freedom; None where infinite was asked for.
        n: Tasks.
    """

    value: float | None
    se: float
    df: float | None
    n: int
    clusters: int
    method: str
    warning: str


def expected_half_width(plan: Plan, *, level: float = 0.95, df: float | None = None) -> Detectable:
    """Half the interval that is to be expected around the mean of one model.

    Args:
        plan: What is planned.
        level: Of the interval.
        df: Degrees of freedom to take instead of Satterthwaite's; infinite for the normal quantile.
    """
    check_level(level)
    se, own = _error(plan, plan.between, plan.within)
    used = own if df is None else df
    value = None if used is None else quantile((1 + level) / 2, used) * se
    return _detectable(plan, value, se, used, "expected interval of one mean")


def minimum_detectable_difference(plan: Plan, *, paired: bool = True, df: float | None = None) -> Detectable:
    """The smallest true difference of two models that the test finds with the plan's power.

    Args:
        plan: What is planned.
        paired: Both models on the same tasks, compared by task; else each on tasks of its own.
        df: Degrees of freedom to take instead of Satterthwaite's; infinite for the normal distribution.
    """
    shared = plan.correlation if paired else 0.0
    se, own = _error(plan, 2 * plan.between * (1 - shared), 2 * plan.within)
    if own is not None and not paired:
        own *= 2
    used = own if df is None else df
    value = None if used is None else _shift(plan, used) * se
    return _detectable(plan, value, se, used, f"{'paired' if paired else 'unpaired'} t, noncentral")


def _error(plan: Plan, between: float, within: float) -> tuple[float, float | None]:
    """Standard error of the mean over the plan's tasks, and Satterthwaite's degrees of freedom of its estimate."""
    sizes = plan.sizes
    own = between + within / plan.replicates
    joint = plan.icc * between
    se = math.sqrt((own * plan.tasks + joint * float((sizes * (sizes - 1)).sum())) / plan.tasks**2)
    if len(sizes) < 2:
        return se, None
    return se, satterthwaite(sizes, joint / own if own else 0.0)


def _shift(plan: Plan, df: float) -> float:
    """Distance from 0, in standard errors, at which the two-sided test has the plan's power."""
    critical = quantile(1 - plan.alpha / 2, df)
    low, high = 0.0, 1.0
    while beyond(critical, high, df) < plan.power:
        low, high = high, 2 * high
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if beyond(critical, middle, df) < plan.power else (low, middle)
    return high


def _detectable(plan: Plan, value: float | None, se: float, df: float | None, method: str) -> Detectable:
    said = "fewer than two clusters: nothing can be told beyond them" if value is None else few(df or math.inf)
    shown = None if df is None or math.isinf(df) else df
    return Detectable(value, se, shown, plan.tasks, len(plan.sizes), method, said)
