"""The figures of the study: accuracy by arm, size and distance, updates, stale rules, distractors, gaps of the arms."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Final

from swe_together.memorycode._arms import Arm
from swe_together.memorycode._intervals import Share, averaged, pooled
from swe_together.memorycode._outcomes import Outcome, Outcomes, RuleOutcome

DISTANCES: Final = ((0, 0), (1, 2), (3, 5), (6, 10), (11, 20), (21, 50), (51, None))
"""Sessions held since a rule was last told: bounds of the classes, both included."""

PUBLISHED_HISTORY: Final[Mapping[str, Mapping[int, float]]] = {
    "GPT-4o": {1: 0.92, 5: 0.79, 15: 0.54, 30: 0.35, 50: 0.24, 100: 0.13},
    "Llama-3.1-405B": {1: 0.89, 5: 0.72, 15: 0.35, 30: 0.26, 50: 0.20, 100: 0.10},
    "Llama-3.1-70B": {1: 0.86, 5: 0.57, 15: 0.25, 30: 0.13, 50: 0.11, 100: 0.05},
    "Command R+": {1: 0.68, 5: 0.37, 15: 0.18, 30: 0.14, 50: 0.10, 100: 0.06},
    "Llama-3.1-8B": {1: 0.35, 5: 0.22, 15: 0.14, 30: 0.14, 50: 0.12, 100: 0.07},
}
PUBLISHED_ISOLATED: Final[Mapping[str, float]] = {
    "GPT-4o": 0.947,
    "Llama-3.1-405B": 0.958,
    "Llama-3.1-70B": 0.907,
    "Command R+": 0.906,
    "Llama-3.1-8B": 0.718,
}
"""From the released outputs and the published checker: bare models, one request a prompt, absent objects unscored."""


@dataclass(frozen=True)
class ArmFigures:
    """One agent in one arm.

    Attributes:
        micro: Rules obeyed, all pooled.
        macro: Mean over dialogues of the share of rules obeyed.
        answers: Rules obeyed, answer by answer, whether or not the code works: nearest to the published figure.
        updates: As ``micro``, of rules that were told anew.
        stale: Of those, the share where an answer obeys an earlier wording.
        distractors: Share of the irrelevant instructions that left a mark in the code.
        works: Share of the requests whose code does what was asked.
        notes: Share of the trials that left a file of notes.
        sizes: ``micro`` and ``macro`` by number of sessions.
        distances: ``micro`` and ``macro`` by sessions since the rule was last told.
    """

    agent: str
    arm: Arm
    trials: int
    micro: Share
    macro: Share
    answers: Share
    updates: Share
    stale: Share
    distractors: Share
    works: Share
    notes: Share
    sizes: Mapping[int, tuple[Share, Share]]
    distances: Mapping[str, tuple[Share, Share]]


@dataclass(frozen=True)
class Gap:
    """Macro accuracy of one arm minus that of another, over the dialogues and rules that both have."""

    agent: str
    arm: Arm
    other: Arm
    difference: Share


@dataclass(frozen=True)
class Report:
    """Everything."""

    arms: Sequence[ArmFigures]
    gaps: Sequence[Gap]
    missing: Mapping[str, int]
    others: int


def make_report(outcomes: Outcomes) -> Report:
    """The figures of all trials."""
    groups: dict[tuple[str, Arm], list[Outcome]] = {}
    for one in outcomes.played:
        groups.setdefault((one.agent, one.outcome.arm), []).append(one.outcome)
    order = list(Arm)
    keys = sorted(groups, key=lambda key: (key[0], order.index(key[1])))
    arms = [_figures(agent, arm, groups[agent, arm]) for agent, arm in keys]
    gaps = [
        Gap(agent, arm, other, difference)
        for agent, arm in keys
        for other in order[order.index(arm) + 1 :]
        if (agent, other) in groups
        if (difference := _difference(groups[agent, arm], groups[agent, other])).clusters
    ]
    return Report(arms, gaps, dict(sorted(outcomes.missing.items())), outcomes.others)


def _figures(agent: str, arm: Arm, trials: Sequence[Outcome]) -> ArmFigures:
    sizes = sorted({trial.size for trial in trials})
    return ArmFigures(
        agent=agent,
        arm=arm,
        trials=len(trials),
        micro=_rules(trials),
        macro=_macro(trials),
        answers=pooled((t.cluster, pair.met) for t in trials for rule in t.rules for pair in rule.pairs),
        updates=_rules(trials, of=lambda rule: rule.updated),
        stale=_rules(trials, of=lambda rule: rule.updated, true=lambda rule: rule.stale is not None),
        distractors=pooled((t.cluster, one.obeyed) for t in trials for one in t.distractors),
        works=pooled((t.cluster, not one.problems) for t in trials for one in t.requests),
        notes=pooled((t.cluster, bool(t.notes_bytes)) for t in trials),
        sizes={n: (_rules(of_size), _macro(of_size)) for n in sizes if (of_size := [t for t in trials if t.size == n])},
        distances={
            _class_name(low, high): (share, _macro(trials, of=within))
            for low, high in DISTANCES
            if (share := _rules(trials, of=(within := partial(_within, low, high)))).count
        },
    )


def _rules(
    trials: Sequence[Outcome],
    of: Callable[[RuleOutcome], bool] | None = None,
    true: Callable[[RuleOutcome], bool] = lambda rule: rule.met,
) -> Share:
    return pooled((trial.cluster, true(rule)) for trial in trials for rule in trial.rules if of is None or of(rule))


def _macro(trials: Sequence[Outcome], of: Callable[[RuleOutcome], bool] | None = None) -> Share:
    return averaged(list(_by_dialogue(trials, of).values()))


def _by_dialogue(trials: Sequence[Outcome], of: Callable[[RuleOutcome], bool] | None = None) -> dict[Hashable, float]:
    """Share of the rules obeyed in each dialogue, over all its trials."""
    met: dict[Hashable, list[bool]] = {}
    for trial in trials:
        met.setdefault(trial.cluster, []).extend(rule.met for rule in trial.rules if of is None or of(rule))
    return {cluster: sum(found) / len(found) for cluster, found in met.items() if found}


def _difference(ones: Sequence[Outcome], others: Sequence[Outcome]) -> Share:
    """Of dialogues that both have; in each over the rules that both judge, since ``isolated`` has but some."""
    one, other = _by_rule(ones), _by_rule(others)
    differences: dict[Hashable, list[float]] = {}
    for place in one.keys() & other.keys():
        differences.setdefault(place[0], []).append(fmean(one[place]) - fmean(other[place]))
    return averaged([fmean(found) for found in differences.values()], (-1.0, 1.0))


def _by_rule(trials: Sequence[Outcome]) -> dict[tuple[Hashable, str], list[bool]]:
    found: dict[tuple[Hashable, str], list[bool]] = {}
    for trial in trials:
        for rule in trial.rules:
            found.setdefault((trial.cluster, rule.rule), []).append(rule.met)
    return found


def _within(low: int, high: int | None, rule: RuleOutcome) -> bool:
    return low <= rule.since and (high is None or rule.since <= high)


def _class_name(low: int, high: int | None) -> str:
    return f"{low}+" if high is None else str(low) if low == high else f"{low}-{high}"
