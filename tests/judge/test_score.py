"""Score, decided share, gates, threshold curve: values worked out by hand."""

from dataclasses import dataclass

import pytest

from swe_together.judge import passes, score, threshold_curve


@dataclass(frozen=True)
class Goal:
    goal: str
    weight: float | None
    met: bool | None
    gate: bool = False


def gate(met: bool | None, name: str = "g") -> Goal:
    return Goal(name, None, met, gate=True)


@pytest.mark.parametrize(
    ("goals", "value", "share"),
    [
        # 0.5 + 0.2 of 1
        ([Goal("a", 0.5, True), Goal("b", 0.3, False), Goal("c", 0.2, True)], 0.7, 1.0),
        ([Goal("a", 0.5, True), Goal("b", 0.3, True), Goal("c", 0.2, True)], 1.0, 1.0),
        ([Goal("a", 0.5, False), Goal("b", 0.5, False)], 0.0, 1.0),
        # only 0.8 is decided: 0.5 / 0.8
        ([Goal("a", 0.5, True), Goal("b", 0.3, False), Goal("c", 0.2, None)], 0.625, 0.8),
        # 0.3 of 0.3
        ([Goal("a", 0.5, None), Goal("b", 0.3, True), Goal("c", 0.2, None)], 1.0, 0.3),
        ([Goal("a", 0.5, None), Goal("b", 0.5, None)], None, 0.0),
        ([Goal("a", 1.0, None), gate(True)], None, 0.0),
        # a failed gate zeroes whatever the score, a met or undecided one doesn't change it
        ([Goal("a", 1.0, True), gate(False)], 0.0, 1.0),
        ([Goal("a", 1.0, None), gate(False)], 0.0, 0.0),
        ([Goal("a", 0.6, True), Goal("b", 0.4, False), gate(True)], 0.6, 1.0),
        ([Goal("a", 0.6, True), Goal("b", 0.4, False), gate(None)], 0.6, 1.0),
        ([Goal("a", 0.1, True), Goal("b", 0.2, True), Goal("c", 0.7, False)], 0.3, 1.0),
    ],
)
def test_score(goals: list[Goal], value: float | None, share: float) -> None:
    found = score(goals)
    assert found.value == (None if value is None else pytest.approx(value, abs=1e-12))
    assert found.decided_share == pytest.approx(share, abs=1e-12)


def test_gates_are_named() -> None:
    found = score([Goal("a", 1.0, True), gate(False, "g1"), gate(None, "g2"), gate(True, "g3"), gate(False, "g4")])
    assert (found.failed_gates, found.undecided_gates) == (("g1", "g4"), ("g2",))


def test_a_zero_weight_guard_can_not_be_without_effect() -> None:
    """All weighted goals met, one guard failed: the release's rubrics score this 1.0."""
    assert score([Goal("a", 0.7, True), Goal("b", 0.3, True), gate(False)]).value == 0.0


def test_threshold() -> None:
    assert passes(0.85)
    assert passes(0.3 + 0.55), "0.8500000000000001"
    assert passes(0.1 * 3 + 0.55)
    assert passes(1.0 - 0.15)
    assert passes(0.7 + 0.15 - 1e-12)
    assert not passes(0.8499)
    assert passes(0.5, 0.5)
    assert not passes(0.5, 0.6)


def test_threshold_curve() -> None:
    # of 0.5, 0.8, 0.85, 1.0: all reach 0.5; three reach 0.55…0.8; two 0.85; one 0.9…1.0
    curve = threshold_curve([0.5, 0.8, 0.85, 1.0])
    assert [tau for tau, _ in curve] == [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0]
    assert [share for _, share in curve] == [1.0, *[0.75] * 6, 0.5, *[0.25] * 3]
    assert threshold_curve([0.2], [0.1, 0.3]) == [(0.1, 1.0), (0.3, 0.0)]
    with pytest.raises(ValueError, match="at least one"):
        threshold_curve([])
