"""On every task: the authored words pass every guard in their own moment, and the task's secrets are caught."""

from pathlib import Path

import pytest

from swe_together.errors import TaskError
from swe_together.simulator.guards import Corpus, Scene, examine
from swe_together.simulator.guards._secrets import PROSE_WORDS, phrases
from swe_together.simulator.model import Background
from swe_together.tasks import TaskBundle, load_task
from tests.simulator.cases import seen

ROOT = Path(__file__).parents[3]


def tasks() -> list[TaskBundle]:
    """Every task that loads, those in the making left out."""
    found = [load_task(ROOT / "tests" / "fixtures" / "tiny-task")]
    for path in sorted((ROOT / "tasks").glob("*/")):
        try:
            found.append(load_task(path))
        except TaskError:
            continue
    return found


def scene(task: TaskBundle, **values: object) -> Scene:
    """The beginning of the task's session."""
    anchors = task.script.anchors
    own = [text for anchor in anchors for text in (anchor.message, *(one.message for one in anchor.variants))]
    own += [anchor.insist.message for anchor in anchors if anchor.insist]
    base = {
        "language": task.script.persona.language,
        "anchors": [anchor.id for anchor in anchors],
        "secrets": Background.of(task).secrets,
        "own": Corpus([*own, task.script.persona.on_question]),
        "shown": Corpus([task.instruction]),
        "spoken": Corpus([task.instruction]),
    }
    return Scene(seen(1), **(base | values))  # type: ignore[arg-type]


@pytest.mark.parametrize("task", tasks(), ids=lambda task: task.id)
def test_authored_words_pass(task: TaskBundle) -> None:
    said = [task.instruction]
    for place, anchor in enumerate(task.script.anchors):
        later = [(one.id, one.message) for one in task.script.anchors[place + 1 :]]
        insist = [anchor.insist.message] if anchor.insist else []
        for text in (anchor.message, *(variant.message for variant in anchor.variants)):
            assert examine(text, scene(task, said=said, authored=[text], later=later)) == []
        said.append(anchor.message)
        for text in insist:
            assert examine(text, scene(task, said=said, authored=[text], later=later)) == []
    reply = task.script.persona.on_question
    assert examine(reply, scene(task, said=said, authored=[reply])) == []


@pytest.mark.parametrize("task", tasks(), ids=lambda task: task.id)
def test_quotations_of_the_rubric_are_caught(task: TaskBundle) -> None:
    at_the_start = scene(task)
    quoted = [
        goal.text
        for goal in task.rubric.goals
        if any(
            not at_the_start.own.has_phrase(run) and not at_the_start.shown.has_phrase(run)
            for run in phrases(goal.text)
        )
    ]
    assert quoted, f"no goal has {PROSE_WORDS} words in a row of its own"
    for text in quoted:
        assert "leak" in {finding.guard for finding in examine(text, at_the_start)}


@pytest.mark.parametrize("task", tasks(), ids=lambda task: task.id)
def test_names_of_hidden_cases_are_caught(task: TaskBundle) -> None:
    at_the_start = scene(task)
    names = [name for name in at_the_start.secrets.test_names if not at_the_start.own.has_word(name)]
    assert names
    for name in names:
        assert "leak" in {finding.guard for finding in examine(f"does {name} pass now?", at_the_start)}
        underscored = name.replace("-", "_")
        assert "leak" in {finding.guard for finding in examine(f"does {underscored} pass now?", at_the_start)}
