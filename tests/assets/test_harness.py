"""The runner of cases without a container: what counts as a driver's result, what is equal, what earns a reward."""

import importlib.util
import sys
from types import ModuleType
from typing import Any

import pytest

from swe_together.pipeline.check.subject import ASSETS

NONCE = "0123456789abcdef"


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("swe_together_harness", ASSETS / "harness.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


harness = _load()


def result(stdout: str, *, code: int | None = 0, stderr: str = "") -> Any:
    return harness.Result(stdout, stderr, code, 0.1, NONCE)


@pytest.mark.parametrize(
    "stdout",
    [
        f'\n{NONCE}["ok"]\n',
        f'test_it (pkg.Tests) ... System check identified no issues (0 silenced).\n{NONCE}["ok"]\n',
        f'no line end\n{NONCE}["ok"]\n[1, 2]\nFAILED (errors=1)\n',
        f'{{"forged": true}}\n{NONCE}["ok"]\nall 12 tests passed',
    ],
)
def test_a_result_is_found_whatever_is_printed_around_it(stdout: str) -> None:
    assert result(stdout, stderr="Traceback, FAILED, error").json() == ["ok"]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (result('["ok"]\n'), "no result"),
        (result(f'{NONCE}["ok"]\n{NONCE}["ok"]\n'), "no result"),
        (result(f"{NONCE}oops\n"), "no JSON"),
        (result(f'{NONCE}["ok"]\n', code=1, stderr="boom"), "ended with 1: boom"),
        (result(f'{NONCE}["ok"]\n', code=None), "ended with None"),
    ],
)
def test_anything_else_fails_the_case(given: Any, problem: str) -> None:
    with pytest.raises(AssertionError, match=problem):
        given.json()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (25, 25.0, True),
        ({"a": [1.0, {"b": -3.0}]}, {"a": [1, {"b": -3}]}, True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ((1, 2), [1, 2], True),
        (0.1, 0.1, True),
        (25, 25.5, False),
        (1, True, False),
        (0, False, False),
        (1, "1", False),
        (None, 0, False),
        ("25.0", "25", False),
        ([1, 2], [2, 1], False),
    ],
)
def test_equal(one: object, other: object, same: bool) -> None:
    for found, wanted in ((one, other), (other, one)):
        if same:
            harness.equal(found, wanted)
            continue
        with pytest.raises(AssertionError, match="rows: wanted"):
            harness.equal(found, wanted, "rows")


def case(kind: str, passed: bool, weight: float = 1.0) -> dict[str, Any]:
    return {"kind": kind, "passed": passed, "weight": weight}


@pytest.mark.parametrize(
    ("cases", "reward"),
    [
        ([case("f2p", True), case("f2p", True), case("p2p", True)], 1.0),
        ([case("f2p", True), case("f2p", False), case("p2p", True)], 0.5),
        ([case("f2p", True, 3.0), case("f2p", False), case("p2p", True)], 0.75),
        ([case("f2p", True), case("f2p", True), case("p2p", False)], 0.0),
        ([case("f2p", False), case("p2p", True), case("p2p", True)], 0.0),
    ],
)
def test_reward(cases: list[dict[str, Any]], reward: float) -> None:
    assert harness.reward(cases) == reward
