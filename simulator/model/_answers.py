"""Answers of a model, read so that they can't be misread: one form, checked strictly, or refused with the reason."""

import json
import re
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import Any, Final, Self

from pydantic import Field, model_validator

from swe_together.defaults import MESSAGE_CHARS, QUOTE_CHARS, REASON_CHARS
from swe_together.providers import Completion, Form, Refused, object_in, read_form, read_object, refuse_unfinished
from swe_together.schema import Action
from swe_together.simulator.model._requests import TOOL

SILENCE: Final = "no_op"
"""The choice of saying nothing. No anchor can have this id."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class Answer(Form):
    """What every answer has."""

    reason: str = Field(max_length=REASON_CHARS)


class ChosenAnswer(Answer):
    """The answer of the policy ``anchored``: one of the options or silence, with or without own words."""

    choice: str = Field(min_length=1, max_length=64)
    words: str | None = Field(max_length=MESSAGE_CHARS)

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        if self.choice == SILENCE and self.words is not None and self.words.strip():
            raise ValueError(f"choice {SILENCE} says nothing, so words must be null")
        _sendable(self.words)
        return self


class FreeAnswer(Answer):
    """The answer of the policy ``llm``: one of the five actions. A message that expresses points has theirs."""

    action: Action | None
    message: str | None = Field(max_length=MESSAGE_CHARS)
    points: list[str] = Field(max_length=20)
    quote: str | None = Field(max_length=QUOTE_CHARS)

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        spoken = self.message is not None and bool(self.message.strip())
        if self.action is Action.NO_OP and (self.message is not None or self.points):
            raise ValueError("action no_op says nothing: message must be null and points empty")
        if self.action is not Action.NO_OP and not spoken:
            raise ValueError(f"action {self.action.value} needs a message" if self.action else "a message is missing")
        if self.action is None and not self.points:
            raise ValueError("a message without points needs an action")
        if len(set(self.points)) < len(self.points):
            raise ValueError("a point is named twice")
        _sendable(self.message)
        return self


class Ground(Enum):
    """What else than a point may ground a message: a quoted fact or the agent's question, that alone, or nothing."""

    ANY = auto()
    QUESTION = auto()
    NONE = auto()


_SHORT: Final = {"type": "string", "maxLength": 300}
_TEXT: Final = {"type": "string"}
_TEXT_OR_NULL: Final = {"type": ["string", "null"]}
_DECISION: Final = "decision"


def chosen_schema(ids: Sequence[str]) -> dict[str, Any]:
    """The form of ``ChosenAnswer``: silence, or one of these points.

    What goes together is one alternative, so that a server that holds its model to the form leaves no room for
    contradictions.
    """
    silence = _object({"choice": _one_of([SILENCE])})
    return _answer([silence, *([_object({"choice": _one_of(ids), "words": _TEXT_OR_NULL})] if ids else [])])


def free_schema(ids: Sequence[str], ground: Ground = Ground.ANY, *, wishes: bool = False) -> dict[str, Any]:
    """The form of ``FreeAnswer``: silence, a message that expresses some of these points, or one with a ground.

    With ``wishes``, a new requirement may have another ground than a point: there are none in the whole session.
    """
    never = (Action.NO_OP,) if wishes else (Action.NO_OP, Action.NEW_REQUIREMENT)
    outside = [action.value for action in Action if action not in never]
    points = {"type": "array", "items": _one_of(ids), "minItems": 1}
    silence = _object({"action": _one_of([SILENCE])})
    expressed = _object({"points": points, "message": _TEXT})
    quote = _TEXT_OR_NULL if ground is Ground.ANY else {"type": "null"}
    grounded = _object({"action": _one_of(outside), "quote": quote, "message": _TEXT})
    return _answer([silence, *([expressed] if ids else []), *([grounded] if ground is not Ground.NONE else [])])


def _answer(alternatives: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    # Inside a field, since no provider takes alternatives at the top of a tool's arguments.
    return _object({"reason": _SHORT, _DECISION: {"anyOf": alternatives}})


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _one_of(values: Sequence[str]) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


def parse[A: Answer](completion: Completion, form: type[A]) -> A:
    """The answer, from the one tool call or from text that is one JSON object.

    Raises:
        Refused: It is anything else.
    """
    value = _whole(read_object(_only_text(completion)))
    return read_form(json.dumps(value), form)


def _whole(value: Mapping[str, Any]) -> dict[str, Any]:
    """The answer as one object, with what the alternative that was taken leaves unsaid.

    Some models leave the inner object out; what they mean is as clear.

    Raises:
        Refused: A field stands inside and outside.
    """
    inner = value.get(_DECISION)
    if isinstance(inner, dict):
        outer = {name: one for name, one in value.items() if name != _DECISION}
        if outer.keys() & inner.keys():
            raise Refused("A field stands in it twice.")
        value = outer | inner
    unsaid: dict[str, Any] = {}
    if value.get("choice") == SILENCE:
        unsaid = {"words": None}
    elif value.get("action") == SILENCE:
        unsaid = {"message": None, "points": [], "quote": None}
    elif "points" in value:
        unsaid = {"action": None, "quote": None}
    elif "quote" in value:
        unsaid = {"points": []}
    return {**unsaid, **value}


def _only_text(completion: Completion) -> str:
    refuse_unfinished(completion, "Nothing here is meant for anybody but you: play the user.")
    if len(completion.calls) > 1:
        raise Refused(f"It holds {len(completion.calls)} calls; call {TOOL} exactly once.")
    if completion.calls:
        call = completion.calls[0]
        if call.name != TOOL:
            raise Refused(f"It calls {call.name[:64]!r}, which doesn't exist; call {TOOL}.")
        return call.arguments
    return object_in(completion.content, f"call of {TOOL}")


def _sendable(text: str | None) -> None:
    if text is not None and _CONTROL.search(text):
        raise ValueError("the message holds control characters")
    if text is not None and any("\ud800" <= sign <= "\udfff" for sign in text):
        raise ValueError("the message holds half of a character")
