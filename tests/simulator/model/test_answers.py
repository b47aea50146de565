"""A decision that can't be misread: one valid form, and everything else refused with its reason."""

import json
from typing import Any

import pytest

from swe_together.simulator.model import ChosenAnswer, Completion, FreeAnswer, Refused, ToolCall, parse
from swe_together.simulator.model._answers import CHOSEN_SCHEMA, FREE_SCHEMA, Answer, strip_reasoning

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


def test_schemas_ask_for_what_is_validated() -> None:
    for schema, form in ((CHOSEN_SCHEMA, ChosenAnswer), (FREE_SCHEMA, FreeAnswer)):
        assert set(schema["properties"]) == set(schema["required"]) == set(form.model_fields)
        assert schema["additionalProperties"] is False


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
