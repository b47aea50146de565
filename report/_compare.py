"""Entries against each other: all models, pairs that were asked for, a user against none; what could be seen."""

import statistics
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from swe_together.errors import MisuseError
from swe_together.report._entries import Group
from swe_together.report._leaderboard import Comparison, Detection, Entry
from swe_together.report._metrics import METRICS, Tasks, Trials
from swe_together.report.stats import (
    Correlation,
    Difference,
    Plan,
    RankBand,
    effect_correlation,
    minimum_detectable_difference,
    paired_difference,
    rank_band,
    spearman_interval,
    variance_parts,
)

CONTROLS: Final = ("full-spec", "first-message")
PASS: Final = "pass_at_1"


def ranked(groups: Sequence[Group]) -> list[Group]:
    """Models in the arm that is ranked: with a user where any was, else all of them."""
    models = [group for group in groups if group.kind == "model" and len(group.trials.scored)]
    return [group for group in models if group.arm == "interactive"] or models


def band_of(groups: Sequence[Group], tasks: Tasks, level: float) -> RankBand | None:
    """Ranks of the models by pass@1, as far as they can be told; None with fewer than two."""
    models = ranked(groups)
    if len(models) < 2:
        return None
    values = {group.label: group.trials.means(PASS) for group in models}
    return rank_band(values, tasks.clusters, alpha=1 - level)


def arms_of(groups: Sequence[Group], tasks: Tasks, level: float) -> list[Comparison]:
    """Each model with a user against itself in each control."""
    found = []
    for control in groups:
        for group in groups:
            same = (group.agent, group.model, group.settings) == (control.agent, control.model, control.settings)
            if same and group.arm == "interactive" and control.arm in CONTROLS:
                found.append(compare(group, control, tasks, level))
    return found


def compare(one: Group, other: Group, tasks: Tasks, level: float) -> Comparison:
    """Paired differences of all figures, each over the tasks that both have a value of."""
    differences: dict[str, Difference] = {}
    for metric in METRICS:
        first = one.trials.means(metric.name)
        second = other.trials.means(metric.name)
        both = sorted(first.keys() & second.keys())
        if both:
            labels = [tasks.clusters[task] for task in both]
            pair = [first[task] for task in both], [second[task] for task in both]
            differences[metric.name] = paired_difference(*pair, labels, level=level)
    shared = differences[PASS].n if PASS in differences else 0
    return Comparison(one.label, other.label, shared, differences)


def find_entry(groups: Sequence[Group], name: str) -> Group:
    """The entry of a label, or of a part of one that no other has.

    Raises:
        MisuseError: None has it, or several.
    """
    exact = [group for group in groups if group.label == name]
    found = exact or [group for group in groups if name.casefold() in group.label.casefold()]
    labels = "; ".join(group.label for group in (found or groups))
    if not found:
        raise MisuseError(f"--compare {name}: no entry is called so.", f"Entries: {labels}.")
    if len(found) > 1:
        raise MisuseError(f"--compare {name}: several entries are meant: {labels}.", "Give more of the name.")
    return found[0]


def detection_of(groups: Sequence[Group], tasks: Tasks, level: float) -> Detection | None:
    """What a paired comparison could have seen: the median over all pairs of models."""
    found = [
        detection
        for one, other in combinations(ranked(groups), 2)
        if (detection := _detectable(one.trials, other.trials, tasks, level)) is not None
    ]
    if not found:
        return None
    known = sorted((d for d in found if d.difference is not None), key=lambda d: d.difference or 0.0)
    middle = known[len(known) // 2] if known else found[0]
    return Detection(**{**vars(middle), "pairs": len(known)})


def correlation_of(entries: Sequence[Entry], level: float) -> Correlation | None:
    """Spearman's coefficient of User Correction and pass@1 over the models; None with fewer than two."""
    models = [entry for entry in entries if entry.kind == "model" and entry.arm == "interactive"]
    pairs = [(entry.figures["user_correction"].value, entry.figures[PASS].value) for entry in models]
    known = [(x, y) for x, y in pairs if x is not None and y is not None]
    if len(known) < 2:
        return None
    return spearman_interval([x for x, _ in known], [y for _, y in known], level=level)


def _detectable(one: Trials, other: Trials, tasks: Tasks, level: float) -> Detection | None:
    first, second = one.by_task(PASS), other.by_task(PASS)
    both = sorted(first.keys() & second.keys())
    if len(both) < 2:
        return None
    labels = [tasks.clusters[task] for task in both]
    scores = [[list(side[task]) for task in both] for side in (first, second)]
    parts = [variance_parts(side, labels) for side in scores]
    replicates = int(statistics.median_low([len(values) for side in scores for values in side]))
    sizes = [labels.count(label) for label in dict.fromkeys(labels)]
    within, between = [_mean([part.within for part in parts]), _mean([part.between for part in parts])]
    if within is None or between is None:
        why = "no task has two trials: run each at least twice to know"
        return Detection(None, len(both), replicates, len(sizes), None, 0, why)
    told = effect_correlation(*scores)
    correlation = 0.5 if told is None else told
    icc = _mean([part.icc for part in parts]) or 0.0
    plan = Plan(len(both), replicates, between, within, sizes, icc, correlation, 1 - level)
    seen = minimum_detectable_difference(plan)
    warning = "the models' correlation over tasks isn't known: 0.5 taken" if told is None else seen.warning
    return Detection(seen.value, len(both), replicates, len(sizes), told, 1, warning)


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
