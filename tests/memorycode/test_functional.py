"""Functional tests of written code: what works passes under any convention, what only looks right fails.

The driver runs here in a process of its own as it does in a container, though not as another user.
"""

import json
import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from swe_together.memorycode import functional
from swe_together.memorycode._rules_model import Query
from swe_together.memorycode.contradictions import contradictions
from swe_together.memorycode.oracle import oracle
from swe_together.memorycode.queries import QUERIES
from swe_together.memorycode.rules import RULES

# As the harness's own prelude: data on standard input, one value out.
PRELUDE = "import json, sys\ndata = json.loads(sys.stdin.read())\ndef emit(value): print(json.dumps(value))\n"


def problems(folder: Path, files: Mapping[str, str], query: Query) -> list[str]:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    data = functional.driver_data(str(folder), sorted(p for p in files if p.endswith(".py")), query.tests)
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + functional.RUNNER], input=json.dumps(data), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return functional.failures(json.loads(done.stdout), query.tests)


def some_rules(seed: int) -> dict[str, str]:
    rng = random.Random(seed)
    active: dict[str, str] = {}
    for rule in rng.sample(list(RULES.values()), 50):
        more = {**active, rule.id: rng.choice(rule.variants).id}
        active = active if contradictions(more) else more
    return active


@pytest.mark.parametrize("query", QUERIES.values(), ids=lambda query: query.id)
def test_reference_code_works_plain_and_by_fifty_rules(query: Query, tmp_path: Path) -> None:
    assert problems(tmp_path / "plain", oracle(query, {}).files, query) == []
    assert problems(tmp_path / "told", oracle(query, some_rules(len(query.id))).files, query) == []


@pytest.mark.parametrize("query", QUERIES.values(), ids=lambda query: query.id)
def test_a_stub_fails_every_case(query: Query, tmp_path: Path) -> None:
    name = query.tests.get("function")
    stub = f"def {name}(*a, **k): pass\n" if name else f"class {query.tests['class']}:\n    pass\n"
    found = problems(tmp_path, {query.path: stub}, query)
    assert len({problem.split(":")[0] for problem in found}) >= len(query.tests["cases"]) / 2


def test_renamed_and_differently_called_code_is_found(tmp_path: Path) -> None:
    query = QUERIES["merge-sorted"]
    body = (
        "    if max(len({a}), len({b})) > 1000:\n        raise OverflowError(max(len({a}), len({b})))\n"
        "    return sorted({a} + {b})\n"
    )
    for number, (head, a, b) in enumerate(
        [
            ("def A_Merge_chx_SORTED1(x, y):", "x", "y"),
            ("def merge_sorted(x, /, *, y):", "x", "y"),
            ("def mergeSorted(*, leftItems, rightItems):", "leftItems", "rightItems"),
            ("def merge_sorted(x, *rest, **more):", "x", "rest[0]"),
        ]
    ):
        code = f"{head}\n{body.format(a=a, b=b)}\ndef merge_sorted_helper_of_mine(x): return 1\n"
        assert (
            problems(tmp_path / str(number), {"src/a.py": code, "checks/a.py": "def merge_sorted(): pass"}, query) == []
        )
    assert problems(tmp_path / "no", {"a.py": "def sorted_merge(x, y): return 1"}, query)


def test_the_stand_in_of_pedantic_keeps_behaviour_and_require_kwargs_requires(tmp_path: Path) -> None:
    query = QUERIES["merge-sorted"]
    code = (
        "from pedantic import retry, validate, Parameter, rename_kwargs, Rename, require_kwargs, trace\n"
        "@retry(attempts=3)\n@validate(Parameter(name='a'))\n@rename_kwargs(Rename(from_='x', to='y'))\n@trace\n"
        "@require_kwargs\ndef merge_sorted(x, y):\n"
        "    if len(x) + len(y) > 1000: raise ValueError(len(x) + len(y))\n    return sorted(x + y)\n"
        "try:\n    merge_sorted([], [])\nexcept TypeError:\n    kept = True\nassert kept\n"
    )
    assert problems(tmp_path, {"a.py": code}, query) == []


def test_the_driver_never_sees_what_is_wanted() -> None:
    for query in QUERIES.values():
        text = json.dumps(functional.driver_data("/w", ["a.py"], query.tests))
        assert '"want"' not in text and '"raises"' not in text


@pytest.mark.parametrize("emitted", [None, [], [1], {"value": 1}, [{"value": 1}] * 99])
def test_anything_else_than_results_fails(emitted: Any) -> None:
    for query in QUERIES.values():
        assert functional.failures(emitted, query.tests)


@pytest.mark.parametrize(
    ("found", "wanted", "same"),
    [
        (2, 2.0, True), (0.1 + 0.2, 0.3, True), (1, True, False), (None, 0, False), (0, None, False), ("2", 2, False),
        ([1, [2]], [1, [2]], True), ([1], [1, 2], False), ("[1, 2]", "json:[1,2]", True), ("[1", "json:[1]", False),
        (None, "json:[1]", False), (float("nan"), 1.0, False),
    ],
)  # fmt: skip
def test_when_values_are_the_same(found: Any, wanted: Any, same: bool) -> None:
    tests = {"function": "f", "cases": [{"args": [], "want": wanted}]}
    assert (functional.failures([{"value": found}], tests) == []) == same


def test_an_error_must_name_the_value() -> None:
    tests = {"function": "f", "cases": [{"args": [], "raises": "-7"}]}
    assert functional.failures([{"error": "ValueError", "message": "no -7"}], tests) == []
    assert functional.failures([{"error": "ValueError", "message": "no"}], tests)
    assert functional.failures([{"value": "-7"}], tests)
