"""What earlier trials tell of those to come: cost, time, and how results vary."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from swe_together.judge import passes
from swe_together.report._columns import UNPLANNED
from swe_together.report._table import TrialTable
from swe_together.report.stats import effect_correlation, variance_parts

if TYPE_CHECKING:
    import pandas as pd

PARTS = {"agent": "cost_usd", "user": "user_cost_usd", "judge and tagger": "judge_cost_usd"}
NEVER_BEGUN = (*UNPLANNED, "not_started")
ENOUGH_TASKS = 20
"""Tasks with two trials that a model needs before its results say how results vary."""

type Tried = dict[str, list[float]]
"""Passed (1) or not (0) of each trial, by task."""


@dataclass(frozen=True)
class Part:
    """A number that trials have.

    Attributes:
        mean: Over the trials where it is known; None where it is known of none.
        known: Trials where it is known.
        unknown: Trials where it isn't: never taken for 0.
    """

    mean: float | None
    known: int
    unknown: int


@dataclass(frozen=True)
class Earlier:
    """Earlier trials in numbers.

    Attributes:
        trials: Trials that were begun, those without a reward included: they have cost as well.
        models: Agents with their models among them.
        costs: In US dollars a trial, by who spent it.
        minutes: Wall time of a trial.
        within: Variance of passing between trials of a task, over the models with enough tasks; None without any.
        between: Variance between the tasks' true shares, likewise.
        icc: Share of that between repositories, likewise.
        correlation: Of the tasks' true shares between two models; None where there are no two.
        note: Why a variance is None, or empty.
    """

    trials: int
    models: int
    costs: dict[str, Part]
    minutes: Part
    within: float | None
    between: float | None
    icc: float | None
    correlation: float | None
    note: str

    @property
    def cost(self) -> float | None:
        """Of a whole trial, in US dollars; None unless each part is known of some trial."""
        means = [part.mean for part in self.costs.values() if part.mean is not None]
        return sum(means) if means and len(means) == len(self.costs) else None


def earlier_trials(table: TrialTable) -> Earlier:
    """Sum up the trials of a table that were begun."""
    begun = table.frame[~table.frame["status"].isin(NEVER_BEGUN)]
    tried = {key: found for key, rows in _by_model(begun) if (found := _tried(rows))}
    repositories = {str(task): None if missing else str(name) for task, name, missing in
                    zip(begun["task"], begun["repository"], begun["repository"].isna(), strict=True)}  # fmt: skip
    usable = [one for one in tried.values() if sum(len(trials) >= 2 for trials in one.values()) >= ENOUGH_TASKS]
    labels = [[repositories[task] or task for task in one] for one in usable]
    parts = [variance_parts(list(one.values()), mine) for one, mine in zip(usable, labels, strict=True)]
    between, within = _mean([part.between for part in parts]), _mean([part.within for part in parts])
    note = "" if parts else f"no model has {ENOUGH_TASKS} tasks with two trials"
    if parts and not (between or within):
        between, within, note = None, None, "all trials came out alike"
    return Earlier(
        trials=len(begun),
        models=len({key for key, _ in _by_model(begun)}),
        costs={name: _part(begun[column]) for name, column in PARTS.items()},
        minutes=_part(begun["wall_seconds"] / 60),
        within=within,
        between=between,
        icc=_mean([part.icc for part in parts]),
        correlation=_mean([_correlation(one, other) for one, other in combinations(usable, 2)]),
        note=note,
    )


def _by_model(frame: "pd.DataFrame") -> list[tuple[str, "pd.DataFrame"]]:
    """Trials of one agent, model and arm together: others don't repeat them."""
    keys = frame[["agent", "model", "arm"]].fillna("").agg(" ".join, axis=1)
    return [(str(key), rows) for key, rows in frame.groupby(keys)] if len(frame) else []


def _tried(rows: "pd.DataFrame") -> Tried:
    found: Tried = {}
    scored = rows[rows["reward"].notna()]
    for task, reward in zip(scored["task"], scored["reward"], strict=True):
        found.setdefault(str(task), []).append(float(passes(float(reward))))
    return found


def _correlation(one: Tried, other: Tried) -> float | None:
    both = sorted(one.keys() & other.keys())
    return effect_correlation([one[task] for task in both], [other[task] for task in both])


def _part(column: "pd.Series[float]") -> Part:
    known = column.dropna()
    return Part(float(known.mean()) if len(known) else None, len(known), len(column) - len(known))


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
