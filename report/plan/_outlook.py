"""A plan in numbers: what it can tell, what it takes, and what that leans on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from swe_together.report.plan._earlier import Earlier
from swe_together.report.stats import (
    Detectable,
    Plan,
    expected_half_width,
    minimum_detectable_difference,
    variance_from_passes,
)

PASS_1, PASS_2 = 0.63, 0.52
"""pass@1 and pass^2 of the best model in the paper's table: how results vary where nothing better is known."""
CORRELATION = 0.5
ICC = 0.2


@dataclass(frozen=True)
class Wish:
    """What somebody means to run. None where they leave it open.

    Attributes:
        tasks: Number of tasks.
        replicates: Trials of each task by each model (k).
        models: Models to compare.
        clusters: Repositories: their number, or the tasks of each; None: each task has its own.
        icc: Share of the tasks' variance that lies between repositories.
        correlation: Between two models, of the tasks' true shares of success.
        alpha: Of the two-sided test.
        power: Probability of finding the difference.
        cost: US dollars a trial.
        minutes: Wall time a trial.
        parallel: Trials at the same time.
    """

    tasks: int
    replicates: int
    models: int = 2
    clusters: int | Sequence[int] | None = None
    icc: float | None = None
    correlation: float | None = None
    alpha: float = 0.05
    power: float = 0.8
    cost: float | None = None
    minutes: float | None = None
    parallel: int = 1


@dataclass(frozen=True)
class Assumption:
    """A number that the outlook leans on; None where nobody knows it."""

    name: str
    value: float | None
    source: str


@dataclass(frozen=True)
class Outlook:
    """What a plan can tell and what it takes. Differences and half-widths are shares, 0 to 1.

    Attributes:
        half_width: Of the interval of one model's pass@1.
        paired: Smallest difference of two models found, on the same tasks.
        unpaired: The same, each model on tasks of its own.
        strictest: As ``paired``, for the first of all pairs that Holm's correction looks at; None with two models.
        trials: Of all models together.
        hours: Of wall time; None where a trial's is unknown.
        cost: In US dollars; None where a trial's is unknown.
        notes: What to keep in mind.
    """

    wish: Wish
    half_width: Detectable
    paired: Detectable
    unpaired: Detectable
    strictest: Detectable | None
    trials: int
    hours: float | None
    cost: float | None
    assumptions: tuple[Assumption, ...]
    notes: tuple[str, ...]


def outlook(wish: Wish, earlier: Earlier | None = None) -> Outlook:
    """What the wish can tell and what it takes.

    Args:
        wish: What is meant to be run; its own numbers win.
        earlier: What earlier trials told, for what the wish leaves open.

    Raises:
        ValueError: A number is out of its range.
    """
    for name, value, least in (("models", wish.models, 1), ("parallel", wish.parallel, 1)):
        if value < least:
            raise ValueError(f"{name} is {value}: at least {least} is needed")
    for name, given in (("cost", wish.cost), ("minutes", wish.minutes)):
        if given is not None and not 0 <= given < float("inf"):
            raise ValueError(f"{name} is {given:g}: 0 or more is needed")
    supposed = _supposed(wish, earlier)
    plan = Plan(
        tasks=wish.tasks,
        replicates=wish.replicates,
        between=_number(supposed["between"]),
        within=_number(supposed["within"]),
        clusters=wish.clusters,
        icc=_number(supposed["icc"]) if "icc" in supposed else 0.0,
        correlation=_number(supposed["correlation"]),
        alpha=wish.alpha,
        power=wish.power,
    )
    pairs = wish.models * (wish.models - 1) // 2
    paired = minimum_detectable_difference(plan)
    trials = wish.tasks * wish.replicates * wish.models
    minutes, cost = supposed["minutes a trial"].value, supposed["cost a trial"].value
    return Outlook(
        wish=wish,
        half_width=expected_half_width(plan, level=1 - wish.alpha),
        paired=paired,
        unpaired=minimum_detectable_difference(plan, paired=False),
        strictest=minimum_detectable_difference(replace(plan, alpha=wish.alpha / pairs)) if pairs > 1 else None,
        trials=trials,
        hours=None if minutes is None else trials * minutes / 60 / wish.parallel,
        cost=None if cost is None else trials * cost,
        assumptions=tuple(supposed.values()),
        notes=_notes(wish, paired, earlier),
    )


def _supposed(wish: Wish, earlier: Earlier | None) -> dict[str, Assumption]:
    published = variance_from_passes(PASS_1, PASS_2)
    paper = f"the paper's best model: pass@1 {PASS_1:g}, pass^2 {PASS_2:g}"
    between = within = correlation = icc = minutes = cost = None
    if earlier is not None:
        between, within, icc, correlation = earlier.between, earlier.within, earlier.icc, earlier.correlation
        minutes, cost = earlier.minutes.mean, earlier.cost
    found = [
        _first("between", None, between, published.between, paper),
        _first("within", None, within, published.within, paper),
        _first("correlation", wish.correlation, correlation, CORRELATION, "assumed"),
        _first("minutes a trial", wish.minutes, minutes, None, "nobody knows"),
        _first("cost a trial", wish.cost, cost, None, "nobody knows"),
    ]
    if wish.clusters is not None:
        found.append(_first("icc", wish.icc, icc, ICC, "assumed"))
    return {one.name: one for one in found}


def _first(name: str, given: float | None, told: float | None, usual: float | None, source: str) -> Assumption:
    if given is not None:
        return Assumption(name, given, "given")
    if told is not None:
        return Assumption(name, told, "earlier trials")
    return Assumption(name, usual, source)


def _number(one: Assumption) -> float:
    if one.value is None:
        raise ValueError(f"{one.name} is unknown: a plan needs it")
    return one.value


def _notes(wish: Wish, paired: Detectable, earlier: Earlier | None) -> tuple[str, ...]:
    notes = []
    if paired.value is None or paired.value >= 1:
        notes.append("this plan can tell no difference at all: it needs more tasks or repositories")
    elif paired.warning:
        notes.append(paired.warning)
    if wish.clusters is None:
        notes.append("every task taken to be of a repository of its own: say --clusters where several share one")
    if wish.replicates == 1:
        notes.append("with one trial a task nothing tells a task's chance from luck, and pass^k is pass@1")
    if earlier is not None:
        if earlier.note:
            notes.append(f"earlier trials don't say how results vary: {earlier.note}")
        parts = {**earlier.costs, "time": earlier.minutes}
        notes += [
            f"{name}: unknown for {part.unknown} of {earlier.trials} earlier trials"
            for name, part in parts.items()
            if part.unknown
        ]
    return tuple(notes)
