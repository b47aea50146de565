"""What earlier trials tell: cost with what is unknown, time, and how results vary."""

from pathlib import Path

import numpy as np
import pytest

from swe_together.report import read_table
from swe_together.report.plan import Earlier, Part, earlier_trials
from swe_together.report.stats import effect_correlation, variance_parts
from swe_together.schema import EndReason, Usage
from tests.support.jobs import Spec, write_job


def told(folder: Path, specs: list[Spec]) -> Earlier:
    return earlier_trials(read_table([write_job(folder, specs)], cache_at=None))


def test_cost_and_time_of_every_trial_that_was_begun(tmp_path: Path) -> None:
    failed = Spec(end=EndReason.SIMULATOR_ERROR, usage=Usage(cost_usd=0.9), wall_seconds=300)
    specs = [Spec(judge=0.9, judge_model="anthropic/opus", usage=Usage(cost_usd=0.3), wall_seconds=120), failed]
    found = told(tmp_path / "job", [*specs, Spec(model="openai/other", usage=Usage())])
    assert found.trials == 3
    assert found.models == 2
    assert found.costs["agent"] == Part(pytest.approx(0.6), 2, 1)
    # The failed trial was never judged: what that cost is unknown.
    assert found.costs["judge and tagger"].known == 2
    assert found.costs["judge and tagger"].mean == pytest.approx(0.125)
    assert found.minutes == Part(pytest.approx((120 + 300 + 100) / 180), 3, 0)
    assert found.cost == pytest.approx(0.6 + 0 + 0.125)


def test_a_part_that_nobody_knows_makes_the_cost_unknown(tmp_path: Path) -> None:
    found = told(tmp_path / "job", [Spec(usage=Usage()), Spec(usage=Usage())])
    assert found.costs["agent"] == Part(None, 0, 2)
    assert found.costs["user"].mean == 0
    assert found.cost is None


def test_how_results_vary(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    chances = random.beta(0.6, 0.4, size=30)
    won = {model: (random.random((30, 3)) < chances[:, None]).astype(float).tolist() for model in ("m/a", "m/b")}
    specs = [
        Spec(task=f"swe-together/t{task}", repository=f"r{task // 3}", model=model, reward=reward)
        for model, tasks in won.items()
        for task, trials in enumerate(tasks)
        for reward in trials
    ]
    found = told(tmp_path / "job", specs)
    parts = [variance_parts(trials, [task // 3 for task in range(30)]) for trials in won.values()]
    assert found.within == pytest.approx(np.mean([part.within for part in parts]))
    assert found.between == pytest.approx(np.mean([part.between for part in parts]))
    assert found.icc == pytest.approx(np.mean([part.icc for part in parts]))
    assert found.correlation == pytest.approx(effect_correlation(*won.values()))
    assert (found.trials, found.models, found.note) == (180, 2, "")


def test_too_few_tasks_or_all_alike_tell_nothing_of_that(tmp_path: Path) -> None:
    few = told(tmp_path / "few", [Spec(task=f"swe-together/t{n}", reward=n % 2) for n in range(6) for _ in range(2)])
    assert (few.within, few.between, few.correlation) == (None, None, None)
    assert few.note == "no model has 20 tasks with two trials"
    alike = told(tmp_path / "alike", [Spec(task=f"swe-together/t{n}") for n in range(25) for _ in range(2)])
    assert (alike.within, alike.between) == (None, None)
    assert alike.note == "all trials came out alike"


def test_what_was_never_begun_or_stands_there_twice_does_not_count(tmp_path: Path) -> None:
    once = Spec(usage=Usage(cost_usd=1.0))
    later = Spec(usage=Usage(cost_usd=9.0), minute=5)
    job = write_job(tmp_path / "job", [once, later], planned=[once, Spec(task="swe-together/other")])
    found = earlier_trials(read_table([job], cache_at=None))
    assert found.costs["agent"] == Part(1.0, 1, 0)
