import shutil
import subprocess
from pathlib import Path

import pytest

from tests.setup.conftest import ROOT, Machine

SUITE = '<?xml version="1.0"?><testsuites name="pytest tests"><testsuite name="pytest" {}></testsuite></testsuites>'


@pytest.fixture
def checkout(machine: Machine) -> Path:
    """A git checkout with the gate, five tasks, a make that obeys ``counts`` and a check that obeys ``unsound``."""
    folder = machine.folder / "checkout"
    shutil.copytree(ROOT / ".ci", folder / ".ci")
    for name in "abcde":
        (folder / "tasks" / name).mkdir(parents=True)
        (folder / "tasks" / name / "task.toml").write_text("")
    (folder / "setup").mkdir()
    (folder / "setup" / "run.sh").write_text(
        '#!/bin/bash\necho "run $*" >>"$CALLS"\ncase "$*" in *unsound*) exit 1;; esac\n'
        '[ ! -e unsound ] || [ "$2" != check ]\n'
    )
    (folder / "setup" / "run.sh").chmod(0o755)
    machine.put(
        "make",
        f"""target="$2"
[ ! -e slow-$target ] || sleep 30
[ ! -e broken-$target ] || exit 2
report="${{*: -1}}"; report="${{report##*--junitxml=}}"
case "$target" in test*)
    suite='{SUITE}'
    counts="$(cat counts-$target 2>/dev/null || echo 'errors="0" failures="0" skipped="0" tests="7"')"
    printf '%s' "${{suite/\\{{\\}}/$counts}}" >"$report"
    ! grep -qE '(errors|failures)="[1-9]' "$report"
esac""",
    )
    git = ["git", "-C", str(folder), "-c", "user.name=t", "-c", "user.email=t@t"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "one"], check=True)
    return folder


def gate(machine: Machine, checkout: Path) -> tuple[int, list[str]]:
    done = machine.run(f"{checkout}/.ci/run")
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def proven(machine: Machine) -> list[str]:
    return [call.split()[-1] for call in machine.called("run .venv/bin/swe-together check --fresh")]


def test_all_good(machine: Machine, checkout: Path) -> None:
    code, lines = gate(machine, checkout)
    # set-up, two demos, lint, five times seven tests, versions of Harbor, three tasks, clean
    assert (code, lines[-1]) == (0, "44 passed, 0 failed")
    assert [line for line in lines if "7 passed, 0 failed, 0 skipped" in line].__len__() == 5
    targets = [call.split()[2] for call in machine.called("make")]
    tests = ["test", "test-harbor-versions", "test-docker", "test-agents", "test-faults-quick", "test-browser"]
    assert targets == ["setup", "demo", "demo", "lint", *tests]
    assert len(proven(machine)) == 3


def test_tasks_follow_from_the_commit(machine: Machine, checkout: Path) -> None:
    gate(machine, checkout)
    gate(machine, checkout)
    first, again = proven(machine)[:3], proven(machine)[3:]
    assert first == again
    chosen = {tuple(first)}
    for number in range(8):
        git = ["git", "-C", str(checkout), "-c", "user.name=t", "-c", "user.email=t@t"]
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", f"more {number}"], check=True)
        (machine.folder / "calls").unlink()
        gate(machine, checkout)
        chosen.add(tuple(proven(machine)))
    assert len({task for choice in chosen for task in choice}) == 5, "every task gets its turn"


@pytest.mark.parametrize("counts", ['errors="0" failures="0" skipped="2" tests="7"'])
def test_skip_fails_the_run(counts: str, machine: Machine, checkout: Path) -> None:
    (checkout / "counts-test-docker").write_text(counts)
    code, lines = gate(machine, checkout)
    assert (code, lines[-1]) == (1, "42 passed, 2 failed")
    assert any("5 passed, 0 failed, 2 skipped (a skip fails this run)" in line for line in lines)


def test_failed_tests_are_counted_and_the_rest_still_runs(machine: Machine, checkout: Path) -> None:
    (checkout / "counts-test").write_text('errors="1" failures="2" skipped="0" tests="7"')
    code, lines = gate(machine, checkout)
    assert (code, lines[-1]) == (1, "41 passed, 3 failed")
    assert len(proven(machine)) == 3


@pytest.mark.parametrize(
    "counts", ['errors="0" failures="0" skipped="0" tests="0"', 'errors="0" failures="0" skipped="7" tests="7"']
)
def test_marker_without_a_passed_test_fails(counts: str, machine: Machine, checkout: Path) -> None:
    (checkout / "counts-test-agents").write_text(counts)
    assert gate(machine, checkout)[0] == 1


@pytest.mark.parametrize("target", ["lint", "test-agents"])
def test_broken_stage_is_one_failure(target: str, machine: Machine, checkout: Path) -> None:
    (checkout / f"broken-{target}").touch()
    code, lines = gate(machine, checkout)
    assert code == 1
    assert lines[-1].endswith("passed, 1 failed")


def test_unsound_task_fails_the_run(machine: Machine, checkout: Path) -> None:
    (checkout / "unsound").touch()
    code, lines = gate(machine, checkout)
    assert (code, lines[-1]) == (1, "41 passed, 3 failed")


def test_nothing_runs_on_a_machine_that_could_not_be_set_up(machine: Machine, checkout: Path) -> None:
    (checkout / "broken-setup").touch()
    code, lines = gate(machine, checkout)
    assert (code, lines[-1]) == (1, "0 passed, 1 failed")
    assert len(machine.called("make")) == 1


def test_time_for_the_whole_run_is_bounded(machine: Machine, checkout: Path) -> None:
    (checkout / "slow-test").touch()
    machine.variables["CI_BUDGET_SECONDS"] = "2"
    code, lines = gate(machine, checkout)
    assert code == 1
    assert any("default: stopped after its limit" in line for line in lines)
    assert any("not started" in line for line in lines)
    assert lines[-1].endswith("failed")


def test_no_task_at_all_fails(machine: Machine, checkout: Path) -> None:
    shutil.rmtree(checkout / "tasks")
    code, lines = gate(machine, checkout)
    assert (code, lines[-1]) == (1, "41 passed, 1 failed")
