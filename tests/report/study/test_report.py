"""What the annotators said, in numbers."""

import json
import uuid
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from swe_together.cli import main
from swe_together.errors import MisuseError
from swe_together.judge.agreement import read_ratings
from swe_together.report.stats import clustered_mean, wilson
from swe_together.report.study import OpenStudy, goal_ratings, prepare, read_key, study_report
from swe_together.report.study._crossed import crossed_mean
from swe_together.report.study._format import RECORD, PairKey
from tests.report.study.sessions import goals, sessions

TASKS = 12
PEOPLE = ("anna", "bo", "cy")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    real, simulated = sessions(tmp_path, TASKS)
    prepare(real, simulated, tmp_path / "study", seed=1, labels=["messages", "goals"], goals=goals(TASKS))
    return tmp_path / "study"


def keys(study: OpenStudy) -> dict[str, PairKey]:
    items = read_key(study.folder, study.study).items
    return {identity: key for identity, key in items.items() if isinstance(key, PairKey)}


def enter(study: OpenStudy, item: str, annotator: str, **facts: object) -> None:
    study.enter({"id": uuid.uuid4().hex, "item": item, "annotator": annotator, "seconds": 1, **facts})


def judge(study: OpenStudy, item: str, key: PairKey, annotator: str, passed: bool, **facts: object) -> None:
    other = {"left": "right", "right": "left"}
    enter(study, item, annotator, choice=other[key.real] if passed else key.real, **facts)


def test_pass_rate_with_its_intervals(folder: Path) -> None:
    study = OpenStudy(folder)
    values: list[float] = []
    tasks: list[str] = []
    people: list[str] = []
    for place, (item, key) in enumerate(keys(study).items()):
        for number, person in enumerate(PEOPLE):
            if (place, number) == (0, 0):
                continue
            passed = (place + number) % 3 == 0 or place % 4 == 0
            judge(study, item, key, person, passed, **({"confidence": 5} if passed else {}))
            values.append(float(passed))
            tasks.append(key.task)
            people.append(person)
    found = study_report(folder).turing
    assert found is not None
    assert (found.judgements, found.possible, found.pairs, found.tasks) == (35, 36, TASKS, TASKS)
    share = sum(values) / 35
    # Wilson by hand, from its textbook form.
    z, n = 1.959963984540054, 35
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
    assert (found.plain.mean, found.plain.low, found.plain.high) == pytest.approx((share, centre - half, centre + half))
    assert found.by_task.se == pytest.approx(clustered_mean(values, tasks).se)
    assert found.by_task.low is not None
    assert 0 < found.by_task.low < share
    assert found.crossed == crossed_mean(values, tasks, people)
    assert found.equivalence.estimate.se == pytest.approx(clustered_mean(values, tasks).se)
    assert found.by_simulator["llm (maker/user-model-7)"].n == 35
    assert found.by_confidence["5"].mean == 1
    assert found.by_confidence["not said"].mean == 0
    assert {a.name: a.pairs for a in study_report(folder).annotators} == {"anna": 11, "bo": 12, "cy": 12}


