"""Mined tasks in real containers: the tests that were derived, and the bar, which sees what is spoilt."""

import asyncio
import json
from pathlib import Path

import pytest

from swe_together.cli import main
from swe_together.pipeline.base import Repository
from swe_together.pipeline.mine import Found, Mined, Wishes, mine_session
from tests.pipeline.recorded import AFTER, BEFORE, TEST, Recording, at, commit, two_turns, wordbox

pytestmark = pytest.mark.docker

BAR = ["files", "builds", "nothing done is 0", "reference is 1.0", "whole session"]
JS = "exports.split = (text) => text.split(',');\n"
JS_STRIP = "exports.split = (text) => text.split(',').map((w) => w.trim());\n"
JS_BOTH = "exports.split = (text) => text.split(/[,;]/).map((w) => w.trim());\n"
JS_OLD = (
    "const { test } = require('node:test');\nconst assert = require('node:assert');\n"
    "const { split } = require('../words.js');\ntest('one word', () => assert.deepEqual(split('a'), ['a']));\n"
)
JS_BLANKS = JS_OLD + "test('blanks', () => assert.deepEqual(split('a, b'), ['a', 'b']));\n"
JS_TEST = JS_BLANKS + "test('semicolons', () => assert.deepEqual(split('a;b'), ['a', 'b']));\n"


def mined(tmp_path: Path, recording: Recording) -> Mined:
    with Repository(tmp_path / "wordbox") as repository:
        found = Found(recording.session(), "s.jsonl", "name")
        return asyncio.run(mine_session(found, repository, tmp_path / "tasks", Wishes()))


def asked(task: Path) -> dict[str, int]:
    cases = json.loads((task / "tests" / "plan.json").read_text())["cases"]
    return {case["tests"][0]: case["turn"] for case in cases if case["kind"] == "f2p"}


def test_the_bar_holds_and_says_of_a_spoilt_task_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, _ = wordbox(tmp_path / "wordbox")
    commit(folder, {"wordbox.py": AFTER, "test_wordbox.py": TEST}, at(30), "Words")
    result = mined(tmp_path, two_turns())
    task = result.task
    assert task is not None, result.reason
    assert [(verdict.item, verdict.passed) for verdict in result.verdicts] == [(item, True) for item in BAR]
    assert asked(task) == {"test_wordbox::test_blanks": 0, "test_wordbox::test_semicolons": 1}
    patch = task / "solution" / "turn-1.patch"
    patch.write_text(patch.read_text().replace('replace(";", ",")', 'replace("|", ",")'))
    plan = json.loads((task / "tests" / "plan.json").read_text())
    plan["cases"][-1]["kind"] = "f2p"
    (task / "tests" / "plan.json").write_text(json.dumps(plan))
    assert main(["mine", "--prove", str(task)]) == 1
    printed = capsys.readouterr().out
    assert "FAILS: nothing done is 0: fail-to-pass cases pass already" in printed
    assert "FAILS: reference is 1.0: it earns" in printed and "test-wordbox-test-semicolons" in printed
    assert "holds: builds" in printed


def test_tests_of_node_are_derived_too(tmp_path: Path) -> None:
    commit(
        tmp_path / "wordbox", {"words.js": JS, "test/words.js": JS_OLD, "package.json": '{"name": "words"}\n'}, at(-60)
    )
    recording = (
        Recording().says("strip the blanks").writes("words.js", JS_STRIP, before=JS)
        .writes("test/words.js", JS_BLANKS, before=JS_OLD).replies("Stripped.")
        .says("semicolons too").writes("words.js", JS_BOTH, before=JS_STRIP)
        .writes("test/words.js", JS_TEST, before=JS_BLANKS).replies("Done.")
    )  # fmt: skip
    result = mined(tmp_path, recording)
    assert result.task is not None, result.reason
    assert [(verdict.item, verdict.passed) for verdict in result.verdicts] == [(item, True) for item in BAR]
    assert asked(result.task) == {"blanks": 0, "semicolons": 1}


def test_tests_that_ask_for_nothing_leave_a_gap(tmp_path: Path) -> None:
    wordbox(tmp_path / "wordbox")
    recording = (
        Recording().says("strip").edits("wordbox.py", 'text.split(",")', '[*text.split(",")]', before=BEFORE)
        .says("a test for it").writes("test_wordbox.py", "def test_it():\n    pass\n")
    )  # fmt: skip
    result = mined(tmp_path, recording.replies("ok"))
    assert result.tests.startswith("none: of 1 tests of the repository (pytest) none asks"), result.tests
    assert result.verdicts == [] and any("tests/cases.py" in line for line in result.left)
