"""The runner of cases in a real container: surroundings that never change, and commands that never end."""

import json
from pathlib import Path
from typing import Any

import pytest

from swe_together.pipeline.check.subject import ASSETS
from tests.support.containers import DockerCli

SURROUNDINGS = """\
import os, sys, time
emit([hash("x"), list({"one", "two", "three", "four"}), time.tzname[0], os.environ["TZ"], sys.getfilesystemencoding()])
"""
CASES = f"""\
from harness import Runner, case, equal

@case(turn=0)
def surroundings(run: Runner) -> None:
    raise AssertionError(repr(run.python({SURROUNDINGS!r})))

@case(turn=0)
def noisy(run: Runner) -> None:
    equal(run.python("print('FAILED 3'); emit([25.0]); print('{{}}')"), [25])

@case(turn=0)
def hangs(run: Runner) -> None:
    equal(run.python("import time; time.sleep(60); emit(1)", timeout=1), 1)

@case(turn=0)
def orphans(run: Runner) -> None:
    run.command(["bash", "-c", "setsid sleep 987 & sleep 988 & wait"], timeout=1)
    equal(run.command(["pgrep", "-c", "-u", "agent", "sleep"]).stdout, "0\\n")

@case(turn=0, kind="p2p")
def still_there(run: Runner) -> None:
    equal(run.command(["id", "-un"]).stdout, "agent\\n")
"""


async def played(box: DockerCli, folder: Path) -> dict[str, dict[str, Any]]:
    """The cases' outcomes by id."""
    (folder / "cases.py").write_text(CASES)
    await box.run("mkdir -p /tests /logs/verifier /var/lib/swe-together")
    for file in (ASSETS / "harness.py", folder / "cases.py"):
        await box.upload_file(file, f"/tests/{file.name}")
    await box.run("/usr/bin/python3 -I -B /tests/harness.py")
    report = json.loads(await box.run("cat /logs/verifier/reward-details.json"))
    return {one["id"]: one for one in report["cases"]}


@pytest.mark.docker
async def test_cases_run_in_the_same_surroundings_each_time(box: DockerCli, tmp_path: Path) -> None:
    runs = [await played(box, tmp_path) for _ in range(3)]
    assert len({run["surroundings"]["message"] for run in runs}) == 1, "the order of a set is the same in every run"
    assert "'UTC', 'UTC', 'utf-8'" in runs[0]["surroundings"]["message"]
    assert [runs[0][name]["passed"] for name in ("noisy", "hangs", "still-there")] == [True, False, True]
    assert "ended with None" in runs[0]["hangs"]["message"]
    assert runs[0]["hangs"]["seconds"] < 20


@pytest.mark.docker
async def test_nothing_of_a_command_outlives_it(box: DockerCli, tmp_path: Path) -> None:
    """Its deadline ends the shell, and with it what the shell has started, in other sessions as well."""
    orphans = (await played(box, tmp_path))["orphans"]
    assert (orphans["passed"], orphans["message"]) == (True, "")
    assert (await box.run("pgrep -cu agent || true")).strip() == "0"
