"""The rows of the leaderboard: one agent with one model, one set of arguments and one arm each."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from swe_together.judge import passes
from swe_together.report._columns import UNPLANNED
from swe_together.report._leaderboard import Entry, Kind, PassHat, ThresholdPoint
from swe_together.report._measured import Row
from swe_together.report._metrics import METRICS, Tasks, Trials, figure, figure_of, of_tasks
from swe_together.report._records import UNKNOWN
from swe_together.report.stats import pass_hat_k, threshold_curve

if TYPE_CHECKING:
    import pandas as pd

REFERENCES: Final = ("oracle", "swe-together-reference")
"""Agents that play a task's own solution."""
BASELINES: Final = ("nop",)
IDLE: Final = ('"play": "nothing"', '"play": "first-stage"')
"""Arguments with which the reference agent plays something less."""
SEALED: Final = {True: "sealed", False: "open", None: "unknown"}
MAX_K: Final = 16


@dataclass(frozen=True)
class Group:
    """Planned trials of one entry, before any number is worked out."""

    label: str
    kind: Kind
    agent: str
    model: str | None
    settings: str
    arm: str | None
    trials: Trials

    def part(self, wanted: Callable[[Row], bool]) -> Trials:
        """Some of the entry's trials."""
        return Trials([row for row in self.trials.rows if wanted(row)], self.trials.threshold)


def planned_rows(frame: "pd.DataFrame") -> list[Row]:
    """Trials that count in denominators, as plain values: neither duplicates nor foreign ones. None is missing."""
    planned = frame[~frame["status"].isin(UNPLANNED)]
    columns = {str(name): planned[name].astype(object).where(planned[name].notna(), None).tolist() for name in planned}
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def entry_labels(frame: "pd.DataFrame") -> list[str | None]:
    """For each row of the table the label of its entry; None for what counts in none."""
    rows = planned_rows(frame)
    names = {key: label for key, label, _ in _labelled(rows)}
    found = iter([names[_key(row)] for row in rows])
    return [None if status in UNPLANNED else next(found) for status in frame["status"]]


def group_entries(rows: Sequence[Row], threshold: float) -> list[Group]:
    """Planned trials by entry, with labels that tell them apart."""
    return [
        Group(label, _kind(key[0], key[2]), key[0], key[1] or None, key[2], key[3] or None, Trials(found, threshold))
        for key, label, found in _labelled(rows)
    ]


Key = tuple[str, str, str, str]
"""Agent, model, arguments, arm; empty for what isn't known."""


def _key(row: Row) -> Key:
    return row["agent"] or UNKNOWN, row["model"] or "", row["agent_settings"] or "", row["arm"] or ""


def _labelled(rows: Sequence[Row]) -> list[tuple[Key, str, list[Row]]]:
    found: dict[Key, list[Row]] = {}
    variants: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        key = _key(row)
        found.setdefault(key, []).append(row)
        variants.setdefault(key[:2], set()).add(key[2])
    return [
        (key, _label(key[0], key[1], key[2] if len(variants[key[:2]]) > 1 else "", key[3]), found[key])
        for key in sorted(found)
    ]


