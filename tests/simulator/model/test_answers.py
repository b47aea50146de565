"""A decision that can't be misread: one valid form, and everything else refused with its reason."""

import json
from typing import Any

import jsonschema
import pytest

from swe_together.providers import strip_reasoning
from swe_together.simulator.model import ChosenAnswer, Completion, FreeAnswer, Refused, ToolCall, parse
from swe_together.simulator.model._answers import Answer, Ground, chosen_schema, free_schema
from swe_together.simulator.model._requests import closed

CHOSEN = {"reason": "now", "choice": "a", "words": None}
FREE = {"reason": "now", "action": "question", "message": "why?", "points": ["a"], "quote": None}
SILENT = {"reason": "done", "action": "no_op", "message": None, "points": [], "quote": None}


def call(arguments: Any, name: str = "decide", **values: Any) -> Completion:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return Completion(calls=(ToolCall(name, text),), **values)


GOOD = [
    (call(CHOSEN), ChosenAnswer),
    (call(CHOSEN | {"words": "so?"}, content="I think it fits."), ChosenAnswer),
    (Completion(content=json.dumps(CHOSEN)), ChosenAnswer),
    (Completion(content=f"```json\n{json.dumps(CHOSEN)}\n```"), ChosenAnswer),
    (Completion(content=f"<think>{{'choice': 'b'}}\nno</think>\n{json.dumps(CHOSEN)}"), ChosenAnswer),
    (Completion(content=f"hm, {{}} </think>{json.dumps(CHOSEN)}"), ChosenAnswer),
    (call(FREE), FreeAnswer),
    (call(SILENT), FreeAnswer),
    (call(FREE | {"message": "two\nlines", "points": []}), FreeAnswer),
    (call('{"reason": "now", "choice": "a", "words": "two\nlines"}'), ChosenAnswer),
    (call({"reason": "now", "decision": {"choice": "a", "words": None}}), ChosenAnswer),
    (call({"reason": "now", "decision": {"choice": "no_op"}}), ChosenAnswer),
    (call({"reason": "now", "choice": "no_op"}), ChosenAnswer),
    (call({"reason": "now", "decision": {"action": "no_op"}}), FreeAnswer),
    (call({"reason": "now", "decision": {"points": ["a"], "message": "why?"}}), FreeAnswer),
    (call({"reason": "now", "decision": {"action": "redirect", "quote": "1 failed", "message": "why?"}}), FreeAnswer),
]


@pytest.mark.parametrize(("completion", "form"), GOOD)
def test_read(completion: Completion, form: type[Answer]) -> None:
    assert parse(completion, form).reason in ("now", "done")


BAD = [
    (Completion(refusal="I can't."), ChosenAnswer, "refusal"),
    (Completion(content="I'm sorry, but I can't help with that."), ChosenAnswer, "no JSON object"),
    (Completion(content=""), ChosenAnswer, "empty"),
    (Completion(content=" \n"), ChosenAnswer, "empty"),
    (Completion(content="<think>choose a"), ChosenAnswer, "empty"),
    (Completion(finish="content_filter"), ChosenAnswer, "content filter"),
    (call(CHOSEN, finish="length"), ChosenAnswer, "cut off"),
    (Completion(calls=(ToolCall("decide", "{}"), ToolCall("decide", "{}"))), ChosenAnswer, "2 calls"),
    (call(CHOSEN, name="send_message"), ChosenAnswer, "'send_message'"),
    (call('{"reason": "x"'), ChosenAnswer, "not JSON"),
    (call("[]"), ChosenAnswer, "not a JSON object"),
    (call('{"reason": "x", "choice": "a", "choice": "b", "words": null}'), ChosenAnswer, "twice"),
    (call({"choice": "a", "words": None}), ChosenAnswer, "reason"),
    (call({"reason": "x", "choice": "a"}), ChosenAnswer, "words"),
    (call({"reason": "x", "decision": {"choice": "a"}}), ChosenAnswer, "words"),
    (call({"reason": "x", "decision": {"choice": "no_op", "words": "bye"}}), ChosenAnswer, "must be null"),
    (call({"reason": "x", "decision": {"reason": "y", "choice": "no_op"}}), ChosenAnswer, "twice"),
    (call({"reason": "x", "decision": "no_op"}), ChosenAnswer, "choice"),
    (call({"reason": "x", "decision": {"decision": {"choice": "no_op"}}}), ChosenAnswer, "choice"),
    (call({"reason": "x", "decision": {"choice": "a", "words": None}, "more": 1}), ChosenAnswer, "more"),
    (call({"reason": "x", "decision": {"action": "question", "message": "why?"}}), FreeAnswer, "points"),
    (call({"reason": "x", "decision": {"action": "no_op", "message": "bye"}}), FreeAnswer, "says nothing"),
    (call(CHOSEN | {"choice": 5}), ChosenAnswer, "choice"),
    (call(CHOSEN | {"choice": ["a"]}), ChosenAnswer, "choice"),
    (call(CHOSEN | {"choice": ""}), ChosenAnswer, "choice"),
    (call(CHOSEN | {"choice": None}), ChosenAnswer, "choice"),
    (call(CHOSEN | {"words": 5}), ChosenAnswer, "words"),
    (call(CHOSEN | {"words": "w" * 4_001}), ChosenAnswer, "words"),
    (call(CHOSEN | {"words": "a\u0000b"}), ChosenAnswer, "control"),
    (call('{"reason": "x", "choice": "a", "words": "\\ud800"}'), ChosenAnswer, "form"),
    (call(CHOSEN | {"choice": "no_op", "words": "bye"}), ChosenAnswer, "must be null"),
    (call(CHOSEN | {"confidence": 1}), ChosenAnswer, "confidence"),
    (call(FREE | {"action": "continue"}), FreeAnswer, "action"),
    (call(FREE | {"action": True}), FreeAnswer, "action"),
    (call(FREE | {"action": None, "points": []}), FreeAnswer, "needs an action"),
    (call(FREE | {"action": None, "message": None}), FreeAnswer, "message is missing"),
    (call(FREE | {"message": None}), FreeAnswer, "needs a message"),
    (call(FREE | {"message": "  "}), FreeAnswer, "needs a message"),
    (call(SILENT | {"message": "bye"}), FreeAnswer, "says nothing"),
    (call(SILENT | {"message": ""}), FreeAnswer, "says nothing"),
    (call(SILENT | {"points": ["a"]}), FreeAnswer, "says nothing"),
    (call(FREE | {"points": "a"}), FreeAnswer, "points"),
    (call(FREE | {"points": ["a", "a"]}), FreeAnswer, "twice"),
    (call(FREE | {"points": [1]}), FreeAnswer, "points"),
    (call(FREE | {"quote": 1}), FreeAnswer, "quote"),
    (call(FREE | {"message": "w" * 4_001}), FreeAnswer, "message"),
]


