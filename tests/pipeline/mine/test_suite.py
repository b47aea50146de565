"""Which of a repository's tests judge a session, and what they say of it."""

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from swe_together.pipeline.base import Repository, find_base, make_reference, turns_of
from swe_together.pipeline.build import is_test, is_test_support, language_of
from swe_together.pipeline.check.subject import declared_cases
from swe_together.pipeline.mine import Case, Suite, as_cases, cases_of, suite_of, write_suite
from swe_together.pipeline.mine._suite import ASSETS
from swe_together.schema import Language
from tests.pipeline.recorded import FILES, TEST, Recording, at, commit, two_turns


def suite(tmp_path: Path, recording: Recording, files: dict[str, str | bytes | None] | None = None) -> Suite | str:
    folder = tmp_path / "wordbox"
    commit(folder, {**FILES, **(files or {})}, at(-60), "Begin")
    session = recording.session()
    with Repository(folder) as repository:
        reference = make_reference(turns_of(session), find_base(session, repository), repository)
        return suite_of(repository, reference, language_of(repository.tree(reference.base)))


def test_changed_tests_ask_and_the_others_guard(tmp_path: Path) -> None:
    more: dict[str, str | bytes | None] = {"tests/test_old.py": "def test_x(): pass\n", "tests/data/in.txt": "1\n",
                                           "tests/gone_test.py": "def test_y(): pass\n"}  # fmt: skip
    recording = two_turns().writes("tests/data/in.txt", "2\n")
    found = suite(tmp_path, recording, more)
    assert isinstance(found, Suite)
    assert (found.runner, found.changed) == ("pytest", ["test_wordbox.py"])
    assert list(found.files) == ["test_wordbox.py", "tests/gone_test.py", "tests/test_old.py"]
    assert found.over["test_wordbox.py"] == TEST and found.over["tests/data/in.txt"] == "2\n"
    assert "wordbox.py" not in found.over


def test_without_changed_tests_there_is_a_reason(tmp_path: Path) -> None:
    recording = Recording().says("x").edits("wordbox.py", "text", "t")
    assert suite(tmp_path, recording) == "the session changed no test of the repository"


def test_a_language_without_a_known_runner_is_said(tmp_path: Path) -> None:
    recording = Recording().says("x").writes("test_wordbox.py", TEST)
    files: dict[str, str | bytes | None] = {f"a{number}.ts": "x" for number in range(9)}
    found = suite(tmp_path, recording.writes("a.test.ts", "x"), files)
    assert found == "no test runner is known for typescript"


def test_the_first_stage_after_which_a_test_passes_for_good_is_its_turn() -> None:
    nothing = {"a::old": True, "a::new": False, "a::twice": False, "a::never": False, "a::flaky": False}
    first = {**nothing, "a::new": True, "a::twice": True}
    second = {**first, "a::twice": False}
    third = {**second, "a::twice": True, "a::third": True, "a::flaky": True}
    cases, flaky = cases_of([0, 2, 3], [nothing, first, second, third, {**third, "a::flaky": False}])
    assert flaky == ["a::flaky"]
    assert {(case.tests[0], case.turn, case.kind) for case in cases} == {
        ("a::new", 0, "f2p"), ("a::twice", 3, "f2p"), ("a::third", 3, "f2p"), ("a::old", 0, "p2p"),
    }  # fmt: skip
    known = as_cases(cases)
    assert known.asked == {0: ["a-new"], 3: ["a-third", "a-twice"]} and known.kept == ["kept-a"]


def test_nothing_done_that_breaks_an_old_test_is_no_case() -> None:
    cases, flaky = cases_of([0], [{"old": True}, {"old": False, "new": True}, {"old": False, "new": True}])
    assert [(case.tests[0], case.kind) for case in cases] == [("new", "f2p")] and flaky == []


def test_written_cases_are_declared_under_their_own_names(task: Path) -> None:
    cases = [Case("one-more", ["t::a"], 1, "f2p"), Case("kept-t", ["t::b", "t::c"], 0, "p2p")]
    write_suite(task, Suite("pytest", ["test_a.py"], {"test_a.py": "x = 'ä'\n"}, [], ["test_a.py"], {}), cases)
    found = [(case.id, case.turn, case.kind.value) for case in declared_cases(task)]
    assert found == [("one-more", 1, "f2p"), ("kept-t", 0, "p2p")]
    assert (task / "tests" / "repository" / "test_a.py").read_text() == "x = 'ä'\n"


@pytest.mark.parametrize(
    ("path", "language", "tests", "support"),
    [
        ("tests/test_a.py", "python", True, True),
        ("pkg/a_test.py", "python", True, True),
        ("tests/conftest.py", "python", False, True),
        ("tests/data/in.csv", "python", False, True),
        ("pkg/testing.py", "python", False, False),
        ("src/a.test.ts", "typescript", True, True),
        ("src/attest.ts", "typescript", False, False),
        ("test/a.js", "javascript", True, True),
        ("a_test.go", "go", True, True),
        ("contest.go", "go", False, False),
    ],
)
def test_which_files_are_tests(path: str, language: Language, tests: bool, support: bool) -> None:
    assert (is_test(path, language), is_test_support(path, language)) == (tests, support)


@pytest.fixture
def repository_tests(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    from swe_together.pipeline.check.subject import ASSETS as COMMON

    for folder in (ASSETS, COMMON):
        monkeypatch.syspath_prepend(str(folder))
    import importlib

    for name in ("harness", "repository_tests"):
        sys.modules.pop(name, None)
    return importlib.import_module("repository_tests")


def test_reports_of_runners_are_read(repository_tests: ModuleType) -> None:
    read = {name: lambda text, one=one: list(one(text)) for name, one in repository_tests._READERS.items()}
    junit = ('<testsuites><testsuite><testcase classname="a.B" name="c"/><testcase classname="a" name="d"><failure/>'
             '</testcase><testcase classname="a" name="e"><skipped/></testcase></testsuite></testsuites>')  # fmt: skip
    assert read["pytest"](junit) == [("a.B::c", True), ("a::d", False), ("a::e", False)]
    assert read["pytest"]("no report") == []
    jest = json.dumps({"testResults": [{"assertionResults": [{"fullName": "x y", "status": "passed"}]}]})
    assert read["jest"](jest) == [("x y", True)] and read["jest"]("[]") == []
    tap = "TAP version 13\n    ok 1 - inner\n    not ok 2 - other\nnot ok 1 - outer\nok 2 - alone\nok 3 - no # SKIP\n"
    assert read["node"](tap) == [
        ("outer > inner", True), ("outer > other", False), ("alone", True), ("no", False),
    ]  # fmt: skip
    events = [{"Action": "run", "Test": "T"}, {"Action": "pass", "Test": "T"}, {"Action": "pass"}]
    go = "".join(json.dumps({**event, "Package": "p"}) + "\n" for event in events)
    assert read["go"](go) == [("p::T", True)]
    assert read["cargo"]("test a::b ... ok\ntest c ... FAILED\n") == [("a::b", True), ("c", False)]
