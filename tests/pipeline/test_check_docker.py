"""The check in real containers: the tiny task passes whole, and what is spoilt in copies of it is found by name."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from swe_together.pipeline.check import bar, trials
from swe_together.pipeline.check.goals import judged_by_checks, leaving_at_once
from swe_together.pipeline.check.model import StateResult, TaskCheck, Verdict
from swe_together.pipeline.check.request import scan_request
from swe_together.pipeline.check.run import default_jobs
from swe_together.pipeline.check.static import helpers, read_task, static_verdicts
from swe_together.pipeline.check.subject import LEAVING, Subject

pytestmark = pytest.mark.docker


def containers() -> list[str]:
    done = subprocess.run(["docker", "ps", "-a", "--format", "{{.Names}}"], check=True, capture_output=True, text=True)
    return [name for name in done.stdout.split() if name.startswith("check-tiny-task-")]


def check(task: Path, cache: Path, *more: str) -> tuple[int, TaskCheck, str]:
    report = cache / "report.json"
    command = [sys.executable, "-m", "swe_together", "check", str(task), "--json", str(report), *more]
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    (found,) = json.loads(report.read_text())
    return done.returncode, TaskCheck.model_validate(found), done.stdout + done.stderr


def test_the_tiny_task_is_sound(task: Path, tmp_path: Path) -> None:
    code, found, output = check(task, tmp_path)
    assert [verdict for verdict in found.verdicts if not verdict.passed] == []
    assert code == 0 and found.sound and "tiny-task is sound" in output
    assert len(found.states) == 14 and len(found.dialogues) == 4
    assert containers() == []
    (task / "solution" / "golden.json").write_text("{}")
    code, again, output = check(task, tmp_path)
    # So are the four played sessions and the nine judged states, unless the code behind them was edited since.
    assert code == 1 and output.count("(kept)") >= 19 - 4 - 9
    assert [verdict.item for verdict in again.verdicts if not verdict.passed] == [
        "dialogue staged",
        "dialogue nothing",
        "dialogue first-stage",
    ]
    before = found.dialogues
    assert check(task, tmp_path, "--update-golden")[1].sound
    assert json.loads((task / "solution" / "golden.json").read_text()) == {
        result.play: result.dialogue.model_dump(mode="json")
        for result in before
        if result.dialogue and result.play != "full-spec"
    }


def spoil(task: Path, name: str, change: Callable[[Path], object]) -> Path:
    copy = Path(shutil.copytree(task, task.with_name(f"tiny-task-{name}")))
    change(copy)
    return copy


def replace(name: str, old: str, new: str) -> Callable[[Path], object]:
    def apply(task: Path) -> None:
        text = (task / name).read_text()
        assert old in text
        (task / name).write_text(text.replace(old, new))

    return apply


def append(name: str, text: str) -> Callable[[Path], object]:
    return lambda task: (task / name).write_text((task / name).read_text() + text)


def winning_cheat(task: Path) -> None:
    (task / "solution" / "cheat-wins.sh").write_text(
        'sed -i \'s/return text.split.*/return [w.strip() for w in text.replace(";", ",").split(",") if w.strip()]/\''
        " wordbox.py\nprintf 'def longest(words):\\n    return max(words, key=len, default=\"\")\\n' >> wordbox.py\n"
    )


def greedy_wrong(task: Path) -> None:
    patch = (task / "solution" / "wrong-no-semicolons.patch").read_text()
    (task / "solution" / "wrong-greedy.patch").write_text(patch.replace('default=""', "default=None"))


def believing_tests(task: Path) -> None:
    """Tests that believe a report lying in the tree, and a cheat that knows it."""
    believes = (
        "cd /workspace\nif [ -f reward.json ]; then cp reward.json reward-details.json /logs/verifier; exit; fi\n"
    )
    replace("tests/test.sh", "exec ", f"{believes}exec ")(task)
    _, _, declared = read_task(task)
    cases = [{**case.model_dump(mode="json"), "passed": True, "seconds": 0} for case in declared]
    details = json.dumps({"format": 1, "status": "ok", "interactive": 0, "tests": 1, "cases": cases})
    (task / "solution" / "cheat-forged-report.sh").write_text(
        f"echo '{{\"reward\": 1, \"tests\": 1}}' > reward.json\necho '{details}' > reward-details.json\n"
    )


def believing_check(task: Path) -> None:
    """A goal's command that imports the code as root, and believes its exit code."""
    rubric = json.loads((task / "rubric.json").read_text())
    semicolons = next(goal for goal in rubric["goals"] if goal["id"] == "semicolons")
    semicolons["check"] = {"run": 'python3 -c \'import wordbox; assert wordbox.split("p;q") == ["p", "q"]\''}
    (task / "rubric.json").write_text(json.dumps(rubric))


def other_check(task: Path) -> None:
    """A goal's command that looks at another goal, and at what was there before."""
    rubric = json.loads((task / "rubric.json").read_text())
    goals = {goal["id"]: goal for goal in rubric["goals"]}
    goals["semicolons"]["check"] = goals["clean-words"]["check"]
    (task / "rubric.json").write_text(json.dumps(rubric))


