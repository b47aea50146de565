"""A scripted investigation in place of a judge's model: run, read, hand in. It judges nothing.

All that it knows stands in the request, so that one server can play for many judgements at once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_GOAL = re.compile(r"^## ([a-z0-9-]+) \((core|secondary|polish), (state|tests|conversation)(?:, must hold)?\)$", re.M)
_CASES = re.compile(r"^Test cases: (.+)$", re.M)
_TURN = re.compile(r"^## Turn (\d+) ", re.M)


@dataclass(frozen=True)
class Investigator:
    """Answers requests of a judge.

    Attributes:
        met: Verdict by goal; goals that aren't named take ``otherwise``, or what their test cases say.
        otherwise: The verdict of all others.
        command: What it runs first.
        path: The file that it reads next; empty reads none.
    """

    met: Mapping[str, bool] = field(default_factory=dict)
    otherwise: bool | None = None
    command: str = "ls"
    path: str = ""

    def __call__(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The next call, by what has been called so far."""
        opening = _text(body["messages"][1]["content"])
        done = [message for message in body["messages"] if message["role"] == "assistant"]
        tools = [tool["function"]["name"] for tool in body.get("tools", [])]
        if tools == ["submit"] or len(done) >= (2 if self.path else 1):
            return {"tool": "submit", "arguments": {"verdicts": self._verdicts(opening)}}
        if not done:
            return {"tool": "run", "arguments": {"command": self.command, "timeout_sec": 60}}
        return {"tool": "read", "arguments": {"path": self.path, "first_line": 1, "lines": 50}}

    def _verdicts(self, opening: str) -> list[dict[str, Any]]:
        parts = opening.partition("# The session\n")
        found = list(_GOAL.finditer(parts[0]))
        ends = [match.start() for match in found[1:]] + [len(parts[0])]
        turns = _TURN.findall(parts[2])
        verdicts = []
        for match, end in zip(found, ends, strict=True):
            goal, _, channel = match.groups()
            told = _CASES.search(parts[0], match.end(), end)
            cases = dict(one.rsplit(" ", 1) for one in told[1].split(", ")) if told else {}
            passed = bool(cases) and set(cases.values()) == {"passed"}
            evidence = {"kind": "command", "ref": "1"}
            if channel == "conversation":
                evidence = {"kind": "turn", "ref": turns[-1]}
            elif cases:
                evidence = {"kind": "case", "ref": next(iter(cases))}
            met = self.met.get(goal, passed if self.otherwise is None else self.otherwise)
            verdicts.append({"goal": goal, "evidence": [evidence], "reason": "as scripted", "met": met})
        return verdicts


def called(body: Mapping[str, Any]) -> list[str]:
    """Names of the tools that a request says were called so far."""
    names = []
    for message in body["messages"]:
        if message["role"] != "assistant":
            continue
        if message.get("tool_calls"):
            names += [call["function"]["name"] for call in message["tool_calls"]]
        else:
            names += [json.loads(line)["tool"] for line in message["content"].splitlines()]
    return names


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)
