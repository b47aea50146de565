"""The figures of a row: what each is, and how it comes from the trials. docs/report.md is generated from here."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from swe_together.judge import passes
from swe_together.report._leaderboard import Figure
from swe_together.report._measured import Row
from swe_together.report.stats import Estimate, clustered_mean, clustered_share

Unit = Literal["share", "count", "tokens", "usd", "seconds"]
ByTask = Mapping[str, Sequence[float]]
"""For each task the values of its trials."""


@dataclass(frozen=True)
class Metric:
    """A figure.

    Attributes:
        better: Whether more is better, or less; None where it is neither.
        headline: Whether groups show it too.
        sessions: Whether it is about a user who can speak, so that it is undefined in the controls.
    """

    name: str
    title: str
    unit: Unit
    better: Literal["more", "less"] | None
    meaning: str
    headline: bool = False
    sessions: bool = False


STABLE: Final = "stable"

METRICS: Final = (
    Metric("pass_at_1", "pass@1", "share", "more", "chance that a trial's reward reaches the threshold", True),
    Metric(
        "pass_at_1_worst", "pass@1, missing as failed", "share", "more",
        "the same if every planned trial without a reward had failed: the least it can be",
    ),
    Metric(
        "pass_at_1_once", "pass@1, none run again", "share", "more",
        "the same without trials that Harbor ran again after an error, where the job says which",
    ),
    Metric(STABLE, "stable solve rate", "share", "more", "share of tasks whose mean reward reaches it", True),
    Metric("reward", "mean reward", "share", "more", "mean of the score that is the reward"),
    Metric("judge_score", "mean judge", "share", "more", "mean of the judge's score, where goals were decided", True),
    Metric("tests", "mean tests", "share", "more", "mean of the tests' score"),
    Metric("decided_share", "decided", "share", None, "weight of the goals that the judge decided"),
    Metric(
        "user_correction", "User Correction", "count", "less", "corrections + 0.2 × nudges in a session",
        headline=True, sessions=True,
    ),
    Metric(
        "user_correction_per_opportunity", "User Correction per turn", "count", "less",
        "the same, by turns after which the user could speak", sessions=True,
    ),
    Metric(
        "user_correction_if_passed", "User Correction where passed", "count", "less",
        "the same, of trials that passed alone", sessions=True,
    ),
    Metric("coverage_recall", "Intent Coverage, recall", "share", "more", "of the session's intents", sessions=True),
    Metric("coverage_precision", "Intent Coverage, precision", "share", "more", "of the messages", sessions=True),
    Metric(
        "coverage_overall", "Intent Coverage", "share", "more", "0.7 × recall + 0.3 × precision",
        headline=True, sessions=True,
    ),
    Metric("messages", "messages", "count", None, "of the user after the first", headline=True, sessions=True),
    Metric("turns", "turns", "count", None, "of the agent"),
    Metric("input_tokens", "tokens in", "tokens", "less", "of the agent, cached ones included"),
    Metric("output_tokens", "tokens out", "tokens", "less", "of the agent, reasoning included", True),
    Metric("reasoning_tokens", "reasoning tokens", "tokens", None, "of these, reasoning"),
    Metric("cost_usd", "cost, $", "usd", "less", "of the agent in a trial", True),
    Metric("agent_seconds", "agent, s", "seconds", "less", "wall time of the agent's turns in a trial", True),
    Metric("rest_seconds", "rest, s", "seconds", None, "wall time of everything else in a trial, user included"),
)  # fmt: skip
BY_NAME: Final = {metric.name: metric for metric in METRICS}


@dataclass(frozen=True)
class Tasks:
    """What the numbers need to know of tasks: the cluster of each. Without a repository a task is its own cluster."""

    clusters: Mapping[str, str]
    unknown: frozenset[str]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> "Tasks":
        """From all trials: one that doesn't know its repository learns it from the others of its task."""
        known: dict[str, str] = {}
        for row in rows:
            if row["repository"] is not None:
                known.setdefault(row["task"], row["repository"])
        names = {row["task"] for row in rows}
        return cls({task: known.get(task, f"task {task}") for task in names}, frozenset(names - known.keys()))


