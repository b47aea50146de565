from typing import Any

import pytest

from swe_together.simulator import validate_script
from tests.simulator.cases import ON_QUESTION, script

A, B, C = {"id": "a"}, {"id": "b"}, {"id": "c"}
SATISFIED = {"path_exists": "done"}

# Anchors, budget, field at fault, part of the sentence.
FAULTS: list[tuple[list[dict[str, Any]], dict[str, Any], str, str]] = [
    ([A, A | {"message": "other"}], {}, "anchors.1.id", "has this id already"),
    ([A | {"after": ["nobody"]}], {}, "anchors.0.after", "no anchor 'nobody'"),
    ([A | {"condition": {"all": [{"not": {"said": "nobody"}}]}}], {}, "anchors.0.condition", "no anchor 'nobody'"),
    ([A | {"satisfied": {"settled": "nobody"}}], {}, "anchors.0.satisfied", "no anchor 'nobody'"),
    ([A | {"expires": "nobody"}], {}, "anchors.0.expires", "no anchor 'nobody'"),
    ([A | {"expires": {"said": "nobody"}}], {}, "anchors.0.expires", "no anchor 'nobody'"),
    (
        [A | {"variants": [{"condition": {"said": "nobody"}, "message": "x"}]}],
        {},
        "anchors.0.variants.0.condition",
        "no anchor 'nobody'",
    ),
    ([A | {"after": ["a"]}], {}, "anchors.0.after", "refers to itself"),
    ([A | {"expires": "a"}], {}, "anchors.0.expires", "refers to itself"),
    (
        [A | {"source_turn": 1, "after": ["b"]}, B | {"source_turn": 1, "after": ["a"]}],
        {},
        "anchors.0.after",
        "a → b → a",
    ),
    (
        [A | {"source_turn": 1, "condition": {"all": [{"said": "b"}]}}, B | {"source_turn": 1, "after": ["a"]}],
        {},
        "anchors.0.condition",
        "a → b → a",
    ),
    ([A | {"expires": "b"}, B | {"after": ["a"]}], {}, "anchors.0.expires", "can never expire by 'b'"),
    ([A | {"expires": "c"}, B | {"after": ["a"]}, C | {"after": ["b"]}], {}, "anchors.0.expires", "c → b → a"),
    ([A | {"source_turn": 2}, B | {"source_turn": 1}], {}, "anchors.1.source_turn", "behind an anchor of follow-up 2"),
    ([A | {"after": ["b"]}, B], {}, "anchors.0.after", "came later in the session"),
    ([A, B | {"message": "Words  of a"}], {}, "anchors.1.message", "the same words as anchors.0.message"),
    (
        [A, B | {"variants": [{"condition": SATISFIED, "message": "words of a"}]}],
        {},
        "anchors.1.variants.0.message",
        "the same words",
    ),
    (
        [A | {"satisfied": SATISFIED, "insist": {"message": "words of a"}}],
        {},
        "anchors.0.insist.message",
        "the same words as anchors.0.message",
    ),
    ([A | {"message": ON_QUESTION}], {}, "anchors.0.message", "the same words as persona.on_question"),
    ([A | {"message": "please fix it"}], {}, "anchors.0.message", "the same words as the instruction"),
    ([A | {"required": True}, B | {"required": True}], {"messages": 1}, "budget.messages", "2 required anchors"),
    (
        [A | {"satisfied": SATISFIED, "insist": {"message": "x", "max": 2}}],
        {},
        "anchors.0.insist.max",
        "no message is sent twice",
    ),
    (
        [A | {"action": "new_requirement", "satisfied": SATISFIED}],
        {},
        "anchors.0.insist",
        "people push back",
    ),
    ([A | {"condition": {"not": {"path_changed": "/src/**"}}}], {}, "anchors.0.condition", "leading slash"),
    ([A | {"satisfied": {"path_exists": "a**"}}], {}, "anchors.0.satisfied", "stand alone"),
]


@pytest.mark.parametrize(("anchors", "budget", "field", "sentence"), FAULTS)
def test_one_fault_one_problem(
    anchors: list[dict[str, Any]], budget: dict[str, Any], field: str, sentence: str
) -> None:
    problems = validate_script(script(*anchors, **budget), instruction="Please fix it")
    matching = [problem for problem in problems if problem.field == field and sentence in problem.problem]
    assert len(matching) == 1
    assert matching[0].remedy.endswith(".")
    assert not matching[0].problem.endswith(".")
    related = {"came later in the session", "can never expire"}
    others = [p for p in problems if p not in matching and not any(word in p.problem for word in related)]
    assert others == []


SOUND: list[list[dict[str, Any]]] = [
    [],
    [A, B | {"after": ["a"]}, C | {"after": ["a", "b"], "condition": {"said": "b"}}],
    [A | {"expires": "b"}, B | {"expires": "a"}],
    [A, B | {"after": ["a"], "expires": "a"}],
    [A | {"condition": {"any": [{"said": "b"}, {"not": {"said": "b"}}]}}, B | {"after": ["a"]}],
    [A | {"source_turn": 1}, B | {"source_turn": 1}],
    [A | {"variants": [{"condition": SATISFIED, "message": "x"}, {"condition": {"said": "b"}, "message": "x"}]}, B],
    [A | {"action": "new_requirement", "satisfied": SATISFIED, "insist": {"message": "still not"}, "required": True}],
    [A | {"satisfied": SATISFIED}],
    [A | {"condition": {"path_changed": "src/**/*.{py,pyi}"}}],
]


@pytest.mark.parametrize("anchors", SOUND)
def test_a_sound_script_has_no_problems(anchors: list[dict[str, Any]]) -> None:
    assert validate_script(script(*anchors), instruction="do it") == []


def test_all_faults_are_found_at_once() -> None:
    problems = validate_script(script(A | {"after": ["x"], "expires": "y"}, A, B | {"message": "words of a"}))
    assert [problem.field for problem in problems] == [
        "anchors.1.id",
        "anchors.0.after",
        "anchors.0.expires",
        "anchors.1.message",
        "anchors.2.message",
    ]