def make_entry(group: Group, tasks: Tasks, level: float) -> Entry:
    """The row with all its numbers."""
    trials = group.trials
    rows, scored = trials.rows, trials.scored
    rewards = trials.by_task("reward")
    counts = [len(values) for values in rewards.values()]
    judged = [row for row in scored if row["judge_model"] is not None]
    own = sum(row["own_family_judge"] is True for row in judged)
    spent = [[row[name] for name in ("cost_usd", "user_cost_usd", "judge_cost_usd")] for row in rows]
    again = [row["retries_usd"] for row in rows if row["retries"]]
    known = [sum(costs) for costs in [*spent, *([cost] for cost in again)] if None not in costs]
    figures = {metric.name: figure(trials, metric.name, tasks, level) for metric in METRICS}
    return Entry(
        label=group.label,
        kind=group.kind,
        agent=group.agent,
        model=group.model,
        settings=group.settings,
        arm=group.arm,
        versions=_versions(rows),
        planned=len(rows),
        scored=len(scored),
        attrition=_counts(row["status"] for row in rows if row["status"] != "ok"),
        tasks=len(rewards),
        replicates=(min(counts), max(counts)) if counts else None,
        figures=figures,
        pass_hat=_pass_hats(trials, tasks, level),
        thresholds=_thresholds(trials, tasks, level),
        spent_usd=sum(known) if known else None,
        spent_unknown=len(spent) + len(again) - len(known),
        continuation=_counts(row["continuation"] for row in scored),
        sealed=_counts(SEALED[row["sealed"]] for row in scored),
        policies=_counts(row["policy"] for row in scored),
        own_family_judge=own,
        judged_by_model=len(judged),
        flags=tuple(_flags(group, own, len(judged), figures["pass_at_1_once"].value)),
    )


def _label(agent: str, model: str, settings: str, arm: str) -> str:
    label = f"{agent} ({model})" if model else agent
    label += f" {settings}" if settings else ""
    return label if arm in ("", "interactive") else f"{label}, {arm}"


def _kind(agent: str, settings: str) -> Kind:
    if agent in BASELINES or (agent in REFERENCES and any(idle in settings for idle in IDLE)):
        return "baseline"
    return "reference" if agent in REFERENCES else "model"


def _pass_hats(trials: Trials, tasks: Tasks, level: float) -> list[PassHat]:
    """For each k up to the most replicates that any task has."""
    rewards, planned, found = trials.by_task("reward"), len(trials.rows), []
    for k in range(1, min(max(map(len, rewards.values()), default=0), MAX_K) + 1):
        chances = {
            task: pass_hat_k(sum(passes(value, trials.threshold) for value in values), len(values), k)
            for task, values in rewards.items()
        }
        means = {task: chance for task, chance in chances.items() if chance is not None}
        used = sum(len(rewards[task]) for task in means)
        found.append(PassHat(k, of_tasks(means, used, planned - used, tasks, share=True, level=level)))
    return found


def _thresholds(trials: Trials, tasks: Tasks, level: float) -> list[ThresholdPoint]:
    rewards = trials.by_task("reward")
    scores, labels = list(rewards.values()), [tasks.clusters[task] for task in rewards]
    count = sum(map(len, scores))
    return [
        ThresholdPoint(point.threshold, figure_of(point.estimate, count, len(trials.rows) - count))
        for point in threshold_curve(scores, labels, level=level)
    ]


def _flags(group: Group, own: int, judged: int, once: float | None) -> Iterator[str]:
    rows, scored = group.trials.rows, group.trials.scored
    if own:
        yield f"a model of the agent's own maker judged {own} of {judged} trials"
    ways = _counts(row["continuation"] for row in scored)
    if group.kind == "model" and len(ways) > 1:
        yield "later messages reached it in several ways: " + ", ".join(f"{way} {n}" for way, n in ways.items())
    elif group.kind == "model" and ways and "native" not in ways:
        yield f"later messages were {next(iter(ways))}: the agent did not go on in its own conversation"
    again = sum(bool(row["retries"]) for row in rows)
    if again:
        without = "" if once is None else f"; pass@1 without them is {once:.1%}"
        yield f"{again} of {len(rows)} trials were run again after an error{without}"
    if len(scored) < len(rows):
        yield f"{len(rows) - len(scored)} of {len(rows)} planned trials have no reward"
    versions = _versions(rows)
    if len(versions) > 1:
        yield f"several versions of the agent: {', '.join(versions)}"


def _versions(rows: Sequence[Row]) -> list[str]:
    return sorted({row["agent_version"] for row in rows} - {None})


def _counts(values: Iterable[str | None]) -> dict[str, int]:
    return dict(Counter(value for value in values if value is not None).most_common())
