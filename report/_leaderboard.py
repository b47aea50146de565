"""What a leaderboard holds. Frozen and made of plain values, so that ``dataclasses.asdict`` turns it into JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from swe_together.report.stats import Correlation, Difference, RankBand

Kind = Literal["model", "reference", "baseline"]
"""A model is ranked. The reference (oracle) and what does nothing on purpose stand apart."""


@dataclass(frozen=True)
class Figure:
    """One number of a row. Replicates are averaged within each task, tasks count the same, intervals are clustered.

    Attributes:
        value: None where no trial has one.
        low: Lower end of the interval; None, like ``high``, where the values can't tell it.
        n: Tasks that have a value.
        trials: Trials that have one.
        missing: Planned trials that have none.
        clusters: Repositories among the tasks.
        method: How the interval was come by.
        warning: Why not to lean on it, or empty.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    trials: int
    missing: int
    clusters: int
    method: str = ""
    warning: str = ""


@dataclass(frozen=True)
class PassHat:
    """pass^k: the chance that ``k`` trials of a task all pass, over the tasks with at least ``k`` scored trials."""

    k: int
    figure: Figure


@dataclass(frozen=True)
class ThresholdPoint:
    """pass@1 at one threshold."""

    threshold: float
    figure: Figure


@dataclass(frozen=True)
class Entry:
    """One agent with one model in one arm.

    Attributes:
        label: Unique among the entries.
        settings: Arguments of the agent, as JSON; empty if none.
        versions: Of the agent.
        planned: Trials that should be there: the denominator of attrition.
        attrition: Of these, how many lack a reward, by status.
        tasks: Tasks with a scored trial.
        replicates: Fewest and most scored trials of a task.
        figures: By name; :data:`swe_together.report.METRICS` says what they are.
        spent_usd: What all trials cost that say it, those without a reward and the attempts that were run again
            included; agent, user and judge.
        spent_unknown: Trials, and trials' earlier attempts, that don't say it.
        continuation: Trials by how later messages reached the agent.
        sealed: Trials by whether the network was closed: ``sealed``, ``open``, ``unknown``.
        own_family_judge: Trials that a model of the agent's own maker judged.
        judged_by_model: Trials that any model judged.
        best_rank: Best rank that can't be ruled out, ``worst_rank`` the worst; None for what isn't ranked.
        inseparable: Entries that it can't be told from.
        flags: What a reader should know before believing the row.
    """

    label: str
    kind: Kind
    agent: str
    model: str | None
    settings: str
    arm: str | None
    versions: Sequence[str]
    planned: int
    scored: int
    attrition: Mapping[str, int]
    tasks: int
    replicates: tuple[int, int] | None
    figures: Mapping[str, Figure]
    pass_hat: Sequence[PassHat]
    thresholds: Sequence[ThresholdPoint]
    spent_usd: float | None
    spent_unknown: int
    continuation: Mapping[str, int]
    sealed: Mapping[str, int]
    policies: Mapping[str, int]
    own_family_judge: int
    judged_by_model: int
    best_rank: int | None = None
    worst_rank: int | None = None
    inseparable: Sequence[str] = ()
    flags: Sequence[str] = ()


@dataclass(frozen=True)
class GroupRow:
    """An entry within a group. ``figures`` are the headline ones."""

    label: str
    planned: int
    scored: int
    figures: Mapping[str, Figure]


@dataclass(frozen=True)
class Group:
    """Trials that share a value, for example one language."""

    by: str
    value: str
    tasks: int
    rows: Sequence[GroupRow]


@dataclass(frozen=True)
class TaskCell:
    """One entry at one task. ``reward`` is the mean of the scored trials; None without any."""

    label: str
    planned: int
    scored: int
    passed: int
    reward: float | None


@dataclass(frozen=True)
class TaskRow:
    """A task and how everybody did at it.

    Attributes:
        solved: Mean over the models of the share of their scored trials that passed, references left out; None where
            no model has a scored trial.
        subset: ``hard`` or ``easy`` by :attr:`Leaderboard.subset_rule`; None for the rest.
    """

    task: str
    repository: str | None
    language: str | None
    category: str | None
    solved: float | None
    subset: str | None
    cells: Sequence[TaskCell]


@dataclass(frozen=True)
class Comparison:
    """Two entries on the tasks that both have: ``first`` less ``second``, by name of the figure."""

    first: str
    second: str
    tasks: int
    differences: Mapping[str, Difference]


@dataclass(frozen=True)
class Detection:
    """What the plan at hand could have seen: the smallest true difference found four times in five.

    Attributes:
        difference: In pass@1; None where the results can't tell.
        tasks: Shared by the pair that it was worked out for; ``replicates`` of each, ``clusters`` of repositories.
        correlation: Of the two models' true rates over tasks.
    """

    difference: float | None
    tasks: int
    replicates: int
    clusters: int
    correlation: float | None
    pairs: int
    warning: str


@dataclass(frozen=True)
class Leaderboard:
    """Everything that a report says.

    Attributes:
        basis: Which score is the reward: ``tests`` or ``judge``; None where no trial has one.
        threshold: Score from which a trial passes.
        level: Of the intervals.
        planned: Trials that should be there; ``statuses`` says what became of them, duplicates and foreign ones beside.
        ignored: Folders that are no trials.
        problems: Trials in which a record can't be read that the reward doesn't rest on.
        about: What all trials have in common or are mixed of: dataset, judge, simulator and so on, value by name.
        mixed: Kinds of versions that were mixed on request.
        kept: Which of several trials in one place counts.
        entries: Models, the highest pass@1 first; then references and baselines.
        band: Every pair of models with Holm's correction, and the ranks that can't be told apart.
        arms: The same agent and model with a user against each control without one.
        compared: The pairs that were asked for.
        correlation: Of User Correction with pass@1 over models; None with fewer than two of them.
        groups: What was asked for by ``--by``.
        splits: Groups that are always shown where they differ: sealed, continuation.
        subsets: The hard and the easy tasks, as groups.
        tasks: Every task with every entry.
        notes: What a reader should know of the whole.
    """

    basis: str | None
    threshold: float
    level: float
    planned: int
    statuses: Mapping[str, int]
    ignored: int
    problems: int
    about: Mapping[str, Sequence[str]]
    mixed: Sequence[str]
    kept: str
    entries: Sequence[Entry]
    band: RankBand | None
    arms: Sequence[Comparison]
    compared: Sequence[Comparison]
    detection: Detection | None
    correlation: Correlation | None
    groups: Sequence[Group]
    splits: Sequence[Group]
    subsets: Sequence[Group]
    subset_rule: str
    tasks: Sequence[TaskRow]
    notes: Sequence[str]
