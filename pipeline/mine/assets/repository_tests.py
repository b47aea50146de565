"""Runs the repository's own tests on a copy of the tree, as the candidate's user, and reads the runner's report.

Lies in the ``tests/`` of tasks that were mined from somebody's own history. Needs the standard library alone. It
believes the repository's own test runner: enough to compare agents on work of one's own, no defence against an agent
that forges its report.
"""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from harness import Runner

HERE = Path(__file__).parent
_TAP = re.compile(r"^(\s*)(not )?ok \d+ - (.*?)(?:\s+#\s*(.*))?$")
_CARGO = re.compile(r"(?m)^test (\S+) \.\.\. (ok|FAILED)")
_COMMANDS = {
    "pytest": 'PYTHONPATH="$PWD:$PWD/src" python3 -m pytest -q -p no:cacheprovider --junitxml=../report {files}',
    "vitest": "npx --no-install vitest run --reporter=junit --outputFile=../report {files}",
    "jest": "npx --no-install jest --json --outputFile=../report --runTestsByPath {files}",
    "node": "node --test --test-reporter=tap {files} > ../report",
    "go": "go test -json {packages} > ../report",
    "cargo": "cargo test --offline --no-fail-fast > ../report",
}


class Suite:
    """The tests of ``plan.json``.

    Args:
        plan: ``runner``, ``files`` (the test files to run), ``removed`` (files of the tree that are in the way) and
            ``timeout_sec``. Files below ``repository/`` are put over the tree first.
    """

    def __init__(self, plan: dict[str, Any]) -> None:
        self._plan = plan
        self._found: dict[str, bool] | None = None

    def require(self, run: Runner, tests: list[str]) -> None:
        """Fail the case unless each of these tests passes."""
        found = self.results(run)
        for test in tests:
            assert test in found, f"{test} was not run"
            assert found[test], f"{test} fails"

    def results(self, run: Runner) -> dict[str, bool]:
        """Whether each test passed, by its name; they run once."""
        if self._found is None:
            self._found = self._run(run)
        return self._found

    def _run(self, run: Runner) -> dict[str, bool]:
        files = " ".join(shlex.quote(file) for file in self._plan["files"])
        folders = sorted({f"./{Path(file).parent.as_posix()}" for file in self._plan["files"]})
        command = _COMMANDS[self._plan["runner"]].format(files=files, packages=" ".join(map(shlex.quote, folders)))
        removed = " ".join(shlex.quote(file) for file in self._plan["removed"])
        script = (
            f"mkdir tree && cp -a {shlex.quote(run.tree)}/. tree && cp -a over/. tree && cd tree || exit 9\n"
            f"rm -f -- {removed}\n{{ {command} ; }} > ../log 2>&1 < /dev/null\n"
            "cd .. && cat report 2>/dev/null || tail -c 4000 log >&2\n"
        )
        over = {f"over/{name}": text for name, text in _texts(HERE / "repository")} or {"over/.keep": ""}
        done = run.command(["bash", "-c", script], files=over, timeout=float(self._plan["timeout_sec"]))
        assert not done.timed_out, f"the repository's tests take longer than {self._plan['timeout_sec']} s"
        found = dict[str, bool]()
        for name, passed in _READERS[self._plan["runner"]](done.stdout):
            found[name] = found.get(name, True) and passed
        return found


def _texts(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8")


def _junit(report: str) -> Iterator[tuple[str, bool]]:
    try:
        root = ElementTree.fromstring(report)
    except ElementTree.ParseError:
        return
    for case in root.iter("testcase"):
        bad = any(child.tag in ("failure", "error", "skipped") for child in case)
        yield f"{case.get('classname', '')}::{case.get('name', '')}", not bad


def _jest(report: str) -> Iterator[tuple[str, bool]]:
    try:
        files = json.loads(report)["testResults"]
    except (ValueError, KeyError, TypeError):
        return
    for file in files:
        for test in file["assertionResults"]:
            yield test["fullName"], test["status"] == "passed"


def _tap(report: str) -> Iterator[tuple[str, bool]]:
    """Tests without tests in them; the name of what holds a test comes after it."""
    waiting: list[tuple[int, str, bool]] = []
    for line in report.splitlines():
        found = _TAP.match(line)
        if found is None:
            continue
        depth, name = len(found[1]), found[3]
        passed = found[2] is None and not (found[4] or "").startswith(("SKIP", "TODO"))
        held = [one for one in waiting if one[0] > depth]
        if held:
            waiting = [one for one in waiting if one[0] <= depth]
            waiting += [(depth, f"{name} > {inner}", ok) for _, inner, ok in held]
        else:
            waiting.append((depth, name, passed))
    yield from ((name, passed) for _, name, passed in waiting)


def _go(report: str) -> Iterator[tuple[str, bool]]:
    for line in report.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if event.get("Test") and event.get("Action") in ("pass", "fail", "skip"):
            yield f"{event.get('Package', '')}::{event['Test']}", event["Action"] == "pass"


def _cargo(report: str) -> Iterator[tuple[str, bool]]:
    yield from ((name, told == "ok") for name, told in _CARGO.findall(report))


_READERS = {"pytest": _junit, "vitest": _junit, "jest": _jest, "node": _tap, "go": _go, "cargo": _cargo}
