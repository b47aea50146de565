"""A stand-in for the models of the pipeline: it understands nothing and answers every question by a plain rule.

The same question gets the same answer, so that a whole run can be tried without a model.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from swe_together.judge import Conversation
from swe_together.providers import Completion, ToolCall, cut_line

_MESSAGE: Final = re.compile(r"(?m)^## Message (\d+).*\n⟦user⟧\n([\s\S]*?)\n⟦/user⟧")
_EDITED: Final = re.compile(r"(?m)^Edited: ")


class FakeReader:
    """Answers ``assess`` and ``draft`` from the words of the page alone.

    Args:
        name: What is recorded as the model.

    Attributes:
        asked: The conversations that it was shown.
    """

    temperature: float | None = None

    def __init__(self, name: str = "fake-reader") -> None:
        self.name = name
        self.asked: list[Conversation] = []

    async def answer(self, conversation: Conversation, seconds: float) -> Completion:
        """The answer to the one tool of the question."""
        self.asked.append(conversation)
        tool = conversation.tools[0].name
        value = _ANSWERS[tool](conversation.opening)
        return Completion(calls=(ToolCall(tool, json.dumps(value)),), finish="tool_calls")


_TREE: Final = 'assert run.command(["test", "-d", run.tree + "/.git"]).code == 0'
_CHANGED: Final = 'assert run.command(["git", "-C", run.tree, "status", "--porcelain"]).stdout != ""'


def _assess(page: str) -> Mapping[str, Any]:
    messages = _MESSAGE.findall(page)
    edited, several = bool(_EDITED.search(page)), len(messages) > 1
    return {
        "summary": cut_line(messages[0][1], 200) if messages else "nothing was said",
        "deliverable_reason": "files were edited" if edited else "no file was edited",
        "deliverable": edited,
        "obstacles": [],
        "reproducible_reason": "nothing is known against it",
        "reproducible": True,
        "guided_reason": f"the user sent {len(messages)} messages",
        "guided": several,
    }


def _draft(page: str) -> Mapping[str, Any]:
    messages = [(int(number), text) for number, text in _MESSAGE.findall(page)]
    follow_ups = [
        {
            "number": number,
            "when": f"after the answer to message {number - 1}",
            "tags": ["question" if text.strip().endswith("?") else "request"],
            "intents": [{"kind": "request", "text": cut_line(text, 200)}],
        }
        for number, text in messages[1:]
    ]
    return {
        "description": cut_line(messages[0][1], 100),
        "persona": "Somebody who writes as the messages are written.",
        "analysis": "\n".join(f"{number}. {cut_line(text, 200)}" for number, text in messages),
        "spec": "All of this:\n\n" + "\n\n".join(cut_line(text, 300) for _, text in messages),
        "follow_ups": follow_ups,
        "goals": [{"number": 0, "text": f"Something of this is there: {cut_line(messages[0][1], 200)}"}],
        "cases": [
            {"number": 0, "kind": "f2p", "name": f"changed-{place}", "body": _CHANGED} for place in ("once", "twice")
        ]
        + [{"number": 0, "kind": "p2p", "name": "there-is-a-tree", "body": _TREE}],
    }


_ANSWERS: Final[Mapping[str, Callable[[str], Mapping[str, Any]]]] = {"assess": _assess, "draft": _draft}
