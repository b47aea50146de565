"""Which of a repository's own tests can judge a session, and how they are run."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final, Literal

from swe_together.pipeline.base import Reference, Repository, Tree
from swe_together.pipeline.build import Cases, is_test, is_test_support
from swe_together.schema import Language

RunnerName = Literal["pytest", "vitest", "jest", "node", "go", "cargo"]

ASSETS: Final = Path(str(resources.files("swe_together.pipeline.mine"))) / "assets"
MOST_FILES: Final = 60
"""More test files than this aren't all run: then those that the session changed alone."""
SUITE_SEC: Final = 900


@dataclass(frozen=True)
class Suite:
    """A repository's tests.

    Attributes:
        runner: What runs them.
        files: The test files that are run.
        over: Files of the tests as the session left them, or as they were, put over the tree: text by path.
        removed: Test files that the session removed.
        changed: Those of ``files`` that it added or changed.
        left_out: Files that can't be put over a tree, with the reason.
    """

    runner: RunnerName
    files: Sequence[str]
    over: Mapping[str, str]
    removed: Sequence[str]
    changed: Sequence[str]
    left_out: Mapping[str, str]


@dataclass(frozen=True)
class Case:
    """A case: tests that must all pass. ``turn``: the first after whose stage they do."""

    name: str
    tests: Sequence[str]
    turn: int
    kind: Literal["f2p", "p2p"]


def suite_of(repository: Repository, reference: Reference, language: Language) -> Suite | str:
    """The tests that judge a session, or why there are none that can.

    Test files that the session's commits added or changed ask for its work; the others, where they aren't too many,
    guard what was there.
    """
    base, tree = repository.tree(reference.base), repository.tree(reference.tree)
    touched = set(repository.changed(reference.base, reference.tree))
    changed = sorted(path for path in touched if path in tree and is_test(path, language))
    if not changed:
        return "the session changed no test of the repository"
    runner = _runner(language, repository, tree)
    if runner is None:
        return f"no test runner is known for {language}"
    others = sorted(path for path in tree if is_test(path, language) and path not in touched)
    files = [*changed, *(others if len(changed) + len(others) <= MOST_FILES else ())]
    wanted = {*files, *(path for path in touched if path in tree and is_test_support(path, language))}
    over, left_out = dict[str, str](), dict[str, str]()
    for path in sorted(wanted):
        file = tree[path]
        if file.mode not in ("100644", "100755"):
            left_out[path] = "is no plain file"
            continue
        try:
            over[path] = repository.blob(file.sha).decode("utf-8")
        except UnicodeDecodeError:
            left_out[path] = "is no text"
    removed = sorted(path for path in touched if path in base and path not in tree and is_test_support(path, language))
    return Suite(runner, [path for path in files if path in over], over, removed, changed, left_out)


def cases_of(turns: Sequence[int], results: Sequence[Mapping[str, bool]]) -> tuple[list[Case], list[str]]:
    """Cases from what the tests did.

    Args:
        turns: The turns that have a stage, ascending.
        results: Whether each test passed: with nothing done, after each stage, and once more after the last.

    Returns:
        The cases, and tests that don't give the same twice.
    """
    nothing, *staged = results
    last, again = staged[-2:] if len(staged) > 1 else (nothing, staged[-1])
    flaky = sorted(test for test in last if last[test] != again.get(test))
    asked, kept = dict[int, list[str]](), list[str]()
    for test in sorted(last):
        if not last[test] or test in flaky:
            continue
        if nothing.get(test):
            kept.append(test)
            continue
        passing = [bool(result.get(test)) for result in staged[: len(turns)]]
        first = next(place for place in range(len(passing)) if all(passing[place:]))
        asked.setdefault(turns[first], []).append(test)
    used = set[str]()
    cases = [Case(_name(test, used), [test], turn, "f2p") for turn, tests in sorted(asked.items()) for test in tests]
    groups = dict[str, list[str]]()
    for test in kept:
        groups.setdefault(test.rpartition("::")[0] or "tests", []).append(test)
    return cases + [
        Case(_name(f"kept {group}", used), tests, 0, "p2p") for group, tests in sorted(groups.items())
    ], flaky


def as_cases(cases: Sequence[Case]) -> Cases:
    """The same by turn, for the goals."""
    asked = dict[int, list[str]]()
    for case in cases:
        if case.kind == "f2p":
            asked.setdefault(case.turn, []).append(case.name)
    return Cases(asked, [case.name for case in cases if case.kind == "p2p"])


def write_suite(task: Path, suite: Suite, cases: Sequence[Case]) -> None:
    """Write the tests of a task."""
    tests = task / "tests"
    plan = {
        "runner": suite.runner, "files": list(suite.files), "removed": list(suite.removed), "timeout_sec": SUITE_SEC,
        "cases": [{"name": one.name, "tests": list(one.tests), "turn": one.turn, "kind": one.kind} for one in cases],
    }  # fmt: skip
    tests.mkdir(parents=True, exist_ok=True)
    (tests / "plan.json").write_text(json.dumps(plan, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for name in ("repository_tests.py", "cases.py"):
        (tests / name).write_bytes((ASSETS / name).read_bytes())
    for path, text in suite.over.items():
        file = tests / "repository" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")


def _runner(language: Language, repository: Repository, tree: Tree) -> RunnerName | None:
    if language in ("javascript", "typescript"):
        needs = _package(repository, tree)
        return (
            "vitest"
            if "vitest" in needs
            else "jest"
            if "jest" in needs
            else "node"
            if language == "javascript"
            else None
        )
    runners: Mapping[Language, RunnerName] = {"python": "pytest", "go": "go", "rust": "cargo"}
    return runners.get(language)


def _package(repository: Repository, tree: Tree) -> set[str]:
    if "package.json" not in tree:
        return set()
    try:
        value = json.loads(repository.blob(tree["package.json"].sha))
    except ValueError:
        return set()
    tables = [value.get(name) for name in ("dependencies", "devDependencies")] if isinstance(value, dict) else []
    return {name for table in tables if isinstance(table, dict) for name in table}


def _name(test: str, used: set[str]) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", test.casefold()).strip("-")[-70:].strip("-") or "test"
    name, number = words, 2
    while name in used:
        name, number = f"{words}-{number}", number + 1
    used.add(name)
    return name
