"""``swe-together import-release``: what each task lacks is said, and a draft is a task once its gaps are filled."""

import json
import re
from pathlib import Path

import pytest

from swe_together.cli import main
from swe_together.errors import TaskError
from swe_together.gaps import find_gaps
from swe_together.tasks import find_problems, load_task
from tests.pipeline.test_new import fill
from tests.support.released import DOCKERFILE, FOLLOW_UP, GOALS, INSTRUCTION, PATCH, make_released

PRIVATE = "FROM ghcr.io/togetherbench/togetherbench/made-up-dev:latest\nUSER agent\nSTOPSIGNAL SIGKILL\n"


def report(output: Path) -> dict[str, dict[str, str]]:
    """What each task lacks, by task."""
    found = json.loads((output / "import-release.json").read_text())
    return {one["task"]: one["sentences"] for one in found["tasks"]}


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """Four tasks that lack different things."""
    folder = tmp_path / "release"
    make_released(folder / "tasks" / "plain")
    nothing = {"canonical_goals.json": json.dumps({"task_name": "x", "completeness_goals": GOALS[1:]})}
    nothing |= {"oracle_intents.json": '{"task": "x", "intents": []}', "reference_patch.json": "{}"}
    make_released(folder / "tasks" / "little", nothing)
    config = {"FAIL_TO_PASS": [], "PASS_TO_PASS": [], "test_cmd": "true"}
    make_released(
        folder / "tasks" / "private",
        {"environment/Dockerfile": PRIVATE, "tests/install_config.json": json.dumps(config)},
    )
    weighted = [{**GOALS[0], "weight": 0.1}, {**GOALS[1], "weight": 0.9}, {**GOALS[2], "weight": 0.0}]
    config = {"FAIL_TO_PASS": ["a"], "PASS_TO_PASS": ["b"], "test_cmd": "go test"}
    make_released(
        folder / "tasks" / "weighted",
        {
            "canonical_goals.json": json.dumps({"task_name": "x", "completeness_goals": weighted}),
            "tests/install_config.json": json.dumps(config),
        },
    )
    return folder


