"""What the annotators of a study said, in numbers. What was not said is missing, and counted."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swe_together.judge.agreement import Agreement, Ratings, agreement
from swe_together.report.stats import Equivalence, Estimate, clustered_share, equivalence, wilson
from swe_together.report.study._crossed import crossed_mean
from swe_together.report.study._format import RECORD, Answer, GoalsKey, Key, MessagesKey, PairKey
from swe_together.report.study._store import read_answers, read_key, read_study
from swe_together.schema import Tag

ALPHA = 0.05


@dataclass(frozen=True)
class Annotator:
    """One person: how many pairs they judged, how often the simulated user passed, how often they chose the left."""

    name: str
    pairs: int
    passed: int
    left: int
    messages: int
    goals: int


@dataclass(frozen=True)
class Turing:
    """How often the simulated user was taken for the real one.

    Attributes:
        judgements: That were given, and how many could have been: every pair by everybody who judged any.
        tasks: Among the judged pairs.
        plain: Wilson's interval, as if every judgement were independent of the others: for comparison alone.
        by_task: Interval for other tasks and these annotators.
        crossed: Interval for other tasks and other annotators.
        equivalence: Whether the pass rate is one half within the margin, for other tasks and these annotators.
        crossed_equivalent: The same for other annotators too; None where it could not be tested.
        left: Share of judgements that chose the left session, which is the real one in half of the pairs.
        by_simulator: Pass rate by what played the user, with intervals by task.
        by_confidence: Pass rate by how sure they were, 1 to 5, or not said.
        agreement: Between annotators, on which session has the real user.
    """

    judgements: int
    possible: int
    pairs: int
    tasks: int
    plain: Estimate
    by_task: Estimate
    crossed: Estimate
    equivalence: Equivalence
    crossed_equivalent: bool | None
    left: Estimate
    by_simulator: dict[str, Estimate]
    by_confidence: dict[str, Estimate]
    agreement: Agreement


@dataclass(frozen=True)
class StudyReport:
    """A study so far.

    Attributes:
        items: Those that were asked, by kind.
        unreadable: Lines of the answers that are none.
        foreign: Answers to items that the study doesn't have.
        replaced: Answers that a later one of the same person replaced.
        turing: None where no pair was judged.
        messages: Agreement on tags: a thing that is rated is a tag of a message. None without answers.
        tags: Krippendorff's alpha between annotators, by tag.
        goals: Agreement on goals, the judge beside the annotators. None without answers.
    """

    folder: str
    seed: int
    margin: float
    items: dict[str, int]
    annotators: list[Annotator]
    unreadable: int
    foreign: int
    replaced: int
    turing: Turing | None
    messages: Agreement | None
    tags: dict[str, float | None]
    goals: Agreement | None


def study_report(folder: Path) -> StudyReport:
    """Sum up a study, whole or under way.

    Raises:
        MisuseError: The folder is no study, or its key was changed.
    """
    study = read_study(folder)
    key = read_key(folder, study)
    answers, unreadable = read_answers(folder)
    ours = [answer for answer in answers if answer.item in key.items]
    last = {(answer.annotator, answer.item): answer for answer in ours}
    replaced = len({answer.id for answer in ours}) - len(last)
    tags = _tag_ratings(last.values(), key)
    goals = _goal_ratings(last.values(), key)
    return StudyReport(
        folder=str(folder),
        seed=study.seed,
        margin=study.margin,
        items=dict(Counter(study.items.values())),
        annotators=_annotators(last.values(), key),
        unreadable=unreadable,
        foreign=len(answers) - len(ours),
        replaced=replaced,
        turing=_turing(last.values(), key, study.margin),
        messages=agreement(tags) if tags.verdicts else None,
        tags=_by_tag(tags),
        goals=agreement(goals, RECORD if RECORD in goals.raters else None) if goals.verdicts else None,
    )


def goal_ratings(folder: Path) -> list[dict[str, Any]]:
    """The annotators' verdicts as rows that ``swe-together agreement`` reads, by the names of trials' folders."""
    study = read_study(folder)
    answers, _ = read_answers(folder)
    last = {(answer.annotator, answer.item): answer for answer in answers}
    ratings = _goal_ratings(last.values(), read_key(folder, study))
    return [
        {"trial": Path(unit.trial).name, "goal": unit.goal, "rater": rater, "met": met}
        for unit, given in ratings.verdicts.items()
        for rater, met in given.items()
        if rater != RECORD
    ]


def _turing(answers: Iterable[Answer], key: Key, margin: float) -> Turing | None:
    given = [(answer, secret) for answer in answers if isinstance(secret := key.items.get(answer.item), PairKey)]
    if not given:
        return None
    passed = [float(answer.choice != secret.real) for answer, secret in given]
    tasks = [secret.task for _, secret in given]
    people = [answer.annotator for answer, _ in given]
    sides = Ratings()
    for answer, _ in given:
        sides.add(answer.item, "the real user is on the left", answer.annotator, answer.choice == "left")
    pairs = sum(isinstance(secret, PairKey) for secret in key.items.values())
    crossed = crossed_mean(passed, tasks, people, level=1 - 2 * ALPHA)
    inside = None
    if crossed.low is not None and crossed.high is not None:
        inside = 0.5 - margin < crossed.low and crossed.high < 0.5 + margin
    return Turing(
        judgements=len(given),
        possible=pairs * len(set(people)),
        pairs=len({answer.item for answer, _ in given}),
        tasks=len(set(tasks)),
        plain=wilson(sum(passed), len(passed)),
        by_task=clustered_share(passed, tasks),
        crossed=crossed_mean(passed, tasks, people),
        equivalence=equivalence(passed, tasks, centre=0.5, margin=margin, alpha=ALPHA),
        crossed_equivalent=inside,
        left=wilson(sum(answer.choice == "left" for answer, _ in given), len(given)),
        by_simulator=_by([secret.simulator for _, secret in given], passed, tasks),
        by_confidence=_by([str(answer.confidence or "not said") for answer, _ in given], passed, tasks),
        agreement=agreement(sides),
    )


def _by(groups: Sequence[str], values: Sequence[float], tasks: Sequence[Hashable]) -> dict[str, Estimate]:
    parts: dict[str, tuple[list[float], list[Hashable]]] = defaultdict(lambda: ([], []))
    for group, value, task in zip(groups, values, tasks, strict=True):
        parts[group][0].append(value)
        parts[group][1].append(task)
    return {group: clustered_share(*parts[group]) for group in sorted(parts)}


def _annotators(answers: Iterable[Answer], key: Key) -> list[Annotator]:
    by_name: dict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        by_name[answer.annotator].append(answer)
    found = []
    for name, own in sorted(by_name.items()):
        judged = [(a.choice, secret.real) for a in own if isinstance(secret := key.items[a.item], PairKey)]
        found.append(
            Annotator(
                name=name,
                pairs=len(judged),
                passed=sum(choice != real for choice, real in judged),
                left=sum(choice == "left" for choice, _ in judged),
                messages=sum(len(answer.tags or {}) for answer in own),
                goals=sum(met is not None for answer in own for met in (answer.goals or {}).values()),
            )
        )
    return found


def _tag_ratings(answers: Iterable[Answer], key: Key) -> Ratings:
    ratings = Ratings()
    for answer in answers:
        secret = key.items.get(answer.item)
        if isinstance(secret, MessagesKey):
            for turn, tags in (answer.tags or {}).items():
                unit = f"{secret.session} turn {turn}"
                _enter_tags(ratings, unit, answer.annotator, tags)
                _enter_tags(ratings, unit, RECORD, secret.recorded.get(turn))
    return ratings


def _enter_tags(ratings: Ratings, unit: str, rater: str, tags: Sequence[Tag] | None) -> None:
    for tag in Tag if tags is not None else ():
        ratings.add(unit, tag.value, rater, tag in (tags or ()))


def _by_tag(ratings: Ratings) -> dict[str, float | None]:
    """Alpha of each tag between people alone: what is on record is no annotator."""
    parts: dict[str, Ratings] = defaultdict(Ratings)
    for unit, given in ratings.verdicts.items():
        for rater, met in given.items():
            if rater != RECORD:
                parts[unit.goal].add(unit.trial, unit.goal, rater, met)
    return {tag.value: agreement(parts[tag.value]).alpha for tag in Tag if tag.value in parts}


def _goal_ratings(answers: Iterable[Answer], key: Key) -> Ratings:
    ratings = Ratings()
    for answer in answers:
        secret = key.items.get(answer.item)
        if isinstance(secret, GoalsKey):
            told: Mapping[str, bool | None] = answer.goals or {}
            for goal, met in told.items():
                ratings.add(secret.session, goal, answer.annotator, met)
                ratings.add(secret.session, goal, RECORD, secret.judged.get(goal))
    return ratings
