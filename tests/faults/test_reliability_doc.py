"""docs/reliability.md is what its results say, and every fault in it is one that the tests inject."""

import ast
from pathlib import Path

from tests.support.faults_doc import DOCUMENT, FAULTS, counted, read_results, render

HERE = Path(__file__).parent


def test_the_document_is_generated_from_the_results() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == render(read_results()), "run: python -m tests.bench.faults"


def test_every_fault_is_injected_by_a_test_and_none_besides() -> None:
    words = {
        node.value
        for file in HERE.glob("test_*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    ids = [fault.id for fault in FAULTS]
    assert len(set(ids)) == len(ids)
    assert [one for one in ids if one not in words] == []
    assert set(read_results()["faults"]) <= set(ids)


def test_the_last_run_of_each_fault_held() -> None:
    found = read_results()["faults"]
    assert {name: one for name, one in found.items() if one["held"] != one["injected"]} == {}


def test_a_fault_counts_as_held_only_where_its_test_passed() -> None:
    rows = [{"fault": "flood", "seed": "7", "good": good} for good in (True, False, True)]
    assert counted(rows, "2026-01-02") == {"flood": {"injected": 3, "held": 2, "date": "2026-01-02", "seed": "7"}}
