"""What must have become of a job's trials: by Harbor's own numbers, by our statuses, and by the report's attrition."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from swe_together.report import leaderboard, read_table, read_trials, summarise
from tests.faults.job import TRIALS, FaultJob


@dataclass(frozen=True)
class Became:
    """What became of one trial.

    Attributes:
        status: Of the report.
        end: Why the session ended; None where no record of one is left.
        reward: None where there is none.
        exception: Harbor's name of it; None where there was none.
    """

    status: str = "ok"
    end: str | None = "anchors_exhausted"
    reward: float | None = 1.0
    exception: str | None = None


WELL = Became()
LOST = Became("environment_error", "environment_error", None, "RewardFileNotFoundError")


def check(job: FaultJob, others: Mapping[str, Became] | None = None) -> None:
    """Every trial that isn't named has gone well; all numbers say just that.

    Raises:
        AssertionError: They don't.
    """
    expected = dict(others or {})
    rows = read_trials([job.path])
    found = {
        row.path.name: Became(
            row.status,
            row.session.end.value if row.session is not None else None,
            row.reward,
            exceptions(job).get(row.path.name),
        )
        for row in rows
    }
    assert found == {name: expected.get(name, WELL) for name in found}, [row.cause for row in rows]
    assert len(found) == TRIALS
    assert set(expected) <= set(found)
    scored = [one.reward for one in found.values() if one.reward is not None]
    mean = sum(scored) / len(scored) if scored else None
    missing = Counter(one.status for one in found.values() if one.reward is None)
    _harbors(job, found, scored, mean)
    _ours(job, scored, mean, missing)


def exceptions(job: FaultJob) -> dict[str, str]:
    """The exception that Harbor recorded, by trial."""
    return {trial.folder.name: trial.exception for trial in job.trials if trial.exception is not None}


def _harbors(job: FaultJob, found: Mapping[str, Became], scored: list[float], mean: float | None) -> None:
    """Harbor's count, mean and number of rewards."""
    result = json.loads((job.path / "result.json").read_text())
    stats = result["stats"]
    assert result["n_total_trials"] == stats["n_completed_trials"] == TRIALS
    assert (stats["n_running_trials"], stats["n_pending_trials"], stats["n_retries"]) == (0, 0, 0)
    assert stats["n_errored_trials"] == sum(one.exception is not None for one in found.values())
    (of_agent,) = stats["evals"].values()
    rewards = {
        name: float(value) for value, names in of_agent["reward_stats"].get("reward", {}).items() for name in names
    }
    assert rewards == {name: one.reward for name, one in found.items() if one.reward is not None}
    means = [metric["reward"] for metric in of_agent["metrics"]]
    assert means == ([] if mean is None else [pytest.approx(mean)]), "Harbor's mean is that of the valid rewards"
    assert len(rewards) == len(scored)


def _ours(job: FaultJob, scored: list[float], mean: float | None, missing: Mapping[str, int]) -> None:
    """What we print at the end of a job, and the report's attrition."""
    summary = summarise([job.path])
    assert (len(summary.trials), summary.scored, summary.missing) == (TRIALS, len(scored), dict(missing))
    assert summary.mean == (None if mean is None else pytest.approx(mean))
    (entry,) = leaderboard(read_table([job.path], cache_at=None)).entries
    assert (entry.planned, entry.scored, dict(entry.attrition)) == (TRIALS, len(scored), dict(missing))
