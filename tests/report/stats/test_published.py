"""Published figures come out again from other published figures, within their rounding, or as noted here."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from swe_together.report.stats import (
    Plan,
    expected_half_width,
    fisher_interval,
    pass_at_1,
    pass_hat,
    pearson_interval,
    variance_from_passes,
    wilson,
)

FIGURES: dict[str, Any] = json.loads((Path(__file__).parents[2] / "fixtures" / "published-figures.json").read_text())
TABLE, DERIVED = FIGURES["main_table"], FIGURES["derived"]
MODELS = {row["model"]: row for row in TABLE["rows"]}


def column(name: str, without: str | None = None) -> list[float]:
    return [row[name] for model, row in MODELS.items() if model != without]


@pytest.mark.parametrize("model", MODELS)
def test_half_widths_of_pass_1(model: str) -> None:
    parts = variance_from_passes(MODELS[model]["pass_1"] / 100, MODELS[model]["pass_2"] / 100)
    assert parts.between is not None
    assert parts.within is not None
    plan = Plan(TABLE["tasks"], TABLE["trials"], parts.between, parts.within)
    noted = DERIVED["half_width"][model]
    assert 100 * (expected_half_width(plan, df=math.inf).value or 0) == pytest.approx(noted, abs=0.051)
    # As noted: the figure takes the normal quantile. Student's with 108 degrees of freedom gives 0.1 points more.
    assert 100 * (expected_half_width(plan).value or 0) == pytest.approx(noted + 0.1, abs=0.06)


@pytest.mark.parametrize("model", MODELS)
def test_how_often_two_trials_disagree(model: str) -> None:
    within = variance_from_passes(MODELS[model]["pass_1"] / 100, MODELS[model]["pass_2"] / 100).within
    assert 100 * 2 * (within or 0) == pytest.approx(DERIVED["one_of_two_passes"][model])


def test_correlation_of_pass_1_and_user_correction() -> None:
    found, noted = (
        pearson_interval(column("pass_1"), column("user_correction")),
        DERIVED["pass_1_and_user_correction"],
    )
    assert (found.r, found.low, found.high) == pytest.approx((noted["r"], noted["low"], noted["high"]), abs=0.0006)
    # As noted: the paper has -0.92 from unrounded data; rounded rows give -0.93. Its interval reaches to -0.54.
    published = fisher_interval(FIGURES["correlations"]["pass_1"], FIGURES["correlations"]["models"])
    assert published.r == pytest.approx(found.r, abs=0.0125)
    assert (published.low, published.high) == pytest.approx((-0.99, -0.54), abs=0.005)
    assert "only 7 points" in found.warning


def test_without_one_model_it_is_hardly_there() -> None:
    last = "minimax-2.7"
    found = pearson_interval(column("pass_1", last), column("user_correction", last))
    noted = DERIVED["without_minimax"]
    assert (found.r, found.low, found.high) == pytest.approx((noted["r"], noted["low"], noted["high"]), abs=0.0006)
    middle = slice(1, 5)
    four = pearson_interval(column("pass_1")[middle], column("user_correction")[middle])
    assert four.r == pytest.approx(DERIVED["four_middle_models"], abs=0.0005)


def test_correlation_of_judge_score_and_user_correction() -> None:
    found = pearson_interval(column("mean_judge"), column("user_correction"))
    assert found.r == pytest.approx(FIGURES["correlations"]["mean_judge"], abs=0.005)


def test_the_turing_study() -> None:
    study = FIGURES["turing_study"]
    # As noted: no whole count gives the published interval; it lies between those of 143 and 144 of 312. And it takes
    # all judgements for independent, though they are of 156 pairs from 52 tasks.
    fewer, more = wilson(143, study["judgements"]), wilson(144, study["judgements"])
    for one in (fewer, more):
        assert round(one.mean or 0, 2) == study["share"]
    assert (fewer.low or 0) < study["low"] < (more.low or 0)
    assert (fewer.high or 0) < study["high"] < (more.high or 0)
    exact = wilson(study["share"] * study["judgements"], study["judgements"])
    assert (exact.low, exact.high) == pytest.approx((study["low"], study["high"]), abs=0.001)


def test_the_reference_row() -> None:
    oracle = FIGURES["oracle"]
    assert oracle["tasks"] - oracle["passes"] == oracle["below_threshold"]
    assert int(100 * (wilson(oracle["passes"], oracle["tasks"]).mean or 0)) == oracle["percent"]


def test_intent_coverage_without_tasks_that_have_no_intents() -> None:
    part = FIGURES["intent_coverage"]
    kept = part["tasks"] - part["without_intents"]
    for published, without in zip(part["published"], part["without_them"], strict=True):
        assert (published * part["tasks"] - part["without_intents"]) / kept == pytest.approx(without, abs=0.0005)


@pytest.mark.parametrize("row", FIGURES["rerun"]["rows"], ids=lambda row: row["model"])
def test_the_rerun_is_of_whole_trials(row: dict[str, Any]) -> None:
    tasks = FIGURES["rerun"]["tasks"]
    both, passed = round(row["pass_2"] * tasks / 100), round(row["pass_1"] * 2 * tasks / 100)
    one = passed - 2 * both
    assert one >= 0
    scores = [[1.0, 1.0]] * both + [[1.0, 0.0]] * one + [[0.0, 0.0]] * (tasks - both - one)
    assert 100 * (pass_at_1(scores).mean or 0) == pytest.approx(row["pass_1"], abs=0.051)
    assert 100 * (pass_hat(scores, k=2).mean or 0) == pytest.approx(row["pass_2"], abs=0.051)
    stable = round(row["ssr"] * tasks / 100)
    assert 100 * stable / tasks == pytest.approx(row["ssr"], abs=0.051)


@pytest.mark.parametrize("row", FIGURES["lite"]["rows"], ids=lambda row: row["cohort"])
def test_the_development_set_is_of_whole_trials(row: dict[str, Any]) -> None:
    tasks, trials = FIGURES["lite"]["tasks"], FIGURES["lite"]["trials"]
    for name, unit in (("pass_1", tasks * trials), ("ssr", tasks), ("any_of_3", tasks)):
        assert round(row[name] * unit) / unit == pytest.approx(row[name], abs=0.00051)
    # As noted: its "pass3" is at least one of three. All three can't pass more often than one does.
    assert row["any_of_3"] > row["pass_1"]
