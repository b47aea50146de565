"""A right decision, read from the prompt: the first thing that may be said now, in the authored words."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_OPTIONS = re.compile(r"^# You may say now\n((?:.*\n?)*?)(?=^# |\Z)", re.MULTILINE)
_OPTION = re.compile(r"^- (?:again on )?([a-z0-9-]+): (.*)$", re.MULTILINE)


def decide(body: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of ``decide`` for a request of either policy; silence where nothing may be said."""
    text = "\n".join(_text(message["content"]) for message in body["messages"])
    options = _OPTIONS.search(text)
    found = _OPTION.findall(options[1]) if options else []
    if '"choice"' in _form(body):
        return {"reason": "the first", "choice": found[0][0] if found else "no_op", "words": None}
    if not found:
        return {"reason": "nothing is open", "action": "no_op", "message": None, "points": [], "quote": None}
    point, shown = found[0]
    quoted = re.fullmatch(r'"(.*)"', shown) or re.search(rf'^\d+\. {point} .*\n +"(.*)"$', text, re.MULTILINE)
    words = quoted[1] if quoted else "and now this"
    return {"reason": "the first", "action": "question", "message": words, "points": [point], "quote": None}


def _form(body: Mapping[str, Any]) -> str:
    """The form that was asked for, as JSON; in the text itself where the provider has no other place for it."""
    if body.get("tools"):
        return json.dumps(body["tools"][0]["function"]["parameters"])
    if "response_format" in body:
        return json.dumps(body["response_format"]["json_schema"]["schema"])
    return _text(body["messages"][-1]["content"])


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)
