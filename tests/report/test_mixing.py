"""What can't be put side by side is refused, by name and place, unless it is allowed."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from swe_together.errors import MisuseError, TogetherError
from swe_together.report import leaderboard, read_table
from swe_together.schema import EndReason
from tests.support.jobs import Spec, write_job

ONE = Spec(judge=0.9, judge_model="x/judge", basis="judge")
OTHER: dict[str, tuple[str, dict[str, Any]]] = {
    "another dataset": ("dataset", {"dataset": "memorycode"}),
    "another version of it": ("dataset", {"dataset_version": "0.2"}),
    "another version of a task": ("task", {"digest": "e" * 64}),
    "another rubric": ("rubric", {"rubric": "b" * 64}),
    "another policy": ("simulator", {"policy": "llm"}),
    "another version of the user": ("simulator", {"version": "0.2.0"}),
    "another score as the reward": ("basis", {"basis": "tests"}),
    "another judge": ("judge", {"judge_model": "y/judge"}),
    "commands as the judge": ("judge", {"judge_model": None}),
    "another version of the agent": ("agent", {"agent_version": "2.0"}),
}


def jobs(folder: Path, **change: Any) -> list[Path]:
    return [write_job(folder / "before", [ONE, ONE]), write_job(folder / "after", [replace(ONE, **change)])]


@pytest.mark.parametrize("name", OTHER)
def test_it_is_refused_with_what_differs_where_and_how_to_allow_it(tmp_path: Path, name: str) -> None:
    kind, change = OTHER[name]
    table = read_table(jobs(tmp_path, **change))
    with pytest.raises(TogetherError, match="These trials mix") as refused:
        leaderboard(table)
    assert refused.value.exit_code == 1
    assert f"--mix {kind}." in str(refused.value)
    assert "2 trials in before" in str(refused.value)
    assert "1 trial in after" in str(refused.value)
    board = leaderboard(table, mix=[kind])
    assert board.mixed == [kind]


@pytest.mark.parametrize(
    "change",
    [
        {"task": "swe-together/two", "digest": "e" * 64, "rubric": "b" * 64},
        {"agent": "claude-code", "agent_version": "2.0"},
        {"arm": "full-spec", "policy": "silent", "messages": ()},
        {"end": EndReason.SIMULATOR_ERROR, "version": "0.2.0", "dataset_version": "0.2"},
        {"dataset_version": None, "version": None, "rubric": None},
        {"sealed": True},
        {"continuation": "restated"},
    ],
)
def test_what_may_differ_is_no_mixture(tmp_path: Path, change: dict[str, Any]) -> None:
    assert leaderboard(read_table(jobs(tmp_path, **change))).mixed == []


def test_trials_that_nobody_judged_beside_judged_ones_are_no_other_judge(tmp_path: Path) -> None:
    checked = replace(ONE, basis="tests", judge_model=None)
    table = read_table(
        [write_job(tmp_path / "job", [checked, replace(checked, agent="oracle", model=None, judge=None)])]
    )
    assert leaderboard(table).mixed == []


def test_a_kind_that_is_none_is_misuse(tmp_path: Path) -> None:
    with pytest.raises(MisuseError, match="--mix colour: there is no such kind"):
        leaderboard(read_table(jobs(tmp_path)), mix=["colour"])
