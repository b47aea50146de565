"""Majority and flip rate: values worked out by hand."""

import pytest
from pydantic import ValidationError

from swe_together.errors import JudgeError
from swe_together.judge import JudgeSettings, flip_rate, majority
from tests.judge.cases import settings


@pytest.mark.parametrize(
    ("votes", "met", "flips"),
    [
        ([True], True, None),
        ([False], False, None),
        # pairs that differ: 2 of 3
        ([True, True, False], True, 2 / 3),
        ([False, True, False], False, 2 / 3),
        ([True, True, True], True, 0.0),
        # 3 against 2: 6 of 10 pairs
        ([True, False, True, False, True], True, 0.6),
        # 1 against 4: 4 of 10
        ([False, False, True, False, False], False, 0.4),
    ],
)
def test_majority_and_flips(votes: list[bool], met: bool, flips: float | None) -> None:
    assert majority(votes) is met
    assert flip_rate(votes) == (None if flips is None else pytest.approx(flips))


@pytest.mark.parametrize("votes", [[], [True, False], [True, True]])
def test_there_is_no_tie(votes: list[bool]) -> None:
    with pytest.raises(JudgeError, match="must be odd"):
        majority(votes)


def test_settings_that_decide_nothing_are_refused() -> None:
    with pytest.raises(ValidationError, match="votes must be odd"):
        settings(votes=2)
    with pytest.raises(ValidationError, match="votes need a model"):
        JudgeSettings(votes=3)
    with pytest.raises(ValidationError, match="nothing would be decided"):
        JudgeSettings(checks="ignore")
