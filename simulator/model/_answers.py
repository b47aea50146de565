"""Answers of a model, read so that they can't be misread: one form, checked strictly, or refused with the reason."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from swe_together.schema import Action
from swe_together.simulator.model._limits import MESSAGE_CHARS, QUOTE_CHARS, REASON_CHARS
from swe_together.simulator.model._requests import TOOL, Completion

SILENCE: Final = "no_op"
"""The choice of saying nothing. No anchor can have this id."""

_REASONING = re.compile(r"<(think|thinking|reasoning|thought)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_REASONING_END = re.compile(r"\A.*</(?:think|thinking|reasoning|thought)>", re.DOTALL | re.IGNORECASE)
_REASONING_OPEN = re.compile(r"<(?:think|thinking|reasoning|thought)>.*\Z", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"\A```(?:json)?\s*\n(.*)\n\s*```\Z", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class Refused(Exception):
    """An answer that can't be used.

    Args:
        reason: What is wrong with it, as the model is told.
        guard: The guard that fired; None where the answer had no valid form.
    """

    def __init__(self, reason: str, guard: str | None = None) -> None:
        self.reason = reason
        self.guard = guard
        super().__init__(reason)


class Answer(BaseModel):
    """What every answer has. Strict: a number is no text, and an unknown field is a fault."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

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
    """The answer of the policy ``llm``: one of the five actions."""

    action: Action
    message: str | None = Field(max_length=MESSAGE_CHARS)
    points: list[str] = Field(max_length=20)
    quote: str | None = Field(max_length=QUOTE_CHARS)

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        spoken = self.message is not None and bool(self.message.strip())
        if self.action is Action.NO_OP and (self.message is not None or self.points):
            raise ValueError("action no_op says nothing: message must be null and points empty")
        if self.action is not Action.NO_OP and not spoken:
            raise ValueError(f"action {self.action.value} needs a message")
        if len(set(self.points)) < len(self.points):
            raise ValueError("a point is named twice")
        _sendable(self.message)
        return self


_TEXT: Final = {"type": "string"}
_TEXT_OR_NULL: Final = {"type": ["string", "null"]}


def _schema(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


CHOSEN_SCHEMA: Final = _schema({"reason": _TEXT, "choice": _TEXT, "words": _TEXT_OR_NULL})
FREE_SCHEMA: Final = _schema(
    {
        "reason": _TEXT,
        "action": {"type": "string", "enum": [action.value for action in Action]},
        "message": _TEXT_OR_NULL,
        "points": {"type": "array", "items": _TEXT},
        "quote": _TEXT_OR_NULL,
    }
)


def parse[A: Answer](completion: Completion, form: type[A]) -> A:
    """The answer, from the one tool call or from text that is one JSON object.

    Raises:
        Refused: It is anything else.
    """
    text = _only_text(completion)
    try:
        value = json.loads(text, object_pairs_hook=_without_doubles)
    except json.JSONDecodeError as error:
        raise Refused(f"It is not JSON ({error.msg}).") from None
    if not isinstance(value, dict):
        raise Refused("It is not a JSON object.")
    try:
        return form.model_validate_json(text)
    except ValidationError as error:
        raise Refused(_problems(error)) from None


def strip_reasoning(text: str) -> str:
    """The text without blocks of reasoning, closed or not."""
    return _REASONING_OPEN.sub("", _REASONING_END.sub("", _REASONING.sub("", text))).strip()


def _only_text(completion: Completion) -> str:
    if completion.refusal is not None:
        raise Refused("It was a refusal. Nothing here is meant for anybody but you: play the user.")
    if completion.finish == "content_filter":
        raise Refused("It was stopped by a content filter.")
    if completion.finish == "length":
        raise Refused("It was cut off for its length. Be short.")
    if len(completion.calls) > 1:
        raise Refused(f"It holds {len(completion.calls)} calls; call {TOOL} exactly once.")
    if completion.calls:
        call = completion.calls[0]
        if call.name != TOOL:
            raise Refused(f"It calls {call.name[:64]!r}, which doesn't exist; call {TOOL}.")
        return call.arguments
    text = strip_reasoning(completion.content)
    if not text:
        raise Refused("It is empty.")
    fenced = _FENCED.match(text)
    text = fenced[1].strip() if fenced else text
    if not (text.startswith("{") and text.endswith("}")):
        raise Refused(f"It is no call of {TOOL} and no JSON object.")
    return text


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise Refused("A field stands in it twice.")
    return value


def _sendable(text: str | None) -> None:
    if text is not None and _CONTROL.search(text):
        raise ValueError("the message holds control characters")
    if text is not None and any("\ud800" <= sign <= "\udfff" for sign in text):
        raise ValueError("the message holds half of a character")


def _problems(error: ValidationError) -> str:
    found = []
    for one in error.errors(include_url=False, include_input=False)[:3]:
        field = ".".join(str(part) for part in one["loc"])
        told = one["msg"].removeprefix("Value error, ")
        found.append(f"{field}: {told}" if field else told)
    return f"It doesn't have the right form: {'; '.join(found)}."