def test_the_published_interval_is_wilsons_and_too_narrow_for_clusters() -> None:
    """The paper: 46 % [40.5, 51.6] of 312 judgements. Where those of a task go together it is wider."""
    found = wilson(143, 312)
    assert (found.low, found.high) == pytest.approx((0.404, 0.514), abs=0.0006)
    clustered = clustered_mean([1.0] * 144 + [0.0] * 168, [place // 6 for place in range(312)])
    assert clustered.se is not None
    assert found.se is not None
    assert clustered.se > 1.5 * found.se


def test_equivalence_is_shown_and_not_shown(tmp_path: Path) -> None:
    real, simulated = sessions(tmp_path, TASKS)
    for margin, shown in ((0.4, True), (0.01, False)):
        prepare(real, simulated, tmp_path / f"m{margin}", seed=1, margin=margin)
        study = OpenStudy(tmp_path / f"m{margin}")
        for item, key in keys(study).items():
            passes = 3 if int(key.task.partition("/t")[2]) % 2 else 1
            for number, person in enumerate(("anna", "bo", "cy", "di")):
                judge(study, item, key, person, number < passes)
        found = study_report(study.folder).turing
        assert found is not None
        assert found.plain.mean == 0.5
        assert found.equivalence.margin == margin
        assert found.equivalence.equivalent is shown


def test_what_cant_be_tested_is_neither_yes_nor_no(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert study_report(folder).turing is None
    assert main(["study", "report", str(folder)]) == 0
    assert "there is no pass rate" in capsys.readouterr().out
    study = OpenStudy(folder)
    item, key = next(iter(keys(study).items()))
    judge(study, item, key, "anna", True)
    found = study_report(folder).turing
    assert found is not None
    assert (found.equivalence.equivalent, found.crossed_equivalent) == (None, None)
    assert main(["study", "report", str(folder)]) == 0
    assert "can't be tested" in capsys.readouterr().out


def test_a_later_answer_counts_and_foreign_and_torn_ones_are_counted(folder: Path) -> None:
    study = OpenStudy(folder)
    item, key = next(iter(keys(study).items()))
    judge(study, item, key, "anna", True)
    judge(study, item, key, "anna", False)
    foreign = {"id": uuid.uuid4().hex, "item": "0123456789", "annotator": "x", "choice": "left", "seconds": 1}
    with (folder / "answers.jsonl").open("a") as file:
        file.write(f"{json.dumps(foreign)}\n{{half\n")
    found = study_report(folder)
    assert (found.replaced, found.foreign, found.unreadable) == (1, 1, 1)
    assert found.turing is not None
    assert (found.turing.judgements, found.turing.plain.mean) == (1, 0)


def test_agreement_on_pairs_tags_and_goals(folder: Path, tmp_path: Path) -> None:
    study = OpenStudy(folder)
    for place, (item, key) in enumerate(keys(study).items()):
        judge(study, item, key, "anna", place % 2 == 0)
        judge(study, item, key, "bo", place % 2 == 0)
    for item in [i for i, kind in study.study.items.items() if kind == "messages"]:
        enter(study, item, "anna", tags={2: ["request"]})
        enter(study, item, "bo", tags={2: ["question"]})
    for place, item in enumerate(i for i, kind in study.study.items.items() if kind == "goals"):
        enter(study, item, "anna", goals={"works": True, "tidy": False})
        enter(study, item, "bo", goals={"works": place > 2, "tidy": None})
    found = study_report(folder)
    assert found.turing is not None
    assert found.turing.agreement.alpha == 1
    assert found.messages is not None
    assert RECORD in found.messages.raters
    assert found.tags["request"] is not None
    assert found.tags["request"] < 0, "they never agree on it"
    assert found.tags["context"] is None, "nobody ever gave it: that is no agreement"
    assert found.goals is not None
    assert found.goals.errors["anna"].false_pass == 0
    assert found.goals.errors["bo"].false_fail == 3 / TASKS
    rows = goal_ratings(folder)
    assert {row["rater"] for row in rows} == {"anna", "bo"}
    (tmp_path / "rows.json").write_text(json.dumps(rows))
    assert read_ratings([tmp_path / "rows.json"]).raters == ["anna", "bo"]


def test_a_changed_key_is_refused(folder: Path) -> None:
    text = (folder / "key.json").read_text()
    (folder / "key.json").write_text(text.replace('"left"', '"right"'))
    with pytest.raises(MisuseError, match="was changed"):
        study_report(folder)


def test_names_are_no_markup(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = OpenStudy(folder)
    item, key = next(iter(keys(study).items()))
    judge(study, item, key, "[bold red]x[/]", True)
    assert main(["study", "report", str(folder)]) == 0
    assert "[bold red]x[/]" in capsys.readouterr().out


@pytest.mark.parametrize(("task_sd", "person_sd"), [(0.0, 0.0), (0.6, 0.0), (0.4, 0.4)])
def test_the_crossed_interval_covers(task_sd: float, person_sd: float) -> None:
    """Drawn studies of 40 tasks and 8 annotators: the interval holds the truth about as often as it says."""
    rng = np.random.default_rng(7)
    tasks, people, hits, draws = 40, 8, 0, 200
    names = (
        [f"t{t}" for t in range(tasks) for _ in range(people)],
        [f"p{p}" for _ in range(tasks) for p in range(people)],
    )
    for _ in range(draws):
        by_task = rng.normal(0, task_sd, (tasks, 1))
        by_person = rng.normal(0, person_sd, (1, people))
        found = crossed_mean((by_task + by_person + rng.normal(0, 1, (tasks, people))).ravel().tolist(), *names)
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= 0 <= found.high
    assert hits / draws >= 0.92


def test_the_crossed_error_counts_both_and_what_they_share_once() -> None:
    rng = np.random.default_rng(3)
    tasks, people = [f"t{n // 6}" for n in range(90)], [f"p{n % 6}" for n in range(90)]
    effects = rng.normal(0, 1, 15).repeat(6) + np.tile(rng.normal(0, 1, 6), 15)
    values = (effects + rng.normal(0, 1, 90)).tolist()
    found = crossed_mean(values, tasks, people, level=0.9)
    both = list(zip(tasks, people, strict=True))
    one, two, shared = (clustered_mean(values, labels) for labels in (tasks, people, both))
    assert one.se and two.se and shared.se and one.df and two.df and found.se and found.mean is not None
    assert found.se == pytest.approx((one.se**2 + two.se**2 - shared.se**2) ** 0.5)
    assert found.se > max(one.se, two.se)
    assert found.df == two.df < one.df
    half = stats.t.ppf(0.95, two.df) * found.se
    assert (found.low, found.high) == pytest.approx((found.mean - half, found.mean + half))


def test_one_annotator_tells_nothing_of_others() -> None:
    found = crossed_mean([0, 1, 1, 0], ["a", "b", "c", "d"], ["anna"] * 4)
    assert (found.mean, found.low) == (0.5, None)
    assert "fewer than two" in found.warning
