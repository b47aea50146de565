"""Tasks: all arms load, ask for the same, carry the checker, and judge as they should."""

import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from swe_together.memorycode._arms import Arm, script
from swe_together.memorycode._checker_copy import checker_files
from swe_together.memorycode._dialogue import Dialogue
from swe_together.memorycode.checker import check
from swe_together.memorycode.contradictions import contradictions
from swe_together.memorycode.generate import Recipe, make_dialogue
from swe_together.memorycode.queries import QUERIES
from swe_together.memorycode.rules import RULES
from swe_together.memorycode.tasks import answers, left_out, task_files, tasks_of, write_task
from swe_together.pipeline.fmt import format_task
from swe_together.schema import SimulatorScript
from swe_together.simulator import validate_script
from swe_together.tasks import load_task
from tests.memorycode.local import deliver, git, judged, new_workspace


@pytest.fixture(scope="module")
def dialogue() -> Dialogue:
    """Fifteen sessions, with updates and distractors."""
    found = make_dialogue(Recipe(7, isolated=2), 15, 1)
    assert any(rule.updated for rule in found.active_rules)
    assert found.active_distractors
    return found


@pytest.fixture(scope="module")
def tasks(dialogue: Dialogue, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A task of each arm, by arm; two of them in the arm isolated."""
    folder = tmp_path_factory.mktemp("tasks")
    found = {}
    for name, arm, rule in tasks_of(dialogue, list(Arm)):
        write_task(folder / name, dialogue, arm, rule)
        found[f"{arm}-{rule}" if rule and arm.value in found else arm.value] = folder / name
    return found


def test_every_arm_gives_a_sound_task(tasks: dict[str, Path], dialogue: Dialogue) -> None:
    assert len(tasks) == 6
    for path in tasks.values():
        bundle = load_task(path)
        assert bundle.name == f"swe-together/memorycode-{path.name}"
        assert format_task(path, check=True) == [], "harness, restore, collect command and canary are the common ones"
        assert validate_script(bundle.script, instruction=bundle.instruction) == []
        assert all(anchor.required and anchor.condition is None for anchor in bundle.script.anchors)
        cases = {case for goal in bundle.rubric.goals for case in goal.cases}
        told = json.loads((path / "tests" / "told.json").read_text())
        assert cases == {f"rule-{rule['rule']}" for rule in told["rules"]}
        assert bundle.metadata.continuation == ("fresh" if told["arm"] == "memory" else None)
        # The first message of many asks for nothing.
        asks = told["arm"] not in ("sessions", "memory")
        assert ("first-message" in bundle.metadata.arms) == asks
        assert {"interactive", "full-spec"} <= set(bundle.metadata.arms)
        assert (bundle.spec.strip() == bundle.instruction.strip()) == (told["arm"] in ("isolated", "chain"))


def test_all_arms_ask_for_the_same_at_the_end(dialogue: Dialogue) -> None:
    rule = dialogue.isolated[0]
    asked = {
        arm: script(dialogue, arm, rule if arm is Arm.ISOLATED else None).messages[-1].partition("Now please")[2]
        for arm in Arm
    }
    assert len(set(asked.values())) == 1
    for query in dialogue.requests:
        assert QUERIES[query].text in asked[Arm.CHAIN]


def test_every_arm_tells_what_it_should(dialogue: Dialogue) -> None:
    texts = [item.text for meeting in dialogue.sessions for item in meeting.items if item.kind.is_rule]
    whole = "\n".join(meeting.text for meeting in dialogue.sessions)
    for arm in (Arm.CHAIN, Arm.SESSIONS, Arm.HISTORY, Arm.MEMORY):
        said = "\n".join(script(dialogue, arm).messages)
        assert [said.index(text.rstrip(".")[1:]) >= 0 for text in texts]
        assert (dialogue.sessions[3].text in said) == (arm is not Arm.CHAIN)
    assert script(dialogue, Arm.HISTORY).followups == script(dialogue, Arm.CHAIN).followups == []
    for arm in (Arm.SESSIONS, Arm.MEMORY):
        messages = script(dialogue, arm).messages
        assert len(messages) == dialogue.size + 1
        assert [meeting.text in message for meeting, message in zip(dialogue.sessions, messages, strict=False)]
        assert not any(line in messages[-1] for line in whole.split("\n"))
    rule = dialogue.isolated[0]
    alone = script(dialogue, Arm.ISOLATED, rule).instruction
    assert RULES[rule].variant(dialogue.active[rule]).text.rstrip(".")[1:] in alone
    assert sum(text.rstrip(".")[1:] in alone for text in set(texts)) == 1


def test_a_hundred_sessions_fit_into_the_budgets() -> None:
    dialogue = make_dialogue(Recipe(7), 100, 1)
    files = task_files("s100-01-sessions", dialogue, Arm.SESSIONS)
    bundle_script = script(dialogue, Arm.SESSIONS)
    config = tomllib.loads(files["task.toml"])
    assert len(bundle_script.messages) == 101
    assert config["agent"]["timeout_sec"] > 100 * 120
    assert max(len(message.encode()) for message in bundle_script.messages) < 100_000
    assert max(len(text.encode()) for text in files.values()) < 2_000_000
    assert "128 KiB" not in (left_out(dialogue, Arm.SESSIONS) or "")
    assert "command-line agents" in (left_out(dialogue, Arm.HISTORY) or "")
    assert left_out(dialogue, Arm.HISTORY, 0) is None


def test_a_hundred_sessions_load_and_are_said_in_order(tmp_path: Path) -> None:
    dialogue = make_dialogue(Recipe(7), 100, 1)
    write_task(tmp_path / "s100-01-sessions", dialogue, Arm.SESSIONS)
    bundle = load_task(tmp_path / "s100-01-sessions")
    said = [bundle.instruction.strip(), *(anchor.message for anchor in bundle.script.anchors)]
    assert said == [message.strip() for message in script(dialogue, Arm.SESSIONS).messages]
    assert isinstance(bundle.script, SimulatorScript)
    assert bundle.script.message_budget >= 100


def test_the_checker_in_a_task_is_the_package_s_own() -> None:
    copied = checker_files()
    assert "checker/checker.py" in copied
    assert not [path for path, text in copied.items() if "from swe_together" in text or "import swe_together" in text]
    assert not {"checker/oracle.py", "checker/compat.py", "checker/generate.py"} & set(copied)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return new_workspace(tmp_path / "workspace")


def test_the_reference_earns_everything_in_every_arm(
    tasks: dict[str, Path], dialogue: Dialogue, workspace: Path
) -> None:
    deliver(workspace, answers(dialogue.requests, dialogue.active))
    for arm in ("sessions", "isolated"):
        found = judged(tasks[arm], workspace)
        assert found.reward == 1.0, {name: case["message"] for name, case in found.cases.items() if not case["passed"]}
        assert len(found.cases) == (1 if arm == "isolated" else len(dialogue.active))
        assert all(not request["problems"] for request in found.outcome["requests"])
        assert not any(one["obeyed"] for one in found.outcome["distractors"])


def test_nothing_earns_nothing(tasks: dict[str, Path], workspace: Path) -> None:
    found = judged(tasks["chain"], workspace)
    assert found.reward == 0.0
    assert "nothing was written" in found.outcome["requests"][0]["problems"][0]


def test_old_rules_are_stale_and_distractors_are_seen(
    tasks: dict[str, Path], dialogue: Dialogue, workspace: Path
) -> None:
    updated = [rule for rule in dialogue.active_rules if rule.updated]
    old = next(rule for rule in updated if not contradictions({**dialogue.active, rule.rule: rule.variants[0]}))
    deliver(workspace, answers(dialogue.requests, {**dialogue.active, old.rule: old.variants[0]}))
    mark = next(iter(dialogue.active_distractors.values())).mark
    first = next(path for path in git(workspace, "ls-files").split() if path.endswith(".py"))
    with (workspace / first).open("a") as file:
        file.write(f"# {mark}\n")
    found = judged(tasks["history"], workspace)
    assert 0 < found.reward < 1
    rules = {rule["rule"]: rule for rule in found.outcome["rules"]}
    assert rules[old.rule]["stale"] == old.variants[0]
    assert not rules[old.rule]["met"]
    assert sum(one["obeyed"] for one in found.outcome["distractors"]) == 1


def test_a_stub_loses_the_rules_whose_home_it_is(tasks: dict[str, Path], dialogue: Dialogue, workspace: Path) -> None:
    written = answers(dialogue.requests, dialogue.active)
    deliver(workspace, written)
    module = next(path for path in written[0].files if "test" not in path and path.endswith(".py"))
    text = (workspace / module).read_text()
    (workspace / module).write_text(re.sub(r"\b\d+\b", lambda found: str(int(found[0]) + 1), text))
    broken = judged(tasks["chain"], workspace)
    home = dialogue.requests[0]
    problems = {one["id"]: one["problems"] for one in broken.outcome["requests"]}
    assert problems[home]
    lost = {rule["rule"] for rule in broken.outcome["rules"] if not rule["met"]}
    assert lost >= {rule["rule"] for rule in broken.outcome["rules"] if rule["home"] == home}
    assert all(pair["met"] for rule in broken.outcome["rules"] if rule["home"] == home for pair in rule["pairs"])


def test_links_out_of_the_tree_and_notes_are_not_looked_at(
    tasks: dict[str, Path], dialogue: Dialogue, workspace: Path
) -> None:
    mark = next(iter(dialogue.active_distractors.values())).mark
    deliver(workspace, answers(dialogue.requests, dialogue.active))
    (workspace / "NOTES.md").write_text(f"{mark}\n")
    stem = Path(QUERIES[dialogue.requests[0]].path).stem
    (workspace.parent / "outside.py").write_text("def (:\n")
    (workspace / f"{stem}_x.py").symlink_to(workspace.parent / "outside.py")
    git(workspace, "add", "-A")
    git(workspace, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--amend", "--no-edit")
    found = judged(tasks["memory"], workspace)
    assert found.reward == 1.0
    assert found.outcome["notes_bytes"] == len(mark) + 1
    assert not any(one["obeyed"] for one in found.outcome["distractors"])


def test_without_a_repository_only_rules_on_commits_fail(
    tasks: dict[str, Path], dialogue: Dialogue, workspace: Path
) -> None:
    deliver(workspace, answers(dialogue.requests, dialogue.active))
    git(workspace, "init", "-q")
    (workspace / ".git" / "HEAD").write_text("ref: refs/heads/none\n")
    found = judged(tasks["chain"], workspace)
    on_commits = {rule for rule in dialogue.active if "commit" in RULES[rule].objects}
    failed = {rule["rule"] for rule in found.outcome["rules"] if not rule["met"]}
    # What only a commit ties to a request, the change log, is lost with the history.
    assert on_commits <= failed <= on_commits | {"change-log"}


def test_no_words_of_a_message_pass_for_another_commit(tmp_path: Path, workspace: Path) -> None:
    dialogue = next(
        one
        for number in range(1, 60)
        if "commit-prefix" in (one := make_dialogue(Recipe(7, pool="new"), 15, number)).active
    )
    write_task(tmp_path / "task", dialogue, Arm.CHAIN)
    written = answers(dialogue.requests, dialogue.active)
    deliver(workspace, [replace(one, commits=(f"x\x1e{one.commits[-1]}",)) for one in written])
    found = judged(tmp_path / "task", workspace)
    failed = {rule["rule"] for rule in found.outcome["rules"] if not rule["met"]}
    assert failed == {"commit-prefix"}, "each message begins with x, whatever signs stand in it"


def test_a_file_too_long_to_be_read_fails_and_is_not_passed_over(
    tasks: dict[str, Path], dialogue: Dialogue, workspace: Path
) -> None:
    deliver(workspace, answers(dialogue.requests, dialogue.active))
    stem = Path(QUERIES[dialogue.requests[0]].path).stem
    (workspace / f"{stem}_more.py").write_text("x = 1\n" * 200_000)
    rules = {rule["rule"]: rule for rule in judged(tasks["chain"], workspace).outcome["rules"]}
    on_files = {name for name in rules if "commit" not in RULES[name].objects}
    assert not any(rules[name]["met"] for name in on_files if rules[name]["home"] == dialogue.requests[0])
    assert any("too many to be read" in rule["reason"] for rule in rules.values())


def test_the_verdict_is_the_checker_s(dialogue: Dialogue) -> None:
    for query, answer in zip(dialogue.requests, answers(dialogue.requests, dialogue.active), strict=True):
        results = check(answer, dialogue.active, profile=QUERIES[query].profile)
        assert results
        assert all(result.met for result in results)