FLAKY = """

def _sometimes(run: Runner) -> None:
    import secrets

    assert secrets.randbelow(2), "this time it is wrong"


for number in range(16):
    _sometimes.__name__ = f"flaky_{number}"
    case(turn=0, kind="p2p")(_sometimes)
"""
SECOND_COMMIT = " && su agent -c 'git -c user.name=m -c user.email=m@localhost commit -q --allow-empty -m Later'\n"


async def state(task: Path, name: str) -> tuple[Subject, StateResult]:
    _, bundle, declared = read_task(task)
    assert bundle is not None
    subject, _ = static_verdicts(bundle, declared)
    wanted = next(found for found in subject.states() if found.name == name)
    return subject, await trials.run_state(subject, wanted, task.parent)


async def leak(task: Path) -> list[Verdict]:
    _, bundle, declared = read_task(task)
    assert bundle is not None
    subject, _ = static_verdicts(bundle, declared)
    return bar.image(await trials.scan_image(subject, scan_request(subject, bundle.metadata.source), task.parent))


async def test_what_is_spoilt_is_found_by_name(task: Path) -> None:
    slots = asyncio.Semaphore(default_jobs())

    async def one(name: str, change: Callable[[Path], object], proof: str) -> Verdict:
        copy = spoil(task, name, change)
        async with slots:
            subject, found = await state(copy, proof)
        if proof.startswith("reference"):
            return bar.reference(subject, {proof: found})
        if proof == LEAVING:
            return leaving_at_once(subject, {proof: found})
        if name == "other":
            return judged_by_checks(subject, {proof: found})
        judge = bar.cheat if proof.startswith("cheat") else bar.wrong
        kept = next(known for known in [*subject.cheat, *subject.wrong] if known.name == proof)
        return judge(subject, kept, {proof: found})

    believing = "believing"
    incomplete, flaky, wins, greedy, forged, left, other = await asyncio.gather(
        one("incomplete", replace("solution/solve.sh", "turn-*.patch", "turn-[01].patch"), "reference-1"),
        one("flaky", append("tests/cases.py", FLAKY), "reference-1"),
        one("cheat", winning_cheat, "cheat-wins"),
        one("greedy", greedy_wrong, "wrong-greedy"),
        one(believing, believing_tests, "cheat-forged-report"),
        one("root", believing_check, LEAVING),
        one("other", other_check, "wrong-no-semicolons"),
    )
    assert not incomplete.passed and "longest-word" in incomplete.detail and "strips-blanks" not in incomplete.detail
    assert not flaky.passed and "flaky-" in flaky.detail and "this time it is wrong" in flaky.detail
    assert not wins.passed and "earns 1, it must stay below 0.85" in wins.detail
    assert not greedy.passed and "fails longest-of-none of goal longest, not of semicolons" in greedy.detail
    assert not forged.passed and "earns 1" in forged.detail
    assert not left.passed and left.detail == "code of the tree was run as root"
    assert not other.passed and "wrong-no-semicolons meets semicolons" in other.detail
    assert "tests/test.sh differs" in helpers(task.with_name(f"tiny-task-{believing}")).detail


async def test_leaks_of_the_image_are_found_by_name(task: Path) -> None:
    stages = [(task / "solution" / f"turn-{turn}.patch").read_text() for turn in range(3)]
    (task / "environment" / "later.diff").write_text("".join(stages))
    shutil.copy(task / "spec.md", task / "environment")
    dockerfile = task / "environment" / "Dockerfile"
    dockerfile.write_text(
        dockerfile.read_text().rstrip()
        + SECOND_COMMIT
        + "COPY spec.md later.diff /usr/share/doc/\n"
        + "RUN mkdir -p /root/.cache/pip /usr/lib/python3/dist-packages/wordbox_made_up-0.2.dist-info"
        + " && touch /root/.cache/pip/x && chmod o+w /etc/profile && usermod -aG sudo agent\n"
    )
    found = {verdict.item: verdict.detail for verdict in await leak(task) if not verdict.passed}
    assert "2 commits can be reached" in found["one commit"]
    assert "/root/.cache/pip" in found["no caches"]
    assert "release 0.2" in found["no newer release"]
    assert "/usr/share/doc/later.diff holds 6 lines" in found["no answer in the image"]
    assert "/usr/share/doc/spec.md is the task's spec.md" in found["no private files"]
    assert "can change /etc/profile" in found["agent is nobody"] and "group sudo" in found["agent is nobody"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_an_interrupt_leaves_nothing(task: Path, tmp_path: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-m", "swe_together", "check", "--fresh", str(task)]
    process = await asyncio.create_subprocess_exec(
        *command, env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)}, stderr=asyncio.subprocess.PIPE
    )
    for _ in range(600):
        if containers():
            break
        await asyncio.sleep(0.1)
    process.send_signal(number)
    _, error = await process.communicate()
    assert process.returncode == 130 and b"Traceback" not in error
    assert containers() == []
