"""Tasks of the paper's release, read as they lie."""

import json
from pathlib import Path

import pytest

from swe_together.errors import TaskError
from swe_together.released import MESSAGES, paper_tasks
from swe_together.schema import Evidence, Tier
from swe_together.simulator.guards._secrets import phrases
from swe_together.simulator.model import Background
from swe_together.task_facts import read_task_facts
from swe_together.tasks import is_released_task, is_together_task, load_task, task_digest
from tests.support.released import ANALYSIS, FOLLOW_UP, GOALS, INSTRUCTION, PATCH, make_released
from tests.support.tasks import make_task


@pytest.fixture
def task(tmp_path: Path) -> Path:
    return make_released(tmp_path / "greeter")


def test_it_is_a_task_without_anchors(task: Path) -> None:
    assert is_released_task(task) and is_together_task(task)
    found = load_task(task)
    assert (found.name, found.instruction, found.spec, found.stages) == (
        "swe-together-paper/greeter",
        INSTRUCTION,
        "",
        [],
    )
    assert (found.script.anchors, found.script.message_budget) == ([], MESSAGES)
    assert found.analysis == ANALYSIS.strip()
    facts = found.metadata
    assert (facts.language, facts.category, facts.difficulty, facts.license) == (
        "shell",
        "feature",
        "easy",
        "NOASSERTION",
    )
    assert facts.source.model_dump() == {"git": "https://example.com/made/up", "commit": "a" * 40}
    assert (facts.trees, facts.arms, found.user) == (["/work/repo"], ["interactive", "first-message"], "root")
    assert found.digest == task_digest(task)
    told = read_task_facts(task, "greeter")
    assert told is not None and (told.repository, told.language) == ("example.com/made/up", "shell")
    assert read_task_facts(task, "other") is None


def test_guards_are_gates_and_the_other_weights_sum_to_1(task: Path) -> None:
    goals = load_task(task).rubric.goals
    assert [(goal.id, goal.weight, goal.gate, goal.tier) for goal in goals] == [
        ("goal-0", None, True, Tier.CORE),
        ("goal-1", 0.6, False, Tier.CORE),
        ("goal-2", 0.4, False, Tier.SECONDARY),
    ]
    weights = {"goal_0": 0.2, "goal_1": 0.6, "goal_2": 0.2, "goal_3": 0.0}
    more = [*GOALS, {**GOALS[1], "id": "goal_3", "goal": "The agent must give an answer in plain language."}]
    changed = [{**goal, "weight": weights[goal["id"]]} for goal in more]
    text = json.dumps({"task_name": "greeter", "completeness_goals": changed})
    (task / "canonical_goals.json").write_text(text)
    found = load_task(task).rubric.goals
    assert [(goal.id, round(goal.weight or 0, 9)) for goal in found] == [
        ("goal-0", 0),
        ("goal-1", 0.75),
        ("goal-2", 0.25),
    ]
    (task / "canonical_goals.json").write_text(text.replace('"weight": 0.0', '"weight": 0.2'))
    assert load_task(task).rubric.goals[3].evidence is Evidence.CONVERSATION


def test_the_analysis_is_no_secret_but_the_reference_is(task: Path) -> None:
    secrets = Background.of(load_task(task)).secrets
    assert secrets.paths == ("greet.sh",)
    assert set(phrases(ANALYSIS)) and not secrets.phrases & set(phrases(ANALYSIS))
    (task / "reference_patch.json").write_text("{")
    assert load_task(task).reference_patches == []
    assert PATCH.startswith("--- a/greet.sh")


def test_what_is_known_of_the_papers_tasks_wins(tmp_path: Path) -> None:
    facts = paper_tasks()["light-protocol-implement-7adad1"]
    found = load_task(make_released(tmp_path / facts.task, {"oracle_session.jsonl": ""})).metadata
    assert (found.language, found.source.model_dump()["commit"]) == ("rust", facts.commit)
    assert len(paper_tasks()) == 109
    assert all(len(one.commit) == 40 for one in paper_tasks().values())


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("canonical_goals.json", "{", "canonical_goals.json: can't be read"),
        ("oracle_intents.json", '{"task": "x"}', "oracle_intents.json: intents"),
        ("oracle_session.jsonl", "[]\n", "doesn't say _repo_url"),
        ("task.toml", '[metadata]\ntags = ["cli"]\ncategory = "bugfix"\n', "metadata.tags: no tag is a language"),
        ("task.toml", '[metadata]\ntags = ["go"]\ncategory = "fun"\n', "metadata.category"),
        ("instruction.md", " \n", "instruction.md: the file is empty"),
        ("user_simulation_prompt.md", "", "user_simulation_prompt.md: the file is empty"),
    ],
)
def test_what_breaks_the_layout_is_named(task: Path, name: str, text: str, sentence: str) -> None:
    (task / name).write_text(text)
    with pytest.raises(TaskError) as told:
        load_task(task)
    assert sentence in str(told.value)


@pytest.mark.parametrize(
    ("dockerfile", "tree", "user"),
    [
        ("FROM a AS b\nWORKDIR /x\nFROM c\nWORKDIR /w\nUSER agent\n", "/w", "agent"),
        ("FROM c\nUSER root\nUSER agent:agent\nWORKDIR w\nWORKDIR r/\n", "/w/r", "agent"),
        ("FROM c\nWORKDIR $HOME/x\n", "/workspace", "root"),
        ("FROM c\n", "/workspace", "root"),
    ],
)
def test_tree_and_user_are_the_dockerfiles(task: Path, dockerfile: str, tree: str, user: str) -> None:
    (task / "environment" / "Dockerfile").write_text(dockerfile)
    found = load_task(task)
    assert (found.metadata.trees, found.user) == ([tree], user)


def test_a_task_of_ours_stays_one(tmp_path: Path) -> None:
    ours = make_task(make_released(tmp_path / "both"))
    assert not is_released_task(ours)
    assert load_task(ours).script.anchors
    assert FOLLOW_UP not in load_task(ours).analysis