@pytest.mark.parametrize(("completion", "form", "reason"), BAD)
def test_refused_with_the_reason(completion: Completion, form: type[Answer], reason: str) -> None:
    with pytest.raises(Refused, match=reason) as caught:
        parse(completion, form)
    assert caught.value.guard is None
    assert caught.value.reason.endswith(".")


ASKED_FOR = [
    (chosen_schema(["a", "b"]), CHOSEN, ChosenAnswer),
    (chosen_schema(["a", "b"]), {"reason": "now", "choice": "no_op"}, ChosenAnswer),
    (free_schema(["a", "b"]), {"reason": "x", "action": "no_op"}, FreeAnswer),
    (free_schema(["a", "b"]), {"reason": "x", "points": ["b"], "message": "why?"}, FreeAnswer),
    (free_schema(["a", "b"]), {"reason": "x", "action": "redirect", "quote": None, "message": "why?"}, FreeAnswer),
    (free_schema([]), {"reason": "x", "action": "redirect", "quote": None, "message": "why?"}, FreeAnswer),
    (
        free_schema([], Ground.QUESTION),
        {"reason": "x", "action": "question", "quote": None, "message": "y"},
        FreeAnswer,
    ),
    (free_schema([], Ground.NONE), {"reason": "x", "action": "no_op"}, FreeAnswer),
]


@pytest.mark.parametrize(("schema", "flat", "form"), ASKED_FOR)
def test_what_the_schema_asks_for_can_be_read(schema: Any, flat: dict[str, Any], form: type[Answer]) -> None:
    decision = {name: value for name, value in flat.items() if name != "reason"}
    answer = {"reason": flat["reason"], "decision": decision}
    jsonschema.validate(answer, schema)
    jsonschema.validate(answer, closed(schema))
    assert parse(call(answer), form) == parse(call(flat), form)
    for name in decision:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**answer, "decision": {k: v for k, v in decision.items() if k != name}}, schema)


CONTRADICTORY = [
    (chosen_schema(["a"]), {"choice": "no_op", "words": "bye"}),
    (chosen_schema(["a"]), {"choice": "z", "words": None}),
    (chosen_schema([]), {"choice": "a", "words": None}),
    (free_schema(["a"]), {"action": "no_op", "message": "bye"}),
    (free_schema(["a"]), {"points": [], "message": "why?"}),
    (free_schema(["a"]), {"points": ["z"], "message": "why?"}),
    (free_schema(["a"]), {"points": ["a"], "message": None}),
    (free_schema(["a"]), {"action": "new_requirement", "quote": None, "message": "more"}),
    (free_schema(["a"], Ground.QUESTION), {"action": "question", "quote": "1 failed", "message": "more"}),
    (free_schema(["a"], Ground.NONE), {"action": "question", "quote": None, "message": "more"}),
]


@pytest.mark.parametrize(("schema", "decision"), CONTRADICTORY)
def test_the_schema_leaves_no_room_for_contradictions(schema: Any, decision: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"reason": "x", "decision": decision}, closed(schema))


@pytest.mark.parametrize("schema", [chosen_schema(["a"]), free_schema(["a"])])
def test_alternatives_stand_inside_since_no_provider_takes_them_at_the_top(schema: dict[str, Any]) -> None:
    assert schema["type"] == "object"
    assert not schema.keys() & {"anyOf", "oneOf", "allOf", "not", "enum"}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>x</think>y", "y"),
        ("a<THINK>x\nz</THINK>b", "ab"),
        ("x</thinking>y", "y"),
        ("y<think>x", "y"),
        ("<reasoning>a</reasoning><think>b</think> c ", "c"),
        ("plain <thinker>", "plain <thinker>"),
    ],
)
def test_reasoning_is_stripped(text: str, left: str) -> None:
    assert strip_reasoning(text) == left
