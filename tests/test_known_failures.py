"""docs/known-failures.md against tests/mutations.toml and the tests themselves: the table can't rot."""

from collections import Counter

import pytest

from tests.support.ledger import Mutation, marks_of, read_mutations, read_rows

USER = [*(f"A{n}" for n in range(1, 21)), "W4", *(f"W{n}" for n in range(13, 18)), "W22", "W25"]
JUDGE = [
    *(f"B{n}" for n in range(21, 39)), *(f"W{n}" for n in (1, 2, 3, 5)), *(f"W{n}" for n in range(7, 13)),
    *(f"W{n}" for n in range(18, 22)), "W24", "W26",
]  # fmt: skip
RUNNING = [*(f"C{n}" for n in range(39, 46)), "W6", "W23", *(f"W{n}" for n in range(27, 35))]
TIME = [f"D{n}" for n in range(46, 59)]
MACHINES = [f"E{n}" for n in range(59, 73)]
REASON_ONLY_SHARE = 0.1
ROWS = {row.id: row for row in read_rows()}
MUTATIONS = read_mutations()


def test_every_complaint_has_exactly_one_row() -> None:
    assert [row.id for row in read_rows()] == USER + JUDGE + RUNNING + TIME + MACHINES


def test_at_most_one_row_in_ten_has_only_a_reason() -> None:
    reasons = [row for row in ROWS.values() if row.test is None]
    assert len(reasons) <= REASON_ONLY_SHARE * len(ROWS)
    assert all(row.answer.startswith("*No test:* ") for row in reasons), "a test whose name can't be read is none"


def test_every_row_with_a_test_has_the_edit_that_makes_it_fail() -> None:
    assert [name for name, count in Counter(one.id for one in MUTATIONS).items() if count > 1] == []
    assert {one.id: one.function for one in MUTATIONS} == {row.id: row.test for row in ROWS.values() if row.test}


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda one: one.id)
def test_the_edit_can_be_made_and_its_test_is_there(mutation: Mutation) -> None:
    assert mutation.old != mutation.new
    mutation.mutated()
    assert marks_of(mutation.function) is not None, f"{mutation.function} is gone"