class Trials:
    """Planned trials of one entry, or of a part of it. Values are looked up once.

    Attributes:
        rows: All planned ones.
        scored: Those with a reward.
    """

    def __init__(self, rows: Sequence[Row], threshold: float) -> None:
        self.rows = rows
        self.scored = [row for row in rows if row["status"] == "ok"]
        self.threshold = threshold
        self._by_task: dict[str, ByTask] = {}

    def by_task(self, name: str) -> ByTask:
        """Values of a metric by task, of the trials that have one."""
        if name not in self._by_task:
            found: dict[str, list[float]] = {}
            for task, value in _values(self, BY_NAME[name]):
                found.setdefault(task, []).append(value)
            self._by_task[name] = found
        return self._by_task[name]

    def means(self, name: str) -> dict[str, float]:
        """One value a task: the mean of its trials; for the stable solve rate whether that passes."""
        found = {task: sum(values) / len(values) for task, values in self.by_task(name).items()}
        return {task: float(passes(mean, self.threshold)) for task, mean in found.items()} if name == STABLE else found


def figure(trials: Trials, name: str, tasks: Tasks, level: float) -> Figure:
    """One figure of the given trials."""
    count = sum(map(len, trials.by_task(name).values()))
    share = BY_NAME[name].unit == "share"
    return of_tasks(trials.means(name), count, len(trials.rows) - count, tasks, share=share, level=level)


def of_tasks(
    means: Mapping[str, float], trials: int, missing: int, tasks: Tasks, *, share: bool, level: float
) -> Figure:
    """A figure from the tasks' means."""
    estimate: Callable[..., Estimate] = clustered_share if share else clustered_mean
    labels = [tasks.clusters[task] for task in means]
    return figure_of(estimate(list(means.values()), labels, level=level), trials, missing)


def figure_of(estimate: Estimate, trials: int, missing: int) -> Figure:
    """The figure of an estimate."""
    return Figure(
        value=estimate.mean,
        low=estimate.low,
        high=estimate.high,
        n=estimate.n,
        trials=trials,
        missing=missing,
        clusters=estimate.clusters,
        method=estimate.method if estimate.n else "",
        warning=estimate.warning if estimate.n else "",
    )


def _values(trials: Trials, metric: Metric) -> Iterator[tuple[str, float]]:
    """Tasks and values."""
    name, threshold = metric.name, trials.threshold
    if name == "pass_at_1_worst":
        for row in trials.rows:
            yield row["task"], float(row["reward"] is not None and passes(row["reward"], threshold))
        return
    for row in trials.scored:
        if name == "pass_at_1_once" and row["retries"] != 0:
            continue
        if metric.sessions and (row["arm"] != "interactive" or row["policy"] == "silent"):
            continue
        value = _value(row, name, threshold)
        if value is not None:
            yield row["task"], float(value)


def _value(row: Row, name: str, threshold: float) -> float | None:
    found: float | None = row.get(name)
    if name in ("pass_at_1", "pass_at_1_once", STABLE, "reward"):
        reward: float = row["reward"]
        return float(passes(reward, threshold)) if name.startswith("pass_at_1") else reward
    if name == "user_correction_per_opportunity":
        total, turns = row["user_correction"], row["opportunities"]
        return None if total is None or not turns else float(total) / float(turns)
    if name == "user_correction_if_passed":
        return row["user_correction"] if passes(row["reward"], threshold) else None
    if name == "rest_seconds":
        wall, agent = row["wall_seconds"], row["agent_seconds"]
        return None if wall is None or agent is None else max(float(wall) - float(agent), 0.0)
    return found
