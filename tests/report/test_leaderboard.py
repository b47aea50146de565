"""Leaderboards of tiny tables, every number worked out by hand."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic_core import to_json

from swe_together.errors import MisuseError
from swe_together.report import GROUPINGS, METRICS, Leaderboard, leaderboard, read_table
from swe_together.report._leaderboard import Entry
from swe_together.schema import EndReason, Usage
from tests.support.jobs import Spec, dump, write_job

A, B = "codex (openai/gpt-5.2)", "claude-code (anthropic/claude-opus-4-8)"


def spec(task: str, reward: float, **change: object) -> Spec:
    """A trial at one of the tasks; the first letter of its name is its repository."""
    return replace(
        Spec(task=f"swe-together/{task}", reward=reward, repository=f"pypi:{task[0]}", digest=task * 10), **change
    )  # fmt: skip


def other(task: str, reward: float, **change: object) -> Spec:
    return spec(task, reward, agent="claude-code", model="anthropic/claude-opus-4-8", **change)


def board(folder: Path, *specs: Spec, planned: list[Spec] | None = None, **options: object) -> Leaderboard:
    return leaderboard(read_table([write_job(folder / "job", specs, planned=planned)]), **options)  # type: ignore[arg-type]


def entry(found: Leaderboard, label: str) -> Entry:
    return next(entry for entry in found.entries if entry.label == label)


# Three tasks in two repositories, two trials each: passes 2 of 2, 1 of 2, 0 of 2.
TRIALS = (spec("a1", 1.0), spec("a1", 0.9), spec("a2", 0.85), spec("a2", 0.1), spec("b1", 0.8), spec("b1", 0.7))


def test_shares_of_success_by_hand(tmp_path: Path) -> None:
    found = entry(board(tmp_path, *TRIALS), A)
    assert (found.planned, found.scored, found.tasks, found.replicates) == (6, 6, 3, (2, 2))
    value = {name: figure.value for name, figure in found.figures.items()}
    assert value["pass_at_1"] == pytest.approx((1 + 0.5 + 0) / 3)
    assert value["pass_at_1_worst"] == value["pass_at_1"]
    # Means of the tasks: 0.95, 0.475, 0.75.
    assert value["stable"] == pytest.approx(1 / 3)
    assert value["reward"] == pytest.approx((0.95 + 0.475 + 0.75) / 3)
    assert [(one.k, one.figure.value) for one in found.pass_hat] == [(1, pytest.approx(0.5)), (2, pytest.approx(1 / 3))]
    curve = {point.threshold: point.figure.value for point in found.thresholds}
    assert curve[0.8] == pytest.approx((1 + 0.5 + 0.5) / 3)
    assert curve[1.0] == pytest.approx((0.5 + 0 + 0) / 3)


def test_the_interval_of_a_mean_is_clustered_by_repository(tmp_path: Path) -> None:
    """Turns 3, 3, 4 for the tasks a1, a2, b1: mean 10/3; CR2 by hand for clusters of 2 and 1."""
    told = [spec(task, 1.0, messages=[["request"]] * (turns - 1)) for task, turns in (("a1", 3), ("a2", 3), ("b1", 4))]
    figure = entry(board(tmp_path, *told), A).figures["turns"]
    assert figure.value == pytest.approx(10 / 3)
    assert (figure.n, figure.trials, figure.missing, figure.clusters) == (3, 3, 0, 2)
    # Sums of the residuals: -2/3 and 2/3; each is divided by 1 - its share of the tasks, for CR2.
    error = math.sqrt((2 / 3) ** 2 / (1 - 2 / 3) + (2 / 3) ** 2 / (1 - 1 / 3)) / 3
    assert figure.high is not None
    assert figure.low is not None
    assert (figure.high + figure.low) / 2 == pytest.approx(10 / 3)
    # One degree of freedom at most: Student's quantile is at least 12.7.
    assert (figure.high - figure.low) / 2 >= 12.7 * error * (1 - 1e-9)


def test_a_missing_trial_is_in_the_denominator_of_attrition_and_in_no_mean(tmp_path: Path) -> None:
    lost = spec("b1", 1.0, end=EndReason.SIMULATOR_ERROR)
    found = entry(board(tmp_path, *TRIALS[:5], lost, planned=[*TRIALS, spec("b2", 0.0)]), A)
    assert (found.planned, found.scored) == (7, 5)
    assert found.attrition == {"simulator_error": 1, "not_started": 1}
    figure = found.figures["pass_at_1"]
    assert (figure.value, figure.n, figure.trials, figure.missing) == (pytest.approx(0.5), 3, 5, 2)
    # Had both failed: a1 2/2, a2 1/2, b1 0/2, b2 0/1.
    assert found.figures["pass_at_1_worst"].value == pytest.approx(1.5 / 4)
    assert "2 of 7 planned trials have no reward" in found.flags
    assert [(one.k, one.figure.n) for one in found.pass_hat] == [(1, 3), (2, 2)], "pass^2 knows tasks with two trials"


def test_user_correction_is_of_sessions_with_a_user_alone(tmp_path: Path) -> None:
    talks = [spec("a1", 1.0, messages=[["correction"], ["nudge"], ["request"]]), spec("b1", 0.0, messages=[])]
    control = spec("a1", 1.0, messages=[], arm="first-message", policy="silent")
    found = board(tmp_path, *talks, control)
    with_user = entry(found, A).figures
    assert with_user["user_correction"].value == pytest.approx((1.2 + 0) / 2)
    assert with_user["user_correction_per_opportunity"].value == pytest.approx((1.2 / 4 + 0 / 1) / 2)
    assert with_user["user_correction_if_passed"].value == pytest.approx(1.2)
    assert with_user["messages"].value == pytest.approx(1.5)
    without = entry(found, f"{A}, first-message").figures
    assert (without["user_correction"].value, without["messages"].value) == (None, None)
    assert without["pass_at_1"].value == 1


def test_costs_and_times_leave_out_what_nobody_knows(tmp_path: Path) -> None:
    known = spec("a1", 1.0, judge_model="x/y", judge=1.0)
    unknown = spec("b1", 0.0, usage=Usage(), judge_model="x/y", judge=1.0)
    found = entry(board(tmp_path, known, unknown), A)
    assert (found.figures["cost_usd"].value, found.figures["cost_usd"].missing) == (0.5, 1)
    assert (found.spent_usd, found.spent_unknown) == (0.75, 1), "agent 0.5, user 0, judge 0.25"
    assert found.figures["agent_seconds"].value == 60
    assert found.figures["rest_seconds"].value == 40
    assert found.figures["reasoning_tokens"].value == 50


def test_the_reference_stands_apart_and_so_does_doing_nothing(tmp_path: Path) -> None:
    found = board(
        tmp_path,
        spec("a1", 0.0), other("a1", 0.0),
        spec("a1", 1.0, agent="oracle", model=None), spec("a1", 1.0, agent="swe-together-reference", model=None),
        spec("a1", 0.0, agent="nop", model=None),
        spec("a1", 0.0, agent="swe-together-reference", model=None, kwargs={"play": "nothing"}),
    )  # fmt: skip
    assert [(one.label, one.kind, one.best_rank) for one in found.entries] == [
        (B, "model", 1),
        (A, "model", 1),
        ("oracle", "reference", None),
        ("swe-together-reference", "reference", None),
        ("nop", "baseline", None),
        ('swe-together-reference {"play": "nothing"}', "baseline", None),
    ]


def test_agents_with_other_arguments_are_other_entries(tmp_path: Path) -> None:
    found = board(tmp_path, spec("a1", 1.0, kwargs={"effort": "low"}), spec("a1", 0.0, kwargs={"effort": "high"}))
    assert [one.label for one in found.entries] == [f'{A} {{"effort": "low"}}', f'{A} {{"effort": "high"}}']


def many(success: float, make: object, tasks: int = 40) -> list[Spec]:
    """Tasks in ten repositories, two trials each; the share that passes depends on the task alone."""
    assert callable(make)
    return [
        make(f"{chr(97 + number % 10)}{number}", 1.0 if number < success * tasks else 0.0)
        for number in range(tasks)
        for _ in range(2)
    ]


def test_models_that_can_be_told_apart_and_models_that_can_not(tmp_path: Path) -> None:
    third = [replace(one, agent="aider", model="x/y") for one in many(0.6, spec)]
    found = board(tmp_path, *many(0.1, spec), *many(0.9, other), *third[:-2], replace(third[-2], reward=1.0), third[-1])
    assert found.band is not None
    apart = {frozenset((pair.first, pair.second)): pair.separated for pair in found.band.pairs}
    assert apart[frozenset((A, B))] is True
    raw = [pair.difference.p for pair in found.band.pairs]
    holm = [pair.p_holm for pair in found.band.pairs]
    assert all(one is not None and two is not None and two >= one for one, two in zip(raw, holm, strict=True))
    ranks = {one.label: (one.best_rank, one.worst_rank) for one in found.entries}
    assert ranks[B] == (1, 1)
    assert ranks[A] == (3, 3)
    same = board(tmp_path / "same", *many(0.5, spec), *many(0.55, other))
    assert {(one.best_rank, one.worst_rank) for one in same.entries} == {(1, 2)}
    assert entry(same, A).inseparable == (B,)
    assert same.detection is not None
    assert (same.detection.tasks, same.detection.replicates, same.detection.clusters) == (40, 2, 10)


def test_a_comparison_is_paired_by_task(tmp_path: Path) -> None:
    """Differences 1, 0.5 and 0 on the shared tasks a1, a2, b1; c1 has one side alone."""
    mine = [spec("a1", 1.0), spec("a2", 1.0), spec("a2", 0.0), spec("b1", 0.0), spec("c1", 1.0)]
    theirs = [other("a1", 0.0), other("a2", 0.0), other("b1", 0.0)]
    found = board(tmp_path, *mine, *theirs, planned=[*mine, *theirs], pairs=[("codex", "CLAUDE")])
    (compared,) = found.compared
    assert (compared.first, compared.second, compared.tasks) == (A, B, 3)
    assert compared.differences["pass_at_1"].mean == pytest.approx(0.5)
    assert compared.differences["pass_at_1"].n == 3
    assert compared.differences["stable"].mean == pytest.approx(1 / 3)


def test_an_entry_to_compare_must_be_one(tmp_path: Path) -> None:
    specs = (spec("a1", 1.0), other("a1", 1.0))
    with pytest.raises(MisuseError, match=r"--compare aider: no entry is called so\. Entries: "):
        board(tmp_path / "1", *specs, pairs=[("aider", A)])
    with pytest.raises(MisuseError, match="several entries are meant"):
        board(tmp_path / "2", *specs, pairs=[("c", A)])


def test_the_gap_between_arms_is_a_result(tmp_path: Path) -> None:
    alone = [spec(task, 0.0, arm="first-message", policy="silent", messages=[]) for task in ("a1", "b1")]
    found = board(tmp_path, spec("a1", 1.0), spec("b1", 1.0), *alone)
    (gap,) = found.arms
    assert (gap.first, gap.second) == (A, f"{A}, first-message")
    assert gap.differences["pass_at_1"].mean == 1


def test_hard_and_easy_tasks_are_those_of_the_models_and_not_of_the_reference(tmp_path: Path) -> None:
    rates = {"a1": (1.0, 1.0), "b1": (1.0, 0.0), "c1": (0.0, 0.0)}
    models = [make(task, rate) for task, both in rates.items() for make, rate in zip((spec, other), both, strict=True)]
    reference = [spec(task, 1.0, agent="oracle", model=None) for task in rates]
    found = board(tmp_path, *models, *reference, spec("d1", 0.0))
    subsets = {row.task: (row.solved, row.subset) for row in found.tasks}
    assert subsets == {
        "swe-together/a1": (1.0, "easy"),
        "swe-together/b1": (0.5, None),
        "swe-together/c1": (0.0, "hard"),
        "swe-together/d1": (0.0, None),
    }
    hard, easy = found.subsets
    assert (hard.value, hard.tasks, easy.value, easy.tasks) == ("hard", 1, "easy", 1)
    assert {row.label: row.figures["pass_at_1"].value for row in hard.rows} == {A: 0, B: 0, "oracle": 1}
    assert board(tmp_path / "one", spec("a1", 0.0)).subsets == [], "one model can't say what is hard for models"


@pytest.mark.parametrize("by", GROUPINGS)
def test_every_grouping_parts_all_trials(tmp_path: Path, by: str) -> None:
    found = board(tmp_path, *TRIALS, *(other("b1", 1.0, language=None, category="feature") for _ in range(2)), by=[by])
    assert sum(row.planned for group in found.groups for row in group.rows) == 8
    assert all(group.by == by for group in found.groups)
    if by == "language":
        assert {group.value for group in found.groups} == {"python", "unknown"}
    if by == "task":
        figures = {(g.value, row.label): row.figures["pass_at_1"].value for g in found.groups for row in g.rows}
        assert figures["swe-together/a2", A] == 0.5


def test_a_grouping_that_is_none_is_misuse(tmp_path: Path) -> None:
    with pytest.raises(MisuseError, match="--by moon: there is no such grouping"):
        board(tmp_path, spec("a1", 1.0), by=["moon"])


def test_sealed_and_open_and_ways_of_going_on_are_shown_apart(tmp_path: Path) -> None:
    found = board(tmp_path, spec("a1", 1.0, sealed=True), spec("b1", 0.0, continuation="restated"))
    assert [(group.by, group.value, group.rows[0].figures["pass_at_1"].value) for group in found.splits] == [
        ("sealed", "False", 0),
        ("sealed", "True", 1),
        ("continuation", "native", 1),
        ("continuation", "restated", 0),
    ]
    (one,) = found.entries
    assert one.sealed == {"sealed": 1, "open": 1}
    assert "later messages reached it in several ways: native 1, restated 1" in one.flags


def test_a_judge_of_the_models_own_maker_is_flagged(tmp_path: Path) -> None:
    judged = {"judge": 1.0, "judge_model": "anthropic/claude-opus-4-6", "basis": "judge"}
    found = board(tmp_path, spec("a1", 1.0, **judged), other("a1", 1.0, **judged), other("a2", 1.0, **judged))
    assert entry(found, B).flags == ("a model of the agent's own maker judged 2 of 2 trials",)
    assert entry(found, A).flags == ()
    assert found.basis == "judge"
    assert found.about["judges"][0].startswith("model anthropic/claude-opus-4-6 ")


def test_user_correction_against_success_over_models(tmp_path: Path) -> None:
    specs = []
    for number in range(5):
        passes = [1.0 if task < number + 1 else 0.0 for task in range(6)]
        talk = [["correction"]] * (5 - number)
        specs += [
            spec(f"{chr(97 + task)}1", reward, model=f"x/m{number}", messages=talk)
            for task, reward in enumerate(passes)
        ]
    found = board(tmp_path, *specs).correlation
    assert found is not None
    assert (found.r, found.n) == (-1, 5)
    assert "5 points" in found.warning


def test_another_threshold_moves_every_share(tmp_path: Path) -> None:
    found = entry(board(tmp_path, *TRIALS, threshold=0.7), A)
    assert found.figures["pass_at_1"].value == pytest.approx((1 + 0.5 + 1) / 3)


def test_a_table_without_any_reward_has_no_figures_and_does_not_fail(tmp_path: Path) -> None:
    found = board(tmp_path, spec("a1", 1.0, end=EndReason.SIMULATOR_ERROR), by=["task"])
    (one,) = found.entries
    assert {name for name, figure in one.figures.items() if figure.value is not None} == {"pass_at_1_worst"}
    assert (one.pass_hat, one.replicates, found.basis, found.band, found.correlation) == ([], None, None, None, None)


def test_the_repository_of_a_task_that_is_known_once_is_known(tmp_path: Path) -> None:
    found = board(tmp_path, spec("a1", 1.0), other("a1", 1.0, repository=None), spec("b1", 1.0, repository=None))
    assert entry(found, B).figures["turns"].clusters == 1
    assert any("the repository of 1 of 2 tasks isn't known" in note for note in found.notes)


def test_everything_is_json(tmp_path: Path) -> None:
    found = board(tmp_path, *many(0.3, spec, 6), *many(0.6, other, 6), by=["task"], pairs=[(A, B)])
    document = json.loads(to_json(found))
    assert set(document["entries"][0]["figures"]) == {metric.name for metric in METRICS}
    assert document["compared"][0]["differences"]["pass_at_1"]["n"] == 6


def test_what_harbor_ran_again_is_noted(tmp_path: Path) -> None:
    job = write_job(tmp_path / "job", [spec("a1", 1.0)])
    for stats, said in (
        ({"n_retries": 3}, True),
        ({"n_retries": 0}, False),
        ({"n_retries": "x"}, False),
        (None, False),
    ):
        dump(job / "result.json", {"n_total_trials": 1, "stats": stats})
        assert any("Harbor ran 3 trials again" in note for note in leaderboard(read_table([job])).notes) is said


def test_controls_are_not_ranked_beside_sessions(tmp_path: Path) -> None:
    alone = [replace(one, arm="first-message", policy="silent", messages=()) for one in many(0.9, spec, 10)]
    found = board(tmp_path, *many(0.3, spec, 10), *many(0.6, other, 10), *alone)
    assert found.band is not None
    assert [rank.name for rank in found.band.ranks] == [B, A]
    assert entry(found, f"{A}, first-message").best_rank is None
    only = board(tmp_path / "only", *alone, *(replace(one, agent="aider") for one in alone))
    assert only.band is not None, "where nothing else was run they are"


def test_a_lost_trial_does_not_halve_the_plan_at_hand(tmp_path: Path) -> None:
    found = board(tmp_path, *many(0.4, spec)[1:], *many(0.5, other)).detection
    assert found is not None
    assert (found.tasks, found.replicates) == (40, 2)


def test_within_a_repository_intervals_are_by_task(tmp_path: Path) -> None:
    found = board(tmp_path, *(spec(f"a{n}", float(n % 2)) for n in range(4)), spec("b1", 1.0), by=["repository"])
    figures = {group.value: group.rows[0].figures["pass_at_1"] for group in found.groups}
    assert (figures["pypi:a"].clusters, figures["pypi:a"].value) == (4, 0.5)
    assert figures["pypi:a"].low is not None
