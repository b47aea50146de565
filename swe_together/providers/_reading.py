"""Reading answers so that they can't be misread: one strict form, or refused with the reason."""

import json
import re
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from swe_together.providers._completions import Completion

_REASONING = re.compile(r"<(think|thinking|reasoning|thought)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_REASONING_END = re.compile(r"\A.*</(?:think|thinking|reasoning|thought)>", re.DOTALL | re.IGNORECASE)
_REASONING_OPEN = re.compile(r"<(?:think|thinking|reasoning|thought)>.*\Z", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"\A```(?:json)?\s*\n(.*)\n\s*```\Z", re.DOTALL)


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


class Form(BaseModel):
    """The form of an answer. Strict: a number is no text, and an unknown field is a fault."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def strip_reasoning(text: str) -> str:
    """The text without blocks of reasoning, closed or not."""
    return _REASONING_OPEN.sub("", _REASONING_END.sub("", _REASONING.sub("", text))).strip()


def refuse_unfinished(completion: Completion, duty: str) -> None:
    """Refuse an answer that is none.

    Args:
        completion: The answer.
        duty: What the model is reminded of when it refused to answer.

    Raises:
        Refused: It is a refusal, or was stopped on the way.
    """
    if completion.refusal is not None:
        raise Refused(f"It was a refusal. {duty}")
    if completion.finish == "content_filter":
        raise Refused("It was stopped by a content filter.")
    if completion.finish == "length":
        raise Refused("It was cut off for its length. Be short.")


def object_in(content: str, wanted: str) -> str:
    """The one JSON object that an answer's text consists of, without reasoning before it and a fence around it.

    Args:
        content: The answer's text.
        wanted: What it should have been instead, for the reason.

    Raises:
        Refused: It is empty or anything else.
    """
    text = strip_reasoning(content)
    if not text:
        raise Refused("It is empty.")
    fenced = _FENCED.match(text)
    text = fenced[1].strip() if fenced else text
    if not (text.startswith("{") and text.endswith("}")):
        raise Refused(f"It is no {wanted} and no JSON object.")
    return text


def read_object(text: str) -> dict[str, Any]:
    """A JSON object.

    Raises:
        Refused: It is anything else, or holds a field twice.
    """
    try:
        # Some servers let a model break lines inside a text without escaping; what is meant is clear.
        value = json.loads(text, object_pairs_hook=_without_doubles, strict=False)
    except (json.JSONDecodeError, RecursionError) as error:
        raise Refused(f"It is not JSON ({getattr(error, 'msg', 'nested too deeply')}).") from None
    if not isinstance(value, dict):
        raise Refused("It is not a JSON object.")
    return value


def read_form[F: BaseModel](text: str, form: type[F]) -> F:
    """A JSON object of a form.

    Raises:
        Refused: It is anything else.
    """
    try:
        return form.model_validate_json(json.dumps(read_object(text)))
    except ValidationError as error:
        raise Refused(_problems(error)) from None


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise Refused("A field stands in it twice.")
    return value


def _problems(error: ValidationError) -> str:
    found = []
    for one in error.errors(include_url=False, include_input=False)[:3]:
        field = ".".join(str(part) for part in one["loc"])
        told = one["msg"].removeprefix("Value error, ")
        found.append(f"{field}: {told}" if field else told)
    return f"It doesn't have the right form: {'; '.join(found)}."