def test_what_each_task_lacks_is_said(release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import-release", str(release), "-o", str(tmp_path / "out")]) == 0
    printed = capsys.readouterr().out
    found = report(tmp_path / "out")
    assert found.keys() == {"little", "plain", "private", "weighted"}
    assert found["plain"]["anchors"] == "no anchors: 1 follow-ups have neither condition nor satisfied"
    assert "guards without weight" in found["plain"]["gates"] and "goal_0" in found["plain"]["gates"]
    assert "shows only when it is run" in found["plain"]["tests"]
    assert found["plain"]["user"] == "the agent works as root"
    assert "intents" not in found["plain"] and "reference" not in found["plain"]
    assert found["plain"]["image"] == "no STOPSIGNAL SIGKILL"
    assert found["little"]["anchors"] == "no anchors, and no follow-up that an intent speaks of"
    assert "no guard" in found["little"]["gates"]
    assert "Intent Coverage is undefined" in found["little"]["intents"]
    assert found["little"]["reference"] == "no reference patch"
    assert "private image that can change: ghcr.io/togetherbench" in found["private"]["image"]
    assert "STOPSIGNAL" not in found["private"]["image"] and "user" not in found["private"]
    for words in ("its command is `true`", "passes with nothing done", "must stay good"):
        assert words in found["private"]["tests"]
    assert "guards that cost only their weight" in found["weighted"]["gates"]
    assert "of weight 0 and left out: goal_2" in found["weighted"]["goals"]
    assert found["weighted"]["tests"] == "no cases in our form"
    assert "4 tasks. anchors 4, contract 4, gates 4, goals 4, intents 1, image 4" in printed.replace(
        "image 3", "image 4"
    )
    for sentences in found.values():
        assert all(sentence in printed for sentence in sentences.values())


def test_without_a_folder_nothing_is_written(release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(tmp_path.rglob("*"))
    assert main(["import-release", str(release / "tasks" / "plain")]) == 0
    assert "1 tasks. anchors 1" in capsys.readouterr().out
    assert sorted(tmp_path.rglob("*")) == before


def test_a_draft_carries_over_what_there_is_and_marks_the_rest(release: Path, tmp_path: Path) -> None:
    main(["import-release", str(release / "tasks" / "plain"), "-o", str(tmp_path / "out")])
    draft = tmp_path / "out" / "plain"
    assert (draft / "instruction.md").read_text() == INSTRUCTION
    assert (draft / "environment" / "Dockerfile").read_text().startswith(DOCKERFILE)
    assert (draft / "solution" / "released" / "reference.patch").read_text() == PATCH
    assert (draft / "solution" / "released" / "tests" / "test.sh").is_file()
    assert [problem for problem in find_problems(draft) if "still to be written" not in str(problem)] == []
    with pytest.raises(TaskError, match="is still to be written"):
        load_task(draft)
    marked = {Path(gap.path).relative_to(draft).as_posix() for gap in find_gaps(draft)}
    assert {"spec.md", "simulator.md", "tests/cases.py", "environment/Dockerfile", "solution/turn-1.patch"} <= marked
    fill(draft)
    task = load_task(draft)
    (anchor,) = task.script.anchors
    assert (anchor.id, anchor.action, anchor.message, anchor.intents) == (
        "follow-up-1", "new_requirement", FOLLOW_UP, ["intent-0"]
    )  # fmt: skip
    assert anchor.satisfied is not None and anchor.insist is not None
    assert (task.metadata.provenance, task.metadata.trees) == ("recorded", ["/work/repo"])
    assert [goal.gate for goal in task.rubric.goals] == [True, False, False]
    assert [message.text for message in task.session.messages] == [None, None], "facts of another person's words only"


@pytest.mark.parametrize(
    ("kind", "action", "fields"),
    [
        ("question", "question", set()),
        ("correction", "redirect", {"condition", "satisfied", "insist"}),
        ("request", "new_requirement", {"satisfied", "insist"}),
    ],
)
def test_anchors_follow_from_intents(tmp_path: Path, kind: str, action: str, fields: set[str]) -> None:
    intents = [
        {"intent_id": 4, "source_turn": 1, "intent_kind": "context", "text": "Tells something."},
        {"intent_id": 5, "source_turn": 1, "intent_kind": kind, "text": "Wants something."},
        {"intent_id": 6, "source_turn": 7, "intent_kind": kind, "text": "Its words are nowhere."},
    ]
    source = make_released(tmp_path / "made-up", {"oracle_intents.json": json.dumps({"task": "x", "intents": intents})})
    assert main(["import-release", str(source), "-o", str(tmp_path / "out")]) == 0
    draft = tmp_path / "out" / "made-up"
    front = (draft / "simulator.md").read_text()
    assert re.search(rf"action: {action}\n", front)
    assert {name for name in ("condition", "satisfied", "insist") if f"\n  {name}:" in front} == fields
    assert "Its words are nowhere" not in front.partition("\n---\n")[0]


def test_a_broken_task_stops_no_other(release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (release / "tasks" / "plain" / "canonical_goals.json").write_text("{")
    assert main(["import-release", str(release), "-o", str(tmp_path / "out")]) == 1
    captured = capsys.readouterr()
    assert "plain/canonical_goals.json: can't be read" in captured.err
    assert report(tmp_path / "out").keys() == {"little", "private", "weighted"}
    assert "canonical_goals.json" in json.loads((tmp_path / "out" / "import-release.json").read_text())["broken"][0]


def test_misuse(release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import-release", str(tmp_path / "nowhere")]) == 2
    assert main(["import-release", str(tmp_path)]) == 2
    assert main(["import-release", str(release), "-o", str(release)]) == 2
    printed = capsys.readouterr().err
    assert "there is no such folder" in printed and "holds no task of the paper's release" in printed
    assert "isn't empty" in printed
